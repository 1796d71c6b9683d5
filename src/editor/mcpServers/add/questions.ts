/** The questions of Add MCP Server. Each keeps what is typed in the draft, also where it is given up. */
import type { QuickPickItem } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { Secret } from '../../../base/secret.ts';
import { askPick, askText, back } from '../../ui/steps.ts';
import type { Transport } from '../../../mcp/dialects/ownKeys.ts';
import type { PastedBatch } from './batch.ts';
import {
  authenticationWords,
  authorizationRemark,
  nameProblem,
  type ServerDraft,
  targetProblem,
  targetRemark,
  transportWords,
  valueProblem,
} from './draft.ts';
import type { Place } from './place.ts';
import { isPasted, loadReader, problemOf, read, recognized } from './text.ts';

export function titleFor({ service }: Pick<ServerDraft, 'service'>): string {
  return service === undefined ? t('Add MCP Server') : t('Add MCP Server to {0}', service);
}

/** A question that is asked only on request, and leads back to the preview. */
export function option(draft: ServerDraft) {
  return { title: titleFor(draft), stays: true, hasBack: true };
}

export type StepAnswer = 'next' | typeof back | undefined;

export async function askForTransport(draft: ServerDraft): Promise<StepAnswer> {
  const items: (QuickPickItem & { transport: Transport })[] = [
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
    ...option(draft),
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
    ...option(draft),
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
  draft.isNamed = true;
  return 'next';
}

/** The servers of a text that was pasted instead of a command or a URL. */
export async function askForTarget(draft: ServerDraft): Promise<StepAnswer | PastedBatch> {
  const understood = await loadReader();
  const isText = (typed: string) => isPasted(typed, understood(typed));
  const answer = await askText({
    title: titleFor(draft),
    stays: true,
    value: draft.target,
    prompt: t('Command or URL of the server, or JSON with servers. Nothing is run or requested now.'),
    placeholder: t('npx -y mcp-server-files "/srv/my files", or https://example.com/mcp'),
    validate: (typed) => (isText(typed) ? problemOf(understood(typed)) : targetProblem(typed)),
    remark: (typed) => (isText(typed) ? recognized(understood(typed)) : targetRemark(typed)),
    onType: (typed) => {
      draft.target = typed;
    },
  });
  if (typeof answer !== 'string') return undefined;
  return (isText(answer) ? read(understood, answer, 'typed') : undefined) ?? 'next';
}

/** For what `onType` has kept already. */
export function next(answer: Awaited<ReturnType<typeof askText>>): StepAnswer {
  return typeof answer === 'string' ? 'next' : answer === back ? back : undefined;
}

export async function askForAuthentication(draft: ServerDraft): Promise<StepAnswer> {
  const items: (QuickPickItem & { way: ServerDraft['authentication'] })[] = [
    {
      way: 'none',
      label: authenticationWords.none,
      detail: t('The server needs no sign-in, or has its key in a header already'),
    },
    { way: 'header', label: authenticationWords.header, detail: t('Such as a bearer token') },
    {
      way: 'oauth',
      label: authenticationWords.oauth,
      detail: t('The program that runs the agent signs in when it needs to'),
    },
  ];
  const answer = await askPick({
    ...option(draft),
    items,
    active: items.find(({ way }) => way === draft.authentication),
    placeholder: t('How agents sign in to the server'),
  });
  if (answer === undefined || answer === back) return answer;
  if (answer.way === 'header') {
    const given = await askForAuthorization(draft);
    if (given !== 'next') return given;
  }
  draft.authentication = answer.way;
  return 'next';
}

async function askForAuthorization(draft: ServerDraft): Promise<StepAnswer> {
  const answer = await askText({
    ...option(draft),
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
    ...option(draft),
    items,
    active: items.find(({ enabled }) => enabled === draft.enabled),
    placeholder: t('Whether agents get the server'),
  });
  if (answer === undefined || answer === back) return answer;
  draft.enabled = answer.enabled;
  return 'next';
}
