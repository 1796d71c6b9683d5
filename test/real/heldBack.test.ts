/**
 * Changes of an agent's files at a real Agent Server while a request of ours is
 * held back on its way.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { FileSide } from '../../src/service/abilities/fileChanges.ts';
import { BaselineStore } from '../../src/state/changes/baselines.ts';
import { ConversationChanges } from '../../src/state/changes/changedFiles.ts';
import { ReviewProgress } from '../../src/state/changes/reviewProgress.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import {
  commitAt,
  reflogCommand,
  resetTo,
} from '../../src/state/conversation/worktree.ts';
import { commit, git, write } from '../support/repositories.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { windowAt } from './client.ts';
import { command } from './conversations.ts';
import { type Proxy, startProxy } from './proxy.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

const text = '+a.txt';
/**
 * Git does not tell its contents, so they are proven by the hash of the patch
 * alone.
 */
const binary = '+b.bin';
const bytes = (last: string) => Buffer.from(`\0\u00ff${last}`, 'latin1');

const latin1Of = (side: FileSide | undefined) =>
  side?.kind === 'bytes'
    ? Buffer.from(side.bytes).toString('latin1')
    : side?.kind;

const head = (folder: string) =>
  git(folder, 'rev-parse', 'HEAD').toString().trim();

interface Begun {
  readonly conversation: Conversation;
  readonly folder: string;
}

