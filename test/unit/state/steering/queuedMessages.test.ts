import assert from 'node:assert/strict';
import { once } from 'node:events';
import { UserError } from '../../../../src/base/errors.ts';
import {
  type Conversation,
  type Execution,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import {
  type QueueOutcome,
  QueuedMessages,
} from '../../../../src/state/steering/queuedMessages.ts';
import type { SendResult } from '../../../../src/state/steering/steeringResults.ts';
import { until } from '../../../support/eventually.ts';
import { conversation, MemoryStore } from '../support.ts';

describe('a queued message', () => {
  let store: MemoryStore;
  let queue: QueuedMessages;
  let sent: string[];
  let outcomes: QueueOutcome['result'][];
  /** Answers to sending, the next one first; the last one goes on. */
  let answers: (SendResult | Error)[];

  function restart(): void {
    queue = new QueuedMessages(store, (_, { text }) => {
      sent.push(text);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve(answer ?? { result: 'sent' });
    });
    queue.onOutcome(({ result }) => outcomes.push(result));
  }

  beforeEach(() => {
    store = new MemoryStore();
    sent = [];
    outcomes = [];
    answers = [{ result: 'sent' }];
    restart();
  });

  let updatedAt = 0;
  /** A record that is newer than all before. */
  const row = (execution: Execution): Conversation =>
    conversation({ id: '1', execution, updatedAt: ++updatedAt });
  const key = keyOf(row('idle'));
  const texts = () =>
    queue.of(key).map(({ message: { text }, state }) => `${text}: ${state}`);
  const becomes = async (execution: Execution) => {
    queue.note(row(execution));
    await until(() => queue.of(key).every(({ state }) => state !== 'sending'));
  };
  const finishes = async () => {
    await becomes('running');
    await becomes('finished');
  };

  it('goes out once the agent has finished, whatever it did before an earlier queue was emptied', async () => {
    queue.add(row('waitingForConfirmation'), { text: 'one' });
    await becomes('paused');
    const [first] = queue.of(key);
    queue.remove(key, first?.id ?? 0);
    queue.add(row('waitingForConfirmation'), { text: 'two' });
    await becomes('finished');
    assert.deepEqual(sent, ['two']);
  });

  for (const execution of ['finished', 'idle'] as const) {
    it(`stays here until the agent has finished, and is sent once, and those after it one by one (${execution})`, async () => {
      queue.add(row('waitingForConfirmation'), { text: 'One' });
      queue.add(row('waitingForConfirmation'), { text: 'Two' });
      for (const before of [
        'waitingForConfirmation',
        'running',
        'waitingForConfirmation',
      ] as const)
        await becomes(before);
      assert.deepEqual([sent, texts()], [[], ['One: queued', 'Two: queued']]);
      await becomes(execution);
      assert.deepEqual([sent, texts()], [['One'], ['Two: queued']]);
      // No record may say that the agent works on the first one.
      await becomes(execution);
      await becomes(execution);
      assert.deepEqual([sent, texts()], [['One', 'Two'], []]);
    });
  }

  it('waits for news of the agent after the message before it was sent, however often the page draws', async () => {
    for (const text of ['One', 'Two', 'Three'])
      queue.add(row('waitingForConfirmation'), { text });
    let snapshot = row('finished');
    queue.onChange(() => {
      queue.note(snapshot);
    });
    const shows = async (change: Partial<Conversation>) => {
      snapshot = { ...snapshot, ...change };
      queue.note(snapshot);
      await until(() =>
        queue.of(key).every(({ state }) => state !== 'sending'),
      );
    };
    await shows({});
    assert.deepEqual(
      [sent, texts()],
      [['One'], ['Two: queued', 'Three: queued']],
    );
    // Events tell that the agent has taken the message, in the same record.
    await shows({ execution: 'idle' });
    await shows({ cost: 1 });
    queue.retry(key);
    await shows({});
    assert.deepEqual(sent, ['One']);
    await shows({ execution: 'running' });
    await shows({ execution: 'finished' });
    assert.deepEqual([sent, texts()], [['One', 'Two'], ['Three: queued']]);
    await shows({});
    assert.deepEqual(sent, ['One', 'Two']);
    await shows({ updatedAt: ++updatedAt });
    assert.deepEqual([sent, texts()], [['One', 'Two', 'Three'], []]);
  });

  it('waits for news after what a record told while the message before it was sent', async () => {
    const reply = Promise.withResolvers<SendResult>();
    queue = new QueuedMessages(store, (_, { text }) => {
      sent.push(text);
      return reply.promise;
    });
    for (const text of ['One', 'Two'])
      queue.add(row('waitingForConfirmation'), { text });
    queue.note(row('finished'));
    const last = row('idle');
    queue.note(last);
    reply.resolve({ result: 'sent' });
    await until(() => texts().join() === 'Two: queued');
    queue.note(last);
    assert.deepEqual(sent, ['One']);
    await becomes('finished');
    assert.deepEqual([sent, texts()], [['One', 'Two'], []]);
  });

  it('can be removed until it is on its way', async () => {
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    queue.add(row('waitingForConfirmation'), { text: 'Two' });
    const ids = queue.of(key).map(({ id }) => id);
    assert.deepEqual(queue.remove(key, ids[1] ?? 0), { text: 'Two' });
    queue.note(row('finished'));
    assert.deepEqual(texts(), ['One: sending']);
    assert.equal(queue.remove(key, ids[0] ?? 0), undefined);
    await until(() => queue.of(key).length === 0);
    assert.deepEqual(sent, ['One']);
  });

  for (const execution of ['paused', 'error', 'stuck'] as const) {
    it(`waits for an agent that was stopped until that goes on (${execution})`, async () => {
      queue.add(row('waitingForConfirmation'), { text: 'One' });
      await becomes(execution);
      assert.deepEqual([sent, texts()], [[], ['One: queued']]);
      await finishes();
      assert.deepEqual([sent, texts()], [['One'], []]);
    });
  }

  it('waits for an agent that was stopped although another one is queued then', async () => {
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await becomes('paused');
    queue.add(row('paused'), { text: 'Two' });
    await becomes('idle');
    await becomes('finished');
    assert.deepEqual([sent, texts()], [[], ['One: queued', 'Two: queued']]);
    await finishes();
    await finishes();
    assert.deepEqual([sent, texts()], [['One', 'Two'], []]);
  });

  it('leaves each time that the agent has finished, once however often that is said', async () => {
    const reply = Promise.withResolvers<SendResult>();
    queue = new QueuedMessages(store, (_, { text }) => {
      sent.push(text);
      return reply.promise;
    });
    for (const text of ['One', 'Two'])
      queue.add(row('waitingForConfirmation'), { text });
    for (const execution of ['finished', 'running', 'finished'] as const)
      queue.note(row(execution));
    assert.deepEqual(sent, ['One']);
    reply.resolve({ result: 'sent' });
    await until(() => texts().join() === 'Two: queued');
    await finishes();
    assert.deepEqual([sent, texts()], [['One', 'Two'], []]);
  });

  it('leaves the queue once the service has it in its own', async () => {
    answers = [{ result: 'queued', position: 1 }];
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await finishes();
    assert.deepEqual([sent, texts()], [['One'], []]);
  });

  it('announces that it is queued, on its way and sent, and leaves nothing in the store', async () => {
    const states: string[] = [];
    queue.onChange((of) =>
      states.push(...(of === key ? [texts().join()] : [])),
    );
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await finishes();
    assert.deepEqual(states, ['One: queued', 'One: sending', '']);
    assert.deepEqual(store.get('queuedMessages'), []);
  });

  it('comes back as an earlier version stored it, without what is in another format', () => {
    const attached = [{ id: 1, name: 'a.md', text: 'a' }];
    const good = [
      { id: 7, message: { text: 'One' }, state: 'queued' },
      { id: 8, message: { text: 'Two', attached }, state: 'unsure' },
    ];
    const bad = [
      null,
      7,
      {},
      { message: { text: 1 } },
      { message: { text: 'Three', attached: 'a.md' } },
    ];
    const other = keyOf(conversation({ id: '2' }));
    store = new MemoryStore({
      queuedMessages: [
        [key, [...bad, ...good]],
        [other, 'odd'],
      ],
    });
    restart();
    assert.deepEqual(
      [texts(), queue.of(other)],
      [['One: queued', 'Two: unsure'], []],
    );
    assert.deepEqual(queue.of(key)[1]?.message.attached, attached);
  });

  it('stays in the queue while something else waits, and is sent after that', async () => {
    answers = [{ result: 'waits', actions: [] }, { result: 'sent' }];
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await finishes();
    assert.deepEqual([sent, texts()], [['One'], ['One: queued']]);
    await becomes('finished');
    await becomes('waitingForConfirmation');
    assert.equal(sent.length, 1);
    await finishes();
    assert.deepEqual([sent, texts()], [['One', 'One'], []]);
  });

  it('waits for the user if it may have arrived', async () => {
    const failure = new ServiceError(
      { kind: 'cancelled' },
      { couldNot: '', address: '' },
    );
    answers = [{ result: 'unsure', failure }];
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await finishes();
    await becomes('waitingForConfirmation');
    await finishes();
    assert.deepEqual([sent, texts()], [['One'], ['One: unsure']]);
    assert.deepEqual(outcomes, [{ result: 'unsure', failure }]);
    assert.deepEqual(queue.remove(key, queue.of(key)[0]?.id ?? 0), {
      text: 'One',
    });
  });

  it('waits for the user after an unexpected error, because it may have arrived', async () => {
    const odd = new TypeError('odd');
    answers = [odd];
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    const unhandled = once(process, 'unhandledRejection');
    await finishes();
    assert.equal((await unhandled)[0], odd);
    assert.deepEqual([texts(), outcomes], [['One: unsure'], []]);
  });

  it('stays in the queue, with the reason told, if the service cannot be reached', async () => {
    const error = new UserError('No connection');
    answers = [error];
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await finishes();
    assert.deepEqual([texts(), outcomes], [['One: queued'], [error]]);
  });

  it('leaves at the next record of an idle agent when you try again', async () => {
    answers = [new UserError('Limit reached'), { result: 'sent' }];
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    await finishes();
    await becomes('finished');
    assert.deepEqual([sent, texts()], [['One'], ['One: queued']]);
    queue.retry(key);
    await becomes('finished');
    assert.deepEqual([sent, texts()], [['One', 'One'], []]);
  });

  it('goes with its conversation', () => {
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    queue.forget(key);
    assert.deepEqual(texts(), []);
    restart();
    assert.deepEqual(texts(), []);
  });

  it('waits for the user after a restart that came while it was on its way', () => {
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    queue.note(row('finished'));
    assert.deepEqual(texts(), ['One: sending']);
    restart();
    queue.note(row('finished'));
    assert.deepEqual([sent, texts()], [['One'], ['One: unsure']]);
  });

  it('survives a restart of the window, in its order', async () => {
    queue.add(row('waitingForConfirmation'), { text: 'One' });
    queue.add(row('waitingForConfirmation'), { text: 'Two' });
    restart();
    assert.deepEqual(texts(), ['One: queued', 'Two: queued']);
    await becomes('waitingForConfirmation');
    await finishes();
    await finishes();
    assert.deepEqual([sent, texts()], [['One', 'Two'], []]);
    restart();
    assert.deepEqual(texts(), []);
  });
});
