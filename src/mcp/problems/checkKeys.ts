/**
 * Checks the keys of a server for those that the program ignores, and for a
 * command or URL.
 */
import { t } from '../../base/l10n.ts';
import { editDistance } from '../../base/near.ts';
import {
  ignoredKeyAdvice,
  type ForeignKey,
  foreignKeys,
  hasAuthDetails,
  ignoredKeys,
  isTargetKey,
  ownName,
  translateValue,
  transportOf,
} from '../dialects/dialects.ts';
import {
  kindOfKey,
  type OwnKey,
  ownKeys,
  rulesOf,
  type ServerKind,
} from '../dialects/ownKeys.ts';
import { quotedName } from '../format/document.ts';
import { fitsRule } from '../format/verdict.ts';
import { replaceSpan } from '../text/withEdits.ts';
import { type CheckedEntry, type Fix, renameEdit } from './problem.ts';
import { type Member, nameSpan, stringOf } from '../text/nodes.ts';
import { sameValue, valueOf } from '../text/values.ts';

export function checkKeys(entry: CheckedEntry): void {
  entry.problems.reportDuplicates('duplicateKey', entry.object);
  let hasTarget = false;
  for (const field of entry.keys.values()) {
    const { name } = field;
    if (name !== 'type' && ownKeys.has(name)) continue;
    const foreign = foreignKeys.get(name);
    const ignored = ignoredKeys.get(name);
    if (name === 'type') checkType(entry, field);
    else if (name === 'disabled') checkDisabled(entry, field);
    else if (foreign) {
      if (!checkForeignKey(entry, field, foreign)) reportIgnored(entry, field);
      hasTarget ||= isTargetKey(foreign.means);
    } else if (ignored) {
      if (ignored.advice)
        reportIgnored(entry, field, ignoredKeyAdvice[ignored.advice]);
    } else hasTarget = checkSlip(entry, field) || hasTarget;
  }
  checkKind(entry, hasTarget);
}

function reportIgnored(entry: CheckedEntry, field: Member, instead = ''): void {
  const message =
    instead === ''
      ? t('{0} is ignored here. Remove it.', quotedName(field.name))
      : t(
          '{0} is a key of other programs and ignored here. {1}',
          quotedName(field.name),
          instead,
        );
  entry.problems.report('ignoredKey', nameSpan(field), message, () => [
    entry.removeFix(field),
  ]);
}

/** Returns true if the key is likely meant as the command or URL. */
function checkSlip(entry: CheckedEntry, field: Member): boolean {
  const ownKey = keysNear(field.name).find((key) => isMissing(entry, key));
  if (ownKey === undefined) return false;
  const message = t(
    '{0} is ignored here. Did you mean {1}?',
    quotedName(field.name),
    quotedName(ownKey),
  );
  const code =
    isTargetKey(ownKey) && entry.problems.readsEntries
      ? 'misspelledTarget'
      : 'misspelledKey';
  entry.problems.report(code, nameSpan(field), message, () =>
    mayRename(entry, field, ownKey)
      ? [entry.problems.renameFix(field, ownKey)]
      : [],
  );
  return isTargetKey(ownKey);
}

const plainNames = [...ownKeys].map((key) => ({
  key: key as OwnKey,
  plain: plainName(key),
}));

/** Real words that are near one of our keys by chance. */
const unrelatedWords = new Set(['icons', 'end', 'time']);

/**
 * Our keys with at most one slip in `key`. More slips would match other words.
 */
