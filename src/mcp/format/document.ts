/** What the text of mcp.json says. */
import { t } from '../../base/l10n.ts';
import { joinWithOr, nearestNames } from '../../base/near.ts';
import { plainText } from '../../base/plainText.ts';
import { Entry } from './entry.ts';
import { isAtRoot, type Outline, outline } from './outline.ts';
import { Refusal } from '../text/refusal.ts';
import { lastOfEach, type Member } from '../text/nodes.ts';

/** Something about the file that its owner should know, other than that it is refused. The message is a sentence. */
export interface Remark {
  readonly kind: 'duplicate' | 'serversAtRoot';
  readonly message: string;
  readonly offset: number;
}

export interface Document {
  /** The servers that count, in their order. If a name appears twice, the last one counts. */
  readonly entries: readonly Entry[];
  readonly remarks: readonly Remark[];
}

/** Throws a Refusal for a text in which no server can be found. */
export function readDocument(text: string): Document {
  return documentOf(outline(text));
}

export function documentOf(found: Outline): Document {
  return { entries: entriesIn(found), remarks: remarksOf(found) };
}

/** The servers that count. A server whose value is not written yet is left out. */
export function entriesIn({ servers }: Outline): Entry[] {
  const members = [...lastOfEach(servers).values()].filter(({ value }) => value.type !== 'missing');
  return members.sort((a, b) => a.start - b.start).map((member) => new Entry(member));
}

/** Throws a Refusal that lists what may have been meant. */
export function findServer(document: Document, name: string): Entry {
  const entry = document.entries.find((each) => each.name === name);
  if (!entry) throw noSuchServer(name, document.entries);
  return entry;
}

export function noSuchServer(name: string, others: readonly { readonly name: string }[]): Refusal {
  const near = nearestNames(
    name,
    others.map((other) => other.name),
  ).map(quoted);
  const hint =
    near.length > 0
      ? t('Did you mean {0}?', joinWithOr(near))
      : others.length > 0
        ? t('List the servers to see their names.')
        : t('There are no servers yet.');
  return new Refusal('noSuchServer', `${t('There is no server {0}.', quoted(name))} ${hint}`);
}

export function quoted(name: string): string {
  return `"${plainText(name, 80)}"`;
}

function remarksOf(found: Outline): Remark[] {
  const remarks: Remark[] = [];
  const remark = (kind: Remark['kind'], offset: number | undefined, message: string) => {
    if (offset !== undefined) remarks.push({ kind, offset, message });
  };
  const { root, servers, property } = found;
  remark(
    'serversAtRoot',
    isAtRoot(found) ? root.start : undefined,
    t('The servers are at the root of the file, not in "mcpServers".'),
  );
  const first = root.members.find(({ name }) => name === 'mcpServers');
  if (first !== property) remark('duplicate', first?.start, moreThanOnce('mcpServers'));
  const last = lastOfEach(servers);
  const seen = new Map<string, Member>();
  for (const member of servers?.members ?? []) {
    const before = seen.get(member.name);
    seen.set(member.name, member);
    if (before && last.get(member.name) === member) {
      remark('duplicate', before.start, moreThanOnce(member.name));
    }
  }
  return remarks;
}

function moreThanOnce(name: string): string {
  return t('{0} appears more than once. Only the last one counts.', quoted(name));
}
