import assert from 'node:assert/strict';
import { window } from 'vscode';
import { projectOf } from '../../src/demo/agentServer/folders.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { contentsCommand } from '../../src/state/conversation/worktree.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { until } from '../support/eventually.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';

describe('the question before a conversation is deleted', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  const { signal } = new AbortController();

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'agentServer' });
  });

  afterEach(async () => {
    await desk.clear();
  });

  async function begin(
    message: string,
    worktree = true,
  ): Promise<Conversation> {
    const folder = projectOf('northwind/storefront');
    return await desk.createFinished({ message, folder, worktree });
  }

  const remove = (...conversations: readonly Conversation[]) =>
    desk.run('switchboard.conversations.delete', ...conversations.map(keyOf));
  const deleted = () =>
    demo.requests.filter(({ method }) => method === 'DELETE').length;
  const commands = () =>
    demo.requests.filter(({ path }) => path.endsWith('/execute_bash_command'))
      .length;
  const edit = (file: string) =>
    `call: file_editor ${JSON.stringify({ command: 'create', path: file, file_text: 'x' })}\nsay: Done.`;
  const heard = () => desk.person.heard.join('\n');

  it('shows the uncommitted files, and deletes nothing without an answer', async () => {
    await remove(await begin(edit('lost.txt')));
    assert.match(
      heard(),
      /The worktree of “.+” is deleted with 1 uncommitted file \(lost\.txt\)\./,
    );
    assert.equal(deleted(), 0);
  });

  it('deletes nothing when the changes are to be taken over first', async () => {
    desk.person.presses.add('Take Over First');
    await remove(await begin(edit('lost.txt')));
    assert.equal(deleted(), 0);
  });

  it('keeps the files on the branch of the worktree before it deletes', async () => {
    desk.person.presses.add('Keep as a Commit on Its Branch');
    const conversation = await begin(edit('lost.txt'));
    await remove(conversation);
    assert.match(
      heard(),
      new RegExp(`The files are kept on branch “openhands/${conversation.id}”`),
    );
    const requests = demo.requests.map(
      ({ method, path }) => `${method} ${path}`,
    );
    const last = requests.findLastIndex((request) =>
      request.endsWith('/execute_bash_command'),
    );
    assert.ok(
      last < requests.findIndex((request) => request.startsWith('DELETE')),
    );
    assert.equal(deleted(), 1);
  });

  it('says that the worktree goes when its files cannot be read', async () => {
    const conversation = await begin(edit('lost.txt'));
    demo.misbehave({ errorStatus: 500, only: /execute_bash_command/ });
    await remove(conversation);
    assert.match(
      heard(),
      /is deleted with everything in it\. It is unknown whether it has uncommitted files\./,
    );
    assert.equal(deleted(), 0);
  });

  it('says it for each of several worktrees, and nothing of a folder that stays', async () => {
    const one = await begin(edit('one.txt'));
    const two = await begin(edit('two.txt'));
    await remove(one, two, await begin('say: Hello.', false));
    assert.match(heard(), /\(one\.txt\)\.\n.*\(two\.txt\)\.\n/);
    assert.equal(commands(), 2);
  });

  it('asks again if the agent has written more since it asked', async () => {
    const conversation = await begin(edit('lost.txt'));
    const steering = await desk.service.steering();
    desk.person.presses.add('Delete');
    const ask = window.showWarningMessage.bind(window) as Anything;
    let questions = 0;
    const restore = replace(
      window,
      'showWarningMessage',
      async (...question) => {
        if (++questions === 1) {
          await steering.send(
            conversation,
            { text: edit('later.txt') },
            signal,
          );
          await until(async () =>
            (
              await steering.worktrees.runGit(
                conversation,
                contentsCommand,
                signal,
              )
            ).includes('later.txt'),
          );
        }
        return await ask(...question);
      },
    );
    try {
      await remove(conversation);
    } finally {
      restore();
    }
    assert.match(heard(), /with 1 uncommitted file \(lost\.txt\)\./);
    assert.match(
      heard(),
      /with 2 uncommitted files \((?:later\.txt, lost\.txt|lost\.txt, later\.txt)\)\./,
    );
    assert.match(heard(), /The files have changed since you were asked\./);
    assert.deepEqual([questions, deleted()], [2, 1]);
  });

  it('discards the review comments of the conversation, and of no other', async () => {
    const { reviews } = desk.switchboard;
    const one = await begin('say: Hello.', false);
    const two = await begin('say: Hello.', false);
    for (const conversation of [one, two]) {
      const place = {
        key: keyOf(conversation),
        since: 'start',
        side: 'after',
        path: 'a.ts',
        lines: undefined,
        quote: '',
      } as const;
      await reviews.add(place, 'Why?');
    }
    const keys = () => reviews.all.map(({ key }) => key);
    await remove(one);
    assert.deepEqual(keys(), [keyOf(one), keyOf(two)]);
    desk.person.presses.add('Delete');
    await remove(one);
    assert.deepEqual(keys(), [keyOf(two)]);
    await remove(two);
    assert.deepEqual(keys(), []);
  });

  it('mentions no worktree that a fork still works in, until the last fork is deleted', async () => {
    const conversation = await begin(edit('lost.txt'));
    const fork = await (
      await desk.service.steering()
    ).fork(conversation, 'Fork', undefined, signal);
    desk.person.presses.add('Delete');
    await remove(conversation);
    assert.doesNotMatch(heard(), /worktree/);
    await remove(fork);
    assert.match(heard(), /The worktree of “Fork” is deleted with/);
    assert.equal(deleted(), 2);
  });
});
