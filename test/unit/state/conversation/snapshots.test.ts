import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import type {
  AgentService,
  LiveListener,
  Steering,
} from '../../../../src/service/abilities/agentService.ts';
import {
  createClient,
  type ServiceClient,
} from '../../../../src/service/client.ts';
import { keyOf } from '../../../../src/service/model/entities.ts';
import { ConnectedService } from '../../../../src/state/connectedService.ts';
import type { ConversationSnapshot } from '../../../../src/state/conversation/conversationModel.ts';
import { LiveSlots } from '../../../../src/state/conversation/liveSlots.ts';
import { actionsOf } from '../../../../src/state/transcript/waiting.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from '../../service/agentServerStub.ts';
import { type AgentStub, agentAt } from '../steering/agentStub.ts';
import { settle } from '../support.ts';
import { until } from './followSupport.ts';

describe('the snapshot of a conversation', () => {
  let stub: AgentServerStub;
  let agent: AgentStub;
  let clock: SteppedClock;
  let client: ServiceClient;
  let service: ConnectedService;
  let followed: FollowedConversation;
  /** Set while it is followed live. */
  let live: LiveListener | undefined;
  let snapshots: ConversationSnapshot[];
  let listChanges: number;

  /** Lets the test send what happens. */
  function withLive(given: AgentService): AgentService {
    const agents = given.agents ?? assert.fail();
    const locateAgent: typeof agents.locateAgent = async (id, call) => {
      const location = await agents.locateAgent(id, call);
      if (location.status !== 'ready') return location;
      const listen = (_: string, listener: LiveListener) => {
        live = listener;
        listener.onOpen();
        return () => undefined;
      };
      return { ...location, steering: { ...location.steering, live: listen } };
    };
    return { ...given, agents: { ...agents, locateAgent } };
  }

  beforeEach(async () => {
    stub = await startAgentServerStub();
    agent = agentAt(stub);
    agent.state('finished');
    Object.assign(stub.records[0] ?? {}, { execution_status: 'finished' });
    clock = new SteppedClock();
    const given = createClient({
      address: new URL(stub.url),
      authentication: 'sessionKey',
      key: new Secret('key'),
      interface: 'agentServer',
      clock,
      requestsPerSecond: Infinity,
      deadline: 100_000_000,
    });
    const known = withLive(await given.recognise());
    client = {
      ...given,
      recognise: () => Promise.resolve(known),
      service: known,
    };
    service = new ConnectedService(
      { client, address: stub.url, name: 'Stub', demo: false },
      { clock, pageSize: () => 20, query: () => ({}), slots: new LiveSlots() },
    );
    await service.refresh();
    const [row] = service.conversations.rows.values();
    followed = service.conversations.follow(
      row ?? assert.fail(),
      FollowedConversation,
    );
    followed.setVisible(true);
    await until(followed, () => followed.snapshot.connection.how === 'live');
    snapshots = [];
    listChanges = 0;
    followed.onSnapshot(() => snapshots.push(followed.snapshot));
    service.conversations.onChange(() => listChanges++);
  });

  afterEach(async () => {
    service.release();
    await stub.stop();
  });

  /**
   * Sends the newest events one by one; returns how many snapshots and changes
   * of the list each led to.
   */
  async function send(
    size: number,
  ): Promise<readonly (readonly [number, number])[]> {
    const { items } =
      (await client.service?.agents
        ?.events(agent.id)
        .fetch(undefined, { size })) ?? assert.fail();
    return items.toReversed().map((event) => {
      const before = [snapshots.length, listChanges] as const;
      live?.onEvents([event]);
      clock.advance(25);
      return [snapshots.length - before[0], listChanges - before[1]];
    });
  }

  it('changes with the state and the action of a running agent, and the list with the state alone', async () => {
    agent.add('MessageEvent', {
      source: 'user',
      llm_message: { role: 'user', content: [] },
    });
    agent.state('running');
    agent.ask('npm test');
    assert.deepEqual(await send(4), [
      [0, 0],
      [1, 1],
      [1, 0],
      [1, 1],
    ]);
    assert.deepEqual(
      snapshots.map(({ conversation, waiting }) => [
        conversation.execution,
        actionsOf(waiting)?.length,
      ]),
      [
        ['running', undefined],
        ['running', undefined],
        ['waitingForConfirmation', 1],
      ],
    );
  });

  it('stays the same object while events and refreshes change nothing of them', async () => {
    const before = followed.snapshot;
    agent.add('ActionEvent', {
      action: { kind: 'ThinkAction' },
      tool_call_id: 'thought',
    });
    assert.deepEqual(await send(1), [[0, 0]]);
    await service.refresh();
    await settle();
    assert.equal(followed.snapshot, before);
    assert.equal(
      [...service.conversations.rows.values()][0],
      before.conversation,
    );
  });

  it('shows what the events tell, as the row does, whatever the record says', async () => {
    agent.ask('npm test');
    await send(2);
    const [row] = service.conversations.rows.values();
    assert.equal(row, followed.snapshot.conversation);
    assert.equal(row.execution, 'waitingForConfirmation');
    await service.refresh();
    assert.equal(
      followed.snapshot.conversation.execution,
      'waitingForConfirmation',
    );
  });

  for (const [what, change] of [
    [
      'is renamed',
      () => {
        const { conversation } = followed.snapshot;
        const edit = (row: typeof conversation) => ({ ...row, title: 'New' });
        service.conversations.edit(keyOf(conversation), edit);
      },
    ],
    [
      'works and its older record is read again',
      async () => {
        agent.state('running');
        await send(1);
        stub.change(stub.records[0], { execution_status: 'running' });
        await service.refresh();
      },
    ],
  ] as const)
    it(`keeps the policy that an event told while the agent ${what}`, async () => {
      const { conversation } = followed.snapshot;
      const { approvals } = service;
      await approvals.created(keyOf(conversation), 'always');
      agent.add('ConversationStateUpdateEvent', {
        key: 'confirmation_policy',
        value: { kind: 'NeverConfirm' },
        source: 'environment',
      });
      await send(1);
      assert.equal(followed.snapshot.weakened, 'always');
      await change();
      assert.equal(followed.snapshot.approval?.policy, 'never');
      assert.equal(followed.snapshot.weakened, 'always');
      const approval = () =>
        Promise.resolve({ policy: 'always', analyzer: null });
      const steering: Partial<Steering> = { approval };
      const hasAsked = await approvals.enforce(
        conversation,
        steering as Steering,
        {},
        () => undefined,
      );
      assert.equal(hasAsked, true);
    });
});
