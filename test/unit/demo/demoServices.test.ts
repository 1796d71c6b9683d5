import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../src/base/secret.ts';
import { afternoon } from '../../../src/demo/world/afternoon.ts';
import {
  originalsOf,
  historyOf,
  storiesIn,
} from '../../../src/demo/agentServer/demoHistory.ts';
import { home, projectOf } from '../../../src/demo/agentServer/folders.ts';
import type { WireAgentEvent } from '../../../src/demo/wire/wireTypes.ts';
import type { HeldConversation } from '../../support/demo/records.ts';
import type { DemoClone } from '../../../src/demo/demoService.ts';
import { demoServices } from '../../../src/demo/world/demoServices.ts';
import { FirstConversations } from '../../../src/demo/world/firstConversations.ts';
import { repositories } from '../../../src/demo/world/names.ts';
import type { AppConversation } from '../../support/demo/records.ts';
import type { Conversation } from '../../../src/service/model/entities.ts';
import type { ConversationChanges } from '../../../src/state/changes/changedFiles.ts';
import { LocalGit } from '../../../src/takeOver/localGit.ts';
import { makeRepository } from '../../../src/takeOver/makeRepository.ts';
import { takeOver, undoable } from '../../../src/takeOver/takeOver.ts';
import { git, snapshot } from '../../support/repositories.ts';
import { connect, Lines } from '../service/support.ts';
import { type Demo, key, start, stopAll } from './support.ts';
import { changesAt } from '../state/changes/changesAt.ts';

const [team, own] = demoServices;

describe('each of the two services of the demo', () => {
  afterEach(stopAll);

  const titlesOf = ({
    seed,
    conversations,
    written,
  }: (typeof demoServices)[number]) => {
    const first = new FirstConversations(seed, conversations, 0, [], written);
    return Array.from({ length: conversations }, (_, position) =>
      first.title(position),
    );
  };

  it('has no conversation of the other one, and no placeholder for a title', () => {
    const titles = demoServices.flatMap(titlesOf);
    assert.equal(new Set(titles).size, titles.length);
    assert.deepEqual(
      titles.filter((title) => title.startsWith('Conversation ')),
      [],
    );
  });

  it('has a part of the afternoon, all of which is in one of them', () => {
    assert.equal(team.written.length + own.written.length, afternoon.length);
    assert.deepEqual(
      new Set([...team.written, ...own.written]),
      new Set(afternoon),
    );
  });

  it('has an agent that waits at the start, one that works, and one that has finished', async () => {
    const states = new Map<string, unknown[]>();
    for (const service of demoServices) {
      const demo = await start(service);
      const rows =
        service.interface === 'v0'
          ? await demo.conversations('?limit=20')
          : (
              await demo.page<HeldConversation>(
                '/api/conversations/search?limit=20',
              )
            ).rows;
      states.set(
        service.name,
        rows.map(({ execution_status }) => execution_status),
      );
    }
    for (const [name, found] of states)
      for (const wanted of ['waiting_for_confirmation', 'running', 'finished'])
        assert.ok(found.includes(wanted), `${name}: ${found.join()}`);
  });

  it('reports a machine that retries its model only while the agent works', async () => {
    const demo = await start(team);
    let retried = 0;
    for (let minute = 0; minute < 60; minute++) {
      const rows = await demo.rows('?limit=20');
      const found = rows.filter(
        ({ runtime_status }) => runtime_status === 'STATUS$LLM_RETRY',
      );
      for (const { conversation_id: id, title } of found) {
        const [known] = await demo.get<AppConversation[]>(
          `/api/v1/app-conversations?ids=${id}`,
        );
        assert.equal(known?.execution_status, 'running', title);
      }
      retried += found.length;
      demo.clock.advance(60_000);
    }
    assert.ok(retried > 0);
  });

  it('knows what each agent that waits wants to do', async () => {
    const demo = await start(own);
    const { rows } = await demo.page<HeldConversation>(
      '/api/conversations/search?limit=20',
    );
    const waiting = rows.filter(
      ({ execution_status }) => execution_status === 'waiting_for_confirmation',
    );
    assert.ok(waiting.length > 0);
    for (const { id, title } of waiting) {
      const path = `/api/conversations/${id}/events/search?limit=100`;
      const events = (
        await demo.pages<WireAgentEvent & { action_id?: string }>(path)
      ).flat();
      const answered = new Set(events.map(({ action_id }) => action_id));
      assert.ok(
        events.some(
          (event) => event.kind === 'ActionEvent' && !answered.has(event.id),
        ),
        title ?? '',
      );
    }
  });

  it('says through V1 that it only pretends, begins at no cost, and never repeats itself', async () => {
    const demo = await start(team);
    const { body } = await demo.create('Add a health check endpoint', {
      selected_repository: 'northwind/checkout-api',
    });
    demo.clock.advance(60_000);
    const { app_conversation_id: id } = await demo.task(body.id);
    const find = async () =>
      (
        await demo.get<AppConversation[]>(
          `/api/v1/app-conversations?ids=${id ?? ''}`,
        )
      )[0] ?? assert.fail();
    const events = async () =>
      JSON.stringify(
        await demo.get(
          `/api/v1/conversation/${id ?? ''}/events/search?limit=100`,
        ),
      );
    assert.equal((await find()).metrics.accumulated_cost, 0);
    assert.match(await events(), /Add a health check endpoint/);
    demo.clock.advance(60_000);
    assert.match(
      await events(),
      /This is a demo\. I won't really do that, but here is how it looks\./,
    );
    assert.ok((await find()).metrics.accumulated_cost > 0);
    const content = [{ type: 'text', text: 'And document it' }];
    await demo.post(`/api/v1/conversations/${id ?? ''}/pending-messages`, {
      role: 'user',
      content,
      run: true,
    });
    demo.clock.advance(60_000);
    const said = await events();
    assert.equal(said.split('This is a demo.').length, 2);
    assert.match(said, /This is still the demo/);
    assert.ok(!said.includes('/home/'), 'paths are relative');
  });

  it('changes only files that its repositories have as the agents found them', () => {
    for (const repository of new Set(repositories)) {
      const folder = projectOf(repository?.name);
      const [{ texts }] = historyOf(folder);
      for (const story of [...storiesIn(folder)])
        for (const [path, text] of originalsOf(story))
          assert.equal(texts.get(path), text, `${folder}/${path}`);
    }
  });
});

