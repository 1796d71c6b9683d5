/**
 * Our own client at the real services: what it says about them is true, and
 * what it asks for happens.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '../../src/base/secret.ts';
import type {
  Conversations,
  Sandboxes,
} from '../../src/service/abilities/agentService.ts';
import { upstream } from '../../src/service/git/upstream.ts';
import { sameId } from '../../src/service/model/entities.ts';
import {
  isRefusal,
  ServiceError,
} from '../../src/service/http/serviceError.ts';
import type { SentServer } from '../../src/service/records/serviceServer.ts';
import { commit, git, write } from '../support/repositories.ts';
import { clientOf, followed, rowsOf } from './client.ts';
import { answers, realService } from './services.ts';
import { until } from './until.ts';

const echo = 'call: terminal {"command": "echo hello"}';

const executionOf = (
  conversations: Conversations,
  id: string,
  wanted: string,
) =>
  until(async () => {
    const found = await conversations.find(id);
    return found?.execution === wanted ? found : undefined;
  });

const statusOf = (sandboxes: Sandboxes, id: string, wanted: string) =>
  until(async () => {
    const found = (await rowsOf(sandboxes.list())).find(
      (each) => each.id === id,
    );
    return found?.status === wanted ? found : undefined;
  });

describe('our client at a real service', () => {
  for (const name of ['agentServer', 'olderAgentServer'] as const) {
    it(`recognises an Agent Server (${name}), creates a conversation there and follows what changes`, async () => {
      const real = await realService(name);
      const client = clientOf(real);
      const {
        interface: kind,
        conversations,
        creation,
        sandboxes,
      } = await client.recognise();
      assert.deepEqual([kind, sandboxes], ['agentServer', undefined]);
      const profiles = await creation?.profiles?.();
      assert.equal(profiles?.filter(({ active }) => active).length, 1);
      assert.equal(await creation?.ratesActions?.(), true);
      assert.equal(
        await creation?.takesWorktreeStart?.(),
        name === 'agentServer',
      );
      const suggested = await creation?.folders?.suggested();
      assert.ok(
        suggested?.some(
          ({ path, origin }) => path === real.home && origin === 'home',
        ),
      );
      const folder = join(real.home, 'shop');
      await mkdir(folder, { recursive: true });
      const below = await rowsOf(
        creation?.folders?.below(real.home) ?? assert.fail(),
      );
      assert.ok(below.some(({ path }) => path === folder));

      const created = await creation?.create({ message: echo, folder });
      assert.ok(created?.kind === 'conversation');
      const { id } = created.conversation;
      const finished = await executionOf(conversations, id, 'finished');
      assert.deepEqual(
        [finished.folder, finished.model],
        [folder, 'openai/rule'],
      );
      assert.ok(
        (finished.tokens?.read ?? 0) > 0 && finished.cost !== undefined,
      );
      const rows = await rowsOf(conversations.list());
      assert.ok(rows.some((row) => row.id === id));

      // Elsewhere, it is renamed and another one is deleted.
      const other = await creation?.create({ message: 'Hello', folder });
      assert.ok(other?.kind === 'conversation');
      const known = await rowsOf(conversations.list());
      await executionOf(conversations, other.conversation.id, 'finished');
      const patch = {
        method: 'PATCH',
        body: JSON.stringify({ title: 'Renamed', tags: { team: 'web' } }),
      };
      await answers(real.ask(`/api/conversations/${id}`, patch));
      const path = `/api/conversations/${other.conversation.id}`;
      await answers(real.ask(path, { method: 'DELETE' }));
      const polls = [
        await conversations.changes?.(known),
        await conversations.changes?.(known),
      ];
      const renamed = polls
        .flatMap((poll) => poll?.changed ?? [])
        .find((row) => row.id === id);
      assert.deepEqual(
        [renamed?.title, renamed?.tags],
        ['Renamed', ['team: web']],
      );
      assert.ok(
        polls.some((poll) => poll?.gone.includes(other.conversation.id)),
      );
      assert.equal(await conversations.find(other.conversation.id), undefined);
    });
  }

  for (const name of ['agentServer', 'olderAgentServer'] as const)
    it(`keeps the age of a conversation that is renamed or pinned, until its agent acts (${name})`, async () => {
      const real = await realService(name);
      const { conversations, creation, editing } =
        await clientOf(real).recognise();
      const folder = await mkdtemp(join(real.home, 'ages-'));
      const created = await creation?.create({ message: echo, folder });
      assert.ok(created?.kind === 'conversation' && editing?.mark);
      const { id } = created.conversation;
      await executionOf(conversations, id, 'finished');
      // Its record changes once more when the run has ended.
      let row = await conversations.find(id);
      await until(async () => {
        const before = row?.changedAt;
        row = await conversations.find(id);
        return row?.changedAt === before || undefined;
      });
      const before = row?.updatedAt ?? assert.fail();
      await editing.mark(id, 'pin');
      await editing.rename(id, 'Another title');
      for (const rows of [
        await rowsOf(conversations.list()),
        [await conversations.find(id)],
      ]) {
        const edited = rows.find((one) => one?.id === id);
        assert.deepEqual(
          [edited?.title, edited?.isPinned, edited?.updatedAt],
          ['Another title', true, before],
        );
        assert.ok((edited?.changedAt ?? 0) > before);
      }
      const [first] = await rowsOf(conversations.list({ order: 'updated' }));
      assert.equal(first?.id, id, 'the service sorts by any change');
      const message = {
        role: 'user',
        content: [{ type: 'text', text: 'say: Hello.' }],
        run: true,
      };
      const sent = { method: 'POST', body: JSON.stringify(message) };
      await answers(real.ask(`/api/conversations/${id}/events`, sent));
      await until(
        async () =>
          ((await conversations.find(id))?.updatedAt ?? 0) > before ||
          undefined,
      );
    });

  it('starts a worktree at the checked-out commit, its upstream as of now, the default branch or another, without uncommitted changes', async () => {
    const real = await realService('agentServer');
    const folder = await mkdtemp(join(real.home, 'worktrees-'));
    git(folder, 'init', '-q', '-b', 'main');
    const main = commit(folder, { 'main.txt': '' });
    git(folder, 'checkout', '-qb', 'other');
    const other = commit(folder, { 'other.txt': '' });
    git(folder, 'checkout', '-qb', 'topic', 'main');
    const topic = commit(folder, { 'topic.txt': '' });
    write(folder, { 'uncommitted.txt': '' });
    const origin = await mkdtemp(join(real.home, 'origin-'));
    git(origin, 'clone', '-q', folder, '.');
    git(origin, 'checkout', '-q', 'main');
    git(folder, 'remote', 'add', 'origin', origin);
    git(folder, 'fetch', '-q', 'origin');
    git(folder, 'branch', '-q', '--set-upstream-to=origin/topic');
    // The folder has not fetched this.
    git(origin, 'checkout', '-q', 'topic');
    const fresh = commit(origin, { 'fresh.txt': '' });
    git(origin, 'checkout', '-q', 'main');

    const { creation } = await clientOf(real).recognise();
    for (const [worktreeStart, start, files] of [
      [undefined, main, ['main.txt']],
      ['HEAD', topic, ['main.txt', 'topic.txt']],
      ['other', other, ['main.txt', 'other.txt']],
      [upstream, fresh, ['fresh.txt', 'main.txt', 'topic.txt']],
    ] as const) {
      const created = await creation?.create({
        message: 'Hello',
        folder,
        worktree: true,
        worktreeStart,
      });
      assert.ok(created?.kind === 'conversation');
      const { folder: place = folder } = created.conversation;
      assert.notEqual(place, folder);
      assert.equal(git(place, 'rev-parse', 'HEAD').toString().trim(), start);
      assert.deepEqual(
        (await readdir(place)).filter((name) => name.endsWith('.txt')).sort(),
        files,
      );
    }
  });

  it('has an Agent Server keep, change, replace, check and forget MCP servers, and loses no secret of theirs', async () => {
    const real = await realService('agentServer');
    const { toolServers } = await clientOf(real).recognise();
    const changing = toolServers?.changing ?? assert.fail();
    const plain = async () => {
      const headers = {
        'x-session-api-key': real.key,
        'x-expose-secrets': 'plaintext',
      };
      const answer = await fetch(`${real.url}/api/settings`, { headers });
      const settings = (await answer.json()) as {
        agent_settings: { mcp_config: { ours?: object } };
      };
      const { ours } = settings.agent_settings.mcp_config;
      return ours && { ours };
    };
    const find = async () =>
      (await toolServers?.list())?.find(({ name }) => name === 'ours') ??
      assert.fail();
    const local: SentServer = {
      ...{
        transport: 'stdio',
        command: 'no-such-program',
        args: ['x'],
        extras: { cwd: '/tmp' },
      },
      env: new Map([['TOKEN', new Secret('one')]]),
    };
    const kept = { command: 'no-such-program', args: ['x'], cwd: '/tmp' };
    await changing.add('ours', local, true);
    await changing.change('ours', { enabled: false });
    await changing.change('ours', {
      env: new Map([['MORE', new Secret('two')]]),
    });
    assert.deepEqual(await plain(), {
      ours: { ...kept, env: { TOKEN: 'one', MORE: 'two' }, enabled: false },
    });
    const listed = await find();
    assert.ok(listed.transport === 'stdio' && !listed.enabled);
    assert.deepEqual([...(listed.env?.keys() ?? [])], ['TOKEN', 'MORE']);
    const check = await toolServers?.checkOwn?.('ours');
    assert.ok(check && !check.works && check.reason === 'noConnection');
    assert.match(check.why, /No such file or directory: 'no-such-program'/);
    const remote: SentServer = {
      ...{ transport: 'http', url: 'https://h.example/mcp', extras: {} },
      headers: new Map([['X-Key', new Secret('three')]]),
      auth: { strategy: 'bearer', value: new Secret('four') },
    };
    await changing.replace(await find(), remote, true);
    assert.deepEqual(await plain(), {
      ours: {
        ...{
          url: 'https://h.example/mcp',
          transport: 'http',
          headers: { 'X-Key': 'three' },
        },
        ...{ auth: { strategy: 'bearer', value: 'four' }, enabled: true },
      },
    });
    await changing.remove('ours');
    await changing.remove('ours');
    assert.equal(await plain(), undefined);
  });

  it('reads the MCP servers of an app server, which tells neither variables nor headers', async () => {
    const real = await realService('appServer');
    const { toolServers } = await clientOf(real).recognise();
    const mcp_config = { a: { command: 'x', env: { TOKEN: 'one' } } };
    const body = JSON.stringify({ agent_settings_diff: { mcp_config } });
    await answers(real.ask('/api/v1/settings', { method: 'POST', body }));
    const [server] = (await toolServers?.list()) ?? [];
    assert.ok(server?.transport === 'stdio');
    assert.deepEqual(
      [server.command, server.env, toolServers?.changing],
      ['x', undefined, undefined],
    );
  });

  it('finds no Git provider at an app server that has none, where repositories, branches and tasks are refused', async () => {
    const { git } = await clientOf(await realService('appServer')).recognise();
    assert.ok(git);
    assert.deepEqual(await git.providers(), []);
    const repository = { name: 'a/b', provider: 'github' };
    for (const search of [
      git.repositories('github', 'a'),
      git.branches(repository, ''),
      git.suggestedTasks(),
    ]) {
      const error: unknown = await search
        .next()
        .catch((error: unknown) => error);
      assert.ok(
        error instanceof ServiceError && isRefusal(error),
        String(error),
      );
      assert.match(error.message, /Git provider token required/);
    }
  });

  it('creates a conversation at an app server, pauses, resumes and deletes its sandbox, and starts one', async () => {
    const real = await realService('appServer');
    const client = clientOf(real);
    const {
      interface: kind,
      conversations,
      creation,
      sandboxes,
    } = await client.recognise();
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
      await answers(real.ask('/api/conversations', { method: 'POST', body }));
    }
    const rows = await rowsOf(conversations.list({}, { size: 2 }));
    assert.equal(rows.length, before + 3);
    const [first] = rows;
    assert.equal((await conversations.find(first?.id ?? ''))?.id, first?.id);
    assert.equal(
      (await rowsOf(conversations.list({ trigger: 'gui' }))).length,
      rows.length,
    );
    assert.deepEqual(
      await rowsOf(conversations.list({ repository: 'nobody/nothing' })),
      [],
    );
  });
});
