import assert from 'node:assert/strict';
import { withEdits } from '../../../../src/mcp/text/withEdits.ts';
import {
  findProblems,
  type Problem,
  type ProblemCode,
} from '../../../../src/mcp/problems/findProblems.ts';

/** The title of a fix, the text after it, and whether it is certain. */
export type Solution = readonly [
  title: string,
  after: string,
  certain?: 'certain',
];

/** A text with «» around the place of the problem, its code, and its fixes. */
export type Case = readonly [
  code: ProblemCode,
  marked: string,
  ...solutions: Solution[],
];

/** A server in a file, and back. */
export const file = (entry: string) => `{"mcpServers": {"s": ${entry}}}`;

export function unmark(marked: string): string {
  return marked.replace(/[«»]/g, '');
}

export function problemsOf(text: string, code?: ProblemCode): Problem[] {
  const all = findProblems(text);
  return code === undefined ? all : all.filter((each) => each.code === code);
}

/** The codes of the problems, each with the text that it is at. */
export function shown(text: string): string[] {
  return problemsOf(text).map(
    ({ code, start, end }) => `${code} ${text.slice(start, end)}`,
  );
}

/**
 * Checks that the problem is where it should be, and that each of its fixes
 * does what it should and no more.
 */
export function check(
  code: ProblemCode,
  marked: string,
  solutions: readonly Solution[],
): Problem {
  const text = unmark(marked);
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const [found, ...again] = problemsOf(text, code).filter(
    (each) => each.start === start && each.end === end,
  );
  assert.deepEqual(again, []);
  assert(found, `no ${code} there, but ${shown(text).join(', ') || 'nothing'}`);
  assert.match(found.message, /^["A-Z].*[.?]$/);
  const fixes = found
    .fixes()
    .map(({ title, edits, certain }) => [
      title,
      withEdits(text, edits),
      ...(certain ? ['certain'] : []),
    ]);
  assert.deepEqual(fixes, solutions);
  for (const [title, after] of solutions) {
    const left = problemsOf(after, code).length;
    assert(
      left < problemsOf(text, code).length,
      `"${title}" leaves the problem`,
    );
  }
  return found;
}
