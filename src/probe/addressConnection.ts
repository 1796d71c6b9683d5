/** A server that is reached over HTTP. */
import { atMost, systemClock } from '../base/clock.ts';
import { reason } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { maskUrl } from '../base/masks/maskUrl.ts';
import {
  type ServerConnection,
  probeLimits,
  type OfficialClient,
  ProbeError,
  tooMuch,
} from './serverConnection.ts';
import type { ProbeFailure } from './probeResult.ts';
import type { ResolvedAddress } from './resolved.ts';
import type { Redactor } from './shown.ts';
import { readSignIn } from './signIn.ts';
import { type OtherAnswer, WatchedFetch } from './watchedFetch.ts';

interface AddressOptions {
  readonly address: ResolvedAddress;
  readonly client: OfficialClient;
  readonly fetch: typeof fetch;
  /** Aborted when the time of the probe is over. */
  readonly signal: AbortSignal;
  readonly onAnswer: () => void;
  readonly redactor: Redactor;
}

/** Throws a ProbeError for an invalid address or header. */
export function connectAddress(options: AddressOptions): ServerConnection {
  const { address, client, redactor } = options;
  const url = urlOf(address, redactor);
  const headers = headersOf(address, url, redactor);
  // A request cannot have them in its address; they are in its header.
  url.username = url.password = '';
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const watched = new WatchedFetch(options.fetch, headers, {
    transport: address.transport,
    mostBytes: probeLimits.bytes,
    onTooMuch: () => {
      broken.reject(tooMuch('bytes'));
    },
    onAnswer: options.onAnswer,
  });
  const { fetch } = watched;
  const transport =
    address.transport === 'sse'
      ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- as the entry says
        new client.SSEClientTransport(url, { fetch })
      : new client.StreamableHTTPClientTransport(url, {
          fetch,
          reconnectionOptions: {
            maxRetries: 0,
            initialReconnectionDelay: 1000,
            maxReconnectionDelay: 1000,
            reconnectionDelayGrowFactor: 1,
          },
        });
  return {
    transport,
    broken: broken.promise,
    explain: async (error, step) => {
      const { other, failure } = watched;
      if (other) return await explainAnswer(other, url, headers, options);
      if (failure !== undefined)
        return networkFailure(failure, url.host, redactor);
      const isOther =
        step !== 'listing' && /SyntaxError|ZodError/.test(namesOf(error));
      const notMcp = {
        url: redactor.text(maskUrl(url.href)),
        status: 200,
        found: 'application/json',
      };
      return isOther ? { reason: 'notMcp', ...notMcp } : undefined;
    },
    end: async (cancelled) => {
      if ('terminateSession' in transport && !cancelled?.aborted) {
        const ending = transport.terminateSession().catch(() => undefined);
        await atMost(systemClock, 1_000, ending);
      }
      await transport.close().catch(() => undefined);
    },
  };
}

function namesOf(error: unknown): string {
  const { name, cause } =
    error instanceof Error ? error : { name: '', cause: undefined };
  return cause === undefined ? name : `${name} ${namesOf(cause)}`;
}

function urlOf({ url: text }: ResolvedAddress, redactor: Redactor): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new ProbeError({
    reason: 'unreachable',
    host: redactor.text(maskUrl(text)),
    why: 'badAddress',
  });
}

/** The headers of every request: those of the entry, and its key. */
function headersOf(
  { headers, auth }: ResolvedAddress,
  { username, password }: URL,
  redactor: Redactor,
): Headers {
  const all = new Headers();
  if (username !== '' || password !== '') {
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    all.set('authorization', 'Basic ' + Buffer.from(login).toString('base64'));
  }
  const token =
    auth === undefined || auth === 'oauth'
      ? []
      : [['authorization', 'Bearer ' + auth] as const];
  for (const [name, value] of [...headers, ...token]) {
    try {
      all.set(name, value);
    } catch {
      const detail = t(
        'the header {0} has characters that cannot be sent',
        redactor.text(name),
      );
      throw new ProbeError({ reason: 'other', detail, lastLines: [] });
    }
  }
  return all;
}

