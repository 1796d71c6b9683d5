/** Which conversations are listed, and how. */
import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import { triggers } from '../../service/entities.ts';
import { type Activity, activities } from '../../state/lists/activity.ts';
import { type Filter, groupings, isFiltered, sortings } from '../../state/lists/conversationRows.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { gitRepositories, type RepositoryFinder } from '../ui/workspaceRepository.ts';
import { askPick, back, type PickQuestion } from '../ui/steps.ts';
import { groupingWords, sortingWords } from '../words/conversations/arrangementWords.ts';
import { inPick } from '../words/foreignText.ts';
import { nameOf } from '../words/serviceWords.ts';
import { activityWords, triggerWord } from '../words/stateWords.ts';
import type { CommandParts, Handlers } from '../start/handlers.ts';

interface Valued<T> extends QuickPickItem {
  readonly value: T;
}

type Asked = Pick<PickQuestion<QuickPickItem>, 'title' | 'placeholder'>;

interface Choice<T> extends QuickPickItem {
  readonly value?: T;
}

export function arrangementCommands({ switchboard }: CommandParts) {
  return {
    'switchboard.conversations.filter': () => filterConversations(switchboard, gitRepositories),
    'switchboard.conversations.clearFilters': () => switchboard.arrange({ filter: {} }),
    'switchboard.conversations.groupBy': async () => {
      const several = switchboard.services.length > 1;
      const possible = groupings.filter((grouping) => grouping !== 'service' || several);
      const grouping = await choose(possible, groupingWords, switchboard.arrangement.grouping, {
        title: t('Group Conversations'),
        placeholder: t('Group by'),
      });
      if (grouping) await switchboard.arrange({ grouping });
    },
    'switchboard.conversations.sortBy': async () => {
      const sorting = await choose(sortings, sortingWords, switchboard.arrangement.sorting, {
        title: t('Sort Conversations'),
        placeholder: t('Sort by'),
      });
      if (sorting) await switchboard.arrange({ sorting });
    },
  } satisfies Partial<Handlers>;
}

/** Lets the person choose by what to filter, and then the value; or clear one or all. */
async function filterConversations(switchboard: Switchboard, repositories: RepositoryFinder): Promise<void> {
  const { filter } = switchboard.arrangement;
  const here = await repositories.find();
  const items: Choice<() => Promise<Partial<Filter> | undefined>>[] = [
    ...(here
      ? [
          {
            label: t('$(repo) This Repository'),
            description: inPick(here.name),
            value: () => Promise.resolve({ repository: here.name }),
          },
        ]
      : []),
    {
      label: t('$(search) Title…'),
      description: inPick(filter.text ?? ''),
      value: () => askForText(filter.text ?? ''),
    },
    {
      label: t('$(repo) Repository…'),
      description: inPick(filter.repository ?? ''),
      value: () => askForRepository(switchboard, filter.repository),
    },
    {
      label: t('$(pulse) State…'),
      description: filter.activity ? activityWords[filter.activity] : '',
      value: () => askForActivity(filter.activity),
    },
    {
      label: t('$(zap) Trigger…'),
      description: filter.trigger ? inPick(triggerWord(filter.trigger)) : '',
      value: () => askForTrigger(switchboard, filter.trigger),
    },
    ...(tagsOf(switchboard).length > 0 || filter.tag
      ? [
          {
            label: t('$(tag) Tag…'),
            description: inPick(filter.tag ?? ''),
            value: () => askForTag(switchboard, filter.tag),
          },
        ]
      : []),
    ...(switchboard.services.length > 1 || filter.service
      ? [
          {
            label: t('$(plug) Service…'),
            description: filter.service ? inPick(nameOf(switchboard, filter.service)) : '',
            value: () => askForService(switchboard, filter.service),
          },
        ]
      : []),
    ...(isFiltered(filter)
      ? [
          { label: '', kind: QuickPickItemKind.Separator },
          { label: t('$(clear-all) Clear Filters'), value: () => Promise.resolve(noFilter) },
        ]
      : []),
  ];
  const picked = await window.showQuickPick(items, {
    title: t('Filter Conversations'),
    placeHolder: t('Filter by'),
  });
  const change = await picked?.value?.();
  if (change) await switchboard.arrange({ filter: change === noFilter ? {} : { ...filter, ...change } });
}

