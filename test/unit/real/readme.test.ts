import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile, lockNames } from '../../real/locks.ts';

const folder = join(import.meta.dirname, '../../real');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

/** The cells of the table with this first heading, without its head. */
function rows(heading: string): string[][] {
  const [, table = ''] =
    new RegExp(`^\\| ${heading} .*\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`, 'm').exec(
      readme,
    ) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe('the README about the real program', () => {
  it('lists the pinned versions', () => {
    const locks = lockNames
      .map((name) => `\n${readFileSync(lockFile(name), 'utf8')}`)
      .join('');
    const versions = rows('Package').map(([name = '', version = '']) => [
      name.replaceAll('`', ''),
      version,
    ]);
    assert.ok(versions.length >= 4);
    for (const [name, version] of versions)
      assert.ok(locks.includes(`\n${name}==${version} `), `${name} ${version}`);
  });

  it('refers only to existing tests', () => {
    const tests = globSync(join(folder, '*.test.ts')).map((file) =>
      readFileSync(file, 'utf8'),
    );
    const code = tests.join('').replaceAll('${count}', '2000');
    const inText = [...readme.matchAll(/\(test: "([^)]*)"\)/g)].map(
      ([, title = '']) => title,
    );
    const titles = [
      ...rows('What the program does').map(([, title = '']) => title),
      ...inText,
    ];
    assert.ok(titles.length >= 15);
    assert.deepEqual(
      titles.filter((title) => !code.includes(title)),
      [],
    );
  });
});
