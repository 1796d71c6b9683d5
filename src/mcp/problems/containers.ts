/** Whether the servers are where the program that reads the file looks for them. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import { editText } from '../edit/editText.ts';
import type { Outline } from '../format/outline.ts';
import { checkDuplicates } from './duplicates.ts';
import { fix, inserted, renameFix, replaceSpan } from './fixes.ts';
import type { Fix, Review } from './problem.ts';
import { type Container, containerOf, looksLikeServer } from '../dialects/dialects.ts';
import { type Member, type ObjectNode, nameSpan, objectOf } from '../text/nodes.ts';
import { valueOf } from '../text/values.ts';

/** Reports where they are not. */
export function checkContainers(review: Review): void {
  const { found } = review;
  const { root, servers } = found;
  checkDuplicates(review, 'duplicateServers', root, ({ name }) => name === 'mcpServers');
  if (servers === root) {
    checkAtRoot(review, root);
    return;
  }
  const others = otherContainers(root);
  for (const other of others) {
    const { key, holders } = other;
    const name = quoted(key.name);
    const message =
      servers || holders[0]?.length !== 1
        ? t('{0} is ignored here. Move its servers into "mcpServers".', name)
        : t('{0} is ignored here. Rename it to "mcpServers".', name);
    review.report('otherContainer', nameSpan(key), message, {
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

/** A key at the root under which other programs have servers, and the objects in it that hold them. */
interface OtherContainer {
  readonly key: Member;
  readonly holders: readonly (readonly Member[])[];
}

function otherContainers(root: ObjectNode): OtherContainer[] {
  return root.members.flatMap((key) => {
    const container = key.name === 'mcpServers' ? undefined : containerOf(key.name);
    const holders = container ? holdersIn(key, container) : [];
    return holders.length > 0 ? [{ key, holders }] : [];
  });
}

/** The ways from a key to each object that has servers by their names. */
function holdersIn(member: Member, { holds }: Container): Member[][] {
  const members = objectOf(member.value)?.members;
  if (!members) return [];
  const through = (ways: Member[][]) => ways.map((way) => [member, ...way]);
  switch (holds) {
    case 'servers':
      return [[member]];
    case 'configuration': {
      const inner = members.flatMap((each) => {
        const container = containerOf(each.name);
        return container ? holdersIn(each, container) : [];
      });
      if (inner.length > 0) return through(inner);
      return members.some(({ value }) => looksLikeServer(valueOf(value))) ? [[member]] : [];
    }
    case 'configurations':
      return through(members.flatMap((each) => holdersIn(each, { of: ['people'], holds: 'configuration' })));
  }
}

function containerFixes(found: Outline, { key, holders }: OtherContainer, isOnly: boolean): Fix[] {
  const [way, ...more] = holders;
  const inner = way?.at(-1);
  // Whatever is beside the servers would be lost.
  const isAlone = way?.slice(0, -1).every(({ value }) => objectOf(value)?.members.length === 1);
  if (!inner || more.length > 0 || !isAlone) return [];
  if (inner === key) return [renameFix(found, key, 'mcpServers', isOnly)];
  return [fix(found, t('Rename to {0}', '"mcpServers"'), unnested(found, key, inner), isOnly)];
}

/** `"mcp": {"servers": {}}` without what is around the servers. */
function unnested({ text }: Outline, outer: Member, inner: Member): Edit[] {
  const colon = text.slice(outer.nameEnd, outer.value.start);
  return [
    replaceSpan({ start: outer.start, end: inner.value.start }, `"mcpServers"${colon}`),
    replaceSpan({ start: inner.end, end: outer.end }, ''),
  ];
}
