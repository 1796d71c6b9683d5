import assert from 'node:assert/strict';
import type { WireAgentEvent } from '../../../src/demo/wire/wireTypes.ts';
import type { HeldConversation } from '../../support/demo/records.ts';
import { home } from '../../../src/demo/agentServer/folders.ts';
import { type Demo, type Reply, start, stopAll } from './support.ts';

const path = '/api/conversations';
const nobody = '11111111-1111-4111-8111-111111111111';

interface Action extends WireAgentEvent {
  readonly action: { readonly command: string; readonly kind: string };
  readonly tool_call_id: string;
  readonly llm_response_id: string;
}

/** The fields that these tests look at, of any kind. */
interface AnyEvent extends WireAgentEvent {
  readonly key?: string;
  readonly value?: unknown;
  readonly action_id?: string;
  readonly tool_call_id?: string;
  readonly rejection_reason?: string;
}

interface Condensation extends WireAgentEvent {
  readonly forgotten_event_ids: readonly string[];
}

describe('a steered agent of the demo Agent Server', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start({ interface: 'agentServer' });
  });

  afterEach(stopAll);

  const find = (id: string) => demo.get<HeldConversation>(`${path}/${id}`);
  const stateOf = async (id: string) => (await find(id)).execution_status;
  const eventsOf = async (id: string) =>
    (
      await demo.pages<AnyEvent>(`${path}/${id}/events/search?limit=100`)
    ).flat();
  const tell = (id: string, what: string, body?: unknown) =>
    demo.post(`${path}/${id}/${what}`, body);
  const answer = (id: string, accept: boolean, reason?: string) =>
    tell(id, 'events/respond_to_confirmation', { accept, reason });
  const say = (id: string, text: string, run: boolean) =>
    tell(id, 'events', {
      role: 'user',
      content: [{ type: 'text', text }],
      run,
    });
  const executed = () =>
    demo.service.executed.map(({ actionId, cause }) => [actionId, cause]);

  /**
   * Requests that show for certain that an agent waits: the record may lag
   * behind.
   */
  async function waiting(id: string): Promise<readonly Action[]> {
    const events = await eventsOf(id);
    const state = events.findLast(
      ({ key }) => key === 'execution_status',
    )?.value;
    if (state !== 'waiting_for_confirmation') return [];
    return events.filter(
      (event): event is Action =>
        event.kind === 'ActionEvent' &&
        !events.some(
          (other) =>
            other.action_id === event.id ||
            (other.kind === 'AgentErrorEvent' &&
              other.tool_call_id === event.tool_call_id),
        ),
    );
  }

  async function create(text: string, more: object = {}): Promise<string> {
    const { status, body } = await demo.post<HeldConversation>(path, {
      workspace: { working_dir: `${home}/ledger` },
      agent_settings: {},
      initial_message: {
        role: 'user',
        content: [{ type: 'text', text }],
        run: true,
      },
      confirmation_policy: { kind: 'AlwaysConfirm' },
      ...more,
    });
    assert.equal(status, 201);
    return body.id;
  }

  /** One that waits with two steps to come. */
  async function createWaiting(seconds = 5): Promise<string> {
    const id = await create(
      `call: terminal {"command": "sleep ${seconds}"}\ncall: terminal {"command": "echo two"}\nsay: All done.`,
    );
    demo.clock.advance(1_000);
    assert.equal(await stateOf(id), 'waiting_for_confirmation');
    return id;
  }

  /** Lets time pass, from when it arrives until it is answered. */
  async function answered<Body>(
    ask: () => Promise<Reply<Body>>,
  ): Promise<Reply<Body>> {
    const { requestCount } = demo.service;
    const reply = ask();
    while (demo.service.requestCount === requestCount)
      await new Promise((resolve) => setImmediate(resolve));
    return await demo.clock.advanceUntil(reply, 100);
  }

  it('waits from the start with one action, two of one step, or one with invisible characters', async () => {
    const { rows } = await demo.page<HeldConversation>(`${path}/search`);
    const ids = rows.slice(1, 4).map(({ id }) => id);
    demo.clock.advance(3_600_000);
    const [one, two, hidden] = await Promise.all(ids.map(waiting));
    assert.deepEqual(
      one?.map(({ action }) => action.command),
      [
        'git add jobs && git commit -m "Split the backup job" && git push origin HEAD',
      ],
    );
    assert.deepEqual(
      two?.map(({ action }) => action.kind),
      ['FileEditorAction', 'TerminalAction'],
    );
    assert.equal(new Set(two.map((each) => each.llm_response_id)).size, 1);
    const command = hidden?.[0]?.action.command ?? '';
    assert.ok(hidden?.length === 1 && command.split('\n').length > 3);
    assert.match(command, /\u200b[^]*\u202e[^]*\u0007[^]*\u2066/);
    assert.ok(
      !demo.service.executed.some(({ conversationId }) =>
        ids.includes(conversationId),
      ),
    );
  });

  it('runs an accepted action, and still reports that it waits until the step ends', async () => {
    const id = await createWaiting();
    const [action] = await waiting(id);
    const before = await find(id);
    assert.deepEqual((await answer(id, true)).body, { success: true });
    assert.deepEqual(await find(id), before);
    assert.deepEqual(await waiting(id), []);
    assert.deepEqual(executed(), [
      [action?.id, `POST ${path}/${id}/events/respond_to_confirmation`],
    ]);
    demo.clock.advance(5_000);
    assert.equal(await stateOf(id), 'waiting_for_confirmation');
    demo.clock.advance(1_000);
    const [next] = await waiting(id);
    assert.equal(next?.action.command, 'echo two');
    const result = (await eventsOf(id)).find(
      ({ action_id }) => action_id === action?.id,
    );
    assert.equal(result?.kind, 'ObservationEvent');
  });

  it('runs all actions of a step in order, and cancels all of them on an interrupt', async () => {
    const two =
      'call: terminal {"command": "sleep 2"} ;; terminal {"command": "sleep 3"}';
    const id = await create(two);
    demo.clock.advance(1_000);
    const actions = await waiting(id);
    assert.equal(actions.length, 2);
    await answer(id, true);
    assert.equal(executed().length, 1);
    demo.clock.advance(6_000);
    assert.deepEqual(
      executed().map(([actionId]) => actionId),
      actions.map((each) => each.id),
    );
    assert.equal(await stateOf(id), 'finished');

    const other = await create(two);
    demo.clock.advance(1_000);
    await answer(other, true);
    await tell(other, 'interrupt');
    const kinds = (await eventsOf(other)).slice(-4).map(({ kind }) => kind);
    assert.deepEqual(kinds, [
      'AgentErrorEvent',
      'AgentErrorEvent',
      'ConversationStateUpdateEvent',
      'InterruptEvent',
    ]);
    assert.deepEqual([await stateOf(other), executed().length], ['paused', 3]);
  });

  it('goes idle after a rejection, records the reason for every action, and runs nothing', async () => {
    const [, , held] = (await demo.page<HeldConversation>(`${path}/search`))
      .rows;
    const id = held?.id ?? '';
    const actions = await waiting(id);
    await answer(id, false, 'Not this file.');
    demo.clock.advance(600_000);
    assert.equal(await stateOf(id), 'idle');
    const events = (await eventsOf(id)).filter(
      ({ kind }) => kind === 'UserRejectObservation',
    );
    assert.deepEqual(
      events.map(({ action_id, rejection_reason }) => [
        action_id,
        rejection_reason,
      ]),
      actions.map((action) => [action.id, 'Not this file.']),
    );
    const count = (await eventsOf(id)).length;
    await answer(id, false);
    assert.equal((await eventsOf(id)).length, count);
    assert.ok(
      !demo.service.executed.some(
        ({ conversationId }) => conversationId === id,
      ),
    );
  });

  it('continues on an acceptance while nothing waits, unless it has finished', async () => {
    const id = await createWaiting();
    await answer(id, false);
    await answer(id, true);
    assert.equal(await stateOf(id), 'running');
    demo.clock.advance(1_000);
    assert.equal((await waiting(id))[0]?.action.command, 'echo two');
    await answer(id, true);
    demo.clock.advance(2_000);
    assert.equal(await stateOf(id), 'finished');
    const count = (await eventsOf(id)).length;
    for (const what of ['run', 'pause', 'interrupt'])
      assert.equal((await tell(id, what)).status, 200);
    await answer(id, true);
    demo.clock.advance(10_000);
    assert.deepEqual(
      [await stateOf(id), (await eventsOf(id)).length],
      ['finished', count],
    );
  });

  it('runs a waiting action on “run” or a message that runs the agent, not on a plain message', async () => {
    const [first, second] = [await createWaiting(), await createWaiting()];
    const [action] = await waiting(first);
    await say(first, 'Stop, do not do that.', false);
    assert.deepEqual(
      [(await waiting(first))[0]?.id, executed()],
      [action?.id, []],
    );
    await say(first, 'Stop, do not do that.', true);
    assert.deepEqual(executed(), [
      [action?.id, `POST ${path}/${first}/events`],
    ]);
    await tell(second, 'run');
    assert.deepEqual(executed().at(-1)?.[1], `POST ${path}/${second}/run`);
    const { status, body } = await tell(second, 'run');
    const detail =
      'Conversation already running. Wait for completion or pause first.';
    assert.deepEqual([status, body], [409, { detail }]);
    const messages = (await eventsOf(first)).filter(
      ({ kind }) => kind === 'MessageEvent',
    );
    assert.equal(messages.length, 3);
  });

  it('answers a pause, a message or a deletion only after the running step', async () => {
    for (const [what, ask] of [
      ['pause', (id: string) => tell(id, 'pause')],
      ['message', (id: string) => say(id, 'And then?', false)],
      [
        'delete',
        (id: string) => demo.ask(`${path}/${id}`, { method: 'DELETE' }),
      ],
    ] as const) {
      const id = await createWaiting();
      await answer(id, true);
      const begin = demo.clock.now();
      assert.deepEqual(
        (await answered(() => ask(id))).body,
        { success: true },
        what,
      );
      assert.ok(demo.clock.now() - begin >= 5_000, what);
      if (what === 'pause') {
        assert.equal(await stateOf(id), 'paused');
        assert.equal((await eventsOf(id)).at(-1)?.kind, 'PauseEvent');
      }
      if (what === 'delete')
        assert.equal((await demo.ask(`${path}/${id}`)).status, 404);
    }
  });

  it('keeps waiting after a pause or an interrupt', async () => {
    const id = await createWaiting();
    const before = await eventsOf(id);
    for (const what of ['pause', 'interrupt'])
      assert.equal((await tell(id, what)).status, 200);
    assert.deepEqual(
      [await eventsOf(id), (await waiting(id)).length],
      [before, 1],
    );
  });

  it('records a late rejection, but still runs the accepted action', async () => {
    const id = await createWaiting();
    const [action] = await waiting(id);
    await answer(id, true);
    await answered(() => answer(id, false, 'Too late.'));
    const about = (await eventsOf(id)).filter(
      ({ action_id }) => action_id === action?.id,
    );
    assert.deepEqual(
      about.map(({ kind }) => kind),
      ['ObservationEvent', 'UserRejectObservation'],
    );
    demo.clock.advance(1_000);
    assert.equal((await waiting(id))[0]?.action.command, 'echo two');
  });

  it('forks with the same events and waiting action, which “run” executes in the fork', async () => {
    const id = await createWaiting();
    const [action] = await waiting(id);
    const { status, body } = await tell(id, 'fork', { title: 'Another way' });
    const made = body as HeldConversation;
    assert.equal(status, 201);
    assert.deepEqual(
      [
        made.title,
        made.execution_status,
        made.forked_from_conversation_id,
        made.last_user_message_id,
      ],
      ['Another way', 'idle', id, null],
    );
    assert.deepEqual(await eventsOf(made.id), await eventsOf(id));
    await tell(made.id, 'run');
    assert.deepEqual(executed(), [[action?.id, `POST ${path}/${made.id}/run`]]);
    assert.equal((await waiting(id)).length, 1);

    const [, message] = await eventsOf(id);
    const early = (await tell(id, 'fork', { from_event_id: message?.id }))
      .body as HeldConversation;
    assert.deepEqual(
      (await eventsOf(early.id)).map(({ kind }) => kind),
      ['SystemPromptEvent', 'MessageEvent'],
    );
    assert.equal(early.forked_from_event_id, message?.id);
    assert.equal((await tell(id, 'fork', { from_event_id: 'x' })).status, 404);
    assert.equal((await tell(nobody, 'fork', {})).status, 404);
  });

  it('answers aside and switches the model without executing what waits, which condensing executes', async () => {
    const id = await createWaiting();
    const [action] = await waiting(id);
    const before = await eventsOf(id);
    const { body } = await tell(id, 'ask_agent', { question: 'Why?' });
    assert.match((body as { response: string }).response, /agent of a demo/);
    assert.deepEqual(await eventsOf(id), before);
    const { profiles } = await demo.get<{
      profiles: { name: string; model: string }[];
    }>('/api/profiles');
    const [, other] = profiles;
    assert.equal(
      (await tell(id, 'switch_profile', { profile_name: other?.name })).status,
      200,
    );
    assert.equal((await find(id)).agent.llm.model, other?.model);
    assert.deepEqual([executed(), (await waiting(id)).length], [[], 1]);
    assert.equal(
      (await tell(id, 'switch_profile', { profile_name: 'x' })).status,
      404,
    );
    await tell(id, 'condense');
    assert.deepEqual(executed(), [[action?.id, `POST ${path}/${id}/condense`]]);
  });

  it('applies a changed confirmation policy', async () => {
    const id = await createWaiting();
    const risky = {
      threshold: 'MEDIUM',
      confirm_unknown: true,
      kind: 'ConfirmRisky',
    };
    for (const policy of [{ kind: 'NeverConfirm' }, risky]) {
      assert.equal(
        (await tell(id, 'confirmation_policy', { policy })).status,
        200,
      );
    }
    assert.deepEqual((await find(id)).confirmation_policy, risky);
    assert.deepEqual((await eventsOf(id)).at(-1)?.value, risky);
    const analyzer = { kind: 'LLMSecurityAnalyzer' };
    assert.equal(
      (await tell(id, 'security_analyzer', { security_analyzer: analyzer }))
        .status,
      200,
    );
    assert.deepEqual((await find(id)).security_analyzer, analyzer);
    await answer(id, true);
    demo.clock.advance(10_000);
    assert.deepEqual(
      [await stateOf(id), executed().at(-1)?.[1]],
      ['finished', 'not asked'],
    );
  });

  it('does not ask before thinking or finishing, and records an error for an unknown tool', async () => {
    const id = await create(
      'call: think {"thought": "Hm."}\ncall: nothing {}\ncall: finish {"message": "Fine."}',
    );
    demo.clock.advance(5_000);
    assert.equal(await stateOf(id), 'finished');
    assert.ok(
      (await eventsOf(id)).some(({ kind }) => kind === 'AgentErrorEvent'),
    );
  });

  it('reaches every execution state without requests, with unique events in order', async () => {
    const seen = new Set<string>();
    for (let minute = 0; minute < 60; minute++) {
      const { rows } = await demo.page<HeldConversation>(`${path}/search`);
      for (const { execution_status } of rows) seen.add(execution_status);
      demo.clock.advance(30_000);
    }
    const states = [
      'idle',
      'running',
      'paused',
      'waiting_for_confirmation',
      'finished',
      'error',
      'stuck',
    ];
    assert.deepEqual([...seen].sort(), [...states, 'deleting'].sort());
    const [first] = (await demo.page<HeldConversation>(`${path}/search`)).rows;
    const events = await eventsOf(first?.id ?? '');
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    assert.deepEqual(
      events.map(({ timestamp }) => timestamp),
      events.map(({ timestamp }) => timestamp).toSorted(),
    );
  });

  it('compacts half of what it has read, which frees most of the context', async () => {
    const { rows } = await demo.page<HeldConversation>(`${path}/search`);
    const id =
      rows.find(({ title }) => title === 'Document webhook signatures')?.id ??
      '';
    const contextOf = ({ stats }: Pick<HeldConversation, 'stats'>) =>
      stats.usage_to_metrics.default.accumulated_token_usage.per_turn_token;
    const before = contextOf(await find(id));
    await tell(id, 'condense');
    const after = contextOf(await find(id));
    assert.ok(after > 0 && after < before / 4, `${before}, ${after}`);
    const events = await eventsOf(id);
    const stats = events.findLast(({ key }) => key === 'stats')
      ?.value as HeldConversation['stats'];
    assert.equal(contextOf({ stats }), after);
    const condensation = events.find(
      (event) => event.kind === 'Condensation',
    ) as Condensation | undefined;
    const forgotten = new Set(condensation?.forgotten_event_ids);
    const rowsOfPage = events.filter(
      ({ kind }) => kind === 'MessageEvent' || kind === 'ActionEvent',
    );
    assert.ok(
      forgotten.size > 0 && forgotten.size <= rowsOfPage.length,
      String(forgotten.size),
    );
    assert.ok(
      !forgotten.has(rowsOfPage[0]?.id ?? ''),
      'the first message stays',
    );
  });

  it('stays idle for an hour after the user rejects an action', async () => {
    const { rows } = await demo.page<HeldConversation>(`${path}/search`);
    const id = rows[0]?.id ?? '';
    for (;;) {
      if ((await waiting(id)).length > 0) break;
      demo.clock.advance(1_000);
    }
    await answer(id, false);
    demo.clock.advance(3_600_000);
    assert.equal(await stateOf(id), 'idle');
  });

  it('returns single events', async () => {
    const id = await createWaiting();
    const [first] = await eventsOf(id);
    assert.deepEqual(
      await demo.get(`${path}/${id}/events/${first?.id}`),
      first,
    );
    assert.equal((await demo.ask(`${path}/${id}/events/x`)).status, 404);
    assert.equal((await tell(nobody, 'run')).status, 404);
  });
});
