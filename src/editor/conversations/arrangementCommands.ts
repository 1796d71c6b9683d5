import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import { triggers } from '../../service/model/entities.ts';
import { activities } from '../../state/lists/activity.ts';
import {
  type Filter,
  groupings,
  isFiltered,
  sortings,
} from '../../state/lists/conversationRows.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { workspaceRepository } from '../ui/gitRepository.ts';
import { askPick, back, type PickQuestion } from '../ui/steps.ts';
import {
  groupingWords,
  sortingWords,
} from '../words/conversations/arrangementWords.ts';
import { inPick } from '../words/foreignText.ts';
import { nameOf } from '../words/serviceWords.ts';
import { activityWords, triggerWord } from '../words/stateWords.ts';
import type { CommandHandlers } from '../manifest.ts';

interface Valued<T> extends QuickPickItem {
  readonly value: T;
}

export function arrangementCommands(switchboard: Switchboard) {
  return {
    'switchboard.conversations.filter': (preset) =>
      preset === 'archived'
        ? switchboard.arrange({
            filter: { ...switchboard.arrangement.filter, archived: true },
          })
        : filterConversations(switchboard),
    'switchboard.conversations.clearFilters': () =>
      switchboard.arrange({ filter: {} }),
    'switchboard.conversations.groupBy': async () => {
      const several = switchboard.services.length > 1;
      const possible = groupings.filter(
        (grouping) => grouping !== 'service' || several,
      );
      const picked = await pick(
        valued(possible, groupingWords),
        switchboard.arrangement.grouping,
        t('Group Conversations'),
        t('Group by'),
      );
      if (picked) await switchboard.arrange({ grouping: picked.value });
    },
    'switchboard.conversations.sortBy': async () => {
      const picked = await pick(
        valued(sortings, sortingWords),
        switchboard.arrangement.sorting,
        t('Sort Conversations'),
        t('Sort by'),
      );
      if (picked) await switchboard.arrange({ sorting: picked.value });
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Asks for the value of one property. Resolves with `undefined` if the user
 * cancels it.
 */
type FilterQuestion = () =>
  Partial<Filter> | Promise<Partial<Filter> | undefined>;

type FilterItem = QuickPickItem & { readonly value?: FilterQuestion };

const clear: FilterQuestion = () => ({});

async function filterConversations(switchboard: Switchboard) {
  const { filter } = switchboard.arrangement;
  const here = await workspaceRepository();
  const picked = await window.showQuickPick(
    filterItems(switchboard, here?.name),
    { title: t('Filter Conversations'), placeHolder: t('Filter by') },
  );
  const change = await picked?.value?.();
  if (change)
    await switchboard.arrange({
      filter: picked?.value === clear ? {} : { ...filter, ...change },
    });
}

function filterItems(
  switchboard: Switchboard,
  here: string | undefined,
): readonly FilterItem[] {
  const { filter } = switchboard.arrangement;
  const rows = [...switchboard.conversations.rows.values()];
  const tags = [...new Set(rows.flatMap((row) => row.tags))].sort();
  return [
    here !== undefined &&
      filterItem(t('$(repo) This Repository'), here, () => ({
        repository: here,
      })),
    filterItem(t('$(search) Title…'), filter.text, () => askForTitle(filter)),
    filterItem(t('$(repo) Repository…'), filter.repository, () =>
      pickOrType(
        'repository',
        filter,
        t('Filter by Repository'),
        t('Repository, as owner/name'),
        rows.map(({ repository }) => repository),
      ),
    ),
    filterItem(
      t('$(pulse) State…'),
      filter.activity && activityWords[filter.activity],
      () => askForState(filter),
    ),
    filterItem(
      t('$(zap) Trigger…'),
      filter.trigger && triggerWord(filter.trigger),
      () =>
        pickOrType(
          'trigger',
          filter,
          t('Filter by Trigger'),
          t('What started the conversation'),
          [...triggers, ...rows.map(({ trigger }) => trigger)],
          triggerWord,
        ),
    ),
    filterItem(
      t('$(circle-filled) Unread'),
      filter.unread && t('current'),
      () => ({ unread: filter.unread ? undefined : true }),
    ),
    filterItem(
      t('$(archive) Archived'),
      filter.archived && t('current'),
      () => ({
        archived: filter.archived ? undefined : true,
      }),
    ),
    (tags.length > 0 || filter.tag) &&
      filterItem(t('$(tag) Tag…'), filter.tag, () =>
        pickOrType(
          'tag',
          filter,
          t('Filter by Tag'),
          t('Tag of the conversation'),
          tags,
        ),
      ),
    (switchboard.services.length > 1 || filter.service) &&
      filterItem(
        t('$(plug) Service…'),
        filter.service && nameOf(switchboard, filter.service),
        () => askForService(switchboard),
      ),
    isFiltered(filter) && { label: '', kind: QuickPickItemKind.Separator },
    isFiltered(filter) && {
      label: t('$(clear-all) Clear Filters'),
      value: clear,
    },
  ].filter((entry) => typeof entry === 'object');
}

function filterItem(
  label: string,
  description: string | undefined,
  value: FilterQuestion,
): FilterItem {
  return { label, description: inPick(description ?? ''), value };
}

async function askForTitle({ text: current = '' }: Filter) {
  const text = await window.showInputBox({
    title: t('Filter by Title'),
    prompt: t('Part of the title. Leave empty to show all.'),
    value: current,
  });
  return text === undefined ? undefined : { text: text.trim() || undefined };
}

async function askForState({ activity }: Filter) {
  const picked = await pick(
    [any(), ...valued(activities, activityWords)],
    activity,
    t('Filter by State'),
    t('State'),
  );
  return picked && { activity: picked.value };
}

async function askForService({
  services,
  arrangement: { filter },
}: Switchboard) {
  const items = services.map(({ name, address }) => ({
    label: inPick(name),
    description: inPick(address),
    value: address,
  }));
  const picked = await pick<string | undefined>(
    [any(), ...items],
    filter.service,
    t('Filter by Service'),
    t('Service'),
  );
  return picked && { service: picked.value };
}

function valued<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): readonly Valued<Value>[] {
  return values.map((value) => ({ label: words[value], value }));
}

const any = (): Valued<undefined> => ({ label: t('Any'), value: undefined });

/** Asks for a known value, typed text, or none. */
async function pickOrType(
  property: 'repository' | 'trigger' | 'tag',
  { [property]: current }: Filter,
  title: string,
  placeholder: string,
  values: readonly (string | undefined)[],
  word = (value: string) => value,
): Promise<Partial<Filter> | undefined> {
  const choices = [
    ...new Set([...values, current].filter((value) => value !== undefined)),
  ];
  const items = choices.map((value) => ({
    label: inPick(word(value)),
    description: word(value) === value ? '' : inPick(value),
    value,
  }));
  const picked = await pick<string | undefined>(
    [any(), ...items],
    current,
    title,
    placeholder,
    (typed) =>
      choices.includes(typed)
        ? undefined
        : {
            label: inPick(typed),
            description: t('as typed'),
            alwaysShow: true,
            value: typed,
          },
  );
  return picked && { [property]: picked.value };
}

/** Marks the current value, and starts there. */
async function pick<Value>(
  items: readonly Valued<Value>[],
  current: Value,
  title: string,
  placeholder: string,
  other?: PickQuestion<Valued<Value>>['other'],
): Promise<Valued<Value> | undefined> {
  const marked = items.map((item) =>
    item.value === current
      ? {
          ...item,
          description: joinParts(' · ', t('current'), item.description),
        }
      : item,
  );
  const picked = await askPick({
    title,
    placeholder,
    other,
    items: marked,
    active: marked.find(({ value }) => value === current),
  });
  return picked === back ? undefined : picked;
}
