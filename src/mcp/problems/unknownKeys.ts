/** Keys of a server that the program that reads the file ignores. */
import { t } from '../../base/l10n.ts';
import { countSlips } from '../../base/near.ts';
import { quoted } from '../document.ts';
import { advice, ignored, known, type Renamed, renames, type ValueType } from './dialects.ts';
import { fix, inserted, removeFix, renamed, renameFix, replace } from './fixes.ts';
import { checkOAuth } from './oauth.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { booleanOf, type Member, type Node, nameSpan, stringOf } from '../nodes.ts';
import { checkType } from './typeForTransport.ts';

/** Reports them; whether one of them is most likely what the server is reached by. */
export function checkKeys(review: Review, entry: ObjectEntry): boolean {
  let target = false;
  for (const field of entry.keys.values()) {
    if (known.has(field.name)) continue;
    const meant = renames.get(field.name);
    const about = ignored.get(field.name);
    if (meant !== undefined) checkRename(review, entry, field, meant);
    else if (about !== undefined) reportIgnored(review, entry, field, advice[about]);
    else if (field.name === 'type') checkType(review, entry, field);
    else if (field.name === 'disabled') checkDisabled(review, entry, field);
    else if (field.name === 'oauth' && entry.kind !== 'local') checkOAuth(review, entry, field);
    else target = checkSlip(review, entry, field) || target;
    target ||= isTarget(meant);
  }
  return target;
}

function checkRename(review: Review, entry: ObjectEntry, field: Member, meant: Renamed): void {
  const { found } = review;
  const there = entry.keys.get(meant);
  const [old, now] = [quoted(field.name), quoted(meant)];
  if (there) {
    const message = t('{0} is a key of other programs and ignored here: {1} counts. Remove {0}.', old, now);
    review.report('foreignKey', nameSpan(field), message, {
      fixes: () => [
        removeFix(found, entry.object, field, isSameString(there, field) && entry.isSingle(field)),
      ],
    });
    return;
  }
  review.report('foreignKey', nameSpan(field), t('{0} is a key of other programs. Use {1} here.', old, now), {
    fixes: () => {
      if (!fits(field.value, meant)) return [];
      const certain = !hasRival(entry, field, meant) && entry.isSingle(field);
      if (field.name !== 'httpUrl' || entry.keys.get('transport')) {
        return [renameFix(found, field, meant, certain)];
      }
      const transport = inserted(found, entry.object, 'transport', 'http');
      const title = t('Change to "url" with "transport": "http"');
      return [fix(found, title, [renamed(field, meant), ...transport], certain)];
    },
  });
}

function isSameString(one: Member, other: Member): boolean {
  const text = stringOf(one.value);
  return text !== undefined && text === stringOf(other.value);
}

/** Whether another key would get the same name, or be ignored after the change. */
function hasRival(entry: ObjectEntry, field: Member, meant: Renamed): boolean {
  const rivals = isTarget(meant) ? ['url', 'command'] : [meant];
  return [...entry.keys.values()].some(
    (other) => other !== field && rivals.includes(renames.get(other.name) ?? other.name),
  );
}

function isTarget(name: string | undefined): boolean {
  return name === 'url' || name === 'command';
}

/** Whether a known key may have such a value. */
function fits({ type }: Node, name: string): boolean {
  const wanted = known.get(name)?.type;
  return wanted !== undefined && nodeTypes[wanted] === type;
}

const nodeTypes: Readonly<Record<ValueType, Node['type']>> = {
  string: 'string',
  strings: 'array',
  record: 'object',
  boolean: 'boolean',
  number: 'number',
};

function reportIgnored(review: Review, entry: ObjectEntry, field: Member, instead: string): void {
  const message = t('{0} is a key of other programs and ignored here. {1}', quoted(field.name), instead);
  review.report('ignoredKey', nameSpan(field), message, {
    fixes: () => [removeFix(review.found, entry.object, field)],
  });
}

function checkDisabled(review: Review, entry: ObjectEntry, field: Member): void {
  const { found } = review;
  const disabled = booleanOf(field.value);
  const enabled = entry.keys.get('enabled');
  if (enabled) {
    const agrees = disabled !== undefined && booleanOf(enabled.value) === !disabled;
    const message = t('"disabled" is ignored here: "enabled" counts. Remove "disabled".');
    review.report('disabledForEnabled', nameSpan(field), message, {
      fixes: () => [removeFix(found, entry.object, field, agrees && entry.isSingle(field))],
    });
    return;
  }
  const message = t(
    '"disabled" is ignored: this server is enabled. Use "enabled": {0} instead.',
    String(disabled === false),
  );
  review.report('disabledForEnabled', nameSpan(field), message, {
    fixes: () => {
      if (disabled === undefined) return [removeFix(found, entry.object, field)];
      const enabled = String(!disabled);
      const edits = [renamed(field, 'enabled'), replace(field.value, enabled)];
      return [fix(found, t('Change to "enabled": {0}', enabled), edits, entry.isSingle(field))];
    },
  });
}

function checkSlip(review: Review, entry: ObjectEntry, field: Member): boolean {
  const meant = misspelled(field.name).find((name) => isMissing(entry, name));
  if (meant === undefined) return false;
  const message = t('{0} is ignored here. Did you mean {1}?', quoted(field.name), quoted(meant));
  review.report('misspelledKey', nameSpan(field), message, {
    fixes: () => (fits(field.value, meant) ? [renameFix(review.found, field, meant, false)] : []),
  });
  return isTarget(meant);
}

const plainNames = [...known.keys()].map((name) => ({ name, plain: plainName(name) }));

/** Words of their own, which are near by chance. */
const others = new Set(['icons', 'end']);

/** The known keys of which a key is at most one slip away. More slips would take words for misspelled keys. */
function misspelled(key: string): string[] {
  // Longer than any key can be with a slip in it.
  if (key.length > 20 || others.has(key)) return [];
  const plain = plainName(key);
  return plainNames
    .filter(
      (known) => Math.abs(known.plain.length - plain.length) <= 1 && countSlips(plain, known.plain) <= 1,
    )
    .map(({ name }) => name);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Whether the key would count in this entry. */
function isMissing(entry: ObjectEntry, name: string): boolean {
  if (entry.keys.get(name)) return false;
  if (!entry.kind) return true;
  const kind = known.get(name)?.kind;
  return kind === undefined ? !isTarget(name) : kind === entry.kind;
}
