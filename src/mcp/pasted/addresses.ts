/** Guesses the purpose of a bare URL. Nothing is opened. */

/** Sites with code, packages and lists of servers, which are pages to read. */
const sites =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|npmjs\.com|unpkg\.com|pypi\.org|crates\.io|nuget\.org|docker\.com|youtube\.com|youtu\.be|medium\.com|reddit\.com|discord\.gg|discord\.com|shields\.io|glama\.ai|lobehub\.com|cursor\.directory|mcp\.so|pulsemcp\.com|mcpservers\.org|mcpmarket\.com|mcphub\.com|visualstudio\.com)$|^(?:www\.)?smithery\.ai$/;
const reading =
  /(?:^|\/)(?:docs?|documentation|guides?|blog|wiki|help|tutorials?|articles?|news|posts?|packages?|downloads?|install|redirect|releases|issues|pull|tree|blob)(?:\/|$)|\.(?:html?|mdx?|pdf|png|svg|jpe?g|gif|zip|gz|git|json|ya?ml|toml|m?js|ts|py|sh)$/i;
const endpoint = /(?:^|[/_.-])(?:mcp|sse)(?:[/_.-]|$)/i;

export function guessUrl(url: string): 'server' | 'page' | undefined {
  const plain = withoutPlaceholders(url);
  if (!URL.canParse(plain)) return undefined;
  const { hostname, pathname } = new URL(plain);
  if (sites.test(hostname) || reading.test(pathname)) return 'page';
  return endpoint.test(pathname) || /(?:^|-)mcp[.-]|mcp\./i.test(hostname)
    ? 'server'
    : undefined;
}

/**
 * A valid URL for one with placeholders. Brackets around an IPv6 address are
 * none.
 */
export function withoutPlaceholders(url: string): string {
  const placeholder =
    /\$?\{\{?[^{}]*\}?\}|<[^<>]*>|\[(?![\da-f:.]+\])[^[\]]*\]/gi;
  return url.replace(placeholder, (all: string, at: number) => {
    if (at > 0) return '1';
    return url.startsWith('://', all.length) ? 'https' : 'https://x';
  });
}
