import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UserError } from '../../../../src/base/errors.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { AcceptedActions } from '../../../../src/state/approvalRules/acceptedActions.ts';
import type { AcceptRule } from '../../../../src/state/approvalRules/acceptRules.ts';
import { RuledAnswers } from '../../../../src/state/approvalRules/ruledAnswers.ts';
import type { Answered } from '../../../../src/state/steering/steeringResults.ts';
import type { Waiting } from '../../../../src/state/transcript/waiting.ts';
import { waitingAction } from '../../../support/waitingAction.ts';

const conversation = { id: 'c1', service: 'http://a/' } as Conversation;
const key = keyOf(conversation);
const make: AcceptRule = { command: 'make', conversation: key };

describe('the window of an action that a rule covers', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rules-'));
    path = join(folder, 'accepted.json');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  function openWindow(accept: readonly AcceptRule[] = [make]) {
    const desk = {
      accept,
      answered: [] as string[],
      outcomes: [] as (Answered | UserError | undefined)[],
      answer: (): Promise<Answered> => Promise.resolve({ result: 'answered' }),
      accepted: new AcceptedActions(path),
    };
    const answers = new RuledAnswers({
      accepted: desk.accepted,
      rules: () => ({ ask: [], accept: desk.accept }),
      accept: async (_, actions, signal) => {
        const result = await desk.answer();
        signal.throwIfAborted();
        desk.answered.push(...actions.map(({ id }) => id));
        return result;
      },
    });
    answers.onOutcome(({ result }) => desk.outcomes.push(result));
    return { ...desk, desk, answers };
  }

  const waits = (command: string, id = 'a1'): Waiting => ({
    status: 'waits',
    actions: [waitingAction({ command }, id)],
  });

  async function ended(
    desk: { readonly outcomes: readonly unknown[] },
    count = 1,
  ) {
    while (desk.outcomes.length < count) await setImmediate();
  }

  it('accepts it once, and names it with its rule in every window', async () => {
    const { desk, answers } = openWindow();
    answers.note(conversation, waits('make'));
    answers.note(conversation, waits('make'));
    assert.ok(answers.isAccepting(key));
    await ended(desk);
    answers.note(conversation, waits('make'));
    assert.ok(!answers.isAccepting(key));
    assert.deepEqual(desk.answered, ['a1']);
    assert.equal(desk.accepted.ruleOf('a1'), 'make');
    const other = new AcceptedActions(path);
    await other.read();
    assert.equal(other.ruleOf('a1'), 'make');
    answers.note(conversation, waits('make', 'a2'));
    await ended(desk, 2);
    assert.deepEqual(desk.answered, ['a1', 'a2']);
  });

  it('accepts it unless another window has', async () => {
    const windows = Array.from({ length: 6 }, () => openWindow());
    for (const { answers } of windows)
      answers.note(conversation, waits('make'));
    await Promise.all(windows.map(({ desk }) => ended(desk)));
    assert.deepEqual(
      windows.flatMap(({ desk }) => desk.answered),
      ['a1'],
    );
    for (const { desk } of windows)
      assert.equal(desk.accepted.ruleOf('a1'), 'make');
  });

  it('leaves it to the user if the rule goes before the answer is sent', async () => {
    const { desk, answers } = openWindow();
    let read: (() => void) | undefined;
    const usual = desk.answer;
    desk.answer = () =>
      new Promise((resolve) => {
        read = () => {
          resolve({ result: 'answered' });
        };
      });
    answers.note(conversation, waits('make'));
    while (!read) await setImmediate();
    desk.accept = [];
    answers.rulesChanged();
    read();
    await ended(desk);
    assert.deepEqual([desk.answered, desk.outcomes], [[], [undefined]]);
    assert.equal(desk.accepted.ruleOf('a1'), undefined);
    desk.accept = [make];
    desk.answer = usual;
    answers.rulesChanged();
    answers.note(conversation, waits('make'));
    await ended(desk, 2);
    assert.deepEqual(desk.answered, ['a1']);
  });

  it('sends no answer once it is closed', async () => {
    const { desk, answers } = openWindow();
    answers.note(conversation, waits('make'));
    answers.dispose();
    await ended(desk);
    assert.deepEqual([desk.answered, desk.outcomes], [[], [undefined]]);
  });

  it('leaves it to the user after a failure, and tells the reason', async () => {
    const { desk, answers } = openWindow();
    const failure = new UserError('Not reachable.');
    desk.answer = () => Promise.reject(failure);
    answers.note(conversation, waits('make'));
    await ended(desk);
    assert.deepEqual(desk.outcomes, [failure]);
    assert.equal(desk.accepted.ruleOf('a1'), undefined);
    answers.note(conversation, waits('make'));
    assert.ok(!answers.isAccepting(key));
  });

  it('accepts it after a failure when that is to be tried again', async () => {
    const { desk, answers } = openWindow();
    const usual = desk.answer;
    desk.answer = () => Promise.reject(new UserError('At its limit.'));
    answers.note(conversation, waits('make'));
    await ended(desk);
    desk.answer = usual;
    answers.retry(key);
    answers.note(conversation, waits('make'));
    await ended(desk, 2);
    assert.deepEqual(desk.answered, ['a1']);
  });

  it('marks the action as accepted by the rule only if it may have been', async () => {
    for (const [result, isMarked] of [
      [{ result: 'answered' }, true],
      [{ result: 'unsure', failure: undefined, now: undefined }, true],
      [{ result: 'answeredElsewhere', fate: 'accepted' }, false],
      [{ result: 'changed', now: [], fate: undefined }, false],
    ] as const) {
      const { desk, answers } = openWindow();
      desk.answer = () => Promise.resolve(result);
      answers.note(conversation, waits('make', result.result));
      await ended(desk);
      assert.equal(
        desk.accepted.ruleOf(result.result) !== undefined,
        isMarked,
        result.result,
      );
    }
  });

  it('accepts it as soon as the rule is added', async () => {
    const { desk, answers } = openWindow([]);
    answers.note(conversation, waits('make'));
    assert.ok(!answers.isAccepting(key));
    desk.accept = [make];
    answers.rulesChanged();
    answers.note(conversation, waits('make'));
    await ended(desk);
    assert.deepEqual(desk.answered, ['a1']);
  });

  it('leaves other actions alone', () => {
    const { answers } = openWindow();
    answers.note(conversation, waits('make; rm x'));
    answers.note(conversation, undefined);
    answers.note(conversation, { status: 'doesNotWait', execution: 'running' });
    assert.ok(!answers.isAccepting(key));
  });
});

