/** Add MCP Server from Text: recognises the servers, asks for what is missing, shows what will change, and changes it. */
import { type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { Secret } from '../../../base/secret.ts';
import type { PastedPlaceholder } from '../../../mcp/pasted/pastedServer.ts';
import { showInformation, showWarning } from '../../ui/messages.ts';
import { askAll, askMany, askPick, askText, back } from '../../ui/steps.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import {
  actionWords,
  answerProblem,
  type PastedBatch,
  changesOf,
  doneWords,
  finalName,
  isAdded,
  isHidden,
  isTouched,
  type BatchItem,
  itemWords,
  namesBefore,
  placeholderWords,
  secretsOf,
  type NameResolution,
  serverOfItem,
  suggestionFor,
} from './batch.ts';
import { acceptsExposure, askToContinue } from './confirm.ts';
import { nameProblem } from './draft.ts';
import type { Place } from './place.ts';
import { askForAnother, findText } from './text.ts';
import type { UnfinishedFlows } from './unfinishedFlows.ts';
import type { StepAnswer } from './questions.ts';

function titleFor({ service }: Place): string {
  return service === undefined
    ? t('Add MCP Server from Text')
    : t('Add MCP Server to {0} from Text', service);
}

export async function askForText(place: Place, unfinished: UnfinishedFlows): Promise<void> {
  if (!(await place.isReady())) return;
  const title = titleFor(place);
  const batch = await takeUp(unfinished, title);
  if (batch) await addPasted(place, batch, unfinished);
}

export async function addPasted(
  place: Place,
  first: PastedBatch,
  unfinished: UnfinishedFlows,
): Promise<void> {
  let batch: PastedBatch | undefined = first;
  while (batch) {
    const outcome = await finish(place, batch, unfinished);
    if (outcome !== 'another') return;
    unfinished.batch = undefined;
    batch = await askForAnother(titleFor(place));
  }
}

async function takeUp(unfinished: UnfinishedFlows, title: string): Promise<PastedBatch | undefined> {
  const { batch } = unfinished;
  // Where nothing has been answered, there is nothing to lose.
  if (batch?.items.some(isTouched)) {
    const names = batch.items.map(({ pasted }) => pasted.suggestedName).join(', ');
    const answer = await askToContinue(title, names);
    if (answer === undefined) return undefined;
    if (answer === 'continue') return batch;
  }
  unfinished.batch = undefined;
  return await findText(title);
}

/** One question of a batch, and whether it is asked as far as is known. */
interface BatchQuestion {
  readonly active: () => boolean;
  readonly ask: (place: {
    title: string;
    step: number;
    totalSteps: number;
  }) => Promise<StepAnswer | 'another'>;
}

async function finish(
  place: Place,
  batch: PastedBatch,
  unfinished: UnfinishedFlows,
): Promise<'done' | 'another' | undefined> {
  const { items, problems } = batch;
  if (problems.length > 0 && batch.at === 0) {
    void showWarning(t('Not everything was understood. {0}', inMessage(problems.join(' '))));
  }
  const title = titleFor(place);
  const questions: BatchQuestion[] = [
    { active: () => true, ask: (asked) => askWhich(batch, asked) },
    ...items.flatMap((item) => questionsFor(item, items, place)),
  ];
  const count = () => questions.filter(({ active }) => active()).length + 1;
  const position = { another: false };
  for (;;) {
    unfinished.batch = batch;
    const answered = await askAll(
      questions.map(({ active, ask }, index) => async () => {
        if (!active()) return 'skip';
        const step = questions.slice(0, index).filter((each) => each.active()).length + 1;
        const answer = await ask({ title, step, totalSteps: count() });
        if (answer === undefined) batch.at = index;
        if (answer === 'another') position.another = true;
        return answer === 'another' ? undefined : answer;
      }),
      batch.at,
    );
    if (position.another) return 'another';
    if (!answered) return undefined;
    batch.at = questions.length;
    const added = items.filter(isAdded);
    if (added.length === 0) {
      unfinished.batch = undefined;
      void showInformation(t('No MCP server was chosen, so nothing was added.'));
      return 'done';
    }
    const last = questions.findLastIndex(({ active }) => active());
    if (!(await acceptsExposure(added.map(serverOfItem)))) {
      batch.at = last;
      continue;
    }
    const outcome = await place.confirm({
      title,
      step: count(),
      totalSteps: count(),
      changes: changesOf(items),
      secrets: secretsOf(items),
      question: `${actionWords(items, false)}?`,
      said: inMessage(doneWords(items)),
    });
    if (outcome === undefined) return undefined;
    if (outcome === 'done') break;
    batch.at = outcome === back ? last : 0;
    if (outcome === 'taken') await place.refresh();
  }
  unfinished.batch = undefined;
  return 'done';
}

