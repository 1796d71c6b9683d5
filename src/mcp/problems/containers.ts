/** Whether the servers are where the program that reads the file looks for them. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { editText } from '../edit.ts';
import type { Outline } from '../outline.ts';
import { checkDuplicates } from './duplicates.ts';
import { fix, inserted, renameFix, replace } from './fixes.ts';
import type { Fix, Review } from './problem.ts';
import { type Member, type ObjectNode, type Node, nameSpan, objectOf } from '../nodes.ts';

/** Reports where they are not. */
export function checkContainers(review: Review): void {
  const { found } = review;
  const { root, servers } = found;
  checkDuplicates(review, 'duplicateServers', root, ({ name }) => name === 'mcpServers');
  if (servers === root) {
    checkAtRoot(review, root);
    return;
  }
  const others = root.members.filter(isOtherContainer);
  for (const other of others) {
    const name = quoted(other.name);
    const message = servers
      ? t('{0} is ignored here. Move its servers into "mcpServers".', name)
      : t('{0} is ignored here. Rename it to "mcpServers".', name);
    review.report('otherContainer', nameSpan(other), message, {
      fixes: () => (servers ? [] : containerFixes(found, other, others.length === 1)),
    });
  }
  for (const inputs of root.members.filter(
    ({ name, value }) => name === 'inputs' && value.type === 'array',
  )) {
    const message = t('"inputs" are ignored here. Enter the values in the servers.');
    review.report('ignoredKey', nameSpan(inputs), message);
  }
  if (!servers && others.length === 0) reportNone(review, root);
}

function checkAtRoot(review: Review, root: ObjectNode): void {
  const [first] = root.members as readonly [Member, ...Member[]];
  const at = nameSpan(first);
  const message = t('The servers are at the root of the file. Move them into "mcpServers".');
  review.report('serversAtRoot', at, message, { fixes: () => wrapFixes(review.found, root) });
}

function wrapFixes({ text }: Outline, root: ObjectNode): Fix[] {
  // A value that is not an object would not become a server there.
  if (root.members.some(({ value }) => value.type !== 'object')) return [];
  const { edits } = editText(text, { do: 'wrap' });
  return [{ title: t('Move the servers into "mcpServers"'), edits, certain: true }];
}

function reportNone(review: Review, root: ObjectNode): void {
  const { found } = review;
  const at = { start: root.start, end: root.start + 1 };
  const message = t('This file has no "mcpServers", and so no servers. Add it.');
  review.report('noServers', at, message, {
    fixes: () => [fix(found, t('Add "mcpServers"'), inserted(found, root, 'mcpServers', new Map()), false)],
  });
}

function isOtherContainer({ name, value }: Member): boolean {
  if (value.type !== 'object' || name === 'mcpServers') return false;
  if (name === 'mcp') return nested(value) !== undefined || looksLikeServers(value);
  return /^(?:(?:mcp|context)[-_.]?servers?|servers)$/i.test(name);
}

function looksLikeServers(value: Node): boolean {
  const isServer = (fields: ObjectNode | undefined) =>
    fields?.members.some(({ name }) => /^(?:command|url|type)$/.test(name)) === true;
  return objectOf(value)?.members.some((field) => isServer(objectOf(field.value))) === true;
}

/** The `servers` in an object that has them, as VS Code's settings do. */
function nested(value: Node): Member | undefined {
  return objectOf(value)?.members.find((field) => field.name === 'servers' && field.value.type === 'object');
}

function containerFixes(found: Outline, other: Member, only: boolean): Fix[] {
  const inner = nested(other.value);
  if (!inner || other.name !== 'mcp') {
    return [renameFix(found, other, 'mcpServers', only)];
  }
  if (objectOf(other.value)?.members.length !== 1) return [];
  return [fix(found, t('Rename to {0}', '"mcpServers"'), unnested(found, other, inner), only)];
}

/** `"mcp": {"servers": {}}` without the outer object. */
function unnested({ text }: Outline, outer: Member, inner: Member): Edit[] {
  const colon = text.slice(outer.nameEnd, outer.value.start);
  return [
    replace({ start: outer.start, end: inner.value.start }, `"mcpServers"${colon}`),
    replace({ start: inner.end, end: outer.end }, ''),
  ];
}
