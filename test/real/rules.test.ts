/** Approval rules at a real Agent Server. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultAskRules } from '../../src/editor/defaultAskRules.ts';
import type { Answer } from '../../src/service/abilities/agentService.ts';
import {
  type AskRule,
  type ConfirmationPolicy,
  type Conversation,
  keyOf,
} from '../../src/service/model/entities.ts';
import type {
  AcceptRule,
  ApprovalRules,
} from '../../src/state/approvalRules/acceptRules.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import type { Switchboard } from '../../src/state/switchboard.ts';
import type { WaitingAction } from '../../src/state/transcript/waiting.ts';
import { countDone } from '../support/done.ts';
import { randomMoment } from '../support/randomMoment.ts';
import { windowAt } from './client.ts';
import { answers, type RealService, startService } from './services.ts';
import { until } from './until.ts';
import { testRounds } from '../support/testRounds.ts';

/** Races of each kind. */
const rounds = testRounds(10);

const callOf = (command: string) =>
  `call: terminal ${JSON.stringify({ command, security_risk: 'LOW', summary: 'Works on it' })}`;

const touchRule: AskRule = { sentence: 'Touches', pattern: 'touch asked' };

describe('the approval rules of a real Agent Server', function () {
  this.timeout(180_000 + rounds * 20_000);
  const { signal } = new AbortController();
  let real: RealService;
  let switchboard: Switchboard;
  let service: ConnectedService;
  let rules: ApprovalRules;

  before(async () => {
    real = await startService('agentServer');
    ({ switchboard, service } = windowAt(real, 'agentServer', {
      approvalRules: () => rules,
    }));
    await service.refresh();
  });

  beforeEach(() => {
    rules = { ask: defaultAskRules, accept: [] };
  });

  async function begin(message: string, approval: ConfirmationPolicy) {
    const folder = await mkdtemp(join(real.home, 'work-'));
    const { creation } = await service.client.recognise();
    const created = await creation?.create({
      message,
      folder,
      approval,
      askRules: rules.ask,
    });
    assert.ok(created?.kind === 'conversation');
    const { conversation } = created;
    service.conversations.insertFirst(conversation);
    const hasRun = (file: string) => existsSync(join(folder, file));
    return { conversation, folder, hasRun };
  }

  const row = ({ id }: Conversation) =>
    [...service.conversations.rows.values()].find(
      (conversation) => conversation.id === id,
    ) ?? assert.fail();

  async function waitingActions(
    conversation: Conversation,
  ): Promise<readonly WaitingAction[] | undefined> {
    const steering = await service.steering();
    const waiting = await steering.read(row(conversation), signal);
    return waiting.status === 'waits' ? waiting.actions : undefined;
  }

  const waits = (conversation: Conversation) =>
    until(() => waitingActions(conversation));

  const recorded = async ({ id }: Conversation) =>
    await answers<{ execution_status: string }>(
      real.ask(`/api/conversations/${id}`),
    );

  const finishes = (conversation: Conversation) =>
    until(async () =>
      (await recorded(conversation)).execution_status === 'finished'
        ? true
        : undefined,
    );

  async function send(conversation: Conversation, text: string): Promise<void> {
    const steering = await service.steering();
    const { result } = await steering.send(row(conversation), { text }, signal);
    assert.equal(result, 'sent');
  }

  async function reject(conversation: Conversation): Promise<void> {
    const steering = await service.steering();
    const actions = await waits(conversation);
    const { result } = await steering.answer(
      row(conversation),
      actions,
      { accept: false, reason: 'No.' },
      signal,
    );
    assert.equal(result, 'answered');
  }

  it('asks only for listed actions from the creation on, after a restart too', async () => {
    const { conversation, hasRun } = await begin(
      [callOf('touch first'), callOf('git push')].join('\n'),
      'listed',
    );
    assert.equal(conversation.approval?.policy, 'listed');
    assert.deepEqual(conversation.approval.analyzer?.rules, defaultAskRules);
    const [action] = await waits(conversation);
    assert.match(action?.arguments ?? '', /git push/);
    assert.equal(action?.rated, 'high');
    assert.ok(hasRun('first'));
    await reject(conversation);
    await real.restart();
    await send(
      conversation,
      [callOf('touch second'), callOf('npm publish')].join('\n'),
    );
    assert.match((await waits(conversation))[0]?.arguments ?? '', /publish/);
    assert.ok(hasRun('second'));
  });

  it('finds by each pattern of the first list what this product finds', async () => {
    const { conversation, hasRun } = await begin(
      [
        ...['git status', 'find . -name x -delete', 'ls /tmp'],
        ...['npm --version', 'touch harmless'],
      ]
        .map(callOf)
        .join('\n'),
      'listed',
    );
    await finishes(conversation);
    assert.ok(hasRun('harmless'));
    for (const command of [
      'git -C x push',
      'twine upload dist/x',
      'rm -f ../x',
      'sudo ls',
      'curl -F file=@x http://127.0.0.1:1',
    ]) {
      await send(conversation, callOf(command));
      const [action] = await waits(conversation);
      assert.ok(action?.arguments.includes(command), command);
      await reject(conversation);
    }
  });

  it('sets a lost list again, and a changed one before a message and at once', async () => {
    const { conversation, hasRun } = await begin('say: Hello.', 'never');
    const steering = await service.steering();
    await finishes(conversation);
    await steering.setConfirmation(row(conversation), 'listed', signal);
    assert.equal(row(conversation).approval?.policy, 'listed');
    await real.restart();
    await send(conversation, callOf('git push'));
    await reject(conversation);
    rules = { ...rules, ask: [touchRule] };
    await send(conversation, callOf('touch asked'));
    await waits(conversation);
    assert.ok(!hasRun('asked'));
    await reject(conversation);
    rules = { ...rules, ask: [] };
    await steering.updateRules(row(conversation), signal);
    assert.deepEqual(row(conversation).approval?.analyzer?.rules, []);
    await send(conversation, callOf('touch asked'));
    await until(() => Promise.resolve(hasRun('asked') ? true : undefined));
  });

  it('asks for what is added to the list while the agent works', async () => {
    let raced = 0;
    for (let round = 0; round < rounds; round++) {
      rules = { ...rules, ask: [] };
      const commands = Array.from({ length: 12 }, (_, i) => `touch asked${i}`);
      const { conversation, hasRun } = await begin(
        commands.map(callOf).join('\n'),
        'listed',
      );
      await randomMoment(1_500, randomInt);
      await service.refresh();
      rules = { ...rules, ask: [touchRule] };
      await switchboard.applyRules(true);
      const count = () => commands.filter((_, i) => hasRun(`asked${i}`)).length;
      const before = count();
      const actions = await until(async () => {
        const { execution_status } = await recorded(conversation);
        return (
          (await waitingActions(conversation)) ??
          (execution_status === 'finished' ? [] : undefined)
        );
      });
      // The step at work when the list arrived may have been rated before.
      assert.ok(count() <= before + 1, `${count()} after ${before}`);
      if (actions.length === 0) continue;
      raced++;
      await reject(conversation);
    }
    countDone(raced, 'lists that changed while an agent worked');
    assert.ok(raced > 0);
  });

  it('accepts by rule only while the rule is in force', async () => {
    let byRule = 0;
    // The service would summarize a longer conversation.
    for (let left = rounds; left > 0; left -= 20)
      byRule += await raceWithRules(Math.min(left, 20));
    assert.ok(byRule > 0);
    countDone(byRule, 'actions that a rule accepted in a race with its end');
  });

  /** Returns how many actions the rule has accepted. */
  async function raceWithRules(count: number): Promise<number> {
    const rule: AcceptRule = {
      command: 'touch *',
      service: real.url,
      folder: '',
    };
    const commands = Array.from({ length: count }, (_, i) => `touch file${i}`);
    const { conversation, folder, hasRun } = await begin(
      commands.map(callOf).join('\n'),
      'always',
    );
    const key = keyOf(conversation);
    const inForce = {
      ask: [],
      accept: [{ ...rule, folder, service: row(conversation).service }],
    };
    const page = service.conversations.follow(
      row(conversation),
      FollowedConversation,
    );
    const sentInForce: boolean[] = [];
    const { steering } = await service.locations.useReady(
      row(conversation),
      { signal },
      (ready) => Promise.resolve(ready),
    );
    const answer = steering.answer.bind(steering);
    Object.assign(steering, {
      answer: (id: string, given: Answer, call: object) => {
        sentInForce.push(rules === inForce);
        return answer(id, given, call);
      },
    });
    page.setVisible(true);
    let byRule = 0;
    for (const [index] of commands.entries()) {
      const sent = sentInForce.length;
      rules = inForce;
      await switchboard.applyRules(true);
      await randomMoment(400, randomInt);
      rules = { ask: [], accept: [] };
      await switchboard.applyRules(true);
      await until(() =>
        Promise.resolve(
          switchboard.ruledAnswers.isAccepting(key) ? undefined : true,
        ),
      );
      if (sentInForce.length > sent) byRule++;
      else if (!hasRun(`file${index}`)) {
        const actions = await waits(conversation);
        await (
          await service.steering()
        ).answer(row(conversation), actions, { accept: true }, signal);
        sentInForce[sent] = true;
      }
      await until(() =>
        Promise.resolve(hasRun(`file${index}`) ? true : undefined),
      );
    }
    page.release();
    Object.assign(steering, { answer });
    assert.deepEqual([...new Set(sentInForce)], [true]);
    assert.equal(sentInForce.length, commands.length);
    return byRule;
  }
});
