import assert from 'node:assert/strict';
import { type ThemeIcon, window, workspace } from 'vscode';
import type { DemoService } from '../../src/demo/server.ts';
import { Answers, escape } from './addServerAnswers.ts';
import { Desk, hurried } from './desk.ts';
import { eventually } from './support.ts';

describe('a new conversation', () => {
  let desk: Desk;
  let demo: DemoService;
  let answers: Answers;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    answers = new Answers();
  });

  afterEach(async () => {
    answers.leave();
    await desk.clear();
  });

  /** One that the service has refused. */
  async function failed(message: string): Promise<string> {
    const { connection, starts } = desk.switchboard;
    assert.ok(connection);
    demo.misbehave({ forbidden: true, only: 'POST' });
    const { id, error } = await starts.begin(connection.client, connection.address, { message });
    demo.misbehave({ contractOnlyCreate: true });
    assert.ok(error);
    return id;
  }

  /** Runs the command, types this instead of what stands there and gives it up; resolves with what stood there. */
  async function typeAndGiveUp(text: string, failedId?: string): Promise<string> {
    let stood = '';
    answers.responses.push(({ value }) => (stood = value), { typed: text }, escape);
    await desk.run('switchboard.conversations.new', failedId);
    return stood;
  }

  const written = () => window.activeTextEditor?.document.getText();
  const titles = () => [...desk.switchboard.conversations.rows.values()].map(({ title }) => title);
  const posts = () => demo.requests.filter(({ method }) => method === 'POST').length;
  const asks = (words: string) =>
    answers.asked.some(({ prompt, placeholder }) => `${prompt}${placeholder}`.includes(words));

  it('that was typed and given up is offered the next time', async () => {
    demo = await desk.look();
    assert.equal(await typeAndGiveUp('Fix the build, and then'), '');
    assert.equal(await typeAndGiveUp(''), 'Fix the build, and then');
    assert.equal(await typeAndGiveUp(''), '');
  });

  it('that is tried again keeps what is typed then, and what it was as long as that is nothing', async () => {
    demo = await desk.look();
    const id = await failed('Fix the build');
    assert.equal(await typeAndGiveUp('Fix the build and the tests', id), 'Fix the build');
    assert.equal(await typeAndGiveUp('', id), 'Fix the build and the tests');
    assert.equal(await typeAndGiveUp('', id), 'Fix the build');
    assert.equal(await typeAndGiveUp(''), '', 'it is no draft of another one');
  });

  it('that is written in an editor gets its own, and none takes the place of another', async () => {
    demo = await desk.look();
    const a = await failed('Draft A\nwith a second line');
    const b = await failed('Draft B\nwith a second line');
    await desk.run('switchboard.conversations.new', a);
    assert.equal(written(), 'Draft A\nwith a second line');
    const editorOfA = window.activeTextEditor?.document;
    await desk.run('switchboard.conversations.new', b);
    assert.equal(written(), 'Draft B\nwith a second line');
    await desk.run('switchboard.conversations.new', a);
    assert.equal(window.activeTextEditor?.document, editorOfA, 'the same one again');
    await desk.run('switchboard.conversations.new', b);

    answers.responses.push('No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    assert.equal(titles()[0], 'Draft B');
    assert.deepEqual(
      desk.switchboard.starts.all.map(({ id }) => id),
      [a],
    );
    assert.ok(editorOfA && workspace.textDocuments.includes(editorOfA));
    answers.responses.push('No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    assert.deepEqual(titles().slice(0, 2), ['Draft A', 'Draft B']);
    assert.deepEqual(desk.switchboard.starts.all, []);
    await eventually(() => editorOfA.isClosed || undefined);
  });

  it('of which nobody knows whether it was created is said to be so, before it is created twice', async () => {
    demo = await desk.look({ misbehaviour: { errorBody: 'html', errorStatus: 502, only: 'POST' } });
    answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    assert.match(
      desk.person.heard[0] ?? '',
      /^The conversation “Fix it” may have been created\. Look for it in the list before you try again\. .*Bad Gateway/,
    );
    assert.equal(desk.rows()[0], 'Fix it · May have been created');
    const [row] = desk.trees.conversations.getChildren();
    assert.ok(row);
    assert.equal((desk.trees.conversations.getTreeItem(row).iconPath as ThemeIcon).id, 'question');
    assert.equal(posts(), 1);
  });

  it('tells before that it may pause a sandbox and afterwards which, though no list has been looked at', async () => {
    await desk.close();
    demo = await desk.connect({ clock: hurried() });
    assert.equal(desk.switchboard.sandboxes.asOf, undefined);
    answers.responses.push('Fix it', 'No Repository', 'New Sandbox');
    await desk.run('switchboard.conversations.new');
    assert.ok(asks('Sandbox to run in'));
    const paused = desk.person.heard.filter((message) => message.startsWith('The service has paused'));
    assert.equal(paused.length, 1);
    assert.match(paused[0] ?? '', /^The service has paused .+ \(.+\) for it\.$/);
  });

  it('in a sandbox that runs pauses none, and nothing is asked about that', async () => {
    demo = await desk.look({ misbehaviour: { contractOnlyCreate: true } });
    const [running] = desk.switchboard.sandboxChanges.othersRunning();
    assert.ok(running);
    answers.responses.push('Fix it', 'No Repository', ({ items }) => {
      answers.responses.unshift(items[1] ?? '');
    });
    await desk.run('switchboard.conversations.new');
    assert.equal(titles()[0], 'Fix it');
    assert.deepEqual(desk.person.heard, []);
  });
});
