/** Our own client at the real services: what it says about them is true, and what it asks for happens. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversations, Sandboxes } from '../../src/service/agentService.ts';
import { sameId } from '../../src/service/entities.ts';
import { clientOf, followed, rowsOf } from './client.ts';
import { realService } from './services.ts';

const echo = 'call: terminal {"command": "echo hello"}';

/** Waits as long as it takes: a test that takes too long fails by itself. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const executionOf = (conversations: Conversations, id: string, wanted: string) =>
  until(async () => {
    const found = await conversations.find(id);
    return found?.execution === wanted ? found : undefined;
  });

const statusOf = (sandboxes: Sandboxes, id: string, wanted: string) =>
  until(async () => {
    const found = (await rowsOf(sandboxes.list())).find((each) => each.id === id);
    return found?.status === wanted ? found : undefined;
  });

describe('our client at a real service', () => {
  for (const name of ['agentServer', 'olderAgentServer'] as const) {
    it(`recognises an Agent Server (${name}), creates a conversation there and follows what changes`, async () => {
      const real = await realService(name);
      const client = clientOf(real);
      const { interface: kind, conversations, creation, sandboxes } = await client.recognise();
      assert.deepEqual([kind, sandboxes], ['agentServer', undefined]);
      const profiles = await creation?.profiles?.();
      assert.equal(profiles?.filter(({ active }) => active).length, 1);
      const suggested = await creation?.folders?.suggested();
      assert.ok(suggested?.some(({ path, origin }) => path === real.home && origin === 'home'));
      const folder = join(real.home, 'shop');
      await mkdir(folder, { recursive: true });
      const below = await rowsOf(creation?.folders?.below(real.home) ?? assert.fail());
      assert.ok(below.some(({ path }) => path === folder));

      const created = await creation?.create({ message: echo, folder });
      assert.ok(created?.kind === 'conversation');
      const { id } = created.conversation;
      const finished = await executionOf(conversations, id, 'finished');
      assert.deepEqual([finished.folder, finished.model], [folder, 'openai/rule']);
      assert.ok((finished.tokens?.read ?? 0) > 0 && finished.cost !== undefined);
      const rows = await rowsOf(conversations.list());
      assert.ok(rows.some((row) => row.id === id));

      // Elsewhere, it is renamed and another one is deleted.
      const other = await creation?.create({ message: 'Hello', folder });
      assert.ok(other?.kind === 'conversation');
      const known = await rowsOf(conversations.list());
      await executionOf(conversations, other.conversation.id, 'finished');
      const patch = { method: 'PATCH', body: JSON.stringify({ title: 'Renamed', tags: { team: 'web' } }) };
      assert.equal((await real.ask(`/api/conversations/${id}`, patch)).status, 200);
      const path = `/api/conversations/${other.conversation.id}`;
      assert.equal((await real.ask(path, { method: 'DELETE' })).status, 200);
      const polls = [await conversations.changes?.(known), await conversations.changes?.(known)];
      const renamed = polls.flatMap((poll) => poll?.changed ?? []).find((row) => row.id === id);
      assert.deepEqual([renamed?.title, renamed?.tags], ['Renamed', ['team: web']]);
      assert.ok(polls.some((poll) => poll?.gone.includes(other.conversation.id)));
      assert.equal(await conversations.find(other.conversation.id), undefined);
    });
  }

  it('creates a conversation at an app server, pauses, resumes and deletes its sandbox, and starts one', async () => {
    const real = await realService('appServer');
    const client = clientOf(real);
    const { interface: kind, conversations, creation, sandboxes } = await client.recognise();
    assert.ok(kind === 'v1' && creation && sandboxes);
    const [spec, ...others] = await rowsOf(sandboxes.specs());
    assert.ok(spec && others.length === 0);

    const created = await creation.create({ message: echo });
    assert.ok(created.kind === 'task');
    const { last, stages } = await followed(client, created.task);
    assert.equal(last.stage, 'ready', last.detail);
    assert.ok(stages.length > 1);
    const id = last.conversationId ?? '';
    const rows = await rowsOf(conversations.list());
    const row = rows.find((each) => sameId(each.id, id));
    assert.ok(row?.sandboxId !== undefined);
    assert.deepEqual([row.status, row.link], ['running', undefined]);
    const { sandboxId } = row;
    const { specId } = await statusOf(sandboxes, sandboxId, 'running');
    assert.equal(specId, spec.id);

    await sandboxes.pause(sandboxId);
    await statusOf(sandboxes, sandboxId, 'paused');
    assert.equal((await conversations.find(id))?.status, 'stopped');
    await sandboxes.resume(sandboxId);
    await statusOf(sandboxes, sandboxId, 'running');
    await sandboxes.remove(sandboxId);
    await until(async () => {
      const left = await rowsOf(sandboxes.list());
      return left.some((each) => each.id === sandboxId) ? undefined : true;
    });

    const { id: started } = await sandboxes.start();
    await statusOf(sandboxes, started, 'running');
    await sandboxes.remove(started);
  });

  it('lists the conversations of V0, page by page, and finds one', async () => {
    const real = await realService('serviceWithV0');
    const { interface: kind, conversations } = await clientOf(real).recognise();
    assert.equal(kind, 'v0');
    const before = (await rowsOf(conversations.list())).length;
    for (let count = 0; count < 3; count++) {
      const body = JSON.stringify({ initial_user_msg: 'Say hello.' });
      assert.equal((await real.ask('/api/conversations', { method: 'POST', body })).status, 200);
    }
    const rows = await rowsOf(conversations.list({}, { size: 2 }));
    assert.equal(rows.length, before + 3);
    const [first] = rows;
    assert.equal((await conversations.find(first?.id ?? ''))?.id, first?.id);
    assert.equal((await rowsOf(conversations.list({ trigger: 'gui' }))).length, rows.length);
    assert.deepEqual(await rowsOf(conversations.list({ repository: 'nobody/nothing' })), []);
  });
});
