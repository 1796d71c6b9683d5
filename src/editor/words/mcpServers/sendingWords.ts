import { t } from '../../../base/l10n.ts';
import { maskText } from '../../../base/masks/maskText.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import { plainText } from '../../../base/plainText.ts';
import { mask } from '../../../base/secret.ts';
import { present } from '../../../base/parts.ts';
import { maskArguments } from '../../../mcp/format/mask.ts';
import { isExposed } from '../../../service/http/serviceAddress.ts';
import type {
  SentServer,
  ServerExtras,
  ServiceServer,
} from '../../../service/records/serviceServer.ts';
import type { ForService } from '../../../state/mcpServers/serverForService.ts';
import { serverName } from './serverWords.ts';
import { secretsSent } from './serviceServerWords.ts';

export interface OutgoingServer {
  readonly name: string;
  readonly server: SentServer;
  readonly translated: ForService;
  /** The server of the same name that is replaced. */
  readonly replaces: ServiceServer | undefined;
}

/**
 * Returns the settings of a service for these servers, masked, before and after
 * the change.
 */
export function settingsBeforeAndAfter(
  all: readonly OutgoingServer[],
): readonly [before: string, after: string] {
  const text = (records: readonly (readonly [string, object])[]) =>
    `${JSON.stringify(Object.fromEntries(records), null, 2)}\n`;
  return [
    text(
      all.flatMap(({ name, replaces }) =>
        replaces ? [[shown(name), recordThere(replaces)]] : [],
      ),
    ),
    text(
      all.map(({ name, server, translated, replaces }) => [
        shown(name),
        recordOf(
          server,
          translated.enabled,
          replaces ? t('{0} (sent from here)', mask) : mask,
        ),
      ]),
    ),
  ];
}

function recordThere(server: ServiceServer): object {
  if (server.transport === undefined) return { enabled: server.enabled };
  return recordOf(server, server.enabled, mask);
}

/** Returns a server in the service's format, masked. */
function recordOf(
  server:
    SentServer | Exclude<ServiceServer, { readonly transport: undefined }>,
  enabled: boolean,
  secret: string,
): object {
  const masked = (values: ReadonlyMap<string, unknown> | undefined) =>
    values && values.size > 0
      ? Object.fromEntries(
          [...values.keys()].map((name) => [shown(name), secret]),
        )
      : undefined;
  const rest = { ...shownExtras(server.extras), enabled };
  if (server.transport === 'stdio') {
    const { command, args, env } = server;
    return {
      command: maskText(command),
      args: maskArguments(command, args),
      env: masked(env),
      ...rest,
    };
  }
  const { url, transport, headers, auth } = server;
  return {
    url: maskUrl(url),
    transport,
    headers: masked(headers),
    auth: auth && authOf(auth, secret),
    ...rest,
  };
}

function authOf(
  auth: NonNullable<
    Extract<SentServer | ServiceServer, { auth?: unknown }>['auth']
  >,
  secret: string,
) {
  const { strategy } = auth;
  if ('told' in auth) {
    const names = [...auth.told].map(
      ([name, value]) => [shown(name), plainText(value, 200)] as const,
    );
    return {
      strategy,
      ...Object.fromEntries(names),
      ...(auth.secrets.size > 0 && { value: secret }),
    };
  }
  return 'value' in auth ? { strategy, value: secret } : { strategy };
}

function shownExtras(extras: ServerExtras): object {
  const all = Object.entries(extras) as [string, string | number | boolean][];
  return Object.fromEntries(
    all.map(([key, value]) => [
      key,
      typeof value === 'string' ? plainText(maskText(value), 1_000) : value,
    ]),
  );
}

/** Returns no lines if the preview shows everything. */
export function sendingQuestion(
  all: readonly OutgoingServer[],
  place: string,
  address: string,
): { readonly question: string; readonly lines: readonly string[] } {
  const sendings = all.map((sending) => ({
    sending,
    secrets: secretsSent(sending.translated, sending.server),
  }));
  const hasSecrets = sendings.some(({ secrets }) => secrets.length > 0);
  const about = (name: string, text: string) =>
    all.length === 1 ? text : `${serverName({ name })}: ${text}`;
  const [one] = all;
  const single = all.length === 1 && one ? serverName(one) : undefined;
  const plainQuestion =
    single === undefined
      ? t('Send {0} MCP servers to {1}?', all.length, place)
      : t('Send “{0}” to {1}?', single, place);
  const secretsQuestion =
    single === undefined
      ? t('Send the secrets of {0} MCP servers to {1}?', all.length, place)
      : t('Send the secrets of “{0}” to {1}?', single, place);
  return {
    question: hasSecrets ? secretsQuestion : plainQuestion,
    lines: present(
      hasSecrets &&
        t('They go to {0} and stay in its settings:', plainText(address, 200)),
      hasSecrets &&
        isExposed(new URL(address)) &&
        t(
          'The connection to it is not encrypted, so others on the network can read them.',
        ),
      ...sendings.flatMap(({ sending, secrets }) =>
        secrets.length > 0 ? [about(sending.name, secrets.join(', '))] : [],
      ),
      ...all.flatMap(({ name, translated, replaces }) => [
        ...translated.remarks.map((remark) => about(name, remark)),
        ...(replaces
          ? [
              about(
                name,
                t(
                  'This replaces the server with this name at the service, and its secrets are lost.',
                ),
              ),
            ]
          : []),
      ]),
    ),
  };
}

function shown(name: string): string {
  return plainText(name, 80);
}

export function sentMessage(
  servers: readonly Pick<OutgoingServer, 'name' | 'translated'>[],
  place: string,
): string {
  const [first, second] = servers;
  if (!first || second)
    return t(
      '{0} MCP servers are in the settings of {1} now. New conversations there get those that are enabled, unless their agent profile leaves them out.',
      servers.length,
      place,
    );
  return first.translated.enabled
    ? t(
        '“{0}” is in the settings of {1} now. New conversations there get it, unless their agent profile leaves it out.',
        serverName(first),
        place,
      )
    : t(
        '“{0}” is in the settings of {1} now, disabled.',
        serverName(first),
        place,
      );
}

/** The reason why not all servers were added, after those that were. */
export function notSentMessage(
  added: readonly Pick<OutgoingServer, 'name'>[],
  why: string,
): string {
  if (added.length === 0) return why;
  return t('Only {0} were added. {1}', added.map(serverName).join(', '), why);
}
