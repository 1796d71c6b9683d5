import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../../../src/base/errors.ts';
import type { Disk } from '../../../src/files/disk.ts';
import { updateConfig } from '../../../src/files/update.ts';
import { countDone } from '../../support/done.ts';
import { systemError, watchedDisk } from '../../support/files/faultyDisk.ts';
import {
  contentOf,
  freshFolder,
  namesIn,
} from '../../support/files/scratch.ts';

const codes = [
  'ENOSPC',
  'EIO',
  'EACCES',
  'EPERM',
  'EROFS',
  'EXDEV',
  'EDQUOT',
  'EMFILE',
  'EBUSY',
  'ESTALE',
];
const canary = 'canary-7f3a9c';
const old = `{"mcpServers":{"a":{"command":"a","env":{"KEY":"${canary}"}}}}`;
const text = old.replace('{"a"', '{"b":{"command":"b"},"a"');

/**
 * Calls that can fail without losing anything: a lock is made in another way, a
 * removal is tried again, and a renamed file is already written.
 */
const dispensable = ['link', 'unlink', 'readdir'];

interface Case {
  /** Puts the old file there, and returns the path to change. */
  readonly prepare: (folder: string) => Promise<string>;
  /** The file itself. */
  readonly target: string;
  readonly before: string | undefined;
}

const cases: Readonly<Record<string, Case>> = {
  'creating the file': {
    prepare: (folder) => Promise.resolve(join(folder, 'new/mcp.json')),
    target: 'new/mcp.json',
    before: undefined,
  },
  'replacing the file': {
    prepare: async (folder) => {
      await writeFile(join(folder, 'mcp.json'), old, { mode: 0o600 });
      return join(folder, 'mcp.json');
    },
    target: 'mcp.json',
    before: old,
  },
  'replacing the file through a link': {
    prepare: async (folder) => {
      await mkdir(join(folder, 'dotfiles'));
      await writeFile(join(folder, 'dotfiles/servers.json'), old, {
        mode: 0o600,
      });
      await symlink('dotfiles/servers.json', join(folder, 'mcp.json'));
      return join(folder, 'mcp.json');
    },
    target: 'dotfiles/servers.json',
    before: old,
  },
};

for (const [what, { prepare, target, before }] of Object.entries(cases)) {
  describe(`a failing system call while ${what}`, () => {
    async function inFolder(
      test: (folder: string, path: string) => Promise<void>,
    ): Promise<void> {
      const folder = await freshFolder();
      try {
        await test(folder, await prepare(folder));
      } finally {
        await rm(folder, { recursive: true });
      }
    }

    async function update(path: string, disk: Disk): Promise<unknown> {
      try {
        await updateConfig(path, () => text, { disk });
        return undefined;
      } catch (error) {
        return error;
      }
    }

    async function namesOfCalls(): Promise<string[]> {
      const calls: string[] = [];
      await inFolder(async (_, path) => {
        const disk = watchedDisk((name) => {
          calls.push(name);
        });
        assert.equal(await update(path, disk), undefined);
      });
      return calls;
    }

    it('leaves only the new file, or only the old one with an error that says why', async function () {
      this.timeout(120_000);
      const calls = await namesOfCalls();
      const renameAt = calls.indexOf('renameSync');
      assert.ok(renameAt > 15, calls.join());
      for (let at = 0; at < calls.length; at++) {
        for (const code of codes) {
          await inFolder(async (folder, path) => {
            let call = 0;
            let failed = '';
            const disk = watchedDisk((name) => {
              if (call++ !== at) return;
              failed = name;
              throw systemError(code, name);
            });
            const error = await update(path, disk);
            const where = `${code} at call ${at}, ${failed}`;
            const file = join(folder, target);
            const now = await contentOf(file).catch(() => undefined);
            if (error === undefined) {
              assert.equal(now, text, where);
              assert.ok(at > renameAt || dispensable.includes(failed), where);
            } else {
              assert.equal(now, before, where);
              assert.ok(error instanceof UserError, where);
              assert.match(
                error.message,
                /^The configuration file \S+ could not be written: .+\. [A-Z].+\.$/,
              );
              assert.ok(
                error.message.includes(path) || error.message.includes(file),
                where,
              );
              assert.ok(!error.message.includes(canary), where);
              assert.ok(error.cause instanceof Error, where);
            }
            const names = await namesIn(dirname(file)).catch(() => []);
            assert.deepEqual(
              names,
              now === undefined ? [] : [target.split('/').at(-1)],
              where,
            );
          });
        }
      }
      countDone(
        calls.length,
        `system calls of ${Object.keys(cases).length} kinds of write, each made to fail`,
      );
      countDone(
        calls.length * codes.length,
        `failures, of ${codes.length} kinds each`,
      );
    });
  });
}