/** Shows what was recognised. */
async function askWhich(
  { items, source }: PastedBatch,
  place: { title: string; step: number; totalSteps: number },
): Promise<StepAnswer | 'another'> {
  const rows: (QuickPickItem & { item: BatchItem })[] = items.map((item) => {
    const { label, description, detail } = itemWords(item);
    return { item, label: inPick(label), description: inPick(description), detail: inPick(detail) };
  });
  const answer = await askMany({
    ...place,
    items: rows,
    chosen: rows.filter(({ item }) => item.chosen),
    placeholder: items.some(({ pasted }) => pasted.isGuess)
      ? t('This may be an MCP server, but the text does not say so. Choose what to add.')
      : foundWords(items.length, source),
    button: { iconPath: new ThemeIcon('edit'), tooltip: t('Use Another Text') },
  });
  if (answer === undefined || answer === back) return answer;
  if (!isRows(answer)) return 'another';
  for (const row of rows) row.item.chosen = answer.includes(row);
  return 'next';
}

function foundWords(count: number, source: PastedBatch['source']): string {
  if (source === 'clipboard') {
    return count === 1
      ? t('The clipboard has an MCP server. Choose what to add.')
      : t('The clipboard has {0} MCP servers. Choose what to add.', count);
  }
  return count === 1
    ? t('The text has an MCP server. Choose what to add.')
    : t('The text has {0} MCP servers. Choose what to add.', count);
}

function isRows<T>(answer: readonly T[] | object): answer is readonly T[] {
  return Array.isArray(answer);
}

function questionsFor(item: BatchItem, items: readonly BatchItem[], place: Place): BatchQuestion[] {
  const { pasted } = item;
  const earlier = () => namesBefore(item, items);
  const taken = () => new Set([...place.names(), ...earlier()]);
  const hasName = pasted.name !== undefined && place.nameProblem(pasted.name) === undefined;
  const problemOf = (name: string) => place.nameProblem(name) ?? nameProblem(name, taken());
  const isTaken = () => item.chosen && taken().has(item.name);
  const replaceable = () => place.names().has(item.name) && !earlier().has(item.name);
  return [
    {
      active: () => item.chosen && !hasName,
      ask: async (asked) => {
        const answer = await askText({
          ...asked,
          value: item.name || suggestionFor(item, taken()),
          prompt:
            pasted.name === undefined
              ? t('Name of the server, which the text does not give')
              : t('Another name for the server'),
          validate: problemOf,
          onType: (name) => {
            item.name = name.trim();
          },
        });
        if (typeof answer !== 'string') return answer === back ? back : undefined;
        item.name = answer.trim();
        return 'next';
      },
    },
    {
      active: () => {
        // What was decided about a name that is free by now does not count.
        if (item.resolution !== undefined && !isTaken()) item.resolution = undefined;
        return isTaken();
      },
      ask: (asked) => askToResolve(item, replaceable(), asked),
    },
    {
      active: () => item.chosen && item.resolution === 'rename',
      ask: async (asked) => {
        const answer = await askText({
          ...asked,
          value: item.rename || suggestionFor(item, taken()),
          prompt: t('New name for “{0}”', item.name),
          validate: problemOf,
          onType: (name) => {
            item.rename = name.trim();
          },
        });
        if (typeof answer !== 'string') return answer === back ? back : undefined;
        item.rename = answer.trim();
        return 'next';
      },
    },
    ...pasted.placeholders.map((placeholder): BatchQuestion => ({
      active: () => isAdded(item),
      ask: (asked) => askForPlaceholder(item, placeholder, asked),
    })),
  ];
}

async function askToResolve(
  item: BatchItem,
  inFile: boolean,
  place: { title: string; step: number; totalSteps: number },
): Promise<StepAnswer> {
  const rows: (QuickPickItem & { does: NameResolution })[] = [
    { does: 'rename', label: t('Rename'), detail: t('Add it under another name') },
    ...(inFile
      ? [
          {
            does: 'replace' as const,
            label: t('Replace'),
            detail: t('Replace the existing one'),
          },
        ]
      : []),
    { does: 'skip', label: t('Skip'), detail: t('Do not add it') },
  ];
  const name = inPick(item.name);
  const answer = await askPick({
    ...place,
    items: rows,
    active: rows.find(({ does }) => does === item.resolution),
    placeholder: inFile
      ? t('There is already an MCP server “{0}”', name)
      : t('The text already has an MCP server “{0}”', name),
  });
  if (answer === undefined || answer === back) return answer;
  item.resolution = answer.does;
  return 'next';
}

async function askForPlaceholder(
  item: BatchItem,
  placeholder: PastedPlaceholder,
  place: { title: string; step: number; totalSteps: number },
): Promise<StepAnswer> {
  const { text, description } = placeholder;
  const what = description === undefined || description === '' ? text : `${text} (${description})`;
  const hidden = isHidden(placeholder);
  const prompt = [
    t('Value for {0} in {1} of “{2}”.', what, placeholderWords(placeholder), finalName(item)),
    ...(hidden ? [t('It is not shown.')] : []),
    t('Leave it empty to fill it in later.'),
  ];
  const answer = await askText({
    ...place,
    value: item.answers.get(placeholder)?.reveal() ?? '',
    hidden,
    prompt: prompt.join(' '),
    validate: (value) => answerProblem(placeholder, value),
    onType: (value) => {
      item.answers.set(placeholder, new Secret(value));
    },
  });
  if (typeof answer !== 'string') return answer === back ? back : undefined;
  item.answers.set(placeholder, new Secret(answer));
  return 'next';
}
