/** Keys of a server that the program that reads the file passes over. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { advice, ignored, known, type Renamed, renames, type ValueType } from './dialects.ts';
import { fix, inserted, removeFix, renamed, renameFix, replace } from './fixes.ts';
import { checkOAuth } from './oauth.ts';
import type { Review } from './problem.ts';
import { near } from './slips.ts';
import type { Entry } from './servers.ts';
import { booleanOf, type Field, type Item, nameOf, stringOf } from './tree.ts';
import { checkType } from './type.ts';

/** Reports them; whether one of them is most likely what the server is reached by. */
export function checkKeys(review: Review, entry: Entry): boolean {
  let target = false;
  for (const field of entry.counting) {
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

function checkRename(review: Review, entry: Entry, field: Field, meant: Renamed): void {
  const { found } = review;
  const there = entry.get(meant);
  const [old, now] = [quoted(field.name), quoted(meant)];
  if (there) {
    const message = t('{0} is a key of other programs. Only {1} counts here. Remove {0}.', old, now);
    review.report('foreignKey', nameOf(field), message, {
      fixes: () => [
        removeFix(found, entry.fields, field, isSameString(there, field) && entry.isSingle(field)),
      ],
    });
    return;
  }
  review.report('foreignKey', nameOf(field), t('{0} is a key of other programs. Here it is {1}.', old, now), {
    fixes: () => {
      if (!fits(field.value, meant)) return [];
      const certain = !hasRival(entry, field, meant) && entry.isSingle(field);
      if (field.name !== 'httpUrl' || entry.get('transport')) {
        return [renameFix(found, field, meant, certain)];
      }
      const transport = inserted(found, entry.fields, 'transport', 'http');
      const title = t('Change to "url" with "transport": "http"');
      return [fix(found, title, [renamed(field, meant), ...transport], certain)];
    },
  });
}

function isSameString(one: Field, other: Field): boolean {
  const text = stringOf(one.value);
  return text !== undefined && text === stringOf(other.value);
}

/** Whether another key would become the same, or count no more. */
function hasRival(entry: Entry, field: Field, meant: Renamed): boolean {
  const rivals = isTarget(meant) ? ['url', 'command'] : [meant];
  return [...entry.counting].some(
    (other) => other !== field && rivals.includes(renames.get(other.name) ?? other.name),
  );
}

function isTarget(name: string | undefined): boolean {
  return name === 'url' || name === 'command';
}

/** Whether a known key may have such a value. */
function fits({ type }: Item, name: string): boolean {
  const wanted = known.get(name)?.type;
  return wanted !== undefined && itemTypes[wanted] === type;
}

const itemTypes: Readonly<Record<ValueType, Item['type']>> = {
  string: 'string',
  strings: 'array',
  record: 'object',
  boolean: 'boolean',
  number: 'number',
};

function reportIgnored(review: Review, entry: Entry, field: Field, instead: string): void {
  const message = t(
    '{0} is a key of other programs, and does nothing here. {1}',
    quoted(field.name),
    instead,
  );
  review.report('ignoredKey', nameOf(field), message, {
    fixes: () => [removeFix(review.found, entry.fields, field)],
  });
}

function checkDisabled(review: Review, entry: Entry, field: Field): void {
  const { found } = review;
  const disabled = booleanOf(field.value);
  const enabled = entry.get('enabled');
  if (enabled) {
    const agrees = disabled !== undefined && booleanOf(enabled.value) === !disabled;
    const message = t('"disabled" does nothing here. Only "enabled" counts. Remove "disabled".');
    review.report('disabledForEnabled', nameOf(field), message, {
      fixes: () => [removeFix(found, entry.fields, field, agrees && entry.isSingle(field))],
    });
    return;
  }
  const message = t('"disabled" does nothing here, and the server is enabled. Use "enabled" instead.');
  review.report('disabledForEnabled', nameOf(field), message, {
    fixes: () => {
      if (disabled === undefined) return [removeFix(found, entry.fields, field)];
      const enabled = String(!disabled);
      const edits = [renamed(field, 'enabled'), replace(field.value, enabled)];
      return [fix(found, t('Change to "enabled": {0}', enabled), edits, entry.isSingle(field))];
    },
  });
}

function checkSlip(review: Review, entry: Entry, field: Field): boolean {
  const meant = near(field.name, (name) => isMissing(entry, name));
  if (meant === undefined) return false;
  const message = t('{0} does nothing here. Did you mean {1}?', quoted(field.name), quoted(meant));
  review.report('misspelledKey', nameOf(field), message, {
    fixes: () => (fits(field.value, meant) ? [renameFix(review.found, field, meant, false)] : []),
  });
  return isTarget(meant);
}

/** Whether the key would do something in this entry. */
function isMissing(entry: Entry, name: string): boolean {
  if (entry.get(name)) return false;
  if (!entry.kind) return true;
  const kind = known.get(name)?.kind;
  return kind === undefined ? !isTarget(name) : kind === entry.kind;
}
