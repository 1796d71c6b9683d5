/** The questions of Add MCP Server. Each keeps what is typed in the draft, also where it is given up. */
import type { QuickPickItem } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { Secret } from '../../../base/secret.ts';
import type { Transport } from '../../../mcp/server.ts';
import { askPick, askText, back } from '../../asking/steps.ts';
import {
  authorizationRemark,
  commandLineProblem,
  commandRemark,
  type ServerDraft,
  nameProblem,
  type DraftStep,
  stepsOf,
  transportWords,
  urlProblem,
  urlRemark,
  valueProblem,
} from './draft.ts';
import type { Place } from './place.ts';

export function titleFor({ service }: Pick<ServerDraft, 'service'>): string {
  return service === undefined ? t('Add MCP Server') : t('Add MCP Server to {0}', service);
}

export type StepAnswer = 'next' | 'skip' | typeof back | undefined;

/** The place of a question among those that this server needs. */
export function placeOf(draft: ServerDraft, step: DraftStep) {
  const steps = stepsOf(draft);
  return {
    title: titleFor(draft),
    step: steps.indexOf(step) + 1,
    totalSteps: draft.transport && steps.length,
  };
}

export async function askForTransport(draft: ServerDraft): Promise<StepAnswer> {
  const items: (QuickPickItem & { transport: Transport })[] = [
    {
      transport: 'stdio',
      label: transportWords.stdio,
      description: 'stdio',
      detail: t('A command that starts the server on the machine of the agent'),
    },
    {
      transport: 'http',
      label: transportWords.http,
      description: 'http',
      detail: t('A URL. Usual for remote servers'),
    },
    {
      transport: 'sse',
      label: transportWords.sse,
      description: 'sse',
      detail: t('The URL of an older server, which usually ends with /sse'),
    },
  ];
  const answer = await askPick({
    ...placeOf(draft, 'transport'),
    items,
    active: items.find(({ transport }) => transport === draft.transport),
    placeholder: t('How agents reach the server'),
  });
  if (answer === undefined || answer === back) return answer;
  draft.transport = answer.transport;
  return 'next';
}

export async function askForName(draft: ServerDraft, place: Place): Promise<StepAnswer> {
  const answer = await askText({
    ...placeOf(draft, 'name'),
    value: draft.name,
    prompt: t('Name of the server, as agents and the list of servers show it'),
    placeholder: 'github',
    validate: (name) => place.nameProblem(name) ?? nameProblem(name, place.names()),
    onType: (name) => {
      draft.name = name;
    },
  });
  if (typeof answer !== 'string') return answer === back ? back : undefined;
  draft.name = answer.trim();
  return 'next';
}

export async function askForTarget(draft: ServerDraft): Promise<StepAnswer> {
  return draft.transport === 'stdio' ? await askForCommand(draft) : await askForUrl(draft);
}

async function askForCommand(draft: ServerDraft): Promise<StepAnswer> {
  const answer = await askText({
    ...placeOf(draft, 'target'),
    value: draft.commandLine,
    prompt: t('Command that starts the server, with its arguments, as in a terminal. It is not run now.'),
    placeholder: t('npx -y @modelcontextprotocol/server-filesystem "/srv/my files"'),
    validate: (line) => commandLineProblem(line),
    remark: (line) => commandRemark(line),
    onType: (line) => {
      draft.commandLine = line;
    },
  });
  return next(answer);
}

async function askForUrl(draft: ServerDraft): Promise<StepAnswer> {
  const answer = await askText({
    ...placeOf(draft, 'target'),
    value: draft.url,
    prompt: t('URL of the server. It is not requested now.'),
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
export function next(answer: Awaited<ReturnType<typeof askText>>): StepAnswer {
  return typeof answer === 'string' ? 'next' : answer === back ? back : undefined;
}

export async function askForAuthentication(draft: ServerDraft): Promise<StepAnswer> {
  if (draft.transport === 'stdio') return 'skip';
  const items: (QuickPickItem & { way: ServerDraft['authentication'] })[] = [
    {
      way: 'none',
      label: t('None'),
      detail: t('The server needs no sign-in, or has its key in a header already'),
    },
    { way: 'header', label: t('Authorization Header'), detail: t('Such as a bearer token') },
    { way: 'oauth', label: 'OAuth', detail: t('The program that runs the agent signs in when it needs to') },
  ];
  const answer = await askPick({
    ...placeOf(draft, 'authentication'),
    items,
    active: items.find(({ way }) => way === draft.authentication),
    placeholder: t('How agents sign in to the server'),
  });
  if (answer === undefined || answer === back) return answer;
  draft.authentication = answer.way;
  return 'next';
}

export async function askForAuthorization(draft: ServerDraft): Promise<StepAnswer> {
  if (draft.transport === 'stdio' || draft.authentication !== 'header') return 'skip';
  const answer = await askText({
    ...placeOf(draft, 'authorization'),
    value: draft.authorization.reveal(),
    hidden: true,
    prompt: t('Value of the Authorization header, such as “Bearer”, a space and the token. It is not shown.'),
    validate: (value) => valueProblem(draft, value),
    remark: authorizationRemark,
    onType: (value) => {
      draft.authorization = new Secret(value);
    },
  });
  return next(answer);
}

export async function askForState(draft: ServerDraft): Promise<StepAnswer> {
  const items = [
    {
      enabled: true,
      label: t('Enabled'),
      detail: t('Conversations get it when they start or restart'),
    },
    { enabled: false, label: t('Disabled'), detail: t('Kept, but agents do not get it until you enable it') },
  ];
  const answer = await askPick({
    ...placeOf(draft, 'enabled'),
    items,
    active: items.find(({ enabled }) => enabled === draft.enabled),
    placeholder: t('Whether agents get the server'),
  });
  if (answer === undefined || answer === back) return answer;
  draft.enabled = answer.enabled;
  return 'next';
}