describe('a request that a proxy before a real Agent Server holds back', function () {
  this.timeout(300_000);
  const { signal } = new AbortController();
  let real: RealService;
  let proxy: Proxy;
  let service: ConnectedService;
  let clone: string;

  before(async () => {
    real = await realService('agentServer');
  });

  beforeEach(async () => {
    proxy = await startProxy(real.url);
    ({ service } = windowAt({ url: proxy.url, key: real.key }, 'agentServer'));
    clone = join(await mkdtemp(join(real.home, 'held-')), 'shop');
    git(real.home, 'init', '-q', '-b', 'main', clone);
    commit(clone, { [text]: 'one\n', [binary]: bytes('1') }, 'First');
  });

  afterEach(async () => {
    service.release();
    await proxy.stop();
  });

  async function begin(worktree: boolean): Promise<Begun> {
    const { creation } = await service.client.recognise();
    const created = await creation?.create({
      message: 'Say hello.',
      folder: clone,
      worktree,
    });
    assert.ok(created?.kind === 'conversation');
    const { conversation } = created;
    await isAtRest(conversation);
    return { conversation, folder: conversation.folder ?? assert.fail() };
  }

  async function isAtRest({ id }: Conversation): Promise<void> {
    const { conversations } = await service.client.recognise();
    await until(async () =>
      (await conversations.find(id))?.execution === 'finished'
        ? true
        : undefined,
    );
  }

  describe('for the contents of a file', () => {
    const locations = () => service.locations;
    let store: string;

    beforeEach(async () => {
      store = await mkdtemp(join(real.home, 'reviewed-'));
    });

    const openWindow = () => {
      const changes = new ConversationChanges(locations);
      const window = new ReviewProgress(
        changes,
        new BaselineStore(store),
        locations,
        new MemoryStore(),
      );
      return { window, changes };
    };
    type Window = ReturnType<typeof openWindow>;

    async function stateIn(
      { window }: Window,
      conversation: Conversation,
      path: string,
    ) {
      const reviews = await window.readReviews(conversation, { signal });
      return reviews.find((review) => review.file.path === path)?.state;
    }

    async function open(
      { window }: Window,
      conversation: Conversation,
      path: string,
    ) {
      return latin1Of(
        (await window.readSides(conversation, 'reviewed', path, { signal }))
          ?.after,
      );
    }

    /**
     * Lists the changes, and reads a file while they are stashed. Returns the
     * contents that a diff shows.
     */
    async function openWhileStashed(
      window: Window,
      { conversation, folder }: Begun,
      path: string,
    ) {
      await window.window.readReviews(conversation, { signal });
      const held = proxy.hold(/\/file\/download|\/git\/diff/);
      const contents = open(window, conversation, path);
      await held.arrived;
      git(folder, 'stash');
      held.release();
      const shownContents = await contents;
      git(folder, 'stash', 'pop');
      return shownContents;
    }

    /**
     * Marks a file as it was shown last. Returns true if the mark was accepted.
     */
    async function mark(
      { window, changes }: Window,
      conversation: Conversation,
      path: string,
    ) {
      const key = keyOf(conversation);
      const listed = changes.file(key, path) ?? assert.fail();
      return (
        (
          await window.mark(conversation, [window.asShown(key, listed)], {
            signal,
          })
        ).length === 0
      );
    }

    it('marks no file as reviewed whose contents were stashed while they were read', async () => {
      const begun = await begin(false);
      const { conversation, folder } = begun;
      write(folder, { [binary]: bytes('evil') });
      const window = openWindow();
      assert.doesNotMatch(
        (await openWhileStashed(window, begun, binary)) ?? '',
        /evil/,
      );
      assert.ok(!(await mark(window, conversation, binary)));
      for (const each of [window, openWindow()])
        assert.equal(await stateIn(each, conversation, binary), 'new');

      assert.match((await open(window, conversation, binary)) ?? '', /evil/);
      assert.ok(await mark(window, conversation, binary));
      for (const each of [window, openWindow()])
        assert.equal(await stateIn(each, conversation, binary), 'reviewed');
    });

    it('renews no mark while the contents that were marked are back for a moment', async () => {
      const begun = await begin(false);
      const { conversation, folder } = begun;
      commit(folder, { [binary]: bytes('2'), [text]: 'one\ntwo\n' });
      const window = openWindow();
      for (const path of [binary, text]) {
        await stateIn(window, conversation, path);
        await open(window, conversation, path);
        assert.ok(await mark(window, conversation, path));
        assert.equal(await stateIn(window, conversation, path), 'reviewed');
      }
      write(folder, { [binary]: bytes('evil'), [text]: 'one\ntwo\nevil\n' });
      for (const path of [binary, text]) {
        await openWhileStashed(window, begun, path);
        for (const each of [window, openWindow()])
          assert.equal(
            await stateIn(each, conversation, path),
            'changedAgain',
            path,
          );
      }
    });

    it('shows a text as it was listed while it is stashed', async () => {
      const begun = await begin(false);
      write(begun.folder, { [text]: 'one\nevil\n' });
      const window = openWindow();
      assert.equal(await openWhileStashed(window, begun, text), 'one\nevil\n');
      assert.ok(await mark(window, begun.conversation, text));
      assert.equal(await stateIn(window, begun.conversation, text), 'reviewed');
    });
  });

  it('sends a message to a fork only after its files were reset, and loses nothing of the work that follows', async () => {
    const { conversation, folder } = await begin(true);
    service.conversations.insertFirst(conversation);
    const steering = await service.steering();
    const start = head(folder);
    // Times in a reflog are in seconds.
    const commitFile =
      'sleep 2; git -c user.name=A -c user.email=a@example.com commit -qam Agent';
    const first = {
      text: `call: ${command(`echo agent > ${text}; ${commitFile}; echo more > more.txt`)}`,
    };
    assert.equal(
      (await steering.send(conversation, first, signal)).result,
      'sent',
    );
    await until(() =>
      Promise.resolve(existsSync(join(folder, 'more.txt')) || undefined),
    );
    await isAtRest(conversation);

    const { items } = await service.locations.useReady(
      conversation,
      { signal },
      ({ steering: agent }) =>
        agent
          .events(conversation.id, { signal })
          .fetch(undefined, { size: 50 }),
    );
    const sent = items.find(
      (event) => event.kind === 'message' && event.source === 'user',
    );
    const message = await steering.message(
      conversation,
      sent?.id ?? '',
      signal,
    );
    const reflog = await steering.worktrees.runGit(
      conversation,
      reflogCommand,
      signal,
    );
    const began = commitAt(reflog, message.at) ?? assert.fail(reflog);
    assert.equal(began.sha, start);
    const fork = await steering.fork(
      conversation,
      'Fork',
      message.parentId,
      signal,
    );

    const held = proxy.hold(/execute_bash_command/);
    const reset = steering.worktrees.resetFiles(
      fork,
      resetTo(began, 0).command,
      signal,
    );
    await held.arrived;
    const before = proxy.passed.length;
    const work = { text: `call: ${command(`echo new >> ${text}`)}` };
    const sending = steering.send(fork, work, signal);
    for (let reads = 0; reads < 10; reads++) await steering.read(fork, signal);
    assert.ok(
      !proxy.passed.slice(before).some((request) => request.startsWith('POST')),
    );
    held.release();
    await reset;
    assert.deepEqual(git(folder, 'status', '--porcelain').toString(), '');
    assert.equal((await sending).result, 'sent');
    await until(() =>
      Promise.resolve(
        readFileSync(join(folder, text), 'utf8') === 'one\nnew\n' || undefined,
      ),
    );
    await isAtRest(fork);
    assert.equal(head(folder), start);
    const branch = 'before-fork-1970-01-01T00-00-00';
    assert.equal(
      git(folder, 'show', `${branch}:${text}`).toString(),
      'agent\n',
    );
    assert.equal(
      git(folder, 'show', `${branch}:more.txt`).toString(),
      'more\n',
    );
  });
});
