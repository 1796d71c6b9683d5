import { t } from '../../base/l10n.ts';
import { either, nearest } from '../../base/near.ts';
import { plainText } from '../../base/plainText.ts';
import { Entry } from './entry.ts';
import { isAtRoot, type Outline, outline } from './outline.ts';
import { lastOfEach, type Member } from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';

/** A fact about the file, other than a refusal, for its owner. The message is a sentence. */
export interface Remark {
  readonly kind: 'duplicate' | 'serversAtRoot';
  readonly message: string;
  readonly offset: number;
}

export interface Document {
  /** The servers in order. The last one of a name counts. */
  readonly entries: readonly Entry[];
  readonly remarks: readonly Remark[];
}

/** Throws a Refusal for a text without a place for servers. */
export function readDocument(text: string): Document {
  return documentOf(outline(text));
}

export function documentOf(found: Outline): Document {
  return { entries: entriesIn(found), remarks: remarksOf(found) };
}

/** Leaves out overridden servers and those without a value yet. */
export function entriesIn({ servers }: Outline): Entry[] {
  const members = [...lastOfEach(servers).values()].filter(({ value }) => value.type !== 'missing');
  return members.sort((a, b) => a.start - b.start).map((member) => new Entry(member));
}

/** Throws a Refusal with similar names. */
export function findServer(document: Document, name: string): Entry {
  const entry = document.entries.find((each) => each.name === name);
  if (!entry) throw noSuchServer(name, document.entries);
  return entry;
}

export function noSuchServer(name: string, others: readonly { readonly name: string }[]): Refusal {
  const near = nearest(
    name,
    others.map((other) => other.name),
  ).map(quoted);
  const hint =
    near.length > 0
      ? t('Did you mean {0}?', either(near))
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
