/** Describes MCP servers without their secrets. */
import { t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { PendingChange } from '../../../mcp/format/pending.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { showServer, targetText } from '../../../mcp/format/mask.ts';
import type { ServerProblem } from '../../../state/mcpServers/serverList.ts';
import { type Fact, factLines, listFacts, knownFacts } from '../facts.ts';
import { agentsGetNone } from '../../../mcp/text/refusal.ts';

const transports = words({
  stdio: 'local program',
  http: 'HTTP',
  sse: 'server-sent events',
});

export const transportFacts = words({
  stdio: 'Local program (stdio)',
  http: 'HTTP',
  sse: 'Server-sent events (SSE)',
});

/** Names can be empty. */
export function serverName({ name }: Pick<Entry, 'name'>): string {
  return plainText(name, 80) || t('(no name)');
}

export function serverDescription(entry: Entry, pending: PendingChange | undefined): string {
  const { server } = entry;
  const what = server ? `${server.transport} · ${plainText(targetText(server), 100)}` : t('not a server');
  return [pending && `● ${pendingWord(pending)}`, what].filter(Boolean).join(' · ');
}

export function pendingWord(pending: PendingChange): string {
  return t('{0}, pending', changeWord(pending));
}

export function changeWord(pending: PendingChange): string {
  switch (pending.kind) {
    case 'added':
      return t('added');
    case 'removed':
      return t('removed');
    case 'disabled':
      return t('disabled');
    case 'enabled':
      return pending.fields.length === 0
        ? t('enabled')
        : t('enabled and changed ({0})', listOf(pending.fields));
    case 'changed':
      return pending.fields.length === 0 ? t('changed') : t('changed ({0})', listOf(pending.fields));
  }
}

function listOf(fields: readonly string[]): string {
  return fields.map((field) => plainText(field, 30)).join(', ');
}

export function refusalReason({ message, position }: ServerProblem): string {
  if (!position) return plainText(message, 300);
  return t('Line {0}, column {1}: {2}', position.line, position.column, plainText(message, 300));
}

export function serverTooltip(
  entry: Entry,
  pending: PendingChange | undefined,
  fault?: string,
  refusal?: ServerProblem,
): string {
  const { server } = entry;
  const facts = knownFacts([
    ...stateFacts(entry, pending, fault, refusal),
    [server?.transport === 'stdio' ? t('Command') : t('URL'), server && plainText(targetText(server), 300)],
  ]);
  return `${serverName(entry)}\n${factLines(facts)}`;
}

function stateFacts(
  { enabled }: Entry,
  pending: PendingChange | undefined,
  fault: string | undefined,
  refusal: ServerProblem | undefined,
): Fact[] {
  const state = enabled ? t('Enabled') : t('Disabled');
  const until = pending && t('{0}; {1}, pending until a conversation restarts', state, changeWord(pending));
  return knownFacts([
    [t('Refused'), refusal && `${agentsGetNone()} ${refusalReason(refusal)}`],
    [t('State'), until ?? state],
    [t('Problem'), fault === undefined ? undefined : plainText(fault, 300)],
  ]);
}

export function serverFacts(
  entry: Entry,
  pending: PendingChange | undefined,
  fault?: string,
  refusal?: ServerProblem,
): Fact[] {
  const { server } = entry;
  const facts = stateFacts(entry, pending, fault, refusal);
  if (!server) return facts;
  const shown = showServer(server);
  facts.push([t('Transport'), transportFacts[shown.transport]]);
  if (shown.transport === 'stdio') {
    facts.push([t('Command'), plainText(shown.command, 500)]);
    const args = shown.args.map((arg) => plainText(arg, 500));
    facts.push(...listFacts(t('Arguments'), args), ...pairs(t('Variables'), shown.env, '='));
  } else {
    facts.push([t('URL'), plainText(shown.url, 500)], ...pairs(t('Headers'), shown.headers, ': '));
    if (shown.auth !== null) facts.push([t('Authentication'), plainText(shown.auth, 100)]);
  }
  const { otherFields } = entry;
  if (otherFields.length > 0) facts.push([t('Other fields'), plainText(otherFields.join(', '), 300)]);
  return facts;
}

function pairs(title: string, values: Readonly<Record<string, string>>, separator: string): Fact[] {
  const lines = Object.entries(values).map(([name, value]) => plainText(`${name}${separator}${value}`, 500));
  return listFacts(title, lines);
}

export function serverLabel(entry: Entry, pending: PendingChange | undefined, fault?: string): string {
  const { server, enabled } = entry;
  const parts = [
    t('MCP server {0}', serverName(entry)),
    enabled ? t('enabled') : t('disabled'),
    server ? `${transports[server.transport]}, ${plainText(targetText(server), 100)}` : t('not a server'),
    pending && pendingWord(pending),
    fault !== undefined && t('problem: {0}', plainText(fault, 300)),
  ];
  return parts.filter(Boolean).join(', ');
}
