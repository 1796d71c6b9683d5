/** Keys that are called otherwise here, and what their values are here. */
import { t } from '../../base/l10n.ts';
import { type ForeignKey, ownName, translateValue, transportOf } from '../dialects/dialects.ts';
import { hasAuthDetails } from '../dialects/dialectValues.ts';
import { quoted } from '../format/document.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { kindOfKey, type OwnKey, rulesOf, type ServerKind } from '../format/ownKeys.ts';
import { type Member, nameSpan } from '../text/nodes.ts';
import { sameValue, valueOf } from '../text/values.ts';
import { isTaken } from '../format/verdict.ts';
import { fix, inserted, removeFix, renamed, renameFix, replaceSpan, writtenValue } from './fixes.ts';
import type { Fix, Review } from './problem.ts';

/**
 * Reports the key, with a code of an error where the entry is refused for lack of what it says. False, and no report, where
 * it says nothing that would count in this entry.
 */
export function checkForeignKey(
  review: Review,
  entry: ObjectEntry,
  field: Member,
  foreign: ForeignKey,
): boolean {
  const { is, translate } = foreign;
  const value = valueOf(field.value);
  const own = translateValue(field.name, value);
  const kind = kindOfKey(is);
  if (translate && (own === undefined || (kind && entry.kind && kind !== entry.kind))) return false;
  const lacksTarget = isTarget(is) && !entry.kind && review.readsEntries;
  const { found } = review;
  const there = entry.keys.get(is);
  const [old, now] = [quoted(field.name), quoted(is)];
  if (there) {
    const message = t('{0} is a key of other programs and ignored here: {1} counts. Remove {0}.', old, now);
    const isSame = typeof own === 'string' && sameValue(valueOf(there.value), own);
    review.report('foreignKey', nameSpan(field), message, {
      fixes: () => [removeFix(found, entry.object, field, isSame && entry.isSingle(field))],
    });
    return true;
  }
  const isWord = typeof own !== 'object' && !sameValue(own, value);
  const shown = isWord ? `${now}: ${JSON.stringify(own)}` : now;
  const message = t('{0} is a key of other programs. Use {1} here.', old, shown);
  const more = {
    fixes: () => {
      // Details of signing in would be lost.
      const isWhole = !translate || (isWord && !hasAuthDetails(value));
      const isSure = isWhole && !hasRival(entry, field, is) && entry.isSingle(field);
      if (!translate) return renameFixes(review, entry, field, foreign, isSure);
      if (own === undefined || sameValue(own, value)) return [renameFix(found, field, is, isSure)];
      const edits = [
        renamed(field, is),
        replaceSpan(field.value, writtenValue(found, entry.object, field, own)),
      ];
      return [fix(found, t('Change to {0}', shown), edits, isSure)];
    },
  };
  if (lacksTarget) review.refuse('foreignTarget', nameSpan(field), message, more);
  else review.report('foreignKey', nameSpan(field), message, more);
  return true;
}

function renameFixes(
  { found }: Review,
  entry: ObjectEntry,
  field: Member,
  { is, transport }: ForeignKey,
  isSure: boolean,
): Fix[] {
  if (!mayRename(entry, field, is)) return [];
  const isSaid = entry.keys.has('transport') || transportOf(entry.string('type')) !== undefined;
  if (transport === undefined || isSaid) return [renameFix(found, field, is, isSure)];
  const edits = [renamed(field, is), ...inserted(found, entry.object, 'transport', transport)];
  return [fix(found, t('Change to "url" with "transport": "{0}"', transport), edits, isSure)];
}

/** Whether it is what a server is reached by. */
export function isTarget(key: OwnKey): boolean {
  return key === 'url' || key === 'command';
}

/** Whether the program would take the value of a field under a key of ours. */
export function mayRename({ kind }: ObjectEntry, field: Member, own: OwnKey): boolean {
  const kinds: readonly ServerKind[] = kind && !isTarget(own) ? [kind] : ['local', 'remote'];
  return kinds.some((each) => {
    const rule = rulesOf[each].get(own);
    return rule !== undefined && isTaken(field, rule);
  });
}

/** Whether another key would become the same, or would not count any more. */
function hasRival(entry: ObjectEntry, field: Member, own: OwnKey): boolean {
  const rivals: readonly string[] = own === 'url' || own === 'command' ? ['url', 'command'] : [own];
  return [...entry.keys.keys()].some((other) => other !== field.name && rivals.includes(ownName(other)));
}