describe('the demo repository', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'demo-repository-')));
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true, force: true });
    await stopAll();
  });

  async function listed(demo: Demo): Promise<{
    readonly changes: ConversationChanges;
    readonly rows: readonly Conversation[];
  }> {
    const client = connect(demo.service, {
      log: new Lines(),
      key: new Secret(key),
      requestsPerSecond: 1_000,
    });
    const { value } = await client.conversations({}, { size: 20 }).next();
    return { changes: changesAt(() => client), rows: value?.items ?? [] };
  }

  const make = async (place: string, made: DemoClone) => {
    await makeRepository('git', place, made);
    return new LocalGit('git', place);
  };

  for (const service of demoServices)
    it(`takes over what an agent of ${service.name} has changed, and undoes it`, async () => {
      const demo = await start(service);
      const { changes, rows } = await listed(demo);
      const storage = join(folder, 'storage');
      let taken = 0;
      for (const row of rows) {
        const made = demo.service.repositoryOf(row.id);
        const isOver =
          row.status === 'stopped' ||
          row.status === 'archived' ||
          row.status === 'error';
        if (!made || isOver) continue;
        const { patch, files } = await changes.load(row, 'start', {
          signal: new AbortController().signal,
        });
        if (files.length === 0) continue;
        assert.equal(patch?.base, made.base, row.title);
        const here = await make(
          join(folder, `${made.name}-${rows.indexOf(row)}`),
          made,
        );
        assert.equal(
          git(here.root, 'rev-parse', 'main').toString().trim(),
          made.base,
        );
        const before = snapshot(here.root);
        const labels = { here: 'Here', agent: row.title };
        const { count, plan } = await takeOver(here, patch, {
          storage,
          labels,
          title: row.title,
        });
        assert.equal(count, files.length);
        assert.deepEqual(plan.conflicts, []);
        const status = git(
          here.root,
          'status',
          '--porcelain',
          '-uall',
        ).toString();
        assert.deepEqual(
          status
            .split('\n')
            .filter(Boolean)
            .map((line) => line.slice(3))
            .sort(),
          files.map(({ path }) => path).sort(),
        );
        await (await undoable(storage, here.root))?.undo();
        assert.deepEqual(snapshot(here.root), before);
        if (++taken === 4) break;
      }
      assert.ok(taken >= 3, String(taken));
    });

  it('has the same commits for both services, and is clean and on a branch', async () => {
    const made = await Promise.all(
      demoServices.map(async (service) => {
        const demo = await start(service);
        const { rows } = await listed(demo);
        return rows
          .map(({ id }) => demo.service.repositoryOf(id))
          .find((found) => found?.name === 'checkout-api');
      }),
    );
    assert.ok(made[0]);
    assert.deepEqual(made[0], made[1]);
    const place = join(folder, 'checkout-api');
    await make(place, made[0]);
    assert.equal(
      git(place, 'status', '--porcelain', '--branch').toString().trim(),
      '## main',
    );
    const log = git(place, 'log', '--format=%an: %s')
      .toString()
      .trim()
      .split('\n');
    assert.deepEqual(log, [
      'Ada Lind: Update dependencies',
      'Ada Lind: First version',
    ]);
    git(place, 'fsck', '--strict');
  });

  it('stays as it is when it is made again, and never replaces another folder', async () => {
    const demo = await start(own);
    const { rows } = await listed(demo);
    const made = demo.service.repositoryOf(rows[0]?.id ?? '') ?? assert.fail();
    const place = join(folder, 'clone');
    await make(place, made);
    writeFileSync(join(place, 'mine.txt'), 'mine');
    const before = snapshot(place);
    await make(place, made);
    assert.deepEqual(snapshot(place), before);
    await assert.rejects(
      make(place, { ...made, base: '0'.repeat(40) }),
      /clone already exists/,
    );
    assert.deepEqual(snapshot(place), before);
  });

  it('leaves no folder behind if Git cannot make it, and says why', async () => {
    const demo = await start(own);
    const { rows } = await listed(demo);
    const made = demo.service.repositoryOf(rows[0]?.id ?? '') ?? assert.fail();
    const place = join(folder, 'clone');
    await assert.rejects(
      makeRepository(join(folder, 'no-git'), place, made),
      /Could not create .*clone: .*ENOENT/,
    );
    await assert.rejects(
      make(place, { ...made, stream: 'nonsense' }),
      /Could not create .*clone: .*fatal/s,
    );
    await assert.rejects(
      make(join(folder, 'no', 'clone'), made),
      /Could not create .*clone: .*ENOENT/,
    );
    assert.deepEqual(snapshot(folder), {});
  });
});

