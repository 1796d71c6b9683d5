/**
 * Add MCP Server from Text: recognizes servers, asks for what is missing,
 * previews the change, and makes it.
 *
 * Text of several lines comes from the clipboard. An input box removes its line
 * breaks, and an untitled editor would be backed up to a file, secrets
 * included.
 */
import { env, type QuickPickItem, ThemeIcon } from 'vscode';
import { reason, UserError } from '../../../base/errors.ts';
import { plural, t } from '../../../base/l10n.ts';
import { Secret } from '../../../base/secret.ts';
import { joinParts, present } from '../../../base/parts.ts';
import type { PastedPlaceholder } from '../../../mcp/pasted/pastedServer.ts';
import { showInformation, showWarning } from '../../ui/messages.ts';
import {
  askAll,
  askMany,
  askPick,
  askToKeepText,
  askToKeepValue,
  back,
  type StepAnswer,
} from '../../ui/steps.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import {
  confirmAdding,
  continueOrStart,
  type PlanPosition,
  type ServerDestination,
} from './confirmChanges.ts';
import {
  actionWords,
  answerProblem,
  type BatchItem,
  batchItem,
  batchMessage,
  changesOf,
  finalName,
  isAdded,
  isHidden,
  isTouched,
  itemWords,
  type NameResolution,
  namesBefore,
  nameSuggestion,
  type PastedBatch,
  placeholderWords,
  secretsOf,
  type UnfinishedFlows,
} from './pastedBatch.ts';
import { nameProblem } from './serverDraft.ts';

function titleFor({ service }: ServerDestination): string {
  return service === undefined
    ? t('Add MCP Server from Text')
    : t('Add MCP Server to {0} from Text', service);
}

export async function askForText(
  destination: ServerDestination,
  unfinished: UnfinishedFlows,
): Promise<void> {
  const title = titleFor(destination);
  const { batch: last } = unfinished;
  const batch = await continueOrStart(
    title,
    last?.items.some(isTouched) === true
      ? {
          answers: last,
          summary: namesIn(last),
        }
      : undefined,
    async () => {
      unfinished.batch = undefined;
      const read = await loadTextReader();
      const copied = read(await readClipboard(), 'clipboard');
      return typeof copied === 'string' ? await askForAnother(title) : copied;
    },
  );
  if (batch) await addPasted(destination, batch, unfinished);
}

export async function addPasted(
  destination: ServerDestination,
  first: PastedBatch,
  unfinished: UnfinishedFlows,
): Promise<void> {
  let batch: PastedBatch | undefined = first;
  while (batch) {
    unfinished.batch = batch;
    const outcome = await finishBatch(destination, batch);
    if (outcome !== undefined) unfinished.batch = undefined;
    if (outcome !== 'another') return;
    batch = await askForAnother(titleFor(destination));
  }
}

/** Reads the servers in a text, or the reason why there are none. */
type TextReader = (
  text: string,
  source: PastedBatch['source'],
) => PastedBatch | string;

/** Loaded on use, because it includes a YAML parser. */
export async function loadTextReader(): Promise<TextReader> {
  const { readPasted } = await import('../../../mcp/pasted/readPasted.ts');
  return (text, source) => {
    try {
      const { servers, problems } = readPasted(
        text,
        process.platform === 'win32',
      );
      return { items: servers.map(batchItem), problems, source, at: 0 };
    } catch (error) {
      if (error instanceof UserError) return reason(error);
      throw error;
    }
  };
}

function namesIn({ items }: PastedBatch): string {
  return items.map(({ pasted }) => pasted.suggestedName).join(', ');
}

export function recognizedServers(batch: PastedBatch): string {
  return t('Recognized: {0}', namesIn(batch));
}

/** Empty if the editor may not read it, as in a browser. */
async function readClipboard(): Promise<string> {
  try {
    return await env.clipboard.readText();
  } catch {
    return '';
  }
}

interface SourceItem extends QuickPickItem {
  /** The text in the question; undefined for the clipboard. */
  readonly typed?: string;
}

/**
 * Asks until a text has a server. Text that is typed or pasted into the
 * question counts too.
 */
