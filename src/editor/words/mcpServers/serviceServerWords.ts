/** Describes MCP servers of services, whose secrets are unknown. */
import { UserError } from '../../../base/errors.ts';
import { t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask } from '../../../base/secret.ts';
import { maskArguments, shellWord } from '../../../mcp/format/mask.ts';
import { maskText } from '../../../base/maskText.ts';
import { maskUrl } from '../../../base/maskUrl.ts';
import type { SentServer, ServiceCheck, ServiceServer } from '../../../service/serviceServer.ts';
import type { ForService } from '../../../state/mcpServers/serverForService.ts';
import { type Fact, factsNamed } from '../facts.ts';
import { transportFacts } from './serverWords.ts';

const strategies: Readonly<Record<string, string>> = words({
  api_key: 'key',
  bearer: 'token',
  basic: 'user name and password',
  header: 'headers',
  oauth2: 'sign-in in a browser (OAuth)',
});

/** The command line or URL, masked. */
export function targetAtService(server: ServiceServer | SentServer, most = 500): string {
  if (server.transport === undefined) return t('not a server');
  if (server.transport !== 'stdio') return plainText(maskUrl(server.url), most);
  const { command, args } = server;
  return plainText([maskText(command), ...maskArguments(command, args)].map(shellWord).join(' '), most);
}

const maxMessageLength = 900;

/** Throws a UserError if the target cannot be shown whole: consent covers only what was shown. */
export function wholeTarget(server: ServiceServer | SentServer): string {
  const target = targetAtService(server, 10_000);
  if (target.length <= maxMessageLength) return target;
  throw new UserError(t('Its command line or URL is longer than can be shown, so nothing was done.'));
}

export function serviceServerDescription(server: ServiceServer, differences: readonly string[]): string {
  const differs =
    differences.length === 0 ? '' : `● ${t('differs from the file: {0}', differences.join(', '))}`;
  const what = [server.transport ?? '', plainText(targetAtService(server), 100)].filter(Boolean).join(' · ');
  return [differs, what].filter(Boolean).join(' · ');
}

export function serviceServerFacts(server: ServiceServer, differences: readonly string[]): Fact[] {
  const facts: Fact[] = [[t('State'), server.enabled ? t('Enabled') : t('Disabled')]];
  if (differences.length > 0) facts.push([t('Differs from the file'), differences.join(', ')]);
  if (server.transport === undefined) return facts;
  facts.push([t('Transport'), transportFacts[server.transport]]);
  if (server.transport === 'stdio') {
    facts.push([t('Command'), targetAtService(server)]);
    facts.push(...secretFacts(t('Variables'), server.env, '='));
  } else {
    facts.push([t('URL'), targetAtService(server)]);
    facts.push(...secretFacts(t('Headers'), server.headers, ': '));
    const { strategy = 'none' } = server.auth ?? {};
    if (strategy !== 'none') {
      facts.push([t('Authentication'), strategies[strategy] ?? plainText(strategy, 60)]);
    }
  }
  const { cwd, description } = server.extras;
  if (cwd !== undefined) facts.push([t('Folder'), plainText(cwd, 300)]);
  if (description !== undefined) facts.push([t('Description'), plainText(description, 300)]);
  return facts;
}

function secretFacts(
  title: string,
  values: ReadonlyMap<string, unknown> | undefined,
  separator: string,
): Fact[] {
  if (values === undefined) return [[title, t('not told by the service')]];
  const texts = [...values.keys()].map((name) => plainText(`${name}${separator}${mask}`, 300));
  return factsNamed(title, texts);
}

export function serviceServerLabel(
  name: string,
  service: string,
  server: ServiceServer,
  differences: readonly string[],
): string {
  return [
    t('MCP server {0} of {1}', name, service),
    server.enabled ? t('enabled') : t('disabled'),
    serviceServerDescription(server, differences).replace('● ', ''),
  ].join(', ');
}

/** Everything that leaves this machine, for the question before. */
export function sentLines(
  { variables, headers, signsIn, remarks }: ForService,
  server: SentServer,
): string[] {
  const names = (all: readonly string[]) => all.map((name) => plainText(name, 80)).join(', ');
  return [
    wholeTarget(server),
    ...(variables.length > 0 ? [t('With the values of these variables: {0}', names(variables))] : []),
    ...(headers.length > 0 ? [t('With the values of these headers: {0}', names(headers))] : []),
    ...(signsIn ? [t('With the token that is its "auth".')] : []),
    ...remarks,
  ];
}

export function serviceCheckMessage(name: string, service: string, check: ServiceCheck): string {
  return check.works
    ? t('“{0}” works at {1}: {2} tools.', name, service, check.tools.length)
    : t('“{0}” does not work at {1}: {2}', name, service, check.why);
}
