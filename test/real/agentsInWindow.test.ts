/** Agents of real services, followed and steered in a real window. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import {
  answer,
  changeTheme,
  chooseInMenu,
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
import {
  agentKinds,
  atAgentServer,
  type Begun,
  command,
  write,
} from './conversations.ts';
import {
  answers,
  type RealService,
  realService,
  theModel,
} from './services.ts';
import { until } from './until.ts';

/** A window in which an agent is followed and steered. */
class Window {
  readonly desk: Desk;
  readonly page: Page;

  private constructor(desk: Desk, page: Page) {
    this.desk = desk;
    this.page = page;
  }

  static async open(): Promise<Window> {
    const desk = await setUpDesk({
      settings: {
        'switchboard.notifications': 'all',
        'switchboard.refreshInterval': 2,
      },
    });
    const { page } = await desk.open();
    await openSideBar(page);
    return new Window(desk, page);
  }

  async connect({ url, key }: RealService): Promise<void> {
    await runCommand(this.page, 'Switchboard: Connect to a Service');
    await answer(this.page, 'Address of the service', url);
    await answer(this.page, /^Key of /, key);
    await messages(this.page, `Connected to ${url}`).waitFor();
    await runCommand(this.page, 'Notifications: Clear All Notifications');
  }

  row(label: RegExp): Locator {
    return rows(this.page, 'Conversations', label);
  }

  /** Opens the page of a conversation, and no other. */
  async show(title: string): Promise<AgentPage> {
    await AgentPage.closeAll(this.page);
    const shown = await AgentPage.open(this.page, title);
    // Before that, it takes no message.
    await shown.state('Live');
    return shown;
  }

  async pressOnRow(label: RegExp, title: string): Promise<void> {
    await this.row(label).hover();
    await this.row(label).getByRole('button', { name: title }).click();
  }

  async runOn(
    title: string,
    commandTitle: string,
    question: string,
  ): Promise<void> {
    const { page } = this;
    await runCommand(page, `Switchboard: ${commandTitle}`);
    await page.getByPlaceholder(question).waitFor();
    await page.keyboard.type(title);
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: title })
      .waitFor();
    await page.keyboard.press('Enter');
  }

  async takeInBoth(name: string): Promise<void> {
    for (const theme of ['light', 'dark']) {
      await changeTheme(this.page, themes[theme] ?? assert.fail());
      await takePicture(this.page, `real-${name}-${theme}`);
    }
  }
}

const greeting = 'say: Good morning.';

