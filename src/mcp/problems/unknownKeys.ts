/** Keys of a server that the program that reads the file ignores. */
import { t } from '../../base/l10n.ts';
import { editDistance } from '../../base/near.ts';
import { advice, foreignKeys, ignoredKeys } from '../dialects/dialects.ts';
import { quoted } from '../format/document.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { kindOfKey, type OwnKey, ownKeys } from '../format/ownKeys.ts';
import { type Member, nameSpan } from '../text/nodes.ts';
import { checkDisabled } from './disabledForEnabled.ts';
import { removeFix, renameFix } from './fixes.ts';
import { checkForeignKey, isTarget, mayRename } from './foreignKeys.ts';
import type { Review } from './problem.ts';
import { checkType } from './typeForTransport.ts';

/** Reports them. Answers whether one of them is most likely how the server is meant to be reached. */
export function checkKeys(review: Review, entry: ObjectEntry): boolean {
  let target = false;
  for (const field of entry.keys.values()) {
    const { name } = field;
    if (name !== 'type' && ownKeys.has(name)) continue;
    const foreign = foreignKeys.get(name);
    const ignored = ignoredKeys.get(name);
    if (name === 'type') checkType(review, entry, field);
    else if (name === 'disabled') checkDisabled(review, entry, field);
    else if (foreign) {
      if (!checkForeignKey(review, entry, field, foreign)) reportIgnored(review, entry, field);
      target ||= isTarget(foreign.is);
    } else if (ignored) {
      if (ignored.advice) reportIgnored(review, entry, field, advice[ignored.advice]);
    } else target = checkSlip(review, entry, field) || target;
  }
  return target;
}

function reportIgnored(review: Review, entry: ObjectEntry, field: Member, instead = ''): void {
  const message =
    instead === ''
      ? t('{0} is ignored here. Remove it.', quoted(field.name))
      : t('{0} is a key of other programs and ignored here. {1}', quoted(field.name), instead);
  review.report('ignoredKey', nameSpan(field), message, {
    fixes: () => [removeFix(review.found, entry.object, field)],
  });
}

function checkSlip(review: Review, entry: ObjectEntry, field: Member): boolean {
  const meant = misspelled(review, field.name).find((key) => isMissing(entry, key));
  if (meant === undefined) return false;
  const message = t('{0} is ignored here. Did you mean {1}?', quoted(field.name), quoted(meant));
  const more = {
    fixes: () => (mayRename(entry, field, meant) ? [renameFix(review.found, field, meant, false)] : []),
  };
  if (isTarget(meant) && review.readsEntries) {
    review.refuse('misspelledTarget', nameSpan(field), message, more);
  } else review.report('misspelledKey', nameSpan(field), message, more);
  return isTarget(meant);
}

const plainNames = [...ownKeys].map((key) => ({ key: key as OwnKey, plain: plainName(key) }));

/** Words of their own, which are near by chance. */
const others = new Set(['icons', 'end', 'time']);

/** The keys of ours of which a key is at most one slip away. More slips would take words for misspelled keys. */
function misspelled(review: Review, key: string): readonly OwnKey[] {
  const known = review.misspelled.get(key) ?? keysNear(key);
  review.misspelled.set(key, known);
  return known;
}

function keysNear(key: string): OwnKey[] {
  // Longer than any key can be with a slip in it.
  if (key.length > 20 || others.has(key)) return [];
  const plain = plainName(key);
  return plainNames
    .filter((own) => Math.abs(own.plain.length - plain.length) <= 1 && editDistance(plain, own.plain) <= 1)
    .map((own) => own.key);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Whether the key would count in this entry. */
function isMissing(entry: ObjectEntry, key: OwnKey): boolean {
  if (entry.keys.get(key)) return false;
  return !entry.kind || (kindOfKey(key) ?? entry.kind) === entry.kind;
}
