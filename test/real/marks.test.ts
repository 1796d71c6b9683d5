/** Pins and archives conversations of real services, and finds news in them. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { systemClock } from '../../src/base/clock.ts';
import {
  type Conversation,
  keyOf,
  type MarkChange,
  sameId,
} from '../../src/service/model/entities.ts';
import { OwnMemory, sightsOf } from '../../src/state/attention.ts';
import { windowAt } from './client.ts';
import {
  atAgentServer,
  type Begun,
  command,
  inSandbox,
  write,
} from './conversations.ts';
import { answers, type RealService, realService } from './services.ts';
import { until } from './until.ts';

interface Tagged {
  readonly tags: Readonly<Record<string, string>>;
  readonly execution_status: string;
  readonly created_at: string;
}

const patch = (body: unknown) => ({
  method: 'PATCH',
  body: JSON.stringify(body),
});

/** A window of one of several machines. */
async function machine(real: RealService, kind: 'agentServer' | 'v1') {
  const { service } = windowAt(real, kind);
  await service.refresh();
  const { conversations } = service;
  const row = ({ id }: Begun): Conversation =>
    [...conversations.rows.values()].find((each) => sameId(each.id, id)) ??
    assert.fail(id);
  return {
    row,
    conversations,
    poll: () => service.refresh('poll'),
    mark: (begun: Begun, change: MarkChange) =>
      conversations.mark(row(begun), change, new AbortController().signal),
  };
}

const record = ({ id, ask }: Begun) =>
  answers<Tagged>(ask(`/api/conversations/${id}`));

describe('a mark of a real conversation', function () {
  this.timeout(300_000);

  it('keeps the tags of others, reaches another machine, and runs nothing that waits', async () => {
    const real = await realService('agentServer');
    const place = await atAgentServer.place(real, 'marked');
    const begun = await atAgentServer.begin(
      real,
      'Mark me',
      place,
      'AlwaysConfirm',
      'say: Good morning.',
    );
    await write(begun, `call: ${command('touch marked.txt')}`);
    await until(async () =>
      (await record(begun)).execution_status === 'waiting_for_confirmation'
        ? true
        : undefined,
    );
    const others = {
      team: 'web',
      7: 'x'.repeat(256),
      note: ' "ä\n\u2028🦊" ',
      empty: '',
    };
    await answers(
      begun.ask(`/api/conversations/${begun.id}`, patch({ tags: others })),
    );

    const [one, other] = [
      await machine(real, 'agentServer'),
      await machine(real, 'agentServer'),
    ];
    for (const [change, tags, isPinned, isArchived] of [
      ['pin', { pinned: 'true' }, true, false],
      ['archive', { pinned: 'true', archived: 'true' }, true, true],
      ['unpin', { archived: 'true' }, false, true],
      ['unarchive', {}, false, false],
    ] as const) {
      await one.mark(begun, change);
      assert.deepEqual((await record(begun)).tags, { ...others, ...tags });
      await other.poll();
      for (const { row } of [one, other]) {
        const shown = row(begun);
        assert.deepEqual(
          [shown.isPinned, shown.isArchived],
          [isPinned, isArchived],
          change,
        );
        assert.equal(shown.execution, 'waitingForConfirmation');
      }
    }
    assert.equal(
      (await record(begun)).execution_status,
      'waiting_for_confirmation',
    );
    assert.ok(!(await readdir(begun.folder)).includes('marked.txt'));
  });

  it('comes with an answer between two looks, and not with a new title or tag', async () => {
    const real = await realService('agentServer');
    const place = await atAgentServer.place(real, 'unread');
    const begun = await atAgentServer.begin(
      real,
      'Read me',
      place,
      'NeverConfirm',
      'say: Good morning.',
    );
    const { conversations, row, poll, mark } = await machine(
      real,
      'agentServer',
    );
    const memory = new OwnMemory(systemClock);
    const look = async () => {
      await poll();
      await memory.add(sightsOf(conversations));
      return memory.isUnread(keyOf(row(begun)));
    };
    assert.equal(await look(), false);
    await mark(begun, 'pin');
    await atAgentServer.rename(real, begun, 'Read me again');
    assert.equal(await look(), false);
    const { lastMessageId } = row(begun);
    await write(begun, 'say: Good evening.');
    await until(async () => {
      await poll();
      const now = row(begun);
      return now.execution === 'finished' && now.lastMessageId !== lastMessageId
        ? true
        : undefined;
    });
    assert.equal(await look(), true);
  });

  it('needs an Agent Server: an app server ignores tags, and never forgets those of its agents', async () => {
    const real = await realService('appServer');
    const place = await inSandbox.place(real, 'marked');
    const begun = await inSandbox.begin(
      real,
      'Mark me',
      place,
      'NeverConfirm',
      'say: Good morning.',
    );
    const listed = async () =>
      (
        await answers<readonly Tagged[]>(
          real.ask(`/api/v1/app-conversations?ids=${begun.id}`),
        )
      )[0] ?? assert.fail();
    const before = await listed();
    await answers(
      real.ask(
        `/api/v1/app-conversations/${begun.id}`,
        patch({ tags: { pinned: 'true' } }),
      ),
    );
    assert.deepEqual((await listed()).tags, before.tags);

    /**
     * Its server tells the app server of a change, which may get lost, so it is
     * changed until that has heard of it.
     */
    const tellOf = (tag: string) =>
      until(async () => {
        await answers(
          begun.ask(
            `/api/conversations/${begun.id}`,
            patch({ tags: { [tag]: 'true' } }),
          ),
        );
        return (await listed()).tags[tag] === 'true' ? true : undefined;
      });
    await tellOf('pinned');
    assert.notEqual(
      (await listed()).created_at,
      before.created_at,
      'it loses when the conversation began',
    );
    await tellOf('other');
    assert.equal((await listed()).tags.pinned, 'true', 'a removed tag stays');

    const { mark } = await machine(real, 'v1');
    await assert.rejects(mark(begun, 'pin'), /cannot do that/);
  });
});
