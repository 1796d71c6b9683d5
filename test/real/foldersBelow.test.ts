/**
 * Changes of agents of a real Agent Server that work in a folder below the root
 * of a repository.
 */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationChanges } from '../../src/state/changes/changedFiles.ts';
import { commit, git, write } from '../support/repositories.ts';
import { windowAt } from './client.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

describe('an agent of a real Agent Server in a folder below the root', function () {
  this.timeout(300_000);
  const { signal } = new AbortController();
  let real: RealService;

  before(async () => {
    real = await realService('agentServer');
  });

  for (const worktree of [false, true])
    it(`has both sides of its changed files ${worktree ? 'in a worktree' : 'in a clone'}`, async () => {
      const { service } = windowAt(real, 'agentServer');
      const clone = join(await mkdtemp(join(real.home, 'below-')), 'shop');
      git(real.home, 'init', '-q', '-b', 'main', clone);
      commit(clone, {
        'packages/api/changed.txt': 'one\n',
        'packages/api/d/changed.bin': Buffer.from([0, 1]),
        'packages/api/gone.txt': 'gone\n',
      });
      const { creation, conversations } = await service.client.recognise();
      const created = await creation?.create({
        message: 'Say hello.',
        folder: join(clone, 'packages/api'),
        worktree,
      });
      assert.ok(created?.kind === 'conversation');
      const { conversation } = created;
      await until(async () => {
        const row = await conversations.find(conversation.id);
        return row?.execution === 'finished' ? true : undefined;
      });
      write(conversation.folder ?? assert.fail(), {
        'changed.txt': 'two\n',
        'd/changed.bin': Buffer.from([0, 2]),
        'gone.txt': undefined,
        'new.txt': 'new\n',
      });
      const changes = new ConversationChanges(() => service.locations);
      const { files } = await changes.load(conversation, 'start', { signal });
      const found = await Promise.all(
        files.map(async ({ path }) => {
          const sides = await changes.readSides(conversation, 'start', path, {
            signal,
          });
          const texts = [sides?.before, sides?.after].map((side) =>
            side?.kind === 'bytes' && side.exact
              ? Buffer.from(side.bytes).toString()
              : side?.kind,
          );
          return [path, ...texts];
        }),
      );
      service.release();
      assert.deepEqual(found, [
        ['packages/api/changed.txt', 'one\n', 'two\n'],
        ['packages/api/d/changed.bin', '\0\x01', '\0\x02'],
        ['packages/api/gone.txt', 'gone\n', 'none'],
        ['packages/api/new.txt', 'none', 'new\n'],
      ]);
    });
});
