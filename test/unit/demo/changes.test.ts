import assert from 'node:assert/strict';
import { home } from '../../../src/demo/agentServer/folders.ts';
import type { WireAgentEvent } from '../../../src/demo/wire/wireTypes.ts';
import type { HeldConversation } from '../../support/demo/records.ts';
import { type Demo, key, start, stopAll } from './support.ts';

const path = '/api/conversations';

interface Observation extends WireAgentEvent {
  readonly observation?: {
    readonly kind: string;
    readonly path: string;
    readonly old_content?: string;
    readonly new_content: string;
  };
}

interface Planned extends WireAgentEvent {
  readonly observation?: {
    readonly task_list?: readonly {
      readonly title: string;
      readonly status: string;
    }[];
  };
}

interface Diff {
  readonly original: string;
  readonly modified: string;
}

describe('what agents of the demo change', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start({ interface: 'agentServer' });
  });

  afterEach(stopAll);

  const rows = async () =>
    (await demo.page<HeldConversation>(`${path}/search?limit=20`)).rows;

  async function edits(id: string): Promise<Observation['observation'][]> {
    const events = (
      await demo.pages<Observation>(`${path}/${id}/events/search?limit=100`)
    ).flat();
    return events
      .map(({ observation }) => observation)
      .filter((observed) => observed?.kind === 'FileEditorObservation');
  }

  const changed = async ({ id, workspace }: HeldConversation, query = '') =>
    (
      await demo.get<{ path: string; status: string }[]>(
        `${path}/${id}/git/changes?path=${workspace.working_dir}${query}`,
      )
    ).map((file) => file.path);
  const diff = ({ id, workspace }: HeldConversation, file: string) =>
    demo.get<Diff>(
      `${path}/${id}/git/diff?path=${workspace.working_dir}/${file}`,
    );

  async function download(
    { id, workspace }: HeldConversation,
    file: string,
  ): Promise<string> {
    const url = `${demo.service.url}${path}/${id}/file/download?path=${workspace.working_dir}/${file}`;
    return await (
      await fetch(url, { headers: { 'x-session-api-key': key } })
    ).text();
  }

  it('equals what its edits show, and differs for every conversation', async () => {
    const seen = new Set<string>();
    for (const row of await rows()) {
      const made = await edits(row.id);
      const files = await changed(row);
      assert.deepEqual(
        files,
        [...new Set(made.map((each) => each?.path ?? ''))].sort(),
        row.title ?? '',
      );
      for (const file of files) {
        assert.doesNotMatch(file, /^\//);
        const of = made.filter((each) => each?.path === file);
        const { original, modified } = await diff(row, file);
        assert.equal(original, (of[0]?.old_content ?? '').replace(/\n$/, ''));
        assert.equal(modified, of.at(-1)?.new_content.replace(/\n$/, ''));
        assert.equal(await download(row, file), of.at(-1)?.new_content);
      }
      if (files.length > 0) {
        const all = files.join();
        assert.ok(!seen.has(all), `${row.title ?? ''}: ${all}`);
        seen.add(all);
      }
    }
    assert.ok(seen.size >= 18, String(seen.size));
  });

  it('exists when the first notification is sent', async () => {
    demo.clock.advance(20_000);
    const [first] = await rows();
    assert.equal(first?.execution_status, 'waiting_for_confirmation');
    assert.deepEqual(await changed(first), [
      'gateway/package.json',
      'gateway/src/server.ts',
    ]);
  });

  it('changes a file again after the first notification is accepted, and finishes', async () => {
    demo.clock.advance(20_000);
    const [first] = await rows();
    assert.ok(first);
    const files = await changed(first);
    const reviewed = await diff(first, 'gateway/src/server.ts');
    await demo.post(`${path}/${first.id}/events/respond_to_confirmation`, {
      accept: true,
    });
    demo.clock.advance(30_000);
    const later = (await rows()).find(({ id }) => id === first.id);
    assert.equal(later?.execution_status, 'finished');
    assert.deepEqual(await changed(first), files);
    const again = await diff(first, 'gateway/src/server.ts');
    assert.equal(again.original, reviewed.original);
    assert.match(again.modified, /status400ForVariableCoercionErrors/);
    assert.doesNotMatch(
      reviewed.modified,
      /status400ForVariableCoercionErrors/,
    );
  });

  it('knows what is committed and what is not', async () => {
    const one =
      (await rows()).find(
        ({ title }) => title === 'Document webhook signatures',
      ) ?? assert.fail();
    const { commits } = await demo.get<{
      commits: { sha: string; subject: string }[];
    }>(`${path}/${one.id}/git/commits?path=${one.workspace.working_dir}`);
    const [own, base] = commits;
    assert.equal(own?.subject, 'Explain how webhooks are signed');
    assert.deepEqual(await changed(one, '&ref=HEAD'), ['docs/README.md']);
    assert.deepEqual(
      await changed(one, `&ref=${base?.sha ?? ''}`),
      await changed(one),
    );
    const inCommit = await demo.get<{ path: string }[]>(
      `${path}/${one.id}/git/commits/${own.sha}/changes?path=${one.workspace.working_dir}`,
    );
    assert.deepEqual(
      inCommit.map((file) => file.path),
      ['docs/examples/verify.mjs', 'docs/webhooks.md'],
    );
  });
});