describe('a demo conversation in a clone of the user', () => {
  afterEach(stopAll);

  it('works in a worktree, so that it never seems to have changed the clone', async () => {
    const demo = await start(own);
    const create = async (working_dir: string) =>
      (
        await demo.post<HeldConversation>('/api/conversations', {
          workspace: { working_dir },
          agent_settings: {},
          initial_message: {
            role: 'user',
            content: [{ type: 'text', text: 'Hello' }],
            run: true,
          },
        })
      ).body;
    const mine = await create('/Users/me/code/checkout-api');
    assert.match(
      mine.workspace.working_dir,
      /^\/tmp\/conversation-worktrees\/[0-9a-f]{32}\/checkout-api$/,
    );
    demo.clock.advance(20_000);
    const changed = await demo.get(
      `/api/conversations/${mine.id}/git/changes?path=${mine.workspace.working_dir}`,
    );
    assert.deepEqual(changed, [{ status: 'ADDED', path: 'demo.md' }]);
    assert.equal(demo.service.repositoryOf(mine.id)?.name, 'checkout-api');
    const [there, elsewhere] = [`${home}/ledger`, '/Users/me/code/other'];
    assert.equal((await create(there)).workspace.working_dir, there);
    assert.equal((await create(elsewhere)).workspace.working_dir, elsewhere);
  });
});
