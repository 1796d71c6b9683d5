/** Reads the way of signing in from the server itself. */
import { beginningOf, type OtherAnswer } from './watchedFetch.ts';

interface SignInNeeded {
  readonly issuer?: string | undefined;
  readonly scopes: readonly string[];
}

/** Undefined if neither the answer nor the metadata mentions a sign-in. */
export async function readSignIn(
  answer: OtherAnswer,
  server: URL,
  {
    fetch,
    signal,
  }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<SignInNeeded | undefined> {
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const named = parameter(challenge, 'resource_metadata');
  const challengeScopes =
    parameter(challenge, 'scope')?.split(/\s+/).filter(Boolean) ?? [];
  for (const url of metadataUrls(named, server)) {
    const metadata = await read(url, fetch, signal);
    if (!metadata) continue;
    const [issuer] = strings(metadata.authorization_servers);
    const scopes =
      challengeScopes.length > 0
        ? challengeScopes
        : strings(metadata.scopes_supported);
    return { scopes, issuer };
  }
  return named === undefined ? undefined : { scopes: challengeScopes };
}

/**
 * The places of RFC 9728 at the origin of the server. Addresses elsewhere are
 * not requested.
 */
function metadataUrls(named: string | undefined, server: URL): URL[] {
  const { origin, pathname } = server;
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname === '/' ? [] : [`${wellKnown}${pathname}`];
  const all = [...(named === undefined ? [] : [named]), ...path, wellKnown];
  const urls = all.flatMap((text) => {
    const url = URL.canParse(text, server.href)
      ? new URL(text, server.href)
      : undefined;
    return url?.origin === origin && url.username === '' ? [url] : [];
  });
  return [...new Map(urls.map((url) => [url.href, url])).values()];
}

async function read(
  url: URL,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const value: unknown = JSON.parse(await beginningOf(response));
    const isMetadata =
      typeof value === 'object' &&
      value !== null &&
      'authorization_servers' in value;
    return isMetadata ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item) => typeof item === 'string').slice(0, 50)
    : [];
}

function parameter(challenge: string, name: string): string | undefined {
  const match = new RegExp(
    `(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s",]+))`,
    'i',
  ).exec(challenge);
  return match?.[1] ?? match?.[2];
}
