/** Describes MCP servers without their secrets. */
import { t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts } from '../../../base/parts.ts';
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

export function serverDescription({ server }: Entry): string {
  return server
    ? `${server.transport} · ${plainText(targetText(server), 100)}`
    : t('not a server');
}

export function refusalReason({ message, position }: ServerProblem): string {
  if (!position) return plainText(message, 300);
  return t(
    'Line {0}, column {1}: {2}',
    position.line,
    position.column,
    plainText(message, 300),
  );
}

export function serverTooltip(
  entry: Entry,
  fault?: string,
  refusal?: ServerProblem,
): string {
  const { server } = entry;
  const facts = knownFacts([
    ...stateFacts(entry, fault, refusal),
    [
      server?.transport === 'stdio' ? t('Command') : t('URL'),
      server && plainText(targetText(server), 300),
    ],
  ]);
  return `${serverName(entry)}\n${factLines(facts)}`;
}

function stateFacts(
  { enabled }: Entry,
  fault: string | undefined,
  refusal: ServerProblem | undefined,
): Fact[] {
  return knownFacts([
    [t('Refused'), refusal && `${agentsGetNone()} ${refusalReason(refusal)}`],
    [t('State'), enabled ? t('Enabled') : t('Disabled')],
    [t('Problem'), fault === undefined ? undefined : plainText(fault, 300)],
  ]);
}

export function serverFacts(
  entry: Entry,
  fault?: string,
  refusal?: ServerProblem,
): Fact[] {
  const { server } = entry;
  const facts = stateFacts(entry, fault, refusal);
  if (!server) return facts;
  const serverTexts = showServer(server);
  facts.push([t('Transport'), transportFacts[serverTexts.transport]]);
  if (serverTexts.transport === 'stdio') {
    facts.push([t('Command'), plainText(serverTexts.command, 500)]);
    facts.push(
      ...listFacts(
        t('Arguments'),
        serverTexts.args.map((arg) => plainText(arg, 500)),
      ),
      ...pairs(t('Variables'), serverTexts.env, '='),
    );
  } else {
    facts.push(
      [t('URL'), plainText(serverTexts.url, 500)],
      ...pairs(t('Headers'), serverTexts.headers, ': '),
    );
    if (serverTexts.auth !== null)
      facts.push([t('Authentication'), plainText(serverTexts.auth, 100)]);
  }
  const { otherFields } = entry;
  if (otherFields.length > 0)
    facts.push([t('Other fields'), plainText(otherFields.join(', '), 300)]);
  return facts;
}

function pairs(
  title: string,
  values: Readonly<Record<string, string>>,
  separator: string,
): Fact[] {
  return listFacts(
    title,
    Object.entries(values).map(([name, value]) =>
      plainText(`${name}${separator}${value}`, 500),
    ),
  );
}

export function serverLabel(entry: Entry, fault?: string): string {
  const { server, enabled } = entry;
  return joinParts(
    ', ',
    t('MCP server {0}', serverName(entry)),
    enabled ? t('enabled') : t('disabled'),
    server
      ? `${transports[server.transport]}, ${plainText(targetText(server), 100)}`
      : t('not a server'),
    fault !== undefined && t('problem: {0}', plainText(fault, 300)),
  );
}

export function readersOfFile(): string {
  return t(
    'Read by the OpenHands command line here, not by conversations in the list.',
  );
}

export function readersOfService(name: string): string {
  return t('Read by new conversations at {0}.', name);
}
