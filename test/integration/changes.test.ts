import assert from 'node:assert/strict';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { keyOf, type Sandbox } from '../../src/service/model/entities.ts';
import { Desk, key } from './desk.ts';
import { until } from '../support/eventually.ts';

interface Wire {
  readonly items: readonly { readonly id: string; readonly status: string }[];
}

describe('a sandbox', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
    });
    demo = await desk.look();
  });

  afterEach(async () => {
    await desk.clear();
  });

  function some(status: Sandbox['status']): Sandbox {
    const found = [...desk.switchboard.sandboxes.rows.values()].find(
      (sandbox) => sandbox.status === status,
    );
    assert.ok(found);
    return found;
  }

  /** The status according to the service. */
  async function statusOf(id: string): Promise<string | undefined> {
    const response = await fetch(`${demo.url}/api/v1/sandboxes/search`, {
      headers: { 'x-session-api-key': key },
    });
    const { items } = (await response.json()) as Wire;
    return items.find((item) => item.id === id)?.status;
  }

  function posts(): string[] {
    return demo.requests
      .filter(({ method }) => method === 'POST')
      .map(({ path }) => path);
  }

  function contextOf(id: string): string | undefined {
    const row = desk.trees.sandboxes.row(
      `sandbox:${keyOf({ service: demo.url, id })}`,
    );
    return row && desk.trees.sandboxes.getTreeItem(row).contextValue;
  }

  it('stays busy until the service has paused it', async () => {
    const { id } = some('running');
    assert.equal(contextOf(id), 'sandbox running');
    const pausing = desk.run('switchboard.sandboxes.pause', id);
    await until(() => contextOf(id) === 'sandbox busy');
    await desk.skipUntilDone(pausing);
    assert.equal(await statusOf(id), 'PAUSED');
    assert.equal(contextOf(id), 'sandbox paused');
    assert.deepEqual(posts(), [`/api/v1/sandboxes/${id}/pause`]);
  });

  it('resumes after a warning and names the sandbox that the service paused to make room', async () => {
    const { id } = some('paused');
    desk.person.presses.add('Resume');
    await desk.skipUntilDone(desk.run('switchboard.sandboxes.resume', id));
    assert.equal(await statusOf(id), 'RUNNING');
    assert.equal(
      desk.person.heard[0],
      '4 other sandboxes are running. The service may pause the oldest ones.',
    );
    assert.match(
      desk.person.heard.at(-1) ?? '',
      /^The service paused .+ to make room\.$/,
    );
  });

  it('counts the others that run when you resume it, not when the list was loaded', async () => {
    const { id } = some('paused');
    const { id: otherId } = some('running');
    // Another client pauses one.
    await fetch(`${demo.url}/api/v1/sandboxes/${otherId}/pause`, {
      method: 'POST',
      headers: { 'x-session-api-key': key },
    });
    await until(async () => {
      await desk.skip(1);
      return (await statusOf(otherId)) === 'PAUSED';
    });
    // The list is old then.
    await desk.skip(60);
    await desk.skipUntilDone(desk.run('switchboard.sandboxes.resume', id));
    assert.match(desk.person.heard[0] ?? '', /^3 other sandboxes are running/);
  });

  it('stays paused when you dismiss the warning about pausing others', async () => {
    const { id } = some('paused');
    await desk.skipUntilDone(desk.run('switchboard.sandboxes.resume', id));
    assert.deepEqual(posts(), []);
    assert.equal(await statusOf(id), 'PAUSED');
  });

  it('resumes when you resume its conversation', async () => {
    const { id } = some('paused');
    const { rows } = desk.switchboard.conversations;
    const conversation = [...rows.values()].find(
      ({ sandboxId }) => sandboxId === id,
    );
    assert.ok(conversation);
    const row = desk.trees.conversations.rowOf(conversation);
    assert.ok(row);
    assert.match(
      desk.trees.conversations.getTreeItem(row).contextValue ?? '',
      /\bpaused\b/,
    );
    desk.person.presses.add('Resume');
    await desk.skipUntilDone(
      desk.run('switchboard.conversations.resume', conversation.id),
    );
    assert.equal(await statusOf(id), 'RUNNING');
    assert.doesNotMatch(
      desk.trees.conversations.getTreeItem(row).contextValue ?? '',
      /\bpaused\b/,
    );
  });

  it('starts with one request when you choose a spec', async () => {
    const ids = () =>
      [...desk.switchboard.sandboxes.rows.values()].map(({ id }) => id);
    const before = ids();
    desk.person.presses.add('Start');
    desk.person.answers.push('Default');
    await desk.skipUntilDone(desk.run('switchboard.sandboxes.start'));
    const [started] = ids().filter((id) => !before.includes(id));
    assert.ok(started);
    assert.equal(await statusOf(started), 'RUNNING');
    assert.deepEqual(posts(), ['/api/v1/sandboxes']);
  });

  it('warns that starting a sandbox may pause others, even if no list was opened', async () => {
    await desk.close();
    const { url } = await desk.connect();
    await desk.run('switchboard.sandboxes.start');
    assert.deepEqual(posts(), []);
    assert.equal(desk.service.address, url);
    desk.person.answers.push('Default');
    await desk.run('switchboard.sandboxes.start');
    assert.match(desk.person.heard[0] ?? '', /^\d other sandboxes are running/);
  });

  it('offers sandboxes to pause even if no list was opened', async () => {
    await desk.close();
    await desk.connect();
    await desk.run('switchboard.sandboxes.pause');
    assert.ok((desk.person.offered[0]?.length ?? 0) > 1);
    assert.deepEqual(desk.person.heard, []);
  });

  it('tells before it is deleted that conversations outside the list may run in it', async () => {
    const { id } = some('running');
    const question = async () => {
      desk.person.forget();
      await desk.run('switchboard.sandboxes.delete', id);
      return desk.person.heard.join(' ');
    };
    assert.match(await question(), / It runs “.+”\.\nThis cannot be undone\.$/);
    await desk.switchboard.arrange({ filter: { text: 'no such title' } });
    assert.match(
      await question(),
      /\nConversations that are not in the list may run in it, too\.\nThis cannot/,
    );
  });

  it('explains once why it cannot be paused', async () => {
    const { id } = some('running');
    demo.misbehave({ forbidden: true, only: 'POST' });
    await desk.run('switchboard.sandboxes.pause', id);
    assert.equal(desk.person.heard.length, 1);
    assert.match(
      desk.person.heard[0] ?? '',
      /^Could not pause the sandbox: http.+ does not allow this/,
    );
    assert.equal(contextOf(id), 'sandbox running');
    assert.equal(posts().length, 1);
  });
});

