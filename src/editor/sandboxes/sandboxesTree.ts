import {
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { plural, t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { joinParts } from '../../base/parts.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
  type Sandbox,
  type Time,
} from '../../service/model/entities.ts';
import { isAgeOnly } from '../../state/lists/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { aClick, views } from '../manifest.ts';
import { conversationIcon } from '../ui/icons.ts';
import { problemId, problemItem, problemRows } from '../ui/problemItem.ts';
import { type TreeLayout, type TreeRow, RowTree } from '../ui/rowTree.ts';
import { rowCommand, treeItem } from '../ui/treeItem.ts';
import {
  rowTitle,
  titleOf,
  sandboxName,
} from '../words/conversations/conversationWords.ts';
import { factLines, knownFacts } from '../words/facts.ts';
import { serviceName } from '../words/serviceWords.ts';
import { activityWord, sandboxWord } from '../words/stateWords.ts';
import {
  shortAge,
  ageEnds,
  dayEnds,
  longAge,
  longAgeAndTime,
} from '../words/times.ts';

/**
 * `id` is the argument of commands: the key of a sandbox or conversation, or
 * the address of a service.
 */
type SandboxRow = TreeRow &
  (
    | { readonly kind: 'problem'; readonly id: string }
    | {
        readonly kind: 'sandbox' | 'conversation' | 'empty';
        readonly id: ConversationKey;
      }
    | {
        readonly kind: 'exposed';
        readonly id: ConversationKey;
        readonly index: number;
      }
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
  #served = new Map<ConversationKey | undefined, Conversation[]>();

  constructor(switchboard: Switchboard, clock: Clock) {
    super(views.sandboxes, clock);
    this.#switchboard = switchboard;
    const { conversations, sandboxes } = switchboard;
    this.subscriptions.push(
      sandboxes.onChange((change) => {
        if (isAgeOnly(change)) this.timePassed();
        else
          this.changed([
            ...[...change.rows].map(rowIdOf),
            ...switchboard.services.map(problemId),
          ]);
      }),
      conversations.onChange(({ rows, structure }) => {
        if (structure || rows.size > 0)
          this.maybeChanged(
            [...rows].map((key) =>
              servedRowIdOf(sandboxKeyOf(conversations.rows.get(key)), key),
            ),
          );
      }),
      switchboard.onSandboxAction((key) => {
        this.changed([rowIdOf(key)]);
      }),
      switchboard.onServices(this.allChanged),
    );
  }

  protected layOut(): TreeLayout<SandboxRow> {
    const { conversations, sandboxes } = this.#switchboard;
    this.#served = Map.groupBy(conversations.rows.values(), sandboxKeyOf);
    const all = [...sandboxes.rows];
    return {
      roots: [
        ...problemRows(this.#switchboard, 'sandboxes'),
        ...all.map(([key]): SandboxRow => ({
          kind: 'sandbox',
          id: key,
          rowId: rowIdOf(key),
        })),
      ],
      children: new Map(
        all.map(([key, sandbox]) => [rowIdOf(key), this.#below(key, sandbox)]),
      ),
    };
  }

  #below(key: ConversationKey, { exposed }: Sandbox): SandboxRow[] {
    const rows = [
      ...(this.#served.get(key) ?? []).map((conversation): SandboxRow => {
        const id = keyOf(conversation);
        return { kind: 'conversation', id, rowId: servedRowIdOf(key, id) };
      }),
      ...exposed.map((_, index): SandboxRow => ({
        kind: 'exposed',
        id: key,
        index,
        rowId: `exposed:${key}:${index}`,
      })),
    ];
    return rows.length > 0
      ? rows
      : [{ kind: 'empty', id: key, rowId: `empty:${key}` }];
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
        return this.#sandbox(row.id, sandboxes.rows.get(row.id), now);
      case 'conversation':
        return conversationItem(conversations.rows.get(row.id));
      case 'exposed':
        return exposedItem(sandboxes.rows.get(row.id), row);
      case 'empty':
        return new TreeItem(t('No loaded conversations'));
      case 'problem':
        return problemItem(this.#switchboard, 'sandboxes', row.id, now);
    }
  }

  #sandbox(
    key: ConversationKey,
    sandbox: Sandbox | undefined,
    now: Time,
  ): TreeItem {
    if (!sandbox) return new TreeItem('');
    const service = serviceName(this.#switchboard, sandbox.service);
    const action = this.#switchboard
      .service(sandbox.service)
      ?.sandboxActions.underWay.get(sandbox.id);
    const state = sandboxWord(sandbox, action);
    const served = this.#served.get(key) ?? [];
    const serves = served.length;
    const conversations = countWord(serves);
    const { createdAt, specId, detail } = sandbox;
    const { name, spec } = sandboxName(sandbox, served);
    const age = createdAt === undefined ? undefined : shortAge(createdAt, now);
    const rest = serves === 1 ? spec : joinParts(' · ', conversations, spec);
    const facts = knownFacts([
      [t('Service'), service],
      [t('State'), joinParts(' · ', state, detail)],
      [t('Template'), specId === undefined ? undefined : plainText(specId)],
      [t('Conversations'), conversations],
      [t('Created'), createdAt !== undefined && longAgeAndTime(createdAt, now)],
    ]);
    return treeItem(rowTitle(name), {
      description: joinParts(' · ', service, state, rest, age),
      tooltip: `${name}\n${factLines(facts)}`,
      iconPath: action
        ? new ThemeIcon('loading~spin')
        : (icons.get(sandbox.status) ?? new ThemeIcon('vm')),
      // All rows can be expanded, so that they have the same indentation.
      collapsibleState: TreeItemCollapsibleState.Collapsed,
      context: ['sandbox', action === undefined ? sandbox.status : 'busy'],
      spoken: joinParts(
        ', ',
        t('Sandbox'),
        name,
        state,
        conversations,
        spec,
        service,
        createdAt !== undefined && t('created {0}', longAge(createdAt, now)),
      ),
    });
  }
}

function rowIdOf(key: ConversationKey): string {
  return `sandbox:${key}`;
}

function sandboxKeyOf({ service = '', sandboxId }: Partial<Conversation> = {}):
  ConversationKey | undefined {
  return sandboxId === undefined
    ? undefined
    : keyOf({ service, id: sandboxId });
}

function servedRowIdOf(
  sandboxKey: string | undefined,
  conversationKey: string,
): string {
  return `conversation:${sandboxKey ?? ''}:${conversationKey}`;
}

function countWord(conversations: number): string | undefined {
  if (conversations === 0) return undefined;
  return plural(conversations, '1 conversation', '{0} conversations');
}

function conversationItem(conversation: Conversation | undefined): TreeItem {
  if (!conversation) return new TreeItem('');
  const title = titleOf(conversation);
  const state = activityWord(conversation);
  return treeItem(rowTitle(title), {
    description: state,
    tooltip: `${title}\n${state}`,
    iconPath: conversationIcon(conversation),
    context: ['conversation', conversation.link && 'link'],
    spoken: t('Conversation {0}, {1}', title, state),
    command: rowCommand(
      'switchboard.conversations.showDetails',
      t('Show Details'),
      keyOf(conversation),
      aClick,
    ),
  });
}

function exposedItem(
  sandbox: Sandbox | undefined,
  { id, index }: { readonly id: string; readonly index: number },
): TreeItem {
  const exposed = sandbox?.exposed[index];
  if (!exposed) return new TreeItem('');
  const { name, port, link } = exposed;
  const description = port === undefined ? '' : t('port {0}', port);
  return treeItem(name, {
    description,
    tooltip: t('Open {0} in the browser', link.shown),
    iconPath: new ThemeIcon('link-external'),
    context: ['exposed'],
    spoken: joinParts(', ', t('Address {0}', name), description),
    command: rowCommand('switchboard.sandboxes.openUrl', t('Open'), id, index),
  });
}