function keysNear(key: string): OwnKey[] {
  // No key of ours with a slip is as long.
  if (key.length > 20 || unrelatedWords.has(key)) return [];
  const plain = plainName(key);
  return plainNames
    .filter(
      (own) =>
        Math.abs(own.plain.length - plain.length) <= 1 &&
        editDistance(plain, own.plain) <= 1,
    )
    .map((own) => own.key);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** True if the key is not there and would count. */
function isMissing(entry: CheckedEntry, key: OwnKey): boolean {
  if (entry.keys.get(key)) return false;
  return !entry.kind || (kindOfKey(key) ?? entry.kind) === entry.kind;
}

/**
 * Reports a key of another program. Returns false for one without a meaning in
 * this entry.
 */
function checkForeignKey(
  entry: CheckedEntry,
  field: Member,
  foreign: ForeignKey,
): boolean {
  const { means, translate } = foreign;
  const value = valueOf(field.value);
  const own = translateValue(field.name, value);
  const kind = kindOfKey(means);
  if (
    translate &&
    (own === undefined || (kind && entry.kind && kind !== entry.kind))
  )
    return false;
  const ownField = entry.keys.get(means);
  const foreignName = quotedName(field.name);
  const ownKeyName = quotedName(means);
  if (ownField) {
    const message = t(
      '{0} is a key of other programs and ignored here: {1} counts. Remove {0}.',
      foreignName,
      ownKeyName,
    );
    const isSame =
      typeof own === 'string' && sameValue(valueOf(ownField.value), own);
    entry.problems.report('foreignKey', nameSpan(field), message, () => [
      entry.removeFix(field, isSame && entry.isSingle(field)),
    ]);
    return true;
  }
  const isWord = typeof own !== 'object' && !sameValue(own, value);
  const replacement = isWord
    ? `${ownKeyName}: ${JSON.stringify(own)}`
    : ownKeyName;
  const message = t(
    '{0} is a key of other programs. Use {1} here.',
    foreignName,
    replacement,
  );
  const isRefused =
    isTargetKey(means) && !entry.kind && entry.problems.readsEntries;
  entry.problems.report(
    isRefused ? 'foreignTarget' : 'foreignKey',
    nameSpan(field),
    message,
    () => {
      // The details of signing in would be lost.
      const isWhole = !translate || (isWord && !hasAuthDetails(value));
      const isSure =
        isWhole && !hasRival(entry, field, means) && entry.isSingle(field);
      if (!translate) return renameFixes(entry, field, foreign, isSure);
      if (own === undefined || sameValue(own, value))
        return [entry.problems.renameFix(field, means, isSure)];
      const edits = [
        renameEdit(field, means),
        replaceSpan(field.value, entry.writeFor(field, own)),
      ];
      return [
        entry.problems.fix(t('Change to {0}', replacement), edits, isSure),
      ];
    },
  );
  return true;
}

function renameFixes(
  entry: CheckedEntry,
  field: Member,
  { means, transport }: ForeignKey,
  isSure: boolean,
): Fix[] {
  if (!mayRename(entry, field, means)) return [];
  const isSaid =
    entry.keys.has('transport') ||
    transportOf(entry.string('type')) !== undefined;
  if (transport === undefined || isSaid)
    return [entry.problems.renameFix(field, means, isSure)];
  const added = entry.insert('transport', transport);
  const title = t('Change to "url" with "transport": "{0}"', transport);
  return [
    entry.problems.fix(title, [renameEdit(field, means), ...added], isSure),
  ];
}

/** True if the program accepts the value of a field under a key of ours. */
function mayRename(
  { kind }: CheckedEntry,
  field: Member,
  own: OwnKey,
): boolean {
  const kinds: readonly ServerKind[] =
    kind && !isTargetKey(own) ? [kind] : ['local', 'remote'];
  return kinds.some((serverKind) => {
    const rule = rulesOf[serverKind].get(own);
    return rule !== undefined && fitsRule(field, rule);
  });
}

/** True if another key means the same, or would no longer count. */
function hasRival(entry: CheckedEntry, field: Member, own: OwnKey): boolean {
  const isRival = (key: string) =>
    isTargetKey(own) ? isTargetKey(key) : ownName(key) === own;
  return [...entry.keys.keys()].some(
    (other) => other !== field.name && isRival(other),
  );
}

function checkDisabled(entry: CheckedEntry, field: Member): void {
  const meant = translateValue(field.name, valueOf(field.value));
  if (entry.keys.has('enabled')) {
    const agrees = meant === entry.enabled;
    const message = t(
      '"disabled" is ignored here: "enabled" counts. Remove "disabled".',
    );
    entry.problems.report(
      'disabledForEnabled',
      nameSpan(field),
      message,
      () => [entry.removeFix(field, agrees && entry.isSingle(field))],
    );
    return;
  }
  const message = t(
    '"disabled" is ignored: this server is enabled. Use "enabled": {0} instead.',
    String(meant === true),
  );
  entry.problems.report('disabledForEnabled', nameSpan(field), message, () => {
    if (meant === undefined) return [entry.removeFix(field)];
    const edits = [
      renameEdit(field, 'enabled'),
      replaceSpan(field.value, JSON.stringify(meant)),
    ];
    const title = t('Change to "enabled": {0}', JSON.stringify(meant));
    return [entry.problems.fix(title, edits, entry.isSingle(field))];
  });
}

function checkType(entry: CheckedEntry, field: Member): void {
  if (entry.kind === 'local' || field.value.type === 'null') return;
  const transport = transportOf(stringOf(field.value));
  const counting = entry.keys.get('transport');
  if (
    counting &&
    transport !== undefined &&
    transportOf(stringOf(counting.value)) === transport
  ) {
    const message = t('"type" is ignored here and not needed. Remove it.');
    entry.problems.report('needlessType', nameSpan(field), message, () => [
      entry.removeFix(field, entry.isSingle(field)),
    ]);
    return;
  }
  if (counting || !transport || transport === 'stdio') {
    const message = counting
      ? t('"type" is ignored here: "transport" counts. Remove it.')
      : t(
          '"type" is ignored here: the transport follows from "transport" or the URL. Remove it.',
        );
    entry.problems.report('typeForTransport', nameSpan(field), message, () => [
      entry.removeFix(field),
    ]);
    return;
  }
  const message = t(
    '"type" is ignored here. Use "transport": "{0}" instead.',
    transport,
  );
  entry.problems.report('typeForTransport', nameSpan(field), message, () => {
    const edits = [
      renameEdit(field, 'transport'),
      replaceSpan(field.value, JSON.stringify(transport)),
    ];
    const title = t('Change to "transport": "{0}"', transport);
    return [
      entry.problems.fix(
        title,
        edits,
        entry.kind === 'remote' && entry.isSingle(field),
      ),
    ];
  });
}

/** `elsewhere`: a reported key is likely meant as the command or URL. */
function checkKind(entry: CheckedEntry, elsewhere: boolean): void {
  const url = given(entry, 'url');
  const command = given(entry, 'command');
  if (url && command) {
    const [counting, other] =
      entry.kind === 'local' ? [command, url] : [url, command];
    const message = t(
      'The server has both a command and a URL, and only {0} counts. Remove the one you do not need.',
      quotedName(counting.name),
    );
    entry.problems.report('bothTargets', nameSpan(other), message, () =>
      [other, counting].map((field) => entry.removeFix(field)),
    );
    return;
  }
  if (!entry.kind) {
    if (elsewhere || !entry.problems.readsEntries) return;
    const message = t(
      '{0} has neither a command nor a URL. Add "command" or "url".',
      quotedName(entry.name),
    );
    entry.problems.report('noTarget', entry.nameSpan, message);
    return;
  }
  for (const field of entry.keys.values()) {
    const kind = kindOfKey(field.name);
    // checkType reports "type" of a remote server.
    if (kind === undefined || kind === entry.kind || field.name === 'type')
      continue;
    if (field.value.type === 'null') continue;
    const name = quotedName(field.name);
    const message =
      entry.kind === 'remote'
        ? t('{0} is ignored for a server with a URL. Remove it.', name)
        : t('{0} is ignored for a server with a command. Remove it.', name);
    entry.problems.report('wrongKind', nameSpan(field), message, () => [
      entry.removeFix(field),
    ]);
  }
}

function given(
  { keys }: CheckedEntry,
  key: 'url' | 'command',
): Member | undefined {
  const field = keys.get(key);
  return field?.value.type === 'null' ? undefined : field;
}