for (const kind of agentKinds) {
  describe(`an agent ${kind.where}, in a window`, () => {
    let window: Window;
    let service: RealService;
    let one: Begun;
    let two: Begun;

    before(async function () {
      this.timeout(400_000);
      const opening = Window.open();
      service = await realService(kind.service);
      const place = await kind.place(service, 'agents');
      // A conversation that is finished when a window first sees it is no news.
      [one, two] = await Promise.all(
        ['Fix login', 'Fix logout'].map((title) =>
          kind.begin(service, title, place, 'AlwaysConfirm', greeting),
        ) as [Promise<Begun>, Promise<Begun>],
      );
      window = await opening;
      await window.connect(service);
      await window.row(/^Fix login, Finished/).waitFor({ timeout: aWhile });
      await window.row(/^Fix logout, Finished/).waitFor({ timeout: aWhile });
    });

    after(async () => {
      await window.desk.clear();
    });

    const isThere = (name: string) =>
      access(join(one.folder, name)).then(
        () => true,
        () => false,
      );

    const picture = (name: string) =>
      takePicture(window.page, `real-${kind.service}-${name}`);
    const pictures = (name: string) =>
      window.takeInBoth(`${kind.service}-${name}`);

    it('takes the answer that is given in the notification, and none tells that it has finished once that is muted', async () => {
      const { page } = window;
      for (const [button, file, state] of [
        ['Reject', 'rejected.txt', 'Idle'],
        ['Accept', 'accepted.txt', 'Finished'],
      ] as const) {
        await runCommand(page, 'Notifications: Clear All Notifications');
        await write(two, `call: ${command(`touch ${file}`)}`);
        const text = `An agent wants to run \`touch ${file}\` in “Fix logout”.`;
        await messages(page, text).waitFor({ timeout: aWhile });
        await picture(`notification-${button}`);
        await press(page, text, button);
        await window
          .row(new RegExp(`^Fix logout, ${state}`))
          .waitFor({ timeout: aWhile });
      }
      await access(join(two.folder, 'accepted.txt'));
      await assert.rejects(access(join(two.folder, 'rejected.txt')));
      const finished = '“Fix logout” has finished.';
      await messages(page, finished).waitFor({ timeout: aWhile });
      await press(page, finished, 'Mute');
      await messages(page, finished).waitFor({ state: 'detached' });
    });

    it('shows live and whole what it wants to do, before it does that', async () => {
      const shown = await window.show(one.title);
      await shown.hears('Good morning.');
      const path = join(one.folder, 'two.txt');
      const create = JSON.stringify({
        command: 'create',
        path,
        file_text: 'two\n',
      });
      await shown.write(
        `call: ${command('echo one | tee one.txt')} ;; file_editor ${create}`,
        'say: I am **done**.',
      );
      await shown.wants('echo one | tee one.txt', path, 'wants to do 2 things');
      await shown.state('Waiting for you');
      assert.deepEqual(
        [await isThere('one.txt'), await isThere('two.txt')],
        [false, false],
      );
      await pictures('waiting');
      await shown.accept();
      await shown.shows('Ran echo one | tee one.txt, exit code 0');
      await shown.shows(/Created .*two\.txt/);
      await shown.hears('I am done.');
      assert.equal(
        await readFile(join(one.folder, 'one.txt'), 'utf8'),
        'one\n',
      );
      assert.match(await readFile(path, 'utf8'), /^two\n?$/);
      await shown.entry('Ran echo one').getByRole('button').click();
      await pictures('accepted');
    });

    it('leaves undone what is rejected, and goes on with the reason', async () => {
      const shown = await window.show(one.title);
      await shown.write(`call: ${command('touch never.txt')}`);
      await shown.wants('touch never.txt');
      await shown.reject();
      await shown.state('Idle');
      await shown.write(`call: ${command('touch on-friday.txt')}`);
      await shown.wants('touch on-friday.txt');
      await shown.write('say: Not on a Friday.');
      await shown.frame
        .getByRole('button', { name: 'Reject and Send' })
        .click();
      await shown.shows('rejected: say: Not on a Friday.');
      await shown.hears('Not on a Friday.');
      const { asked } = await theModel();
      assert.ok(asked.some((text) => text.includes('Not on a Friday')));
      assert.deepEqual(
        [await isThere('never.txt'), await isThere('on-friday.txt')],
        [false, false],
      );
      await picture('rejected');
    });

    it('runs nothing because of a message: that is queued until the agent has finished, or sent after a rejection', async () => {
      const shown = await window.show(one.title);
      const queue = shown.frame.getByRole('button', { name: 'Queue Message' });
      await shown.write(`call: ${command('touch by-message.txt')}`);
      await shown.wants('touch by-message.txt');
      await shown.write('say: Queued.');
      await queue.click();
      await shown.shows('Queued until the agent has finished');
      await shown.wants('touch by-message.txt');
      await pictures('queued');
      await shown.frame
        .getByRole('button', { name: 'Edit Queued Message' })
        .click();
      await eventually(async () => {
        assert.equal(await shown.field.inputValue(), 'say: Queued.');
      });
      await writeInto(shown.field, 'say: Edited and read.');
      await queue.click();
      await shown.shows('Edited and read.');
      await shown.write('say: Sent instead.');
      await shown.frame
        .getByRole('button', { name: 'Reject and Send' })
        .click();
      await shown.hears('Sent instead.');
      await shown.hears('Edited and read.');
      await shown.state('Finished');
      assert.equal(await isThere('by-message.txt'), false);
    });

    it('stops in the middle of a command when told so on the page, in the row or the palette, and does not go on', async () => {
      const shown = await window.show(one.title);
      const stops = [
        () =>
          shown.frame
            .getByRole('button', { name: 'Stop', exact: true })
            .click(),
        () => window.pressOnRow(/^Fix login, Working/, 'Stop Agent'),
        () => runCommand(window.page, 'Switchboard: Stop Agent'),
      ];
      for (const [index, stop] of stops.entries()) {
        const wait = `sleep ${kind.service === 'appServer' ? 14142 : 31415}.${index + 1}`;
        await shown.write(`call: ${command(wait)}`, 'say: I went on.');
        await shown.wants(wait);
        await shown.accept();
        await shown.shows(`Running ${wait}`);
        await runs(wait);
        if (index === 0) await pictures('working');
        await stop();
        if (index !== 1)
          await shown.says(
            'Stopped. A command it started may still be running.',
          );
        await shown.shows(new RegExp(`Ran ${wait}, stopped`));
        await shown.state('Paused');
        await endProcess(wait);
      }
      await pictures('stopped');
      assert.equal(
        await shown.frame
          .locator('.entry.by-agent')
          .filter({ hasText: 'I went on.' })
          .count(),
        0,
      );
    });

    it('takes its answer on the page alone, whether that is opened from the row or the palette', async () => {
      const { page } = window;
      const shown = await window.show(one.title);
      // A row of the palette does not show all of it, and so leads to the page.
      const whole = 'touch begun.txt && echo begun && echo and && echo done';
      await shown.write(`call: ${command(whole)}`);
      await shown.wants(whole);
      await window.row(/^Fix login, Waiting for you/).waitFor();
      await AgentPage.closeAll(page);
      await window.pressOnRow(/^Fix login, Waiting for you/, 'Accept Action');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText(whole).waitFor();
      await dialog.getByRole('button', { name: 'Open Conversation' }).click();
      await hears(page, 'The agent wants to do this:');
      await AgentPage.closeAll(page);
      await window.runOn(
        one.title,
        'Accept Action',
        'Select the action to accept',
      );
      await hears(page, 'The agent wants to do this:');
      assert.equal(await isThere('begun.txt'), false);
      const opened = await AgentPage.of(page, one.title);
      await opened.accept();
      await opened.state('Finished');
      assert.equal(await isThere('begun.txt'), true);
    });

    it('summarizes what it has done, from the head of its page', async () => {
      const shown = await window.show(one.title);
      await shown.frame
        .getByRole('button', { name: 'Compact', exact: true })
        .click();
      await shown.shows(/Compacted \d+ earlier events/);
      await pictures('compacted');
      await shown.write('say: I know what I did.');
      await shown.hears('I know what I did.');
    });

    it('begins another conversation with all that was said when it is forked from the page', async () => {
      const shown = await window.show(one.title);
      await shown.choose('Fork');
      const fork = await AgentPage.of(window.page, 'Fix login (fork)');
      await fork.hears('Good morning.');
      await window.row(/^Fix login \(fork\), /).waitFor();
      await picture('forked');
      assert.ok((await kind.titles(service)).includes('Fix login (fork)'));
    });

    it('sends an edited message in a fork, and answers aside there', async () => {
      const shown = await window.show(two.title);
      await shown.frame.locator('.by-person').first().hover();
      await shown.frame
        .getByRole('button', { name: 'Edit and Resend…' })
        .first()
        .click();
      await window.page
        .locator('.monaco-dialog-box')
        .getByRole('button', { name: 'Fork and Edit' })
        .click();
      const fork = await AgentPage.of(window.page, 'Fix logout (fork)');
      await until(async () =>
        (await fork.field.inputValue()).endsWith(greeting) ? true : undefined,
      );
      await fork.state('Live');
      await writeInto(fork.field, 'say: Aside.');
      await fork.frame.getByRole('button', { name: 'Side Question' }).click();
      await fork.frame
        .locator('.aside .prose')
        .getByText('Aside.')
        .waitFor({ timeout: aWhile });
      await fork.write('say: Good evening.');
      await fork.hears('Good evening.');
      assert.equal(await fork.entry('Good morning.').count(), 0);
      await picture('edited-and-asked-aside');
    });

    it('counts as unread when it wants something unseen, until its page is opened', async () => {
      const { page } = window;
      const unread = window.row(/^Fix logout, Waiting for you, Unread/);
      const read = window.row(/^Fix logout, Waiting for you, (?!Unread)/);
      await AgentPage.closeAll(page);
      // A window without the focus looks less often.
      await goTo(page, 'Conversations', /^Fix login, /);
      await write(two, `call: ${command('touch unread.txt')}`);
      await unread.waitFor({ timeout: aWhile });
      await picture('unread');
      const shown = await window.show(two.title);
      await shown.wants('touch unread.txt');
      await read.waitFor();
      for (const [item, becomes] of [
        ['Mark Conversation as Unread', unread],
        ['Mark Conversation as Read', read],
      ] as const) {
        await goTo(page, 'Conversations', /^Fix logout, /);
        await page.keyboard.press('Shift+F10');
        await chooseInMenu(page, item);
        await becomes.waitFor();
      }
      await shown.reject();
    });

    it('shows its task list in the head of its page, and updates it in place', async () => {
      const shown = await window.show(one.title);
      const plan = async (status: string) => {
        const tasks = [
          { title: 'Find it', status, notes: '' },
          { title: 'Mend it', status: 'todo', notes: '' },
        ];
        await shown.write(
          `call: task_tracker ${JSON.stringify({ command: 'plan', task_list: tasks })}`,
        );
        await shown.wants('Find it');
        await shown.accept();
      };
      await plan('in_progress');
      const list = shown.frame.locator('.tasks');
      await list.getByText('Tasks: 0 of 2 done, now: Find it').click();
      await list.getByText('Mend it').waitFor();
      await pictures('tasks');
      await plan('done');
      await list.getByText('Tasks: 1 of 2 done').waitFor({ timeout: aWhile });
      assert.equal(await list.getByText('Mend it').isVisible(), true);
      await shown.state('Finished');
    });

    it('keeps its new title, and is gone from the service and its page, when renamed and deleted with the keyboard', async () => {
      const { page } = window;
      await window.show(two.title);
      await goTo(page, 'Conversations', /^Fix logout, /);
      await page.keyboard.press('F2');
      await hears(page, /Rename Conversation.*New title of/);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Another way');
      await page.keyboard.press('Enter');
      await window.row(/^Another way, /).waitFor();
      await until(async () =>
        (await kind.titles(service)).includes('Another way') ? true : undefined,
      );
      await AgentPage.of(page, 'Another way');
      await goTo(page, 'Conversations', /^Another way, /);
      await page.keyboard.press('Delete');
      await hears(
        page,
        /^Delete; .*“Another way”.*Everything that was said and done in it is lost\./,
      );
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Delete' })
        .click();
      await window
        .row(/^Another way, /)
        .waitFor({ state: 'detached', timeout: aWhile });
      await page
        .locator('.tab')
        .getByText('Another way')
        .waitFor({ state: 'detached' });
      const titles = await kind.titles(service);
      assert.deepEqual(
        [titles.includes('Another way'), titles.includes('Fix login')],
        [false, true],
      );
    });

    // An agent in a sandbox has no profiles, and an app server ignores tags.
    if (kind.service === 'agentServer') {
      it('takes another model from the head of its page', async () => {
        const llm = {
          model: 'openai/another',
          base_url: (await theModel()).url,
          api_key: 'x',
        };
        await one.ask('/api/profiles/another', {
          method: 'POST',
          body: JSON.stringify({ llm }),
        });
        const shown = await window.show(one.title);
        await shown.frame
          .getByRole('button', { name: 'Switch Model…' })
          .click();
        const models = window.page.locator(
          '.quick-input-list .monaco-list-row',
        );
        await models.filter({ hasText: 'openai/another' }).click();
        await shown.frame
          .getByText('Model: openai/another')
          .waitFor({ timeout: aWhile });
        await shown.write('say: I am another one.');
        await shown.hears('I am another one.');
      });

      it('tells other machines that it is pinned and archived, and comes back with Undo', async () => {
        const { page } = window;
        const chooseFor = async (name: string) => {
          await goTo(page, 'Conversations', /^Fix login, /);
          await page.keyboard.press('Shift+F10');
          await chooseInMenu(page, name);
        };
        const tagsBecome = (expected: object) =>
          until(async () => {
            const { tags } = await answers<{ tags: object }>(
              one.ask(`/api/conversations/${one.id}`),
            );
            return isDeepStrictEqual(tags, expected) || undefined;
          });
        await chooseFor('Pin Conversation');
        await tagsBecome({ pinned: 'true' });
        await window.row(/^Fix login, [^,]+, Pinned, /).waitFor();
        await chooseFor('Archive Conversation');
        await window.row(/^Fix login, /).waitFor({ state: 'detached' });
        await tagsBecome({ pinned: 'true', archived: 'true' });
        await press(page, 'was archived', 'Undo');
        await window.row(/^Fix login, /).waitFor();
        await chooseFor('Unpin Conversation');
        await tagsBecome({});
      });
    }

    // An Agent Server has no sandboxes.
    if (kind.service === 'appServer') {
      it('hears a message that is written while its sandbox is paused, which is resumed first', async () => {
        const { page } = window;
        const shown = await window.show(one.title);
        await window.runOn(
          'Running',
          'Pause Sandbox',
          'Select the sandbox to pause',
        );
        await shown.frame
          .getByText('Its sandbox is paused.')
          .waitFor({ timeout: aWhile });
        await pictures('sandbox-paused');
        await writeInto(shown.field, 'say: Awake again.');
        // Other notifications cover the button until they are closed.
        await runCommand(page, 'Notifications: Clear All Notifications');
        await shown.frame
          .getByRole('button', { name: 'Resume and Send' })
          .click();
        await shown.hears('Awake again.');
        await shown.state('Live');
        await picture('sandbox-resumed');
      });
    }
  });
}

