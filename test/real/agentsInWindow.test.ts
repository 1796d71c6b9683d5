/** Agents of real services, followed and steered in a real window. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import {
  answer,
  changeTheme,
  type Desk,
  eventually,
  goTo,
  hears,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  writeInto,
} from '../ui/support.ts';
import { AgentPage, aWhile } from './agentPage.ts';
import { begin, beginInSandbox, type Begun, command, recordOf, write } from './conversations.ts';
import { type RealService, realService, theModel } from './services.ts';
import { until } from './until.ts';

describe('agents of real services in a window', () => {
  let desk: Desk;
  let page: Page;
  let agentServer: RealService;
  let sandbox: Promise<void>;

  before(async () => {
    // That takes longest, and needs no window.
    sandbox = realService('appServer').then((service) => beginInSandbox(service, 'Sandbox login'));
    sandbox.catch(() => undefined);
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'all', 'switchboard.refreshInterval': 2 },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  async function connect({ url, key }: RealService): Promise<void> {
    await runCommand(page, 'Switchboard: Connect to a Service');
    await answer(page, '(1/2)', url);
    await answer(page, '(2/2)', key);
    await messages(page, `Connected to ${url}`).waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  }

  const row = (label: RegExp) => rows(page, 'Conversations', label);

  /** Presses a button of a row. */
  async function pressOnRow(label: RegExp, title: string): Promise<void> {
    await row(label).hover();
    await row(label).getByRole('button', { name: title }).click();
  }

  async function runOn(title: string, commandTitle: string, question: string): Promise<void> {
    await runCommand(page, `Switchboard: ${commandTitle}`);
    await page.getByPlaceholder(question).waitFor();
    await page.keyboard.type(title);
    await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: title }).waitFor();
    await page.keyboard.press('Enter');
  }

  async function takeInBoth(name: string): Promise<void> {
    for (const theme of ['light', 'dark']) {
      await changeTheme(page, themes[theme] ?? assert.fail());
      await takePicture(page, `real-${name}-${theme}`);
    }
  }

  describe('at an Agent Server', () => {
    let one: Begun;
    let shown: AgentPage;

    before(async function () {
      this.timeout(300_000);
      agentServer = await realService('agentServer');
      await connect(agentServer);
      one = await begin(agentServer, 'Fix login');
    });

    /** Opens its page, and no other. */
    const show = async () => {
      await AgentPage.closeAll(page);
      shown = await AgentPage.open(page, one.title);
    };

    const isThere = (name: string) =>
      access(join(one.folder, name)).then(
        () => true,
        () => false,
      );

    it('are answered in the notification, where that shows all of it, and tell no more when it is muted', async () => {
      const two = await begin(agentServer, 'Fix logout');
      await row(/^Fix logout, Finished/).waitFor({ timeout: aWhile });
      for (const [button, file, state] of [
        ['Reject', 'rejected.txt', 'Idle'],
        ['Accept', 'accepted.txt', 'Finished'],
      ] as const) {
        await runCommand(page, 'Notifications: Clear All Notifications');
        await write(agentServer, two, `call: ${command(`touch ${file}`)}`);
        const text = `An agent wants to run \`touch ${file}\` in “Fix logout”.`;
        await messages(page, text).waitFor({ timeout: aWhile });
        await takePicture(page, `real-notification-${button}`);
        await press(page, text, button);
        await row(new RegExp(`^Fix logout, ${state}`)).waitFor();
      }
      await access(join(two.folder, 'accepted.txt'));
      await assert.rejects(access(join(two.folder, 'rejected.txt')));
      const finished = '“Fix logout” has finished.';
      await messages(page, finished).waitFor({ timeout: aWhile });
      await press(page, finished, 'Mute');
      await messages(page, finished).waitFor({ state: 'detached' });
    });

    it('are followed live, and what they want to do is shown whole before it is done', async () => {
      await show();
      await shown.state('Live');
      await shown.hears('Good morning.');
      const two = JSON.stringify({
        command: 'create',
        path: join(one.folder, 'two.txt'),
        file_text: 'two\n',
      });
      await shown.write(
        `call: ${command('echo one | tee one.txt')} ;; file_editor ${two}`,
        'say: I am **done**.',
      );
      await shown.wants('echo one | tee one.txt', join(one.folder, 'two.txt'), 'these 2 things');
      await shown.state('Waiting for you');
      assert.deepEqual([await isThere('one.txt'), await isThere('two.txt')], [false, false]);
      await takeInBoth('waiting');
      await shown.accept();
      await shown.shows('Ran echo one | tee one.txt, exit code 0');
      await shown.shows('Created two.txt');
      await shown.hears('I am done.');
      assert.equal(await readFile(join(one.folder, 'one.txt'), 'utf8'), 'one\n');
      assert.match(await readFile(join(one.folder, 'two.txt'), 'utf8'), /^two\n?$/);
      await shown.entry('Ran echo one').getByRole('button').click();
      await takeInBoth('accepted');
    });

    it('do nothing that is rejected, and know the reason when they are asked again', async () => {
      await show();
      await shown.write(`call: ${command('touch never.txt')}`);
      await shown.wants('touch never.txt');
      await shown.reject();
      await shown.state('Idle');
      await shown.write(`call: ${command('touch on-friday.txt')}`);
      await shown.wants('touch on-friday.txt');
      await shown.waitingBox.getByRole('button', { name: 'Reject with a Reason' }).click();
      const reason = shown.frame.getByRole('textbox', { name: 'What the agent should know' });
      await writeInto(reason, 'Not on a Friday');
      await shown.reject();
      await shown.shows('rejected: Not on a Friday');
      await shown.write('say: I see.');
      await shown.hears('I see.');
      const { asked } = await theModel();
      assert.ok(asked.at(-1)?.includes('Not on a Friday'));
      assert.deepEqual([await isThere('never.txt'), await isThere('on-friday.txt')], [false, false]);
      await takePicture(page, 'real-rejected');
    });

    it('run nothing because of a message: it is left, or sent after what waits was rejected', async () => {
      await show();
      await shown.write(`call: ${command('touch by-message.txt')}`);
      await shown.wants('touch by-message.txt');
      await shown.write('say: Left and read.');
      await shown.frame.getByRole('button', { name: 'Leave the Message' }).click();
      await shown.shows('Left and read.');
      await shown.wants('touch by-message.txt');
      await takePicture(page, 'real-left');
      await shown.write('say: Sent instead.');
      await shown.frame.getByRole('button', { name: 'Reject and Send' }).click();
      await shown.hears('Sent instead.');
      await shown.state('Finished');
      assert.equal(await isThere('by-message.txt'), false);
    });

    it('are stopped in the middle of a command, from the page, the row and the palette, and do not go on', async () => {
      await show();
      const stops = [
        () => shown.frame.getByRole('button', { name: 'Stop', exact: true }).click(),
        () => pressOnRow(/^Fix login, Working/, 'Stop Agent'),
        () => runOn(one.title, 'Stop Agent', 'Select the agent to stop'),
      ];
      for (const [index, stop] of stops.entries()) {
        const wait = `sleep 31415.${index + 1}`;
        await shown.write(`call: ${command(wait)}`, 'say: I went on.');
        await shown.wants(wait);
        await shown.accept();
        await shown.shows(`Is running ${wait}`);
        await runs(wait);
        if (index === 0) await takeInBoth('working');
        await stop();
        if (index === 0) await shown.says('Stopped. The command that it ran may go on in its terminal.');
        await shown.shows(`Ran ${wait}, failed: Tool call interrupted`);
        await shown.state('Paused');
        await endProcess(wait);
      }
      await takeInBoth('stopped');
      assert.equal(await shown.frame.locator('.entry.by-agent').filter({ hasText: 'I went on.' }).count(), 0);
    });

    it('are answered on the page alone, wherever it is begun', async () => {
      await show();
      await shown.write(`call: ${command('touch begun.txt')}`);
      await shown.wants('touch begun.txt');
      await row(/^Fix login, Waiting for you/).waitFor();
      await AgentPage.closeAll(page);
      await pressOnRow(/^Fix login, Waiting for you/, 'Accept Action');
      await hears(page, 'The agent wants to do this:');
      await AgentPage.closeAll(page);
      await runOn(one.title, 'Accept Action', 'Select the conversation to answer');
      await hears(page, 'The agent wants to do this:');
      assert.equal(await isThere('begun.txt'), false);
      shown = await AgentPage.of(page, one.title);
      await shown.accept();
      await shown.state('Finished');
      assert.equal(await isThere('begun.txt'), true);
    });

    it('are forked from the page, renamed and deleted with the keyboard, and the service and the page know it', async () => {
      await show();
      await shown.choose('Fork');
      const fork = await AgentPage.of(page, 'Fix login (fork)');
      await fork.hears('Good morning.');
      await goTo(page, 'Conversations', /^Fix login \(fork\), /);
      await page.keyboard.press('F2');
      await hears(page, /Rename Conversation.*New title of/);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Another way');
      await page.keyboard.press('Enter');
      await row(/^Another way, /).waitFor();
      const other = await AgentPage.of(page, 'Another way');
      await takePicture(page, 'real-forked');
      await goTo(page, 'Conversations', /^Another way, /);
      await page.keyboard.press('Delete');
      await hears(page, /^Keep; .*“Another way”.*Everything that was said and done in it is lost\./);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await row(/^Another way, /).waitFor({ state: 'detached' });
      await other.frame.getByText('The service does not have this conversation any more.').waitFor();
      await takePicture(page, 'real-deleted');
      const { body } = await agentServer.ask<{ items: { title: string }[] }>('/api/conversations/search');
      assert.ok(!body.items.some(({ title }) => title === 'Another way'));
      assert.equal((await recordOf(agentServer, one))?.title, 'Fix login');
    });
  });

  describe('at an older Agent Server', () => {
    it('are followed, accepted and stopped', async function () {
      this.timeout(300_000);
      const service = await realService('olderAgentServer');
      await connect(service);
      const old = await begin(service, 'Old login');
      await AgentPage.closeAll(page);
      const shown = await AgentPage.open(page, old.title);
      await shown.state('Live');
      await shown.hears('Good morning.');
      const wait = 'sleep 27182.8';
      await shown.write(`call: ${command('touch old.txt')}`, `call: ${command(wait)}`);
      await shown.wants('touch old.txt');
      await shown.accept();
      await shown.wants(wait);
      await access(join(old.folder, 'old.txt'));
      await shown.accept();
      await shown.shows(`Is running ${wait}`);
      await runs(wait);
      await shown.frame.getByRole('button', { name: 'Stop', exact: true }).click();
      await shown.state('Paused');
      await takePicture(page, 'real-older');
      await endProcess(wait);
    });
  });

  describe('in a sandbox', () => {
    let shown: AgentPage;

    before(async function () {
      this.timeout(400_000);
      await sandbox;
    });

    it('are followed live at the Agent Server of the sandbox, and steered there', async () => {
      await connect(await realService('appServer'));
      await AgentPage.closeAll(page);
      shown = await AgentPage.open(page, 'Sandbox login');
      await shown.state('Live');
      await shown.frame.getByLabel('Asks before it acts:').selectOption('always');
      await shown.state('Finished');
      await shown.write(`call: ${command('echo from the sandbox')}`, `call: ${command('sleep 14142.1')}`);
      await shown.wants('echo from the sandbox');
      await shown.accept();
      await shown.shows('Ran echo from the sandbox, exit code 0');
      await shown.wants('sleep 14142.1');
      await shown.accept();
      await runs('sleep 14142.1');
      await shown.frame.getByRole('button', { name: 'Stop', exact: true }).click();
      await shown.state('Paused');
      await takeInBoth('sandbox');
      await endProcess('sleep 14142.1');
    });

    it('are written to while the sandbox is paused, which resumes it first', async () => {
      await runOn('Running', 'Pause Sandbox', 'Select the sandbox to pause');
      await shown.frame.getByText('Its sandbox is paused.').waitFor({ timeout: aWhile });
      await takeInBoth('sandbox-paused');
      await writeInto(shown.field, 'say: Awake again.');
      await eventually(async () => {
        // What else is told lies over the button until it is closed.
        await runCommand(page, 'Notifications: Clear All Notifications');
        await shown.frame.getByRole('button', { name: 'Resume and Send' }).click({ timeout: 3_000 });
      });
      await takePicture(page, 'real-sandbox-resuming');
      await shown.hears('Awake again.');
      await shown.state('Live');
      await takePicture(page, 'real-sandbox-resumed');
    });
  });
});

/** Waits until a process runs this command. */
async function runs(text: string): Promise<void> {
  await until(() => processOf(text));
}

/** Without tmux, a service ends what an agent does, and not the command that its terminal runs. */
async function endProcess(text: string): Promise<void> {
  const id = await processOf(text);
  if (id !== undefined) process.kill(id);
}

async function processOf(text: string): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args=']);
  const line = stdout.split('\n').find((each) => each.trimStart().replace(/^\d+ +/, '') === text);
  return line === undefined ? undefined : Number.parseInt(line, 10);
}
