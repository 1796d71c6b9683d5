import assert from 'node:assert/strict';
import {
  headOf,
  headOfRequested,
} from '../../../../../src/editor/words/conversations/headWords.ts';
import type { DrawnHead } from '../../../../../src/protocol/drawn.ts';
import { plainPhrase } from '../../../../../src/editor/words/conversations/actionWords.ts';
import { readEvent } from '../../../../../src/service/records/readEvent.ts';
import type {
  Agents,
  AgentService,
} from '../../../../../src/service/abilities/agentService.ts';
import {
  type Conversation,
  type Execution,
  keyOf,
} from '../../../../../src/service/model/entities.ts';
import { ServiceError } from '../../../../../src/service/http/serviceError.ts';
import {
  abilitiesAt,
  type ConversationAbilities,
} from '../../../../../src/state/conversation/agentLocations.ts';
import type { ConversationConnection } from '../../../../../src/state/conversation/conversationModel.ts';
import type { RequestedConversation } from '../../../../../src/state/newConversation/requestedConversations.ts';
import type {
  Waiting,
  WaitingAction,
} from '../../../../../src/state/transcript/waiting.ts';
import type { AgentWork } from '../../../../../src/state/transcript/transcript.ts';
import { conversation } from '../../../state/support.ts';

const unsteered = {
  approval: undefined,
  weakened: undefined,
  abilities: undefined,
  waiting: undefined,
  tasks: undefined,
  work: undefined,
};

const begun: RequestedConversation = {
  id: '1',
  address: 'https://agents.example',
  wanted: { message: 'Fix the build\nand the tests' },
  begunAt: 0,
};

const labelsIn = ({ connection }: DrawnHead) =>
  connection.actions?.map(({ label }) => label);