describe('an agent at an older Agent Server, in a window', () => {
  let window: Window;

  before(async () => {
    window = await Window.open();
  });

  after(async () => {
    await window.desk.clear();
  });

  it('shows what it does, and does what is accepted until it is stopped', async function () {
    this.timeout(300_000);
    const service = await realService('olderAgentServer');
    const place = await atAgentServer.place(service, 'old');
    const old = await atAgentServer.begin(
      service,
      'Old login',
      place,
      'AlwaysConfirm',
      greeting,
    );
    await window.connect(service);
    const shown = await window.show(old.title);
    await shown.hears('Good morning.');
    const wait = 'sleep 27182.8';
    await shown.write(
      `call: ${command('touch old.txt')}`,
      `call: ${command(wait)}`,
    );
    await shown.wants('touch old.txt');
    await shown.accept();
    await shown.wants(wait);
    await access(join(old.folder, 'old.txt'));
    await shown.accept();
    await shown.shows(`Running ${wait}`);
    await runs(wait);
    await shown.frame
      .getByRole('button', { name: 'Stop', exact: true })
      .click();
    await shown.state('Paused');
    await takePicture(window.page, 'real-older');
    await endProcess(wait);
  });
});

/** Waits until a process runs this command. */
async function runs(text: string): Promise<void> {
  await until(() => processOf(text));
}

/**
 * Ends the command that an agent's terminal runs: a service without tmux ends
 * only what the agent does.
 */
async function endProcess(text: string): Promise<void> {
  const id = await processOf(text);
  if (id !== undefined) process.kill(id);
}

async function processOf(text: string): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', [
    '-A',
    '-o',
    'pid=,args=',
  ]);
  const line = stdout
    .split('\n')
    .find((each) => each.trimStart().replace(/^\d+ +/, '') === text);
  return line === undefined ? undefined : Number.parseInt(line, 10);
}
