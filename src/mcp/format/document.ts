import { t } from '../../base/l10n.ts';
import { joinWithOr, nearestNames } from '../../base/near.ts';
import { plainText } from '../../base/plainText.ts';
import { Entry } from './entry.ts';
import { type Outline, outline } from './outline.ts';
import { lastOfEach } from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';

/**
 * The servers in order. Throws a Refusal for a text without a place for
 * servers.
 */
export function readEntries(text: string): Entry[] {
  return entriesIn(outline(text));
}

/**
 * Leaves out servers that a later one of the same name overrides, and those
 * without a value yet.
 */
export function entriesIn({ servers }: Outline): Entry[] {
  const members = [...lastOfEach(servers).values()].filter(
    ({ value }) => value.type !== 'missing',
  );
  return members
    .sort((a, b) => a.start - b.start)
    .map((member) => new Entry(member));
}

export function findServer(entries: readonly Entry[], name: string): Entry {
  const entry = entries.find((candidate) => candidate.name === name);
  if (!entry) throw noSuchServer(name, entries);
  return entry;
}

export function noSuchServer(
  name: string,
  servers: readonly { readonly name: string }[],
): Refusal {
  const near = nearestNames(
    name,
    servers.map((server) => server.name),
  ).map(quotedName);
  const advice =
    servers.length > 0
      ? t('List the servers to see their names.')
      : t('There are no servers yet.');
  const hint =
    near.length > 0 ? t('Did you mean {0}?', joinWithOr(near)) : advice;
  return new Refusal(
    'noSuchServer',
    `${t('There is no server {0}.', quotedName(name))} ${hint}`,
  );
}

export function quotedName(name: string): string {
  return `"${plainText(name, 80)}"`;
}