async function askForAnother(title: string): Promise<PastedBatch | undefined> {
  const read = await loadTextReader();
  const clipboard: SourceItem = {
    label: t('Read the Clipboard'),
    detail: t(
      'First copy a command line, JSON, TOML, YAML or an install link.',
    ),
    alwaysShow: true,
  };
  let value = '';
  let placeholder = t(
    'Paste a command line, JSON, an install link or a URL here',
  );
  for (;;) {
    const answer = await askPick({
      title,
      placeholder,
      value,
      stays: true,
      items: [clipboard],
      later: (typed) => {
        const batch = read(typed, 'typed');
        const words =
          typeof batch === 'string'
            ? {
                label: t('No MCP server recognized yet'),
                detail: inPick(batch),
              }
            : { label: recognizedServers(batch) };
        const row: SourceItem = { ...words, alwaysShow: true, typed };
        return Promise.resolve(typed === '' ? [clipboard] : [row, clipboard]);
      },
    });
    if (answer === undefined || answer === back) return undefined;
    const { typed } = answer;
    const batch =
      typed === undefined
        ? read(await readClipboard(), 'clipboard')
        : read(typed, 'typed');
    if (typeof batch !== 'string') return batch;
    value = typed ?? '';
    placeholder = batch;
    void showWarning(placeholder);
  }
}

type QuestionPosition = Pick<PlanPosition, 'title' | 'step' | 'totalSteps'>;

interface BatchQuestion {
  /** False if earlier answers make the question needless. */
  readonly isAsked: () => boolean;
  readonly ask: (position: QuestionPosition) => Promise<StepAnswer | 'another'>;
}

/** `another`: the user wants to use another text. Undefined if given up. */
async function finishBatch(
  destination: ServerDestination,
  batch: PastedBatch,
): Promise<'done' | 'another' | undefined> {
  const { items, problems } = batch;
  if (problems.length > 0 && batch.at === 0) {
    void showWarning(
      t('Some of this was not understood. {0}', inMessage(problems.join(' '))),
    );
  }
  const title = titleFor(destination);
  const questions: BatchQuestion[] = [
    { isAsked: () => true, ask: (position) => askWhich(batch, position) },
    ...items.flatMap((item) => questionsFor(item, items, destination)),
  ];
  const stepsIn = (some: readonly BatchQuestion[]) =>
    some.filter(({ isAsked }) => isAsked()).length + 1;
  for (;;) {
    let isAnother = false as boolean;
    const isAnswered = await askAll(
      questions.map(({ isAsked, ask }, index) => async () => {
        if (!isAsked()) return 'skip';
        const answer = await ask({
          title,
          step: stepsIn(questions.slice(0, index)),
          totalSteps: stepsIn(questions),
        });
        if (answer === undefined) batch.at = index;
        isAnother = answer === 'another';
        return answer === 'another' ? undefined : answer;
      }),
      batch.at,
    );
    if (!isAnswered) return isAnother ? 'another' : undefined;
    batch.at = questions.length;
    if (!items.some(isAdded)) {
      void showInformation(
        t('No MCP server was chosen, so nothing was added.'),
      );
      return 'done';
    }
    const outcome = await confirmAdding(destination, {
      title,
      step: stepsIn(questions),
      totalSteps: stepsIn(questions),
      changes: changesOf(items),
      secrets: secretsOf(items),
      question: `${actionWords(items, false)}?`,
      doneMessage: inMessage(batchMessage(items)),
    });
    if (outcome === 'done' || outcome === undefined) return outcome;
    batch.at =
      outcome === back
        ? questions.findLastIndex(({ isAsked }) => isAsked())
        : 0;
  }
}

async function askWhich(
  { items, source }: PastedBatch,
  position: QuestionPosition,
): Promise<StepAnswer | 'another'> {
  const rows: (QuickPickItem & { item: BatchItem })[] = items.map((item) => {
    const { label, description, detail } = itemWords(item);
    return {
      item,
      label: inPick(label),
      description: inPick(description),
      detail: inPick(detail),
    };
  });
  const another = {
    iconPath: new ThemeIcon('edit'),
    tooltip: t('Use Another Text'),
  };
  const answer = await askMany({
    ...position,
    items: rows,
    chosen: rows.filter(({ item }) => item.chosen),
    placeholder: items.some(({ pasted }) => pasted.isGuess)
      ? t(
          'This may be an MCP server, but the text does not say so. Choose what to add.',
        )
      : foundWords(items.length, source),
    button: another,
  });
  if (answer === undefined || answer === back) return answer;
  if (!Array.isArray(answer)) return 'another';
  for (const row of rows) row.item.chosen = answer.includes(row);
  return 'next';
}