/** Explains an answer that is not of the protocol. */
async function explainAnswer(
  other: OtherAnswer,
  url: URL,
  headers: Headers,
  options: AddressOptions,
): Promise<ProbeFailure> {
  const { redactor } = options;
  const { status } = other;
  const description = foundIn(other, redactor);
  const location = other.headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return {
      reason: 'redirected',
      status,
      to: redactor.text(maskUrl(absoluteAddress(location, other.url)), 1000),
    };
  const signIn =
    status === 401 && (await explainSignIn(other, url, headers, options));
  if (signIn) return signIn;
  if (status === 401 || status === 403)
    return {
      reason: 'keyRefused',
      status,
      sent: [...headers.keys()].length > 0,
      ...(description !== undefined && { said: description }),
    };
  if (status === 407)
    return {
      reason: 'proxy',
      host: url.host,
      detail: t('it asks for a sign-in'),
    };
  if (
    status === 429 ||
    status >= 500 ||
    (status === 400 &&
      /\bjson\b/i.test(other.headers.get('content-type') ?? ''))
  ) {
    const detail =
      description === undefined
        ? t('it answers with HTTP {0}', status)
        : t('it answers with HTTP {0}: {1}', status, description);
    return { reason: 'other', detail, lastLines: [] };
  }
  return {
    reason: 'notMcp',
    url: redactor.text(maskUrl(url.href)),
    status,
    ...(description !== undefined && { found: description }),
  };
}

function absoluteAddress(location: string, base: URL): string {
  return URL.canParse(location, base.href)
    ? new URL(location, base.href).href
    : location;
}

/** Undefined if a key was refused. */
async function explainSignIn(
  other: OtherAnswer,
  url: URL,
  headers: Headers,
  options: AddressOptions,
): Promise<ProbeFailure | undefined> {
  const { address, redactor } = options;
  const isOfEntry = address.auth === 'oauth';
  if (!isOfEntry && headers.has('authorization')) return undefined;
  const needed = await readSignIn(other, url, options);
  if (!needed && !isOfEntry) return undefined;
  const { issuer, scopes = [] } = needed ?? {};
  return {
    reason: 'signIn',
    askedBy: isOfEntry ? 'entry' : 'server',
    ...(issuer !== undefined && { issuer: redactor.text(maskUrl(issuer)) }),
    ...(scopes.length > 0 && {
      scopes: scopes.map((scope) => redactor.text(scope, 100)),
    }),
  };
}

/**
 * Describes an answer in a few words: the title of its page, its error, or its
 * kind.
 */
function foundIn(
  { headers, text }: OtherAnswer,
  redactor: Redactor,
): string | undefined {
  const title = /<title[^>]*>([^<]{1,300})/i.exec(text)?.[1]?.trim();
  if (title !== undefined && title !== '') return redactor.text(title, 100);
  const kind = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (kind === 'application/json') {
    const message =
      /"(?:message|error_description|detail|error)"\s*:\s*"((?:[^"\\]|\\.){1,300})"/.exec(
        text,
      )?.[1];
    if (message !== undefined) return redactor.text(message, 200);
  }
  if (kind === 'text/plain' && text.trim() !== '')
    return redactor.text(text, 100);
  return kind === undefined || kind === ''
    ? undefined
    : redactor.text(kind, 100);
}

type Unreachable = Extract<
  ProbeFailure,
  { readonly reason: 'unreachable' }
>['why'];

const networkCodes: Readonly<Record<string, Unreachable>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
  EADDRNOTAVAIL: 'noRoute',
  ETIMEDOUT: 'noRoute',
  UND_ERR_CONNECT_TIMEOUT: 'noRoute',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
};

const certificateCode =
  /^(?:CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|HOSTNAME_MISMATCH|INVALID_PURPOSE)$/;

/** Explains a request that could not be made. */
function networkFailure(
  error: unknown,
  host: string,
  redactor: Redactor,
): ProbeFailure | undefined {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 10;
    cause = cause.cause, depth++
  ) {
    const code = String((cause as { code?: unknown }).code);
    const detail = redactor.text(reason(cause));
    if (/proxy|tunnel/i.test(`${code} ${cause.message}`))
      return { reason: 'proxy', host, detail };
    if (certificateCode.test(code))
      return { reason: 'certificate', host, detail };
    const why = networkCodes[code];
    if (why !== undefined) return { reason: 'unreachable', host, why };
    if (cause.message === 'bad port' || code === 'ERR_INVALID_URL') {
      return { reason: 'unreachable', host, why: 'badAddress' };
    }
    const [first] =
      cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
    const inner =
      first === undefined ? undefined : networkFailure(first, host, redactor);
    if (inner) return inner;
  }
  return undefined;
}