const noFilter: Partial<Filter> = {};

async function choose<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
  current: Value,
  question: Asked,
): Promise<Value | undefined> {
  const items = values.map((value) => ({ label: words[value], value }));
  return (await pick(items, current, question))?.value;
}

async function askForText(value: string): Promise<Partial<Filter> | undefined> {
  const text = await window.showInputBox({
    title: t('Filter by Title'),
    prompt: t('Part of the title. Leave empty to show all.'),
    value,
  });
  return text === undefined ? undefined : { text: text.trim() || undefined };
}

async function askForActivity(current: Activity | undefined): Promise<Partial<Filter> | undefined> {
  const items = [any(), ...activities.map((value) => ({ label: activityWords[value], value }))];
  const picked = await pick(items, current, { title: t('Filter by State'), placeholder: t('State') });
  return picked && { activity: picked.value };
}

async function askForRepository(
  switchboard: Switchboard,
  current: string | undefined,
): Promise<Partial<Filter> | undefined> {
  const seen = [...switchboard.conversations.rows.values()].map(({ repository }) => repository);
  const value = await pickOrType(seen, (name) => name, current, {
    title: t('Filter by Repository'),
    placeholder: t('Repository, as owner/name'),
  });
  return value && { repository: value.value };
}

async function askForTrigger(
  switchboard: Switchboard,
  current: string | undefined,
): Promise<Partial<Filter> | undefined> {
  const seen = [...switchboard.conversations.rows.values()].map(({ trigger }) => trigger);
  const value = await pickOrType([...triggers, ...seen], triggerWord, current, {
    title: t('Filter by Trigger'),
    placeholder: t('What started the conversation'),
  });
  return value && { trigger: value.value };
}

function tagsOf({ conversations }: Switchboard): readonly string[] {
  return [...new Set([...conversations.rows.values()].flatMap(({ tags }) => tags))].sort();
}

async function askForTag(
  switchboard: Switchboard,
  current: string | undefined,
): Promise<Partial<Filter> | undefined> {
  const value = await pickOrType(tagsOf(switchboard), (tag) => tag, current, {
    title: t('Filter by Tag'),
    placeholder: t('Tag of the conversation'),
  });
  return value && { tag: value.value };
}

async function askForService(
  switchboard: Switchboard,
  current: string | undefined,
): Promise<Partial<Filter> | undefined> {
  const items = switchboard.services.map(({ name, address }) => ({
    label: inPick(name),
    description: inPick(address),
    value: address,
  }));
  const picked = await pick<string | undefined>([any(), ...items], current, {
    title: t('Filter by Service'),
    placeholder: t('Service'),
  });
  return picked && { service: picked.value };
}

const any = (): QuickPickItem & { readonly value: undefined } => ({ label: t('Any'), value: undefined });

/** One of the values that are known, any other that is typed, or none. */
async function pickOrType(
  values: readonly (string | undefined)[],
  word: (value: string) => string,
  current: string | undefined,
  question: Asked,
): Promise<{ readonly value: string | undefined } | undefined> {
  const known = [...new Set([...values, current].filter((value) => value !== undefined))];
  const items = known.map((value) => ({
    label: inPick(word(value)),
    description: word(value) === value ? '' : inPick(value),
    value,
  }));
  return await pick<string | undefined>([any(), ...items], current, {
    ...question,
    other: (typed) =>
      known.includes(typed)
        ? undefined
        : { label: inPick(typed), description: t('as typed'), alwaysShow: true, value: typed },
  });
}

/** Begins at the current value, and says which it is. */
async function pick<Value>(
  items: readonly Valued<Value>[],
  current: Value,
  question: Asked & Pick<PickQuestion<Valued<Value>>, 'other'>,
): Promise<Valued<Value> | undefined> {
  const marked = items.map((item) =>
    item.value === current
      ? { ...item, description: [t('current'), item.description].filter(Boolean).join(' · ') }
      : item,
  );
  const active = marked.find(({ value }) => value === current);
  const picked = await askPick({ ...question, items: marked, active });
  return picked === back ? undefined : picked;
}
