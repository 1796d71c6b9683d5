/**
 * Checks the file around its servers: strict JSON, and servers where the
 * program reads them.
 */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import {
  type ServerContainer,
  containerOf,
  looksLikeServer,
} from '../dialects/dialects.ts';
import { editText } from '../edit/editText.ts';
import { insertMember, removePart } from '../edit/members.ts';
import { quotedName } from '../format/document.ts';
import type { Outline } from '../format/outline.ts';
import { replaceSpan } from '../text/withEdits.ts';
import type { Fix, ProblemCollector } from './problem.ts';
import {
  type Member,
  nameSpan,
  type ObjectNode,
  objectOf,
  type Span,
} from '../text/nodes.ts';
import { valueOf } from '../text/values.ts';

export function checkContainers(problems: ProblemCollector): void {
  const { root, servers } = problems.file;
  problems.reportDuplicates(
    'duplicateServers',
    root,
    ({ name }) => name === 'mcpServers',
  );
  if (servers === root) {
    checkAtRoot(problems, root);
    return;
  }
  const containers = otherContainers(root);
  for (const other of containers) {
    const { key, holders } = other;
    const name = quotedName(key.name);
    const message =
      servers || holders[0]?.length !== 1
        ? t('{0} is ignored here. Move its servers into "mcpServers".', name)
        : t('{0} is ignored here. Rename it to "mcpServers".', name);
    problems.report('otherContainer', nameSpan(key), message, () =>
      servers ? [] : containerFixes(problems, other, containers.length === 1),
    );
  }
  for (const inputs of root.members.filter(
    ({ name, value }) => name === 'inputs' && value.type === 'array',
  )) {
    const message = t(
      '"inputs" are ignored here. Enter the values in the servers.',
    );
    problems.report('ignoredKey', nameSpan(inputs), message);
  }
  if (!servers && containers.length === 0) reportNone(problems, root);
}

function checkAtRoot(problems: ProblemCollector, root: ObjectNode): void {
  const [first] = root.members as readonly [Member, ...Member[]];
  const message = t(
    'The servers are at the root of the file. Move them into "mcpServers".',
  );
  problems.report('serversAtRoot', nameSpan(first), message, () => {
    // A value other than an object would not become a server.
    if (root.members.some(({ value }) => value.type !== 'object')) return [];
    const { edits } = editText(problems.file.text, { do: 'wrap' });
    return [problems.fix(t('Move the servers into "mcpServers"'), edits, true)];
  });
}

function reportNone(problems: ProblemCollector, root: ObjectNode): void {
  const at = { start: root.start, end: root.start + 1 };
  const message = t(
    'This file has no "mcpServers", and so no servers. Add it.',
  );
  problems.report('noServers', at, message, () => [
    problems.fix(
      t('Add "mcpServers"'),
      insertMember(problems.file, root, 'mcpServers', new Map()),
    ),
  ]);
}

/**
 * Keys at the root for the servers of other programs, with the paths to the
 * objects that hold them.
 */
function otherContainers(root: ObjectNode) {
  return root.members.flatMap((key) => {
    const container =
      key.name === 'mcpServers' ? undefined : containerOf(key.name);
    const holders = container ? holdersIn(key, container) : [];
    return holders.length > 0 ? [{ key, holders }] : [];
  });
}

/** The paths from a key to each object with servers by name. */
function holdersIn(member: Member, { holds }: ServerContainer): Member[][] {
  const members = objectOf(member.value)?.members;
  if (!members) return [];
  const through = (ways: Member[][]) => ways.map((way) => [member, ...way]);
  switch (holds) {
    case 'servers':
      return [[member]];
    case 'configuration': {
      const inner = members.flatMap((child) => {
        const container = containerOf(child.name);
        return container ? holdersIn(child, container) : [];
      });
      if (inner.length > 0) return through(inner);
      return members.some(({ value }) => looksLikeServer(valueOf(value)))
        ? [[member]]
        : [];
    }
    case 'configurations':
      return through(
        members.flatMap((child) =>
          holdersIn(child, { holds: 'configuration' }),
        ),
      );
  }
}

