import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversation } from '../../src/service/model/entities.ts';
import { ConversationChanges } from '../../src/state/changes/changedFiles.ts';
import { commit, git, write } from '../support/repositories.ts';
import { windowAt } from './client.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

describe('the list of what an agent of a real Agent Server changed', function () {
  this.timeout(300_000);
  const { signal } = new AbortController();
  let real: RealService;

  before(async () => {
    real = await realService('agentServer');
  });

  /** Begins a conversation, and resolves when its agent has finished. */
  async function begin(
    { client }: ReturnType<typeof windowAt>['service'],
    folder: string,
    worktree: boolean,
  ): Promise<Conversation> {
    const { creation, conversations } = await client.recognise();
    const created = await creation?.create({
      message: 'Say hello.',
      folder,
      worktree,
    });
    assert.ok(created?.kind === 'conversation');
    const { conversation } = created;
    await until(async () => {
      const row = await conversations.find(conversation.id);
      return row?.execution === 'finished' ? true : undefined;
    });
    return conversation;
  }

  for (const worktree of [false, true])
    it(`has both sides of files below the root ${worktree ? 'of a worktree' : 'of a clone'}`, async () => {
      const { service } = windowAt(real, 'agentServer');
      const clone = join(await mkdtemp(join(real.home, 'below-')), 'shop');
      git(real.home, 'init', '-q', '-b', 'main', clone);
      commit(clone, {
        'packages/api/changed.txt': 'one\n',
        'packages/api/d/changed.bin': Buffer.from([0, 1]),
        'packages/api/gone.txt': 'gone\n',
      });
      const conversation = await begin(
        service,
        join(clone, 'packages/api'),
        worktree,
      );
      write(conversation.folder ?? assert.fail(), {
        'changed.txt': 'two\n',
        'd/changed.bin': Buffer.from([0, 2]),
        'gone.txt': undefined,
        'new.txt': 'new\n',
      });
      const changes = new ConversationChanges(() => service.locations);
      const { files } = await changes.load(conversation, 'start', { signal });
      const texts = await Promise.all(
        files.map(async ({ path }) => {
          const sides = await changes.readSides(conversation, 'start', path, {
            signal,
          });
          const sideTexts = [sides?.before, sides?.after].map((side) =>
            side?.kind === 'bytes' && side.exact
              ? Buffer.from(side.bytes).toString()
              : side?.kind,
          );
          return [path, ...sideTexts];
        }),
      );
      service.release();
      assert.deepEqual(texts, [
        ['packages/api/changed.txt', 'one\n', 'two\n'],
        ['packages/api/d/changed.bin', '\0\x01', '\0\x02'],
        ['packages/api/gone.txt', 'gone\n', 'none'],
        ['packages/api/new.txt', 'none', 'new\n'],
      ]);
    });

  it('includes its commits below an older one that it picked', async () => {
    const { service } = windowAt(real, 'agentServer');
    const clone = join(await mkdtemp(join(real.home, 'picked-')), 'shop');
    git(real.home, 'init', '-q', '-b', 'main', clone);
    commit(clone, { 'base.txt': 'base\n' });
    git(clone, 'switch', '-q', '-c', 'other');
    const picked = commit(clone, { 'picked.txt': 'picked\n' });
    git(clone, 'switch', '-q', 'main');
    const conversation = await begin(service, clone, true);
    const { folder = '' } = conversation;
    commit(folder, { 'agent.txt': 'agent\n' });
    git(folder, 'cherry-pick', picked);
    const changes = new ConversationChanges(() => service.locations);
    const { files } = await changes.load(conversation, 'start', { signal });
    service.release();
    assert.deepEqual(
      files.map(({ path }) => path),
      ['agent.txt', 'picked.txt'],
    );
  });
});
