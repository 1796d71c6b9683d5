import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths.ts';

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
})
  .toString()
  .split('\0')
  .filter((file) => file !== '');

describe('the repository', () => {
  it('names no folder of somebody’s machine, and no host that packages come from', () => {
    // Put together here, so that this file does not name them either.
    const hosts = ['registry' + '.npm', 'registry' + '.yarn', 'npm' + 'js.org', 'deb' + '.debian.org'];
    const folders = ['/ro' + 'ot/', '/wo' + 'rk/', '/ho' + 'me/[a-z]+/', '/Use' + 'rs/[a-z]+/'];
    const strange = new RegExp([...hosts, ...folders].join('|').replaceAll('.', '\\.'));
    for (const file of files) {
      const match = strange.exec(readFileSync(join(root, file), 'utf8'));
      assert.equal(match, null, `${file} names ${match?.[0] ?? ''}`);
    }
  });

  it('has a lock file without download addresses', () => {
    assert.ok(!readFileSync(join(root, 'package-lock.json'), 'utf8').includes('"resolved"'));
  });
});