function foundWords(count: number, source: PastedBatch['source']): string {
  if (source === 'clipboard') {
    return plural(
      count,
      'The clipboard has an MCP server. Choose what to add.',
      'The clipboard has {0} MCP servers. Choose what to add.',
    );
  }
  return plural(
    count,
    'The text has an MCP server. Choose what to add.',
    'The text has {0} MCP servers. Choose what to add.',
  );
}

function questionsFor(
  item: BatchItem,
  items: readonly BatchItem[],
  destination: ServerDestination,
): BatchQuestion[] {
  const { pasted } = item;
  const earlier = () => namesBefore(item, items);
  const taken = () => new Set([...destination.names(), ...earlier()]);
  const hasName =
    pasted.name !== undefined &&
    destination.nameProblem(pasted.name) === undefined;
  const isTaken = () => item.chosen && taken().has(item.name);
  const replaceable = () =>
    destination.names().has(item.name) && !earlier().has(item.name);
  const askForName = (
    field: 'name' | 'rename',
    prompt: string,
    position: QuestionPosition,
  ) =>
    askToKeepText(
      {
        ...position,
        value: item[field] || nameSuggestion(item, taken()),
        prompt,
        validate: (name) =>
          destination.nameProblem(name) ?? nameProblem(name, taken()),
      },
      (name) => {
        item[field] = name.trim();
      },
    );
  return [
    {
      isAsked: () => item.chosen && !hasName,
      ask: (position) => {
        const prompt =
          pasted.name === undefined
            ? t('Name of the server (missing in the text)')
            : t('Another name for the server');
        return askForName('name', prompt, position);
      },
    },
    {
      isAsked: () => {
        // The name has become free.
        if (item.resolution !== undefined && !isTaken())
          item.resolution = undefined;
        return isTaken();
      },
      ask: (position) => askToResolve(item, replaceable(), position),
    },
    {
      isAsked: () => item.chosen && item.resolution === 'rename',
      ask: (position) =>
        askForName('rename', t('New name for “{0}”', item.name), position),
    },
    ...pasted.placeholders.map((placeholder): BatchQuestion => ({
      isAsked: () => isAdded(item),
      ask: (position) => askForPlaceholder(item, placeholder, position),
    })),
  ];
}

async function askToResolve(
  item: BatchItem,
  isInFile: boolean,
  position: QuestionPosition,
): Promise<StepAnswer> {
  const name = inPick(item.name);
  return await askToKeepValue<NameResolution>(
    {
      ...position,
      items: present(
        {
          value: 'rename',
          label: t('Rename'),
          detail: t('Add it under another name'),
        },
        isInFile && {
          value: 'replace',
          label: t('Replace'),
          detail: t('Replace the existing one'),
        },
        { value: 'skip', label: t('Skip'), detail: t('Do not add it') },
      ),
      placeholder: isInFile
        ? t('There is already an MCP server “{0}”', name)
        : t('The text already has an MCP server “{0}”', name),
    },
    item.resolution,
    (resolution) => {
      item.resolution = resolution;
    },
  );
}

async function askForPlaceholder(
  item: BatchItem,
  placeholder: PastedPlaceholder,
  position: QuestionPosition,
): Promise<StepAnswer> {
  const { text, description } = placeholder;
  const what =
    description === undefined || description === ''
      ? text
      : `${text} (${description})`;
  const hidden = isHidden(placeholder);
  const prompt = joinParts(
    ' ',
    t(
      'Value for {0} in {1} of “{2}”.',
      what,
      placeholderWords(placeholder),
      finalName(item),
    ),
    hidden && t('Your input is hidden.'),
    t('Leave it empty to fill it in later.'),
  );
  return await askToKeepText(
    {
      ...position,
      value: item.answers.get(placeholder)?.reveal() ?? '',
      hidden,
      prompt,
      validate: (value) => answerProblem(placeholder, value),
    },
    (value) => {
      item.answers.set(placeholder, new Secret(value));
    },
  );
}
