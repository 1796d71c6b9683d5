/** The URL of a server, and whether what is sent to it can be read on the way. */
import { t } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { schemeOf, urlFault } from '../format/serverRules.ts';
import { fix, replaceSpan } from './fixes.ts';
import { hasReference } from '../format/variables.ts';
import type { Fix, Review } from './problem.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { type Member, stringOf } from '../text/nodes.ts';

export function checkAddress(review: Review, entry: ObjectEntry): void {
  const field = entry.keys.get('url');
  const url = stringOf(field?.value);
  // Values that are not filled in yet are reported as such.
  if (!field || url === undefined || isPlaceholder(url) || hasReference(url)) return;
  const report = (message: string, fixes: () => Fix[] = () => []) => {
    review.report('badUrl', field.value, message, { fixes });
  };
  switch (urlFault(url)) {
    case 'spaces':
      report(t('A URL cannot contain spaces. Remove them.'), () => trimFixes(review, field, url));
      break;
    case 'noScheme':
      report(t('This is not a URL. A URL begins with "https://", or with "http://" on this machine.'), () =>
        schemeFixes(review, field, url),
      );
      break;
    case 'otherScheme':
      report(t('MCP servers are reached over "https://", or "http://" on this machine. Change the URL.'));
      break;
    case 'invalid':
      report(t('This is not a valid URL.'));
      break;
    case undefined:
      if (schemeOf(url) === 'http') checkSecrecy(review, entry, field, url);
  }
}

function trimFixes({ found }: Review, field: Member, url: string): Fix[] {
  const trimmed = url.trim();
  if (urlFault(trimmed) !== undefined) return [];
  return [fix(found, t('Remove the spaces'), [replaceSpan(field.value, JSON.stringify(trimmed))], false)];
}

/** A host, perhaps with a port, and what may follow. */
const hostLike =
  /^(?:\/\/)?((?:[\w-]+\.)+[a-z][\w-]*|localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d+)?(?:[/?#]\S*)?$/i;

function schemeFixes({ found }: Review, field: Member, url: string): Fix[] {
  const host = hostLike.exec(url)?.[1];
  if (host === undefined) return [];
  const scheme = isThisMachine(host) ? 'http' : 'https';
  const whole = `${scheme}://${url.replace(/^\/\//, '')}`;
  if (!URL.canParse(whole)) return [];
  const edits = [replaceSpan(field.value, JSON.stringify(whole))];
  return [fix(found, t('Add "{0}://"', scheme), edits, false)];
}

function checkSecrecy(review: Review, entry: ObjectEntry, field: Member, url: string): void {
  const { hostname, username, password, searchParams } = new URL(url);
  if (isThisMachine(hostname)) return;
  const headers = entry.record('headers')?.members ?? [];
  const sendsSecret =
    username !== '' ||
    password !== '' ||
    entry.keys.get('auth') !== undefined ||
    headers.some(({ name }) => !harmless.test(name)) ||
    [...searchParams.keys()].some((name) => secretName.test(name));
  if (!sendsSecret) return;
  const message = t(
    'Secrets in the URL, the headers or "auth" are sent to another machine without encryption. Use "https://".',
  );
  review.report('insecureUrl', field.value, message, {
    fixes: () => {
      const secure = JSON.stringify(url.replace(/http/i, 'https'));
      return [fix(review.found, t('Change to "https://"'), [replaceSpan(field.value, secure)], false)];
    },
  });
}

const harmless =
  /^(?:accept(?:-.*)?|content-type|user-agent|cache-control|connection|mcp-protocol-version)$/i;
const secretName = /key|token|secret|pass|pwd|auth|credential|sig|jwt|session|code/i;
