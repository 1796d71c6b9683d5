/** Rules for the parts of a server, shared by everything that adds one. */

/** RFC 9110, 5.1: a token. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~\da-z-]+$/i.test(name);
}

export function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export function isHeaderValue(value: string): boolean {
  return !/[^\t\P{Cc}]/u.test(value);
}

export function isVariableName(name: string): boolean {
  return /^[^\s=\p{Cc}]+$/u.test(name);
}

export function isVariableValue(value: string): boolean {
  return !value.includes('\0');
}

export function schemeOf(text: string): string | undefined {
  return /^\s*([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
}

export function hasSpaces(url: string): boolean {
  return /[\s\p{Cc}]/u.test(url);
}

/** Faults in the order of the checks. */
type UrlFault = 'spaces' | 'noScheme' | 'otherScheme' | 'invalid';

export function urlFault(url: string): UrlFault | undefined {
  if (hasSpaces(url)) return 'spaces';
  const scheme = schemeOf(url);
  if (scheme === undefined) return 'noScheme';
  if (scheme !== 'http' && scheme !== 'https') return 'otherScheme';
  return URL.canParse(url) ? undefined : 'invalid';
}
