/** The questions of Add MCP Server. Each keeps what is typed in the draft, also where it is given up. */
import type { QuickPickItem } from 'vscode';
import { mask, Secret } from '../../base/secret.ts';
import type { Transport } from '../../mcp/server.ts';
import { askPick, askText, back } from '../steps.ts';
import { inMessage, inPick } from '../views/words.ts';
import {
  authorizationRemark,
  commandProblem,
  commandRemark,
  type Draft,
  nameProblem,
  type Step,
  stepsOf,
  transportWords,
  urlProblem,
  urlRemark,
  valueNameProblem,
  valueProblem,
  valueRemark,
  valuesOf,
  valueWords,
} from './addServerDraft.ts';

export const title = 'Add MCP Server';

export type Answer = 'next' | 'skip' | typeof back | undefined;

/** Where a question stands among those that this server needs. */
export function placeOf(draft: Draft, step: Step) {
  const steps = stepsOf(draft);
  return { title, step: steps.indexOf(step) + 1, totalSteps: draft.transport && steps.length };
}

/** Text that can be shown where links and icons would be made of it. */
function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : inPick(inMessage(text));
}

export async function askForTransport(draft: Draft): Promise<Answer> {
  const items: (QuickPickItem & { transport: Transport })[] = [
    {
      transport: 'stdio',
      label: transportWords.stdio,
      description: 'stdio',
      detail: 'A command that starts the server on the machine of the agent',
    },
    {
      transport: 'http',
      label: transportWords.http,
      description: 'http',
      detail: 'A URL. Usual for servers elsewhere',
    },
    {
      transport: 'sse',
      label: transportWords.sse,
      description: 'sse',
      detail: 'A URL of an older server, which mostly ends with /sse',
    },
  ];
  const answer = await askPick({
    ...placeOf(draft, 'transport'),
    items,
    active: items.find(({ transport }) => transport === draft.transport),
    placeholder: 'How agents reach the server',
  });
  if (answer === undefined || answer === back) return answer;
  draft.transport = answer.transport;
  return 'next';
}

/** `taken` are the names in the file, as it is now. */
export async function askForName(draft: Draft, taken: () => ReadonlySet<string>): Promise<Answer> {
  const answer = await askText({
    ...placeOf(draft, 'name'),
    value: draft.name,
    prompt: 'Name of the server, as agents and the list of servers show it',
    placeholder: 'github',
    validate: (name) => plain(nameProblem(name, taken())),
    onType: (name) => {
      draft.name = name;
    },
  });
  if (typeof answer !== 'string') return answer === back ? back : undefined;
  draft.name = answer.trim();
  return 'next';
}

export async function askForTarget(draft: Draft): Promise<Answer> {
  return draft.transport === 'stdio' ? await askForCommand(draft) : await askForUrl(draft);
}

async function askForCommand(draft: Draft): Promise<Answer> {
  const answer = await askText({
    ...placeOf(draft, 'target'),
    value: draft.commandLine,
    prompt: 'Command that starts the server, with its arguments, as in a terminal. It is not run now.',
    placeholder: 'npx -y @modelcontextprotocol/server-filesystem "/srv/my files"',
    validate: (line) => commandProblem(line),
    remark: (line) => plain(commandRemark(line)),
    onType: (line) => {
      draft.commandLine = line;
    },
  });
  return next(answer);
}

async function askForUrl(draft: Draft): Promise<Answer> {
  const answer = await askText({
    ...placeOf(draft, 'target'),
    value: draft.url,
    prompt: 'URL of the server. It is not requested now.',
    placeholder: draft.transport === 'sse' ? 'https://example.com/sse' : 'https://example.com/mcp',
    validate: urlProblem,
    remark: (url) => urlRemark(url, draft.transport),
    onType: (url) => {
      draft.url = url;
    },
  });
  return next(answer);
}

/** For what `onType` has kept already. */
function next(answer: Awaited<ReturnType<typeof askText>>): Answer {
  return typeof answer === 'string' ? 'next' : answer === back ? back : undefined;
}

interface ValueItem extends QuickPickItem {
  readonly does: 'done' | 'add' | 'change';
  readonly name?: string;
}

/** Headers or variables, one by one. */
export async function askForValues(draft: Draft): Promise<Answer> {
  for (;;) {
    const values = valuesOf(draft);
    const { One, Many, many, one } = valueWords(draft);
    const none = values.size === 0;
    const items: ValueItem[] = [
      {
        does: 'done',
        label: none ? `No ${Many}` : 'Done',
        description: none ? '' : `${values.size} ${values.size === 1 ? one : many}`,
      },
      { does: 'add', label: none ? `Add ${One}` : `Add Another ${One}` },
      ...[...values.keys()].map((name) => ({
        does: 'change' as const,
        name,
        label: inPick(name),
        description: mask,
        detail: 'Choose it to change its value, or to remove it',
      })),
    ];
    const answer = await askPick({
      ...placeOf(draft, 'values'),
      items,
      active: items[draft.typing.name === '' ? 0 : 1],
      placeholder: none
        ? `Does the server need ${many}, for a key for example?`
        : `The ${many} of the server. Choose a ${one} to change or remove it.`,
    });
    if (answer === undefined || answer === back) return answer;
    if (answer.does === 'done') return 'next';
    const given = answer.name === undefined ? await askForPair(draft) : await askToChange(draft, answer.name);
    if (given === undefined) return undefined;
  }
}

