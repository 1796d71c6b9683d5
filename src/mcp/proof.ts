/**
 * The proof of a change: the new text is read again, and compared with the old one and with what was meant. It does
 * not know how the edits came about.
 */
import type { Edit } from 'jsonc-parser';
import { t } from '../base/l10n.ts';
import { inOrder } from './apply.ts';
import type { Change, Written } from './edit.ts';
import { readEntry } from './document.ts';
import { isAtRoot, lastOf, type Outline, outline } from './outline.ts';
import { type Member, readText, type Span } from './reader.ts';
import { Refusal } from './refusal.ts';
import { writeServer } from './server.ts';
import { sameValue } from './values.ts';

/** The outline of the new text; throws a Refusal where exactly the change is not what happened. */
export function prove(before: Outline, change: Change, edits: readonly Edit[], text: string): Outline {
  const fault = () =>
    new Refusal(
      'unproven',
      t(
        'The change was not made, because it would have changed something else as well. Make it by hand, and please report this.',
      ),
    );
  let after: Outline;
  try {
    after = outline(text);
  } catch (cause) {
    throw Object.assign(fault(), { cause });
  }
  const holds =
    sameElsewhere(before.text, edits, text) &&
    sameRoot(before, change, after) &&
    sameServers(before, change, after) &&
    sameComments(before, change, after) &&
    after.trailingCommas.length <= before.trailingCommas.length;
  if (!holds) throw fault();
  return after;
}

/** All bytes outside the edits are the same. */
function sameElsewhere(before: string, edits: readonly Edit[], after: string): boolean {
  let from = 0;
  let to = 0;
  for (const { offset, length, content } of inOrder(edits)) {
    if (offset < from || !after.startsWith(before.slice(from, offset), to)) return false;
    to += offset - from;
    if (!after.startsWith(content, to)) return false;
    to += content.length;
    from = offset + length;
  }
  return before.slice(from) === after.slice(to);
}

/** What stands beside the servers is the same, and nothing else has come to the root than what the change brings. */
function sameRoot(before: Outline, change: Change, after: Outline): boolean {
  if (change.do === 'wrap') return after.root.members.map(({ name }) => name).join() === 'mcpServers';
  if (isAtRoot(before)) return true;
  const beside = ({ text, root, property }: Outline) =>
    root.members.map((member) => (member === property ? '' : rawOf(text, member)));
  const expected = beside(before);
  if (change.do === 'add' && !before.property) expected.push('');
  return sameList(expected, beside(after));
}

/** The servers are the same to the byte, apart from the one that was meant. */
function sameServers(before: Outline, change: Change, after: Outline): boolean {
  const old = serversIn(before);
  const now = isAtRoot(before) && change.do !== 'wrap' ? after.root.members : serversIn(after);
  const raw = ({ text }: Outline, members: readonly Member[]) => members.map((member) => rawOf(text, member));
  switch (change.do) {
    case 'wrap':
      return sameList(raw(before, old), raw(after, now));
    case 'remove': {
      const kept = old.filter(({ name }) => name !== change.name);
      return sameList(raw(before, kept), raw(after, now));
    }
    case 'add': {
      const added = now.at(-1);
      return (
        added?.name === change.name &&
        isWritten(after.text, added, change) &&
        sameList(raw(before, old), raw(after, now.slice(0, -1)))
      );
    }
    case 'rename': {
      const { name, to } = change;
      const renamed = (member: Member) => (member.name === name ? to : member.name);
      const values = ({ text }: Outline, members: readonly Member[]) =>
        members.map((member) => textOf(text, member));
      return (
        sameList(
          old.map(renamed),
          now.map((member) => member.name),
        ) && sameList(values(before, old), values(after, now))
      );
    }
    case 'replace': {
      const i = old.findLastIndex(({ name }) => name === change.name);
      const other = now[i];
      return (
        other?.name === change.name &&
        isWritten(after.text, other, change) &&
        sameList(raw(before, old.toSpliced(i, 1)), raw(after, now.toSpliced(i, 1)))
      );
    }
    case 'enable':
    case 'disable': {
      const i = old.findLastIndex(({ name }) => name === change.name);
      const [one, other] = [old[i], now[i]];
      return (
        one !== undefined &&
        other?.name === change.name &&
        sameEntry(textOf(before.text, one), textOf(after.text, other), change.do === 'enable') &&
        sameList(raw(before, old.toSpliced(i, 1)), raw(after, now.toSpliced(i, 1)))
      );
    }
  }
}

/** The entry says what was to be written, and nothing else. */
function isWritten(text: string, member: Member, change: Written): boolean {
  const { server, enabled = true, extra } = change;
  return sameValue(readEntry(text, member).fields, writeServer(server, enabled, extra));
}

/** The entry is the same to the byte, apart from its `enabled`, which is as it should be. */
function sameEntry(before: string, after: string, enabled: boolean): boolean {
  const parts = (text: string) => {
    const { root } = readText(text);
    const key = lastOf(root, 'enabled');
    const others = root.members.filter((member) => member !== key);
    return { value: key && textOf(text, key), others: others.map((member) => rawOf(text, member)) };
  };
  const [old, now] = [parts(before), parts(after)];
  return now.value === String(enabled) && sameList(old.others, now.others);
}

/** No comment is lost but those within what was removed or replaced, and none has come. */
function sameComments(before: Outline, change: Change, after: Outline): boolean {
  // As the comments, in the order of the text.
  const gone = goneFrom(before, change).toReversed();
  const kept = before.comments.filter((comment) => {
    let next = gone.at(-1);
    while (next && next.end <= comment.start) {
      gone.pop();
      next = gone.at(-1);
    }
    return !next || comment.start < next.start;
  });
  const text = (found: Outline, comments: readonly Span[]) =>
    comments.map(({ start, end }) => found.text.slice(start, end));
  return sameList(text(before, kept), text(after, after.comments));
}

/** What a change takes away as a whole. */
function goneFrom(before: Outline, change: Change): readonly Span[] {
  if (change.do === 'wrap') return [];
  const named = serversIn(before).filter(({ name }) => name === change.name);
  const values = named.slice(-1).map(({ valueStart: start, end }) => ({ start, end }));
  switch (change.do) {
    case 'remove':
      return named;
    case 'replace':
      return values;
    case 'enable':
    case 'disable':
      return values.flatMap((entry) => {
        const key = lastOf(readText(before.text.slice(entry.start, entry.end)).root, 'enabled');
        return key ? [{ start: entry.start + key.valueStart, end: entry.start + key.end }] : [];
      });
    case 'add':
    case 'rename':
      return [];
  }
}

function serversIn({ servers }: Outline): readonly Member[] {
  return servers?.members ?? [];
}

/** A member as it is written, from the quote before its name to the end of its value. */
function rawOf(text: string, { start, end }: Member): string {
  return text.slice(start, end);
}

function textOf(text: string, { valueStart, end }: Member): string {
  return text.slice(valueStart, end);
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}
