import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import {
  childEnvironment,
  contentOf,
  ended,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';

const updater = join(import.meta.dirname, '../../support/files/updater.ts');

/**
 * The user who runs the tests; for root, who may do everything, a user without
 * rights.
 */
const root = process.getuid?.() === 0;
const user = root ? { uid: 65_534, gid: 65_534 } : {};

describe('changing a file with limited permissions', () => {
  const folder = scratchFolder();
  const own = () => folder.path('own');
  const file = () => folder.path('own/mcp.json');

  beforeEach(async () => {
    await mkdir(own());
    await writeFile(file(), '{"ours":1}', { mode: 0o644 });
    if (!root) return;
    await chmod(folder.path(), 0o711);
    await chown(own(), 65_534, 65_534);
    await chown(file(), 65_534, 65_534);
  });

  /**
   * The standard error of a process of the user that updates once; empty if it
   * succeeded.
   */
  async function update(): Promise<string> {
    const child = spawn(process.execPath, [updater, file(), 'ours', '1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: childEnvironment,
      ...user,
    });
    const errors = await textOf(child.stderr);
    assert.equal(await ended(child), errors === '' ? 0 : 1);
    return errors;
  }

  async function assertRefused(why: RegExp): Promise<void> {
    const error = await update();
    // So that the test can remove the folder.
    await chmod(own(), 0o700);
    assert.match(error, why);
    assert.match(
      error,
      /UserError: The configuration file \S+ could not be written: /,
    );
    assert.equal(await contentOf(file()), '{"ours":1}');
    assert.deepEqual(await namesIn(own()), ['mcp.json']);
  }

  it('keeps the mode, the owner and the group of a writable file', async () => {
    const before = await stat(file());
    assert.equal(await update(), '');
    assert.deepEqual(parsed(await contentOf(file())), { ours: 2 });
    const after = await stat(file());
    assert.deepEqual(
      [after.mode, after.uid, after.gid],
      [before.mode, before.uid, before.gid],
    );
  });

  if (process.platform === 'win32') return;

  it('refuses to change a file in a read-only folder', async () => {
    await chmod(own(), 0o555);
    await assertRefused(
      /permission is denied\. Check the permissions of the file and of its folder\./,
    );
  });

  it('refuses to change a read-only file in a writable folder', async () => {
    await chmod(file(), 0o444);
    await assertRefused(/permission is denied\./);
  });

  if (!root) return;

  it('refuses to change a file of another user, although it could be replaced', async () => {
    await chown(file(), 0, 0);
    await assertRefused(/permission is denied\./);
  });

  it('refuses a change that would take the file from its owner or its group', async () => {
    await chown(file(), 65_534, 23_456);
    await assertRefused(
      /it belongs to another user or group, and replacing it would change that\. Make it yours/,
    );
    await chown(file(), 0, 65_534);
    await chmod(file(), 0o664);
    await assertRefused(/it belongs to another user or group/);
  });
});