describe('the header of a conversation page', () => {
  it('shows links to the parent and child conversations, even to unlisted ones', () => {
    const parent = conversation({ id: 'parent', title: 'Move the shop' });
    const own = conversation({
      id: 'own',
      parentId: 'parent',
      childIds: ['child-of-own'],
    });
    const { related } = headOf(
      { conversation: own, connection: { how: 'live' }, ...unsteered },
      {
        now: 0,
        service: undefined,
        offered: undefined,
        find: (key) => (key === keyOf(parent) ? parent : undefined),
        changedFiles: undefined,
      },
    );
    assert.deepEqual(related, [
      { id: keyOf(parent), label: 'Started by “Move the shop”' },
      {
        id: keyOf({ service: own.service, id: 'child-of-own' }),
        label: 'Started “Untitled child-of”',
      },
    ]);
  });

  it('says how far the creation is, and lets the user cancel it', () => {
    const task = {
      id: 't',
      stage: 'waitingForSandbox',
      conversationId: undefined,
    } as const;
    const head = headOfRequested({
      ...begun,
      task: { ...task, sandboxId: undefined, detail: undefined },
    });
    assert.equal(head.title, 'Fix the build');
    assert.deepEqual(head.state, { text: 'Starting…', tone: 'busy' });
    assert.equal(head.connection.text, 'Waiting for the sandbox');
    assert.deepEqual(labelsIn(head), ['Cancel']);
    assert.equal(head.connection.canRetry, false);
  });

  it('says what has become of a draft, and lets the user discard it', () => {
    const error = 'Could not create a conversation: the repository is unknown.';
    for (const [change, text, tone] of [
      [{ isDraft: true }, 'Draft', 'plain'],
      [{ error }, 'Not created', 'bad'],
      [{ error, unknown: true }, 'May have been created', 'attention'],
      [{ error, cancelled: true }, 'Canceled', 'plain'],
    ] as const) {
      const head = headOfRequested({ ...begun, ...change });
      assert.deepEqual(
        [head.title, head.state, labelsIn(head)],
        ['Fix the build', { text, tone }, ['Discard']],
      );
    }
  });

  it('offers Show Changes with the known numbers of files and lines, Take Over, and the rest in a menu', () => {
    const file = {
      path: 'a.ts',
      status: 'updated',
      from: undefined,
      version: undefined,
      modes: { before: undefined, after: undefined },
      binary: false,
      lines: { added: 4, removed: 1 },
    } as const;
    const heads = [
      undefined,
      [],
      [file, file, { ...file, lines: undefined }],
    ].map((changedFiles) =>
      headOf(
        {
          conversation: conversation(),
          connection: { how: 'live' },
          ...unsteered,
        },
        {
          now: 0,
          service: undefined,
          offered: { agents: {} as Agents },
          find: () => undefined,
          changedFiles,
        },
      ),
    );
    assert.deepEqual(
      heads.map(({ buttons }) =>
        buttons.map(({ label, count, lines }) => [label, count, lines]),
      ),
      [[], [], [3, '+8 −2']].map(([count, lines]) => [
        ['Show Changes', count, lines],
        ['Take Over', undefined, undefined],
      ]),
    );
    const menu = heads[0]?.menu.map(({ label }) => label) ?? [];
    assert.ok(
      menu.includes('Copy as Markdown') && !menu.includes('Take Over'),
      menu.join(),
    );
  });

  it('distinguishes a deleted conversation from an unreachable service', () => {
    const connection = (connection: ConversationConnection) =>
      headOf(
        { conversation: conversation(), connection, ...unsteered },
        {
          now: 0,
          service: undefined,
          offered: undefined,
          find: () => undefined,
          changedFiles: undefined,
        },
      ).connection;
    const failed = (kind: 'notFound' | 'unreachable') => {
      const failure =
        kind === 'notFound'
          ? { kind }
          : { kind, why: 'nobody is there', closed: false };
      const circumstances = {
        couldNot: 'Could not read',
        address: 'https://agents.example',
      };
      return connection({
        how: 'unreachable',
        error: new ServiceError(failure, circumstances),
      });
    };
    const gone = failed('notFound');
    assert.deepEqual(
      [gone.text, gone.reason],
      ['The service no longer has this conversation.', undefined],
    );
    const away = failed('unreachable');
    assert.equal(away.text, 'Not reachable.');
    assert.match(away.reason ?? '', /nobody is there/);
  });

  describe('with an agent that can be reached', () => {
    const ready: ConversationAbilities = {
      ...abilitiesAt({ status: 'sandboxStarting' }, true),
      status: 'ready',
      canSteer: true,
    };
    const idle: Waiting = { status: 'doesNotWait', execution: 'idle' };
    const context = { used: 50_000, available: 200_000 };
    const headWith = (
      change: Partial<Conversation>,
      { waiting = idle, ...more }: Partial<Parameters<typeof headOf>[0]> = {},
      offered?: Parameters<typeof headOf>[1]['offered'],
    ) =>
      headOf(
        {
          conversation: conversation(change),
          connection: { how: 'live' },
          ...{
            approval: undefined,
            weakened: undefined,
            abilities: ready,
            tasks: undefined,
            work: undefined,
            waiting,
            ...more,
          },
        },
        {
          now: 0,
          service: undefined,
          offered,
          find: () => undefined,
          changedFiles: undefined,
        },
      );
    const offers = ({ meters }: DrawnHead) =>
      meters.flatMap(({ button }) => button?.run ?? []);

    it('says since when the agent works, and on what', () => {
      const wireAction = {
        id: 'a',
        kind: 'ActionEvent',
        tool_name: 'terminal',
        action: { command: 'npm test' },
      };
      const action = readEvent(wireAction, () => 0);
      assert.equal(action.kind, 'action');
      const stateOf = (execution: Execution, work: AgentWork | undefined) =>
        headWith(
          { execution },
          { waiting: { status: 'doesNotWait', execution }, work },
        ).state;
      const { text, work } = stateOf('running', { since: 5, action });
      assert.deepEqual(
        [text, work?.since, plainPhrase(work?.line ?? [])],
        ['Working', 5, 'Running npm test'],
      );
      assert.deepEqual(
        stateOf('running', { since: 5, action: undefined }).work,
        { since: 5, line: [] },
      );
      assert.equal(
        stateOf('running', { since: undefined, action }).work,
        undefined,
      );
      assert.equal(stateOf('finished', { since: 5, action }).work, undefined);
    });

    it('shows the context and the model, and what can be done about them', () => {
      const { meters } = headWith({ context, model: 'a-model' });
      assert.deepEqual(
        meters.map(({ text }) => text),
        ['Context: 50,000 of 200,000 tokens (25%)', 'Model: a-model'],
      );
      assert.deepEqual(offers(headWith({ context, model: 'a-model' })), [
        'compact',
        'switchModel',
      ]);
    });

    it('shows numbers of the context that no service can mean in few digits', () => {
      const words = (used: number, available: number) =>
        headWith({ context: { used, available } }).meters[0]?.text;
      assert.equal(
        words(9e99, 1e-300),
        'Context: above 1,000,000,000,000 of 0 tokens (above 1,000%)',
      );
      assert.equal(
        words(1e-300, 1e300),
        'Context: 0 of above 1,000,000,000,000 tokens (0%)',
      );
    });

    it('offers another model for an agent in a sandbox only if its service has models', () => {
      const inSandbox = { model: 'a-model', sandboxId: 'box' };
      const models = {} as NonNullable<AgentService['models']>;
      assert.deepEqual(offers(headWith(inSandbox)), ['compact']);
      assert.deepEqual(offers(headWith(inSandbox, {}, { models })), [
        'compact',
        'switchModel',
      ]);
    });

    it('offers to compact only an agent that can, and that neither works nor waits', () => {
      const waits: Waiting = {
        status: 'waits',
        actions: [{ id: 'a' } as WaitingAction],
      };
      assert.deepEqual(offers(headWith({})), ['compact']);
      for (const head of [
        headWith({ canCompact: false, context }),
        headWith({ execution: 'running' }),
        headWith({ execution: 'waitingForConfirmation' }, { waiting: waits }),
        headWith({}, { waiting: waits }),
        headWith({}, { abilities: undefined }),
        headWith({}, { abilities: { ...ready, canSteer: false } }),
      ])
        assert.deepEqual(offers(head), []);
    });

    it('says how far the tasks are and which one is under way', () => {
      const head = headWith(
        {},
        {
          tasks: [
            { title: 'Look', status: 'done' },
            { title: 'Write', status: 'inProgress' },
            { title: 'Test', status: 'todo' },
          ],
        },
      );
      assert.equal(head.tasks?.summary, 'Tasks: 1 of 3 done, now: Write');
      assert.deepEqual(
        head.tasks.items.map(({ state }) => state),
        ['done', 'in progress', 'to do'],
      );
      assert.equal(headWith({}).tasks, undefined);
    });
  });
});
