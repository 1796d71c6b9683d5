/** Add MCP Server from Text: recognises the servers, asks for what is missing, shows what will change, and changes it. */
import { type QuickPickItem, ThemeIcon, window } from 'vscode';
import { Secret } from '../../base/secret.ts';
import type { Placeholder } from '../../mcp/pasted/types.ts';
import { askAll, askMany, askPick, askText, back } from '../steps.ts';
import { inMessage, inPick } from '../views/words.ts';
import {
  actionWords,
  answerProblem,
  type Batch,
  changesOf,
  doneWords,
  finalName,
  isAdded,
  isHidden,
  isTouched,
  type Item,
  itemWords,
  namesBefore,
  placeWords,
  secretsOf,
  type Resolution,
  serverOfItem,
  suggestionFor,
} from './addServerBatch.ts';
import { acceptsExposure, askToContinue, confirmChanges, refuseUnreadable } from './addServerConfirm.ts';
import { nameProblem } from './addServerDraft.ts';
import { askForAnother, findText, title } from './addServerText.ts';
import type { ServerParts } from './servers.ts';
import type { Answer } from './serverQuestions.ts';

/** What was recognised and answered and then given up, for the next time in this window. It is kept nowhere else. */
let unfinished: Batch | undefined;

export async function askForText(parts: ServerParts): Promise<void> {
  if (await refuseUnreadable(parts)) return;
  let batch = await takeUp();
  for (;;) {
    if (!batch) return;
    const outcome = await finish(parts, batch);
    if (outcome !== 'another') return;
    unfinished = undefined;
    batch = await askForAnother();
  }
}

async function takeUp(): Promise<Batch | undefined> {
  // Where nothing has been answered, there is nothing to lose.
  if (unfinished?.items.some(isTouched)) {
    const names = unfinished.items.map(({ pasted }) => pasted.suggestedName).join(', ');
    const answer = await askToContinue(title, names);
    if (answer === undefined) return undefined;
    if (answer === 'continue') return unfinished;
  }
  unfinished = undefined;
  return await findText();
}

/** One question of a batch, and whether it is asked as far as is known. */
interface Question {
  readonly active: () => boolean;
  readonly ask: (place: { title: string; step: number; totalSteps: number }) => Promise<Answer | 'another'>;
}

