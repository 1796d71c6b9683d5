/**
 * Taking over random files with random changes on both sides, compared with
 * what Git makes of it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  commit,
  type Content,
  git,
  snapshot,
} from '../../support/repositories.ts';
import { Desk } from './desk.ts';

const names = ['a', 'b', 'c d', 'dir/e', 'dir/f', 'ä"x'];
const line = fc.constantFrom('one', 'two', 'three', 'four');
const longText = fc
  .array(line, { minLength: 0, maxLength: 4 })
  .map((lines) =>
    ['begin', 'a', 'b', 'c', ...lines, 'd', 'e', 'f', 'end', ''].join('\n'),
  );
const content: fc.Arbitrary<Content> = fc.oneof(
  { weight: 5, arbitrary: longText },
  { weight: 1, arbitrary: fc.constantFrom('', 'no end', 'a\r\nb\r\n') },
  { weight: 1, arbitrary: longText.map((run) => ({ run })) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 20 })
      .map((bytes) => Buffer.from([0, ...bytes])),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a', 'dir/e').map((link) => ({ link })),
  },
);
const tree = fc.dictionary(fc.constantFrom(...names), content, { minKeys: 1 });
const edits = fc.dictionary(
  fc.constantFrom(...names, 'new', 'dir/new'),
  fc.option(content, { nil: undefined }),
);
const moves = fc.option(fc.constantFrom('a', 'dir/e', 'b'), { nil: undefined });

/** Counts of joins without and with a conflict, and of refusals. */
export const counts = { clean: 0, conflict: 0, refused: 0 };

/**
 * A take-over does what a merge of Git does, or touches nothing; undo gives the
 * same bytes.
 */
export const takesOverAsGitMerges = () =>
  fc.asyncProperty(
    tree,
    edits,
    edits,
    moves,
    fc.boolean(),
    async (files, agents, own, moved, isCommitted) => {
      const desk = new Desk(files);
      try {
        const text = moved === undefined ? undefined : files[moved];
        if (moved !== undefined && text !== undefined)
          desk.agentWrites({ [moved]: undefined, 'moved here': text });
        desk.agentWrites(agents);
        desk.writesHere(own);
        if (isCommitted) commit(desk.here, {});
        const before = snapshot(desk.here);
        const merged = mergedByGit(desk);
        const indexed = git(desk.here, 'ls-files', '--stage').toString(
          'latin1',
        );
        const taken = await desk.take().catch((error: unknown) => {
          assert.match(String(error), /^UserError: Nothing was taken over/);
          return undefined;
        });
        if (!taken) {
          counts.refused++;
          assert.ok(merged === undefined, 'Git can merge this');
          assert.deepEqual(snapshot(desk.here), before);
          return;
        }
        const isClean = taken.plan.conflicts.length === 0;
        counts[isClean ? 'clean' : 'conflict']++;
        if (merged)
          assert.deepEqual(
            withoutLabels(snapshot(desk.here)),
            withoutLabels(merged.tree),
          );
        if (merged) assert.equal(isClean, merged.isClean);
        assert.equal(
          git(desk.here, 'ls-files', '--stage').toString('latin1'),
          indexed,
        );
        await desk.undo();
        assert.deepEqual(snapshot(desk.here), before);
      } finally {
        desk.clear();
      }
    },
  );

/**
 * The tree that Git's own merge gives of both folders; undefined where it needs
 * other names.
 */
function mergedByGit(
  desk: Desk,
): { tree: Readonly<Record<string, string>>; isClean: boolean } | undefined {
  const [folder, agent] = [
    join(desk.folder, 'merged'),
    join(desk.folder, 'agent copy'),
  ];
  cpSync(desk.here, folder, { recursive: true, verbatimSymlinks: true });
  cpSync(desk.agent, agent, { recursive: true, verbatimSymlinks: true });
  commit(agent, {});
  // Adds new files that the agent has too.
  git(folder, 'add', '-u');
  for (const path of git(
    agent,
    'diff',
    '--name-only',
    '--no-renames',
    '-z',
    desk.base,
    'HEAD',
  )
    .toString()
    .split('\0')
    .slice(0, -1))
    if (
      snapshot(folder)[Buffer.from(path).toString('latin1')]?.startsWith(
        'folder',
      ) === false
    )
      git(folder, 'add', '-f', '--', path);
  git(folder, 'commit', '-qm', 'here', '--allow-empty');
  git(folder, 'fetch', '-q', agent, 'HEAD');
  const args = [
    '-c',
    'merge.directoryRenames=false',
    'merge',
    '-q',
    '--no-edit',
    '--no-commit',
    '--no-ff',
    'FETCH_HEAD',
  ];
  let isClean = true;
  try {
    git(folder, ...args);
  } catch {
    isClean = false;
  }
  const tree = snapshot(folder);
  execFileSync('rm', ['-rf', agent]);
  return Object.keys(tree).some((path) => path.includes('~'))
    ? undefined
    : { tree, isClean };
}

/** Git names the sides otherwise. */
function withoutLabels(
  tree: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, text]) => [
      path,
      text.replace(/(^|^file \d+ )([<>]{7,}) [^\n:]+/gm, '$1$2'),
    ]),
  );
}
