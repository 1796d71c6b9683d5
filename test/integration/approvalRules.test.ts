import assert from 'node:assert/strict';
import { EventEmitter, window, workspace } from 'vscode';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { activityOf } from '../../src/state/lists/activity.ts';
import { until } from '../support/eventually.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';

describe('the list of approval rules', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  let conversation: Conversation;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'agentServer' });
    conversation =
      [...desk.switchboard.conversations.rows.values()].find(
        (row) => activityOf(row) === 'waiting',
      ) ?? assert.fail();
  });

  afterEach(async () => {
    await desk.configure({
      'approval.accept': undefined,
      'approval.askFor': undefined,
      'limits.conversation': undefined,
    });
    await desk.clear();
  });

  async function openPage() {
    await desk.run(
      'switchboard.conversations.showDetails',
      keyOf(conversation),
    );
    await until(() => desk.pages.last('waiting')?.waiting);
    return desk.pages.last('waiting')?.waiting ?? assert.fail();
  }

  const accepts = () =>
    demo.requests.filter(({ path }) => path.includes('respond_to'));

  const acceptRules = () =>
    workspace.getConfiguration('switchboard').get('approval.accept');

  it('offers no rule for an action on the list of what to ask for', async () => {
    const { actions, rules } = await openPage();
    assert.match(JSON.stringify(actions), /git push/);
    assert.equal(rules, undefined);
  });

  it('offers no rule while a pattern of that list cannot be read', async () => {
    await desk.configure({
      'approval.askFor': [{ sentence: 'Applies Terraform', pattern: '(' }],
    });
    assert.equal((await openPage()).rules, undefined);
  });

  it('shows the rule of an action, which then holds for its conversation', async () => {
    await desk.configure({ 'approval.askFor': [] });
    const { shown, rules } = await openPage();
    const commands = ['git add *', 'git commit *', 'git push *'];
    assert.deepEqual(rules, commands);
    await desk.pages.say({ type: 'acceptByRule', shown });
    assert.deepEqual([acceptRules(), accepts()], [[], []]);
    desk.person.presses.add('For This Conversation');
    await desk.pages.say({ type: 'acceptByRule', shown });
    const [question, detail] = desk.person.heard;
    assert.equal(
      question,
      "Accept, and don't ask again for “git add *”, “git commit *”, “git push *”?",
    );
    assert.match(detail ?? '', /any further words/);
    assert.match(detail ?? '', /a convenience, not a wall/);
    assert.deepEqual(
      acceptRules(),
      commands.map((command) => ({
        command,
        conversation: keyOf(conversation),
      })),
    );
    assert.equal(accepts().length, 1);
    assert.equal(demo.executed.length, 1);
  });

  it('keeps a rule once that a line needs again', async () => {
    const addRule = { command: 'git add *', conversation: keyOf(conversation) };
    await desk.configure({
      'approval.askFor': [],
      'approval.accept': [addRule],
    });
    const { shown } = await openPage();
    desk.person.presses.add('For This Conversation');
    await desk.pages.say({ type: 'acceptByRule', shown });
    assert.deepEqual(acceptRules(), [
      addRule,
      ...['git commit *', 'git push *'].map((command) => ({
        ...addRule,
        command,
      })),
    ]);
  });

  it('accepts a waiting action as soon as it covers that and a limit allows, once, and marks it in the history', async () => {
    await desk.configure({ 'approval.askFor': [], 'limits.conversation': 0 });
    await openPage();
    await desk.configure({
      'approval.accept': [
        'git add *',
        'git commit *',
        'git push origin HEAD',
      ].map((command) => ({ command, conversation: keyOf(conversation) })),
    });
    await desk.service.conversations.refresh();
    assert.deepEqual(accepts(), []);
    await desk.configure({ 'limits.conversation': undefined });
    const entry = await until(() =>
      desk.pages.told
        .flatMap((message) =>
          message.type === 'entries'
            ? [...message.added, ...message.changed]
            : [],
        )
        .find((drawn) => 'rule' in drawn && drawn.rule !== undefined),
    );
    assert.ok('rule' in entry);
    assert.equal(entry.rule, 'git add *, git commit *, git push origin HEAD');
    await until(() => desk.pages.last('waiting')?.waiting === undefined);
    assert.equal(accepts().length, 1);
    assert.deepEqual(desk.person.heard, []);
  });

  it('leaves an action to the user of which one part is not covered', async () => {
    await desk.configure({ 'approval.askFor': [] });
    await openPage();
    await desk.configure({
      'approval.accept': ['git add *', 'git commit *'].map((command) => ({
        command,
        conversation: keyOf(conversation),
      })),
    });
    await desk.service.conversations.refresh();
    assert.deepEqual([accepts(), demo.executed], [[], []]);
  });

  it('goes to the service as the analyzer when the user asks only for listed actions, and when the list changes', async () => {
    await openPage();
    desk.person.presses.add('Replace');
    await desk.pages.say({ type: 'setConfirmation', value: 'listed' });
    assert.match(desk.person.heard[1] ?? '', /“EnsembleSecurityAnalyzer”/);
    const label = () => {
      const { confirmation } = desk.pages.last('head')?.head ?? {};
      return confirmation?.choices.find(
        ({ value }) => value === confirmation.value,
      )?.label;
    };
    await until(() => label() === 'Only for 5 kinds of action');
    assert.match(desk.pages.last('told')?.text ?? '', /not a wall/);
    const sent = () =>
      demo.requests.filter(({ path }) => path.endsWith('/security_analyzer'));
    assert.equal(sent().length, 1);
    await desk.configure({
      'approval.askFor': [{ sentence: 'Lists files', pattern: '\\bls\\b' }],
    });
    await until(() => label() === 'Only for 1 kind of action');
    assert.equal(sent().length, 2);
    const { facts = [] } = desk.pages.last('head')?.head ?? {};
    assert.match(
      facts.find(([name]) => name === 'Asks for')?.[1] ?? '',
      /^Lists files\./,
    );
  });

  it('lets the user add, try, change and reset rules', async () => {
    const askFor = () =>
      workspace
        .getConfiguration('switchboard')
        .get<readonly { readonly sentence: string }[]>('approval.askFor')
        ?.map(({ sentence }) => sentence);
    const { answers } = desk.person;
    answers.push('Add an Action to Ask For…', ' Lists files ', '\\bls\\b');
    answers.push('Try a Command…', 'ls -l');
    answers.push('Lists files', 'Lists all files', '\\bls\\b');
    await desk.run('switchboard.conversations.approvalRules');
    assert.equal(askFor()?.at(-1), 'Lists all files');
    assert.equal(askFor()?.length, 6);
    answers.push('Reset What to Ask For');
    desk.person.presses.add('Undo');
    await desk.run('switchboard.conversations.approvalRules');
    await until(() => askFor()?.length === 6);
    desk.person.presses.clear();
    answers.push('Reset What to Ask For');
    await desk.run('switchboard.conversations.approvalRules');
    assert.equal(askFor()?.length, 5);
  });

  it('says why a rule could not be removed', async () => {
    const accept = [{ command: 'make', conversation: keyOf(conversation) }];
    await desk.configure({ 'approval.accept': accept });
    const createPick = window.createQuickPick.bind(window) as Anything;
    const read = workspace.getConfiguration.bind(workspace);
    const removed = new EventEmitter<unknown>();
    const restore = [
      replace(window, 'createQuickPick', () => {
        const pick = createPick() as Readonly<Record<string, unknown>>;
        return Object.assign(pick, {
          onDidTriggerItemButton: removed.event,
          show: () => {
            const rules = pick.items as readonly { readonly label: string }[];
            removed.fire({ item: rules.find(({ label }) => label === 'make') });
          },
        });
      }),
      replace(workspace, 'getConfiguration', (section) => ({
        get: (key: string) => read(String(section)).get(key),
        update: () => Promise.reject(new Error('It has unsaved changes.')),
      })),
    ];
    try {
      await desk.run('switchboard.conversations.approvalRules');
    } finally {
      for (const undo of restore) undo();
      removed.dispose();
    }
    assert.match(desk.person.heard.join(), /It has unsaved changes\./);
    assert.deepEqual(acceptRules(), accept);
  });
});
