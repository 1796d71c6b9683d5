/** What the parts of a server may be: one rule each, for all ways in which a server comes here. */

/** A name is a token: RFC 9110, 5.1. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~\da-z-]+$/i.test(name);
}

/** Case does not count. */
export function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A header is a single line. */
export function isHeaderValue(value: string): boolean {
  return !/[^\t\P{Cc}]/u.test(value);
}

export function isVariableName(name: string): boolean {
  return /^[^\s=\p{Cc}]+$/u.test(name);
}

export function isVariableValue(value: string): boolean {
  return !value.includes('\0');
}

/** The scheme of a URL, in lower case; undefined for what does not begin with one and `://`. */
export function schemeOf(text: string): string | undefined {
  return /^\s*([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
}

export function hasSpaces(url: string): boolean {
  return /[\s\p{Cc}]/u.test(url);
}

/** Why no server can be reached at a URL: the first reason of these, in this order. */
type UrlFault = 'spaces' | 'noScheme' | 'otherScheme' | 'invalid';

export function urlFault(url: string): UrlFault | undefined {
  if (hasSpaces(url)) return 'spaces';
  const scheme = schemeOf(url);
  if (scheme === undefined) return 'noScheme';
  if (scheme !== 'http' && scheme !== 'https') return 'otherScheme';
  return URL.canParse(url) ? undefined : 'invalid';
}