function containerFixes(
  problems: ProblemCollector,
  { key, holders }: ReturnType<typeof otherContainers>[number],
  isOnly: boolean,
): Fix[] {
  const [way, ...more] = holders;
  const inner = way?.at(-1);
  // Anything next to the servers would be lost.
  const isAlone = way
    ?.slice(0, -1)
    .every(({ value }) => objectOf(value)?.members.length === 1);
  if (!inner || more.length > 0 || !isAlone) return [];
  if (inner === key) return [problems.renameFix(key, 'mcpServers', isOnly)];
  return [
    problems.fix(
      t('Rename to {0}', '"mcpServers"'),
      unnested(problems.file, key, inner),
      isOnly,
    ),
  ];
}

/** Turns `"mcp": {"servers": {}}` into `"mcpServers": {}`. */
function unnested({ text }: Outline, outer: Member, inner: Member): Edit[] {
  const colon = text.slice(outer.nameEnd, outer.value.start);
  return [
    replaceSpan(
      { start: outer.start, end: inner.value.start },
      `"mcpServers"${colon}`,
    ),
    replaceSpan({ start: inner.end, end: outer.end }, ''),
  ];
}

/**
 * Reports text that no strict JSON reader accepts: it makes the program refuse
 * the whole file.
 */
export function checkStrictness(problems: ProblemCollector): void {
  const { file } = problems;
  if (file.blank) {
    const all = { start: 0, end: file.text.length };
    const message = t(
      'An empty file is refused. A file without servers needs {"mcpServers": {}}.',
    );
    const content = `${JSON.stringify({ mcpServers: {} }, undefined, 2)}\n`;
    problems.report('blankFile', all, message, () => [
      problems.fix(t('Write {"mcpServers": {}}'), [replaceSpan(all, content)]),
    ]);
  }
  if (file.text.startsWith('\uFEFF')) {
    const at = { start: 0, end: 1 };
    const message = t(
      'A byte order mark makes the program refuse the whole file. Save it as UTF-8 without one.',
    );
    problems.report('byteOrderMark', at, message, () => [
      problems.fix(
        t('Remove the byte order mark'),
        [replaceSpan(at, '')],
        true,
      ),
    ]);
  }
  for (const comment of file.comments) {
    const message = t(
      'A comment makes the program refuse the whole file. Remove it.',
    );
    problems.report('comment', comment, message, () =>
      commentFixes(problems, comment),
    );
  }
  for (const start of file.trailingCommas) {
    const at = { start, end: start + 1 };
    const message = t(
      'A trailing comma makes the program refuse the whole file. Remove it.',
    );
    problems.report('trailingComma', at, message, () => [
      problems.fix(t('Remove the comma'), [replaceSpan(at, '')], true),
    ]);
  }
  for (const half of file.loneSurrogates) {
    const message = t(
      'An incomplete character makes the program refuse the whole file. Write the whole character.',
    );
    problems.report('loneSurrogate', half, message);
  }
}

function commentFixes(problems: ProblemCollector, { start, end }: Span): Fix[] {
  const { text, comments } = problems.file;
  const one = problems.fix(t('Remove the comment'), [
    removePart(text, start, end),
  ]);
  if (comments.length === 1) return [one];
  const all = joined(
    comments.map((comment) => removePart(text, comment.start, comment.end)),
  );
  return [one, problems.fix(t('Remove all comments'), all)];
}

function joined(removals: readonly Edit[]): Edit[] {
  const edits: Edit[] = [];
  for (const { offset, length, content } of removals) {
    const before = edits.at(-1);
    const end = offset + length;
    if (!before || before.offset + before.length < offset)
      edits.push({ offset, length, content });
    else before.length = end - before.offset;
  }
  return edits;
}