async function finish(parts: ServerParts, batch: Batch): Promise<'done' | 'another' | undefined> {
  const { items, problems } = batch;
  if (problems.length > 0 && batch.at === 0) {
    void window.showWarningMessage(`Not everything was understood. ${inMessage(problems.join(' '))}`);
  }
  const inFile = () => new Set(parts.servers.document.entries.map(({ name }) => name));
  const questions: Question[] = [
    { active: () => true, ask: (place) => askWhich(batch, place) },
    ...items.flatMap((item) => questionsFor(item, items, inFile)),
  ];
  const count = () => questions.filter(({ active }) => active()).length + 1;
  const position = { another: false };
  for (;;) {
    unfinished = batch;
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
      unfinished = undefined;
      void window.showInformationMessage('No MCP server was chosen, so nothing was added.');
      return 'done';
    }
    const last = questions.findLastIndex(({ active }) => active());
    if (!(await acceptsExposure(added.map(serverOfItem)))) {
      batch.at = last;
      continue;
    }
    const outcome = await confirmChanges(parts, {
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
    if (outcome === 'taken') await parts.servers.refresh();
  }
  unfinished = undefined;
  return 'done';
}

const another = { iconPath: new ThemeIcon('edit'), tooltip: 'Use Another Text' };

/** Shows what was recognised. */
async function askWhich(
  { items, source }: Batch,
  place: { title: string; step: number; totalSteps: number },
): Promise<Answer | 'another'> {
  const rows: (QuickPickItem & { item: Item })[] = items.map((item) => {
    const { label, description, detail } = itemWords(item);
    return { item, label: inPick(label), description: inPick(description), detail: inPick(detail) };
  });
  const count = items.length === 1 ? 'an MCP server' : `${items.length} MCP servers`;
  const where = source === 'clipboard' ? 'The clipboard has' : 'The text has';
  const answer = await askMany({
    ...place,
    items: rows,
    chosen: rows.filter(({ item }) => item.chosen),
    placeholder: `${where} ${count}. Choose what to add.`,
    button: another,
  });
  if (answer === undefined || answer === back) return answer;
  if (!isRows(answer)) return 'another';
  for (const row of rows) row.item.chosen = answer.includes(row);
  return 'next';
}

function isRows<T>(answer: readonly T[] | object): answer is readonly T[] {
  return Array.isArray(answer);
}

function questionsFor(item: Item, items: readonly Item[], inFile: () => ReadonlySet<string>): Question[] {
  const { pasted } = item;
  const earlier = () => namesBefore(item, items);
  const taken = () => new Set([...inFile(), ...earlier()]);
  const isTaken = () => item.chosen && taken().has(item.name);
  const replaceable = () => inFile().has(item.name) && !earlier().has(item.name);
  return [
    {
      active: () => item.chosen && pasted.name === undefined,
      ask: async (place) => {
        const answer = await askText({
          ...place,
          value: item.name || suggestionFor(item, taken()),
          prompt: 'Name of the server, which has none in the text',
          validate: (name) => inPickMessage(nameProblem(name, taken())),
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
      ask: (place) => askToResolve(item, replaceable(), place),
    },
    {
      active: () => item.chosen && item.resolution === 'rename',
      ask: async (place) => {
        const answer = await askText({
          ...place,
          value: item.rename || suggestionFor(item, taken()),
          prompt: inPickMessage(`New name for “${item.name}”`) ?? '',
          validate: (name) => inPickMessage(nameProblem(name, taken())),
          onType: (name) => {
            item.rename = name.trim();
          },
        });
        if (typeof answer !== 'string') return answer === back ? back : undefined;
        item.rename = answer.trim();
        return 'next';
      },
    },
    ...pasted.placeholders.map((placeholder): Question => ({
      active: () => isAdded(item),
      ask: (place) => askForPlaceholder(item, placeholder, place),
    })),
  ];
}

function inPickMessage(text: string | undefined): string | undefined {
  return text === undefined ? undefined : inPick(inMessage(text));
}

async function askToResolve(
  item: Item,
  inFile: boolean,
  place: { title: string; step: number; totalSteps: number },
): Promise<Answer> {
  const rows: (QuickPickItem & { does: Resolution })[] = [
    { does: 'rename', label: 'Rename', detail: 'Add it under another name' },
    ...(inFile
      ? [{ does: 'replace' as const, label: 'Replace', detail: 'Write it in place of the one that is there' }]
      : []),
    { does: 'skip', label: 'Skip', detail: 'Do not add it' },
  ];
  const where = inFile ? 'There is' : 'The text has';
  const answer = await askPick({
    ...place,
    items: rows,
    active: rows.find(({ does }) => does === item.resolution),
    placeholder: `${where} an MCP server “${inPick(item.name)}” already`,
  });
  if (answer === undefined || answer === back) return answer;
  item.resolution = answer.does;
  return 'next';
}

async function askForPlaceholder(
  item: Item,
  placeholder: Placeholder,
  place: { title: string; step: number; totalSteps: number },
): Promise<Answer> {
  const { text, description } = placeholder;
  const what = description === undefined || description === '' ? text : `${text} (${description})`;
  const hidden = isHidden(placeholder);
  const words = `Value for ${what} in ${placeWords(placeholder)} of “${finalName(item)}”.`;
  const answer = await askText({
    ...place,
    value: item.answers.get(placeholder)?.reveal() ?? '',
    hidden,
    prompt:
      inPickMessage(
        `${words} ${hidden ? 'It is not shown. ' : ''}Leave it empty to fill it in later in the file.`,
      ) ?? '',
    validate: (value) => answerProblem(placeholder, value),
    onType: (value) => {
      item.answers.set(placeholder, new Secret(value));
    },
  });
  if (typeof answer !== 'string') return answer === back ? back : undefined;
  item.answers.set(placeholder, new Secret(answer));
  return 'next';
}
