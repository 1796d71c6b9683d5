/** How MCP servers are said to a person, without their secrets. Imports no editor. */
import { plainText } from '../../base/plainText.ts';
import type { Pending } from '../../mcp/changes.ts';
import type { Entry } from '../../mcp/document.ts';
import { showServer, targetText } from '../../mcp/mask.ts';
import type { Time } from '../../service/types.ts';
import type { ServerList } from '../../state/serverList.ts';
import type { ServerStart, ServerStarts } from '../../state/serverStarts.ts';
import { absolute, type Fact, longAge, type Section, titleOf } from './words.ts';

const transports = {
  stdio: 'local program',
  http: 'HTTP',
  sse: 'server-sent events',
} as const;

const transportFacts = {
  stdio: 'Local program (stdio)',
  http: 'HTTP',
  sse: 'Server-sent events (SSE)',
} as const;

/** A name can be empty. */
export function serverName({ name }: Pick<Entry, 'name'>): string {
  return plainText(name, 80) || '(no name)';
}

export function serverDescription(entry: Entry, pending: Pending | undefined): string {
  const { server } = entry;
  const what = server ? `${server.transport} · ${plainText(targetText(server), 100)}` : 'not a server';
  return [pending && `● ${pendingWord(pending)}`, what].filter(Boolean).join(' · ');
}

/** As the words of a row, which stands among others that are not pending. */
export function pendingWord(pending: Pending): string {
  return `${changeWord(pending)}, pending`;
}

/** What will be different when a conversation starts again. */
export function changeWord(pending: Pending): string {
  switch (pending.kind) {
    case 'added':
    case 'removed':
    case 'disabled':
      return pending.kind;
    case 'enabled':
      return `enabled${fieldsWord(pending.fields, ' and changed')}`;
    case 'changed':
      return `changed${fieldsWord(pending.fields, '')}`;
  }
}

function fieldsWord(fields: readonly string[], before: string): string {
  if (fields.length === 0) return '';
  return `${before} (${fields.map((field) => plainText(field, 30)).join(', ')})`;
}

export function serverFacts(entry: Entry, pending: Pending | undefined, fault?: string): Fact[] {
  const { server, enabled } = entry;
  const state = enabled ? 'Enabled' : 'Disabled';
  const facts: Fact[] = [
    ['State', pending ? `${state}; ${changeWord(pending)}, pending until a conversation restarts` : state],
  ];
  if (fault !== undefined) facts.push(['Problem', plainText(fault, 300)]);
  if (!server) return facts;
  const shown = showServer(server);
  facts.push(['Transport', transportFacts[shown.transport]]);
  if (shown.transport === 'stdio') {
    facts.push(['Command', plainText(shown.command, 500)]);
    facts.push(...shown.args.map((arg, i): Fact => [i === 0 ? 'Arguments' : '', plainText(arg, 500)]));
    facts.push(...pairs('Variables', shown.env, '='));
  } else {
    facts.push(['URL', plainText(shown.url, 500)], ...pairs('Headers', shown.headers, ': '));
    if (shown.auth !== null) facts.push(['Authentication', plainText(shown.auth, 100)]);
  }
  const said = new Set(['command', 'args', 'env', 'url', 'transport', 'headers', 'auth', 'enabled']);
  const others = [...(entry.fields?.keys() ?? [])].filter((field) => !said.has(field));
  if (others.length > 0) facts.push(['Other fields', plainText(others.join(', '), 300)]);
  return facts;
}

function pairs(title: string, values: Readonly<Record<string, string>>, separator: string): Fact[] {
  return Object.entries(values).map(([name, value], i) => [
    i === 0 ? title : '',
    plainText(`${name}${separator}${value}`, 500),
  ]);
}

/** What a screen reader says. */
export function serverLabel(entry: Entry, pending: Pending | undefined, fault?: string): string {
  const { server, enabled } = entry;
  const what = server
    ? `${transports[server.transport]}, ${plainText(targetText(server), 100)}`
    : 'not a server';
  const parts = ['MCP server', serverName(entry), enabled ? 'enabled' : 'disabled', what];
  if (pending) parts.push(pendingWord(pending));
  if (fault !== undefined) parts.push(`problem: ${plainText(fault, 300)}`);
  return parts.join(', ').replace('MCP server, ', 'MCP server ');
}

/** What agents have and will have: of the conversation that started last, and of each that runs. */
export function statusSections(servers: ServerList, starts: ServerStarts, now: Time): Section[] {
  const { file, problem, document } = servers;
  const enabled = document.entries.filter((entry) => entry.enabled && entry.server);
  const rejected = document.remarks.filter(({ kind }) => kind !== 'duplicate' && kind !== 'serversAtRoot');
  const next: Section = {
    title: 'At the next start',
    text: problem
      ? `The configuration file cannot be read, so it is not known. ${plainText(problem.message)}`
      : `A conversation that starts now gets ${namesOf(enabled)}.`,
    facts: [
      ['File', plainText(file?.path ?? '', 500)],
      ...(file?.saved === false ? [['', 'It has changes that are not saved yet.'] as const] : []),
      ...rejected.map(({ message }): Fact => ['', message]),
    ],
  };
  const { running } = starts;
  if (running.length === 0) {
    const text =
      'No conversation is known to run. Connect to the service to see what its running conversations have.';
    return [next, { title: 'Running conversations', text }];
  }
  return [next, ...running.map((start, i) => startSection(start, i === 0, now))];
}

function startSection({ conversation, at, seen, known }: ServerStart, isLatest: boolean, now: Time): Section {
  const started = `${longAge(at, now)} (${absolute(at)})`;
  const facts: Fact[] = [
    ['Started', seen ? started : `${started}, when it was created; a restart since is not known`],
  ];
  if (!known) {
    facts.push(['Active', 'Not known: it started before Agent Switchboard looked at the file']);
  } else {
    facts.push(['Active', known.active.map((name) => serverName({ name })).join(', ') || 'none']);
    const pending = known.pending.map((each): Fact => ['', `${serverName(each)}: ${changeWord(each)}`]);
    facts.push(
      ...(pending.length > 0 ? pending : [['', 'nothing'] as const]).map(([, value], i): Fact => [
        i === 0 ? 'Pending' : '',
        value,
      ]),
    );
  }
  return { title: `${titleOf(conversation)}${isLatest ? ' (started last)' : ''}`, facts };
}

function namesOf(entries: readonly Entry[]): string {
  if (entries.length === 0) return 'no MCP servers';
  return entries.map((entry) => serverName(entry)).join(', ');
}
