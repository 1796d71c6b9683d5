/** Describes MCP servers of services, whose secrets are unknown. */
import { t, userError, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask } from '../../../base/secret.ts';
import { joinParts, present } from '../../../base/parts.ts';
import { consentObstacle } from '../../../mcp/format/consent.ts';
import {
  codeAssignments,
  maskArguments,
  shellWord,
} from '../../../mcp/format/mask.ts';
import { maskText } from '../../../base/masks/maskText.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import type {
  SentServer,
  ServiceCheck,
  ServiceServer,
} from '../../../service/records/serviceServer.ts';
import type { ForService } from '../../../state/mcpServers/serverForService.ts';
import { type Fact, listFacts, knownFacts } from '../facts.ts';
import { transportFacts } from './serverWords.ts';

const strategies: Readonly<Record<string, string>> = words({
  api_key: 'key',
  bearer: 'token',
  basic: 'user name and password',
  header: 'headers',
  oauth2: 'sign-in in a browser (OAuth)',
});

/** The command line or URL, masked. */
export function targetAtService(
  server: ServiceServer | SentServer,
  most = 500,
): string {
  if (server.transport === undefined) return t('not a server');
  if (server.transport !== 'stdio') return plainText(maskUrl(server.url), most);
  const { command, args } = server;
  return plainText(
    [maskText(command), ...maskArguments(command, args)]
      .map(shellWord)
      .join(' '),
    most,
  );
}

const maxMessageLength = 900;

/**
 * Throws a UserError if the target cannot be shown whole: consent covers only
 * what was shown.
 */
export function wholeTarget(server: ServiceServer | SentServer): string {
  const target = targetAtService(server, 10_000);
  const obstacle = obstacleOf(server);
  const isLong = [target, ...codeVariables(server)].some(
    ({ length }) => length > maxMessageLength,
  );
  if (obstacle === 'tooLong' || isLong)
    throw userError(
      'Its command line or URL is longer than can be shown, so nothing was done.',
    );
  if (obstacle === 'maskedCode')
    throw userError(
      'A masked part of its command could run something, so nothing was done. Move its secrets to variables.',
    );
  return target;
}

function obstacleOf(server: ServiceServer | SentServer) {
  if (server.transport === undefined) return undefined;
  if (server.transport !== 'stdio')
    return consentObstacle(server, server.extras.cwd);
  const { command, args, extras } = server;
  const started = isSent(server) ? server : { command, args };
  return consentObstacle(started, extras.cwd);
}

/** Assignments of the variables that change what runs, if they are known. */
function codeVariables(server: ServiceServer | SentServer): readonly string[] {
  if (server.transport !== 'stdio' || !isSent(server)) return [];
  return codeAssignments(server).map((text) => plainText(text, 10_000));
}

function isSent<S extends ServiceServer | SentServer>(
  server: S,
): server is S & SentServer {
  return !('enabled' in server);
}

export function serviceServerDescription(
  server: ServiceServer,
  differences: readonly string[],
): string {
  const differs =
    differences.length === 0
      ? ''
      : `● ${t('differs from the file: {0}', differences.join(', '))}`;
  const what = joinParts(
    ' · ',
    server.transport ?? '',
    plainText(targetAtService(server), 100),
  );
  return joinParts(' · ', differs, what);
}

export function serviceServerFacts(
  server: ServiceServer,
  differences: readonly string[],
): Fact[] {
  const state = [
    [t('State'), server.enabled ? t('Enabled') : t('Disabled')],
    [
      t('Differs from the file'),
      differences.length > 0 && differences.join(', '),
    ],
  ] as const;
  if (server.transport === undefined) return knownFacts(state);
  const { cwd, description } = server.extras;
  return knownFacts([
    ...state,
    [t('Transport'), transportFacts[server.transport]],
    [
      server.transport === 'stdio' ? t('Command') : t('URL'),
      targetAtService(server),
    ],
    ...(server.transport === 'stdio'
      ? secretFacts(t('Variables'), server.env, '=')
      : secretFacts(t('Headers'), server.headers, ': ')),
    [
      t('Authentication'),
      server.transport !== 'stdio' && strategyWord(server.auth?.strategy),
    ],
    [t('Folder'), cwd === undefined ? undefined : plainText(cwd, 300)],
    [
      t('Description'),
      description === undefined ? undefined : plainText(description, 300),
    ],
  ]);
}

function strategyWord(strategy = 'none'): string | undefined {
  return strategy === 'none'
    ? undefined
    : (strategies[strategy] ?? plainText(strategy, 60));
}

function secretFacts(
  title: string,
  values: ReadonlyMap<string, unknown> | undefined,
  separator: string,
): Fact[] {
  if (values === undefined) return [[title, t('not reported by the service')]];
  return listFacts(
    title,
    [...values.keys()].map((name) =>
      plainText(`${name}${separator}${mask}`, 300),
    ),
  );
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

/**
 * Lists everything that leaves this machine, for the question before it is
 * sent.
 */
export function sentLines(
  translated: ForService,
  server: SentServer,
): string[] {
  const secrets = secretsSent(translated, server);
  const variables = codeVariables(server);
  return present(
    wholeTarget(server),
    ...(variables.length > 0
      ? [t('With these variables, which can change what runs:'), ...variables]
      : []),
    secrets.length > 0 && t('With these secrets: {0}', secrets.join(', ')),
    ...translated.remarks,
  );
}

export function secretsSent(
  { variables, headers, signsIn }: ForService,
  server: SentServer,
): readonly string[] {
  return present(
    ...variables.map((name) => t('the variable {0}', plainText(name, 80))),
    ...headers.map((name) => t('the header {0}', plainText(name, 80))),
    signsIn && t('its token'),
    ...hiddenIn(server),
  );
}

function hiddenIn(server: SentServer): readonly string[] {
  if (server.transport !== 'stdio') {
    return maskUrl(server.url) === server.url
      ? []
      : [t('what is masked in its URL')];
  }
  const { command, args } = server;
  const isShown =
    maskText(command) === command &&
    maskArguments(command, args).every((arg, at) => arg === args[at]);
  return isShown ? [] : [t('what is masked in its command line')];
}

export function serviceCheckMessage(
  name: string,
  service: string,
  check: ServiceCheck,
): string {
  return check.works
    ? t('“{0}” works at {1}: {2} tools.', name, service, check.tools.length)
    : t('“{0}” does not work at {1}: {2}', name, service, check.why);
}