describe('the memory of actions that rules accepted', () => {
  it('ignores a file of another format, and replaces it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rules-'));
    const path = join(folder, 'accepted.json');
    for (const text of ['{', '{}', '[["a"], 1, ["a", 2]]']) {
      await writeFile(path, text);
      const accepted = new AcceptedActions(path);
      await accepted.read();
      assert.equal(accepted.ruleOf('a'), undefined);
      assert.ok(await accepted.claim(['a', 'b'], 'make'));
      assert.ok(!(await accepted.claim(['b', 'c'], 'ls')));
      assert.deepEqual(
        ['a', 'b', 'c'].map((id) => accepted.ruleOf(id)),
        ['make', 'make', undefined],
      );
    }
    await rm(folder, { recursive: true });
  });

  it('keeps the newest 2,000 actions', async () => {
    const accepted = new AcceptedActions(undefined);
    const ids = Array.from({ length: 2_001 }, (_, index) => `a${index}`);
    await accepted.claim(ids, 'make');
    assert.equal(accepted.ruleOf('a0'), undefined);
    assert.equal(accepted.ruleOf('a1'), 'make');
  });

  it('works for its window alone without a file', async () => {
    const accepted = new AcceptedActions(undefined);
    await accepted.read();
    assert.ok(await accepted.claim(['a'], 'make'));
    assert.ok(!(await accepted.claim(['a'], 'make')));
    assert.equal(accepted.ruleOf('a'), 'make');
  });
});
