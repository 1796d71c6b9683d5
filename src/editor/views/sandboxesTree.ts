import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { type Conversation, idKey, type Sandbox, type Time } from '../../service/entities.ts';
import { isAgeOnly } from '../../state/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { conversationIcon } from './icons.ts';
import { problemItem } from './problemItem.ts';
import { type Layout, type Row, RowTree } from './rowTree.ts';
import { titleOf } from '../words/conversationWords.ts';
import { factLines } from '../words/facts.ts';
import { activityWord, sandboxWord } from '../words/stateWords.ts';
import { age, ageEnds, dayEnds, longAge, longAgeAndTime } from '../words/times.ts';

type SandboxRow = Row &
  (
    | { readonly kind: 'sandbox'; readonly id: string }
    | { readonly kind: 'conversation'; readonly id: string }
    | { readonly kind: 'exposed'; readonly id: string; readonly index: number }
    | { readonly kind: 'problem' }
  );

const icons = new Map(
  Object.entries({
    starting: new ThemeIcon('loading~spin'),
    running: new ThemeIcon('vm-running'),
    paused: new ThemeIcon('vm-outline'),
    error: new ThemeIcon('error', new ThemeColor('list.errorForeground')),
    missing: new ThemeIcon('circle-slash'),
  }),
);

export class SandboxesTree extends RowTree<SandboxRow> {
  readonly #switchboard: Switchboard;
  readonly #stops: readonly (() => void)[];
  /** The conversations of each sandbox, valid until their list changes. */
  #served = new Map<string, Conversation[]>();
  #servedRows: unknown;