describe('a new conversation', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('shows a row from the start that becomes the conversation', async () => {
    const demo = await desk.look();
    const creating = desk.create('Fix the build');
    const stages = new Set<string>();
    const stop = desk.trees.conversations.onDidChangeTreeData(() =>
      stages.add(desk.rows()[0] ?? ''),
    );
    await desk.skipUntilDone(creating);
    stop.dispose();
    assert.ok([...stages].some((row) => row === 'Fix the build · Sending'));
    assert.ok(
      [...stages].some(
        (row) => row === 'Fix the build · Waiting for the sandbox',
      ),
    );
    assert.equal(desk.switchboard.requested.all.length, 0);
    assert.match(
      desk.rows().join('\n'),
      /^Fix the build · now( · \$\d+\.\d\d)?$/m,
    );
    assert.equal(
      demo.requests.filter(({ method }) => method === 'POST').length,
      1,
    );
  });

  it('explains why it failed and keeps its row until you dismiss it', async () => {
    await desk.look();
    await desk.skipUntilDone(desk.create('Please fail'));
    assert.equal(desk.rows()[0], 'Please fail · Not created');
    const [failed] = desk.switchboard.requested.all;
    assert.match(
      failed?.error ?? '',
      /^The setup script ended with exit code 1/,
    );
    await desk.run('switchboard.conversations.cancelNew', failed?.id);
    assert.ok(!desk.rows().some((row) => row.startsWith('Please fail')));
  });

  it('stops waiting for the service when you cancel it', async () => {
    const demo = await desk.look({ misbehaviour: { taskNeverEnds: true } });
    const creating = desk.create('Go on for ever');
    const pending = await until(() =>
      desk.switchboard.requested.all.find(({ task }) => task),
    );
    await desk.run('switchboard.conversations.cancelNew', pending.id);
    await creating;
    assert.equal(desk.rows()[0], 'Go on for ever · Canceled');
    assert.equal(
      demo.requests.filter(({ method }) => method === 'POST').length,
      1,
    );
  });
});