describe('a conversation that the user starts in the demo', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start({ interface: 'agentServer' });
  });

  afterEach(stopAll);

  const create = async (text: string) =>
    (
      await demo.post<HeldConversation>(path, {
        workspace: { working_dir: `${home}/ledger` },
        agent_settings: {},
        initial_message: {
          role: 'user',
          content: [{ type: 'text', text }],
          run: true,
        },
      })
    ).body;
  const find = (id: string) => demo.get<HeldConversation>(`${path}/${id}`);
  const costOf = ({ stats }: HeldConversation) =>
    stats.usage_to_metrics.default.accumulated_cost;
  const words = async (id: string) =>
    JSON.stringify(
      (await demo.pages(`${path}/${id}/events/search?limit=100`)).flat(),
    );

  it('says that it is a demo, costs nothing at first, and asks before it pushes', async () => {
    const made = await create('Add a health check endpoint');
    assert.equal(costOf(made), 0);
    demo.clock.advance(20_000);
    const later = await find(made.id);
    assert.equal(later.execution_status, 'waiting_for_confirmation');
    assert.ok(costOf(later) > 0);
    const said = await words(made.id);
    assert.match(
      said,
      /This is a demo\. I won't really do that, but here is how it looks\./,
    );
    assert.ok(!said.includes(home), 'paths are relative');
  });

  it('does not repeat itself after a second message', async () => {
    const { id } = await create('Add a health check endpoint');
    const say = (text: string) =>
      demo.post(`${path}/${id}/events`, {
        role: 'user',
        content: [{ type: 'text', text }],
        run: true,
      });
    demo.clock.advance(20_000);
    await demo.post(`${path}/${id}/events/respond_to_confirmation`, {
      accept: true,
    });
    demo.clock.advance(20_000);
    await say('And document it');
    demo.clock.advance(20_000);
    assert.equal((await find(id)).execution_status, 'finished');
    const said = await words(id);
    assert.equal(said.split('This is a demo.').length, 2);
    assert.match(said, /This is still the demo/);
  });

  for (const answer of ['accept', 'reject'] as const)
    it(`has no task left when it finishes after the user chooses to ${answer}`, async () => {
      const { id } = await create('Add a health check endpoint');
      demo.clock.advance(20_000);
      await demo.post(`${path}/${id}/events/respond_to_confirmation`, {
        accept: answer === 'accept',
      });
      demo.clock.advance(20_000);
      if (answer === 'reject')
        await demo.post(`${path}/${id}/events`, {
          role: 'user',
          content: [{ type: 'text', text: 'Not now' }],
          run: true,
        });
      demo.clock.advance(20_000);
      assert.equal((await find(id)).execution_status, 'finished');
      const events = (
        await demo.pages<Planned>(`${path}/${id}/events/search?limit=100`)
      ).flat();
      const plan = events.findLast(({ observation }) => observation?.task_list)
        ?.observation?.task_list;
      const done = ['Look around', 'Write demo.md', 'Run the tests'];
      assert.deepEqual(
        plan?.map(({ title, status }) => [title, status]),
        [...done, ...(answer === 'accept' ? ['Push the change'] : [])].map(
          (title) => [title, 'done'],
        ),
      );
    });

  it('costs nothing with a local model', async () => {
    const { rows } = await demo.page<HeldConversation>(
      `${path}/search?limit=60`,
    );
    const local = rows.filter(({ agent }) =>
      agent.llm.model.startsWith('ollama/'),
    );
    assert.ok(local.length > 3);
    assert.ok(local.every((row) => costOf(row) === 0));
  });
});