/** A new one: its name, then its value. */
async function askForPair(draft: Draft): Promise<Answer> {
  const { One } = valueWords(draft);
  const { typing } = draft;
  for (;;) {
    const name = await askText({
      ...placeOf(draft, 'values'),
      value: typing.name,
      prompt: `Name of the ${One.toLowerCase()}. Its value is asked for next, and hidden.`,
      placeholder: valueWords(draft).example,
      validate: (text) => plain(valueNameProblem(draft, text)),
      onType: (text) => {
        typing.name = text;
      },
    });
    if (typeof name !== 'string') return next(name);
    const answer = await askForValue(draft, name.trim(), typing.value, (value) => {
      typing.value = value;
    });
    if (answer === back) continue;
    if (answer === undefined) return undefined;
    valuesOf(draft).set(name.trim(), typing.value);
    draft.typing = { name: '', value: new Secret('') };
    return 'next';
  }
}

async function askForValue(
  draft: Draft,
  name: string,
  old: Secret,
  keep: (value: Secret) => void,
): Promise<Answer> {
  const { one } = valueWords(draft);
  const answer = await askText({
    ...placeOf(draft, 'values'),
    value: old.reveal(),
    hidden: true,
    prompt: plain(`Value of the ${one} ${name}. It is not shown, and stands in the file only.`) ?? '',
    validate: (value) => valueProblem(draft, value),
    remark: valueRemark,
    onType: (value) => {
      keep(new Secret(value));
    },
  });
  return next(answer);
}

async function askToChange(draft: Draft, name: string): Promise<Answer> {
  const values = valuesOf(draft);
  const items = [
    { label: 'Change Value', does: 'change' },
    { label: 'Remove', does: 'remove' },
  ];
  const { one } = valueWords(draft);
  const placeholder = `What to do with the ${one} ${inPick(name)}`;
  const answer = await askPick({ ...placeOf(draft, 'values'), items, placeholder });
  if (answer === undefined || answer === back) return answer;
  if (answer.does === 'remove') {
    values.delete(name);
    return 'next';
  }
  let value = values.get(name) ?? new Secret('');
  const given = await askForValue(draft, name, value, (typed) => {
    value = typed;
  });
  if (given === 'next') values.set(name, value);
  return given;
}

export async function askForAuthentication(draft: Draft): Promise<Answer> {
  if (draft.transport === 'stdio') return 'skip';
  const items: (QuickPickItem & { way: Draft['authentication'] })[] = [
    { way: 'none', label: 'None', detail: 'The server needs no sign-in, or has its key in a header already' },
    { way: 'header', label: 'Authorization Header', detail: 'Such as a bearer token' },
    { way: 'oauth', label: 'OAuth', detail: 'The program that runs the agent signs in when it needs to' },
  ];
  const answer = await askPick({
    ...placeOf(draft, 'authentication'),
    items,
    active: items.find(({ way }) => way === draft.authentication),
    placeholder: 'How agents sign in to the server',
  });
  if (answer === undefined || answer === back) return answer;
  draft.authentication = answer.way;
  return 'next';
}

export async function askForAuthorization(draft: Draft): Promise<Answer> {
  if (draft.transport === 'stdio' || draft.authentication !== 'header') return 'skip';
  const answer = await askText({
    ...placeOf(draft, 'authorization'),
    value: draft.authorization.reveal(),
    hidden: true,
    prompt: 'Value of the Authorization header, such as “Bearer”, a space and the token. It is not shown.',
    validate: (value) => valueProblem(draft, value),
    remark: authorizationRemark,
    onType: (value) => {
      draft.authorization = new Secret(value);
    },
  });
  return next(answer);
}

export async function askForState(draft: Draft): Promise<Answer> {
  const items = [
    { enabled: true, label: 'Enabled', detail: 'Conversations have it when they are started or restarted' },
    { enabled: false, label: 'Disabled', detail: 'It is only kept in the file, until you enable it' },
  ];
  const answer = await askPick({
    ...placeOf(draft, 'enabled'),
    items,
    active: items.find(({ enabled }) => enabled === draft.enabled),
    placeholder: 'Whether agents get the server',
  });
  if (answer === undefined || answer === back) return answer;
  draft.enabled = answer.enabled;
  return 'next';
}
