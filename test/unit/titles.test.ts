import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { beginsWithVerb, fragmentsIn } from '../support/titles.ts';

describe('the title of a test', () => {
  it('begins with a verb in every suite', () => {
    const files = globSync('test/**/*.ts', { cwd: root });
    assert.ok(files.length > 300);
    const fragments = files.flatMap((file) =>
      fragmentsIn(file, readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(fragments, []);
  });

  it('counts as a fragment without a verb at its beginning', () => {
    for (const title of [
      'is nothing where nothing has',
      'that fails says why',
      'a link',
      'rows of a list',
      'In a list',
    ])
      assert.equal(beginsWithVerb(title), false, title);
    for (const title of [
      'keeps the rows',
      'never sends a key twice',
      'cannot be closed',
      'still asks',
    ])
      assert.equal(beginsWithVerb(title), true, title);
  });

  it('gets checked in calls, wrappers, templates and tables', () => {
    const text = `it('keeps rows', f); it(\`\${name} fails\`, f); itOnPosix('that', f); it(name, f); item('x');
      const itOnPosix = (title) => it(title, f);`;
    assert.deepEqual(fragmentsIn('a.ts', text), [
      'a.ts:1: `${name} fails`',
      "a.ts:1: 'that'",
      'a.ts:1: name',
    ]);
  });
});
