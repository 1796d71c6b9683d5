import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everydayExports, fragmentsOfComments } from '../support/comments.ts';
import { root } from '../host/paths.ts';

const files = globSync('{build,src,test}/**/*.{ts,mjs}', { cwd: root });

function checked(check: (name: string, text: string) => string[]): string[] {
  return files.flatMap((file) =>
    check(file, readFileSync(join(root, file), 'utf8')),
  );
}

describe('a comment', () => {
  it('begins with a verb or names a thing', () => {
    assert.ok(files.length > 800);
    assert.deepEqual(checked(fragmentsOfComments), []);
  });

  it('counts as a fragment by its first word', () => {
    const text = `/** What is told. */\nconst a = 'where // is it'; // Of two\n/*\n * Whether it is so.\n */\n// Returns\n// which\n/** Awaits it, whose end is near. */\nf(/* how */ 1, \`\${/** As it is. */ 2} // where\`);`;
    assert.deepEqual(fragmentsOfComments('a.ts', text), [
      'a.ts:1: What is told.',
      'a.ts:2: Of two',
      'a.ts:3: Whether it is so.',
      'a.ts:9: how',
      'a.ts:9: As it is.',
    ]);
  });
});

describe('the name of an export', () => {
  it('makes sense without its file', () => {
    assert.deepEqual(checked(everydayExports), []);
  });

  it('counts as an everyday word in every kind of export', () => {
    const text = `export const rest = 1, { next, other: [seen] } = x;\nexport function tell() {}\nexport type Way = 1;
      export class Held {}\nexport interface Where {}\nexport { a as told };\nconst line = 1;\nexport const nextPage = 2;`;
    assert.deepEqual(everydayExports('a.ts', text), [
      'a.ts:1: rest',
      'a.ts:1: next',
      'a.ts:1: seen',
      'a.ts:2: tell',
      'a.ts:3: Way',
      'a.ts:4: Held',
      'a.ts:5: Where',
      'a.ts:6: told',
    ]);
  });
});