  constructor(switchboard: Switchboard, clock: Clock) {
    super(clock);
    this.#switchboard = switchboard;
    const { conversations, sandboxes, sandboxActions } = switchboard;
    this.#stops = [
      sandboxes.onChange((change) => {
        if (isAgeOnly(change)) this.timePassed();
        else this.changed([...[...change.rows].map(rowIdOf), 'problem']);
      }),
      conversations.onChange(({ rows, structure }) => {
        if (structure || rows.size > 0) this.changed([...rows].flatMap((key) => this.#servedRow(key) ?? []));
      }),
      sandboxActions.onChange((id) => {
        this.changed([rowIdOf(id)]);
      }),
      switchboard.onConnection(() => {
        this.changed();
      }),
    ];
  }

  override dispose(): void {
    for (const stop of this.#stops) stop();
    super.dispose();
  }

  protected layOut(): Layout<SandboxRow> {
    const { connection, sandboxes } = this.#switchboard;
    if (!connection) return { roots: [], children: new Map() };
    this.#serve();
    const all = [...sandboxes.rows.values()];
    return {
      roots: [
        ...(sandboxes.error ? [{ kind: 'problem', rowId: 'problem' } as const] : []),
        ...all.map(({ id }): SandboxRow => ({ kind: 'sandbox', id, rowId: rowIdOf(id) })),
      ],
      children: new Map(all.map((sandbox) => [rowIdOf(sandbox.id), this.#below(sandbox)])),
    };
  }

  #serve(): void {
    const { rows } = this.#switchboard.conversations;
    if (this.#servedRows === rows) return;
    this.#servedRows = rows;
    this.#served = new Map();
    for (const conversation of rows.values()) {
      const { sandboxId } = conversation;
      if (sandboxId === undefined) continue;
      const served = this.#served.get(sandboxId);
      if (served) served.push(conversation);
      else this.#served.set(sandboxId, [conversation]);
    }
  }

  /** The id of the row below its sandbox. */
  #servedRow(key: string): string | undefined {
    const sandboxId = this.#switchboard.conversations.rows.get(key)?.sandboxId;
    return sandboxId === undefined ? undefined : servedRowIdOf(sandboxId, key);
  }

  #below({ id, exposed }: Sandbox): SandboxRow[] {
    return [
      ...(this.#served.get(id) ?? []).map((conversation): SandboxRow => {
        return {
          kind: 'conversation',
          id: conversation.id,
          rowId: servedRowIdOf(id, idKey(conversation.id)),
        };
      }),
      ...exposed.map((_, index): SandboxRow => ({
        kind: 'exposed',
        id,
        index,
        rowId: `exposed:${id}:${index}`,
      })),
    ];
  }

  protected until(row: SandboxRow, now: Time): Time {
    if (row.kind === 'problem') return dayEnds(now);
    if (row.kind !== 'sandbox') return Infinity;
    const createdAt = this.#switchboard.sandboxes.rows.get(row.id)?.createdAt;
    return createdAt === undefined ? Infinity : ageEnds(createdAt, now);
  }

  protected draw(row: SandboxRow, now: Time): TreeItem {
    const { sandboxes, conversations } = this.#switchboard;
    switch (row.kind) {
      case 'sandbox':
        return this.#sandbox(sandboxes.rows.get(row.id), now);
      case 'conversation':
        return conversationItem(conversations.rows.get(idKey(row.id)));
      case 'exposed':
        return exposedItem(sandboxes.rows.get(row.id), row);
      case 'problem':
        return sandboxes.error ? problemItem(sandboxes.error, sandboxes.asOf, now) : new TreeItem('');
    }
  }

  #sandbox(sandbox: Sandbox | undefined, now: Time): TreeItem {
    if (!sandbox) return new TreeItem('');
    const action = this.#switchboard.sandboxActions.underWay.get(sandbox.id);
    const state = sandboxWord(sandbox, action);
    const serves = this.#served.get(sandbox.id)?.length ?? 0;
    const conversations = countWord(serves);
    const { createdAt, specId, detail } = sandbox;
    const name = plainText(specName(specId) ?? sandbox.id);
    const hasChildren = serves > 0 || sandbox.exposed.length > 0;
    const item = new TreeItem(
      name,
      hasChildren ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
    );
    const shortAge = createdAt === undefined ? undefined : age(createdAt, now);
    item.description = [state, conversations, shortAge].filter(Boolean).join(' · ');
    const created = createdAt === undefined ? '' : longAgeAndTime(createdAt, now);
    const facts = [
      [t('State'), state],
      [t('Detail'), detail ?? ''],
      [t('Spec'), plainText(specId ?? '')],
      [t('Conversations'), conversations ?? t('none of the loaded ones')],
      [t('Created'), created],
      [t('ID'), plainText(sandbox.id)],
    ] as const;
    item.tooltip = factLines(facts.filter(([, value]) => value !== ''));
    item.iconPath = action
      ? new ThemeIcon('loading~spin')
      : (icons.get(sandbox.status) ?? new ThemeIcon('vm'));
    item.contextValue = ['sandbox', action === undefined ? sandbox.status : 'busy'].join(' ');
    const longCreated = createdAt === undefined ? undefined : t('created {0}', longAge(createdAt, now));
    item.accessibilityInformation = {
      label: [t('Sandbox'), name, state, conversations, longCreated].filter(Boolean).join(', '),
    };
    return item;
  }
}

function rowIdOf(id: string): string {
  return `sandbox:${id}`;
}

function servedRowIdOf(sandboxId: string, conversationKey: string): string {
  return `conversation:${sandboxId}:${conversationKey}`;
}

/** How many conversations it serves; undefined for none. */
function countWord(conversations: number): string | undefined {
  if (conversations === 0) return undefined;
  return conversations === 1 ? t('1 conversation') : t('{0} conversations', conversations);
}

/** The name of an image, without its registry and path. */
export function specName(specId: string | undefined): string | undefined {
  return specId === undefined ? undefined : specId.slice(specId.lastIndexOf('/') + 1) || specId;
}

function conversationItem(conversation: Conversation | undefined): TreeItem {
  if (!conversation) return new TreeItem('');
  const item = new TreeItem(titleOf(conversation));
  item.description = activityWord(conversation);
  item.tooltip = `${titleOf(conversation)}\n${activityWord(conversation)}`;
  item.iconPath = conversationIcon(conversation);
  item.contextValue = ['conversation', conversation.link && 'link'].filter(Boolean).join(' ');
  item.accessibilityInformation = {
    label: t('Conversation {0}, {1}', titleOf(conversation), activityWord(conversation)),
  };
  item.command = {
    command: 'switchboard.conversations.showDetails',
    title: t('Show Details'),
    arguments: [conversation.id],
  };
  return item;
}

function exposedItem(
  sandbox: Sandbox | undefined,
  { id, index }: { readonly id: string; readonly index: number },
): TreeItem {
  const exposed = sandbox?.exposed[index];
  if (!exposed) return new TreeItem('');
  const item = new TreeItem(exposed.name);
  item.description = exposed.port === undefined ? '' : t('port {0}', exposed.port);
  item.tooltip = t('Open {0} in the browser', exposed.link.shown);
  item.iconPath = new ThemeIcon('link-external');
  item.contextValue = 'exposed';
  item.accessibilityInformation = {
    label: [t('Address {0}', exposed.name), item.description].filter(Boolean).join(', '),
  };
  item.command = { command: 'switchboard.sandboxes.openUrl', title: t('Open'), arguments: [id, index] };
  return item;
}
