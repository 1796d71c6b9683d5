import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { AskingAgents } from './askingAgents.ts';
import {
  changeTheme,
  chooseInMenu,
  type Desk,
  eventually,
  fold,
  goTo,
  hears,
  labels,
  messages,
  openPage,
  openSideBar,
  question,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  sortByCreation,
  takePicture,
  themes,
  view,
  webviewOf,
  writeInto,
} from './support.ts';

/** One pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Waiting actions in the demo: one, and two of one step. */
const one = 'Split the backup job into two modules';
const two = 'Move the rate limiter from callbacks';

/** Conversations whose agents wait, one for each test that answers. */
const toAccept = 'Pin the base image of the build';
const toReject = 'Remove the unused feature flags';
const toRedirect = 'Raise the timeout of the importer';
const toAsk = 'Speed up the smoke tests';

/** A conversation whose agent runs a command for ten minutes. */
const toStop = 'Rebuild the search index';

/**
 * Conversations whose agents have answered. The second agent does everything
 * without asking.
 */
const toRename = 'Document the release steps';
const answered = 'Sort the imports';

describe('a conversation', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let folder: string;
  const dialogs: string[] = [];

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'agentServer' });
    const agents = new AskingAgents(service);
    for (const title of [toAccept, toReject, toRedirect, toAsk]) {
      const id = await agents.create(title);
      await agents.wantTo(id, 'npm test');
      await agents.waits(id);
    }
    await agents.create(toRename);
    await neverAsk(await agents.create(answered));
    const working = await agents.create(toStop);
    await agents.wantTo(working, 'sleep 600');
    await agents.answer(working, true);
    desk = await setUpDesk({
      settings: {
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 0,
        // The Explorer would select the file that it has just opened, and
        // nothing else.
        'explorer.autoReveal': false,
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
    });
    folder = join(desk.home, 'project');
    await mkdir(folder);
    await writeFile(join(folder, 'first.ts'), 'const first = 1;\n');
    await writeFile(join(folder, 'second.ts'), 'const second = 2;\n');
    await writeFile(join(folder, 'picture.png'), Buffer.from(png, 'base64'));
    await writeFile(join(folder, 'program.bin'), Buffer.from([0, 1, 2, 255]));
    ({ page } = await desk.open({ folder }));
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await openSideBar(page);
    await fold(page, 'MCP Servers');
    await rows(page, 'Conversations').first().waitFor();
    await sortByCreation(page);
    await row(toAccept).waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  afterEach(() => {
    assert.deepEqual(dialogs, []);
  });

  const asked = () =>
    service.executed.filter(({ cause }) => cause.startsWith('POST '));
  const field = (frame: Frame) =>
    frame.getByRole('textbox', { name: 'Message to the agent' });
  const entry = (frame: Frame, text: string | RegExp) =>
    frame.locator('.entry').filter({ hasText: text });
  const waitingBox = (frame: Frame) => frame.locator('.waitingBox');
  const row = (title: string) =>
    rows(page, 'Conversations', new RegExp(`^${escaped(title)}, `)).first();

  async function neverAsk(id: string): Promise<void> {
    const response = await fetch(
      `${service.url}/api/conversations/${id}/confirmation_policy`,
      {
        method: 'POST',
        headers: {
          'X-Session-API-Key': service.key,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ policy: { kind: 'NeverConfirm' } }),
      },
    );
    assert.ok(response.ok);
  }

  /** Opens the page of a conversation with its row. */
  async function open(title: string): Promise<Frame> {
    await openSideBar(page);
    const frame = await openPage(page, row(title), title);
    await frame.locator('.entry').first().waitFor();
    return frame;
  }

  async function closeEverything(): Promise<void> {
    if ((await page.locator('.tabs-container .tab').count()) > 0) {
      await runCommand(page, 'View: Close All Editors');
    }
    if ((await messages(page).count()) > 0) {
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
  }

  describe('on its page', () => {
    after(closeEverything);

    /** Lets the agent of this page do what is written there. */
    async function write(frame: Frame, text: string): Promise<void> {
      // The page may know a moment later than the row that nothing waits any
      // more. Until then, Enter leads to a choice.
      await frame.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await writeInto(field(frame), text);
      await field(frame).press('Enter');
      await eventually(async () => {
        assert.equal(await field(frame).inputValue(), '');
      });
    }

    it('shows events, a waiting action and its details in each theme', async () => {
      const frame = await open(one);
      await waitingBox(frame).getByText('The agent wants to do').waitFor();
      await entry(frame, 'Wants to run').first().waitFor();
      await frame.getByText('Live', { exact: true }).waitFor();
      for (const [name, theme] of Object.entries(themes)) {
        await changeTheme(page, theme);
        await takePicture(page, `conversation-${name}`);
      }
      await frame.getByRole('button', { name: 'Details' }).click();
      await frame.locator('dt').getByText('Model', { exact: true }).waitFor();
      await takePicture(page, 'conversation-details');
      await frame.getByRole('button', { name: 'Details' }).click();
      for (const [name, theme] of Object.entries(themes)) {
        await changeTheme(page, theme);
        await frame.getByRole('button', { name: 'More Actions…' }).click();
        await frame
          .getByRole('menuitem', { name: 'Copy as Markdown' })
          .waitFor();
        await takePicture(page, `conversation-menu-${name}`);
      }
      await page.keyboard.press('Escape');
    });

    it('runs an accepted action once despite several clicks, and reports it', async () => {
      const frame = await open(toAccept);
      const before = asked().length;
      const accept = waitingBox(frame).getByRole('button', {
        name: 'Accept',
        exact: true,
      });
      await accept.waitFor();
      await eventually(async () => {
        // The page ignores a click within 0.6 s of showing an action.
        if ((await accept.count()) > 0)
          await accept.click({ clickCount: 3, timeout: 1_000 });
        await frame
          .locator('.told')
          .getByText('Accepted.')
          .waitFor({ timeout: 1_000 });
      });
      await entry(frame, 'Ran npm test').waitFor();
      assert.equal(asked().length, before + 1);
      await takePicture(page, 'conversation-accepted');
    });

    it('stops the agent when you reject without a reason', async () => {
      const frame = await open(toReject);
      const before = asked().length;
      await eventually(async () => {
        // The page ignores a click within 0.6 s of showing an action.
        const reject = waitingBox(frame).getByRole('button', {
          name: 'Reject',
          exact: true,
        });
        if ((await reject.count()) > 0) await reject.click({ timeout: 1_000 });
        await frame
          .locator('.told')
          .getByText('Rejected.')
          .waitFor({ timeout: 1_000 });
      });
      await entry(frame, 'Wanted to run npm test, rejected').first().waitFor();
      assert.equal(asked().length, before);
      await takePicture(page, 'conversation-rejected');
    });

    it('lets the agent go on with the reason when you choose Reject and Send', async () => {
      const frame = await open(toRedirect);
      const before = asked().length;
      await writeInto(field(frame), 'say: I do something else.');
      await field(frame).press('Enter');
      await frame
        .getByRole('button', { name: 'Reject and Send' })
        .and(frame.locator(':focus'))
        .waitFor();
      await takePicture(page, 'conversation-choose');
      await page.keyboard.press('Enter');
      await entry(frame, 'rejected: say: I do something else.')
        .first()
        .waitFor();
      await frame
        .locator('.by-agent')
        .filter({ hasText: 'I do something else.' })
        .waitFor();
      assert.equal(asked().length, before);
    });

    it('sends a message with Enter, shows what the agent does, and finds text in it', async () => {
      const frame = await open(answered);
      await write(
        frame,
        'call: terminal {"command": "echo hello"}\ncall: file_editor {"command": "str_replace", "path": "/srv/a.ts", "old_str": "one", "new_str": "two"}\nsay: I am **done** with `it`.',
      );
      await entry(frame, 'Ran echo hello, exit code 0').waitFor();
      await entry(frame, 'Edited /srv/a.ts').waitFor();
      const said = entry(frame, 'I am done with it.').last();
      await said.locator('strong').getByText('done', { exact: true }).waitFor();
      await entry(frame, 'Edited /srv/a.ts').last().getByRole('button').click();
      await frame.locator('.change .removed').getByText('one').waitFor();
      await frame.locator('.change .added').getByText('two').waitFor();
      await takePicture(page, 'conversation-written');
      // Its own find bar also searches what is folded.
      const before = await frame.locator('header').boundingBox();
      await field(frame).press('Control+f');
      const bar = frame.getByRole('textbox', {
        name: 'Find in loaded entries',
      });
      await bar.fill('echo hello');
      await frame.getByText(/^\d+ of \d+$/).waitFor();
      await takePicture(page, 'conversation-find');
      // The page as a whole stays where it is.
      assert.deepEqual(await frame.locator('header').boundingBox(), before);
      await bar.press('Escape');
    });

    it('asks before it opens a link', async () => {
      const frame = await open(answered);
      await write(frame, 'say: See [the page](https://links.example.com/a).');
      await frame.getByRole('link', { name: 'the page' }).last().click();
      await page
        .getByRole('dialog')
        .getByText('https://links.example.com/a')
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('stops the agent', async () => {
      const frame = await open(answered);
      await write(frame, 'call: terminal {"command": "sleep 60"}');
      await entry(frame, 'Running sleep 60').waitFor();
      await takePicture(page, 'conversation-working');
      await frame
        .locator('header')
        .getByRole('button', { name: 'Stop' })
        .click();
      await frame
        .locator('.told')
        .getByText(/^Stopped\./)
        .waitFor();
      await entry(frame, /^Stopped/)
        .last()
        .waitFor();
    });

    it('shows a message while it is being sent, and stops the agent by keyboard', async () => {
      const frame = await open(answered);
      await write(frame, 'call: terminal {"command": "sleep 60"}');
      await entry(frame, 'Running sleep 60').last().waitFor();
      const sent = () =>
        service.requests.filter(
          ({ method, path }) => method === 'POST' && path.endsWith('/events'),
        ).length;
      const before = sent();
      service.misbehave({ held: true, only: /^POST .*\/events/ });
      await writeInto(field(frame), 'And then the rest');
      await field(frame).press('Enter');
      await eventually(() => {
        assert.equal(
          sent(),
          before + 1,
          'A message that has not left yet would come back.',
        );
      });
      const pending = frame
        .locator('.pending .entry')
        .filter({ hasText: 'And then the rest' });
      await pending.getByText('Sending…').waitFor();
      assert.equal(await field(frame).inputValue(), '');
      await takePicture(page, 'conversation-sending');
      await field(frame).press('Control+Escape');
      await frame
        .locator('.told')
        .getByText(/^Stopped\./)
        .waitFor();
      await entry(frame, /^Stopped/)
        .last()
        .waitFor();
      service.misbehave({});
      await pending.waitFor({ state: 'detached' });
      assert.equal(await entry(frame, 'And then the rest').count(), 1);
    });

    it('changes when the agent asks for approval, and confirms before turning that off', async () => {
      const frame = await open(answered);
      const asks = frame.getByLabel('Approval:');
      const count = () =>
        service.requests.filter(({ path }) =>
          path.endsWith('/confirmation_policy'),
        ).length;
      const before = count();
      await asks.selectOption('always');
      await eventually(async () => {
        assert.equal(await asks.inputValue(), 'always');
        assert.equal(count(), before + 1);
      });
      await asks.selectOption('never');
      await hears(
        page,
        /^Never Ask; .*Let the agent of .* do everything without asking/,
      );
      await takePicture(page, 'conversation-never-ask');
      await page.keyboard.press('Escape');
      await eventually(async () => {
        assert.equal(await asks.inputValue(), 'always');
      });
      assert.equal(count(), before + 1);
    });

    it('follows its conversation only while visible', async () => {
      await (await open(toReject)).getByText('Live', { exact: true }).waitFor();
      const sockets = () =>
        service.requests.filter(({ path }) => path.startsWith('/sockets/'));
      const path = sockets().at(-1)?.path;
      const ofThis = () =>
        sockets().filter((request) => request.path === path).length;
      const before = ofThis();
      await open(answered);
      await page.locator('.tab').getByText(toReject).click();
      const again = await webviewOf(page, toReject);
      await again.getByText('Live', { exact: true }).waitFor();
      assert.equal(ofThis(), before + 1);
    });
  });

  describe('in the list', () => {
    afterEach(closeEverything);

    it('says what would be accepted from the palette, and answers nothing before you choose', async () => {
      const before = asked().length;
      await runCommand(page, 'Switchboard: Accept Action');
      await page.getByPlaceholder('Select the action to accept').waitFor();
      await page.keyboard.type(one);
      await hears(page, new RegExp(`; ${one}, Waiting for you.*git push`));
      await takePicture(page, 'accept-from-palette');
      await page.keyboard.press('Escape');
      assert.equal(asked().length, before);
    });

    it('asks with the button of its row, showing all of a short action', async () => {
      const before = asked().length;
      await row(toAsk).hover();
      await row(toAsk).getByRole('button', { name: 'Accept Action' }).click();
      const dialog = page.locator('.monaco-dialog-box');
      await dialog
        .getByText(`An agent wants to run \`npm test\` in “${toAsk}”.`)
        .waitFor();
      await takePicture(page, 'accept-from-row');
      assert.equal(asked().length, before);
      await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
      await eventually(() => {
        assert.equal(asked().length, before + 1);
        return Promise.resolve();
      });
    });

    it('focuses a longer action with the button of its row without answering it', async () => {
      const before = asked().length;
      const rowOfTwo = rows(
        page,
        'Conversations',
        new RegExp(`^${two}`),
      ).first();
      await rowOfTwo.hover();
      await rowOfTwo
        .getByRole('button', { name: 'Review and Accept…' })
        .click();
      await hears(page, /^The agent wants to do 2 things/);
      await waitingBox(await webviewOf(page, new RegExp(two))).waitFor();
      assert.equal(asked().length, before);
    });

    it('stops an agent with the button of its row', async () => {
      const interrupts = () =>
        service.requests.filter(({ path }) => path.endsWith('/interrupt'))
          .length;
      const before = interrupts();
      await row(toStop).hover();
      await row(toStop).getByRole('button', { name: 'Stop Agent' }).click();
      await eventually(() => {
        assert.equal(interrupts(), before + 1);
        return Promise.resolve();
      });
      assert.equal(await messages(page, 'Something went wrong').count(), 0);
    });

    it('gets another title with F2', async () => {
      await goTo(page, 'Conversations', new RegExp(`^${escaped(toRename)}, `));
      await page.keyboard.press('F2');
      await hears(page, /Rename Conversation.*New title of/);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Renamed here');
      await page.keyboard.press('Enter');
      await rows(page, 'Conversations', /^Renamed here, /).waitFor();
    });

    it('shows that it is pinned or unread, and hides when archived, in each theme', async () => {
      const chooseFor = async (title: string, name: string) => {
        await goTo(page, 'Conversations', new RegExp(`^${escaped(title)}, `));
        await page.keyboard.press('Shift+F10');
        await chooseInMenu(page, name);
      };
      const first = () =>
        labels(page, 'Conversations').then(([label]) => label);
      const listed = (label: RegExp) => rows(page, 'Conversations', label);
      await chooseFor(answered, 'Pin Conversation');
      await eventually(async () => {
        assert.match(
          (await first()) ?? '',
          new RegExp(`^${answered}, [^,]+, Pinned, `),
        );
      });
      await chooseFor(one, 'Mark Conversation as Unread');
      await listed(new RegExp(`^${one}, Waiting for you, Unread, `)).waitFor();
      await chooseFor(toReject, 'Archive Conversation');
      await messages(page, 'was archived').waitFor();
      await row(toReject).waitFor({ state: 'detached' });
      for (const [name, theme] of Object.entries(themes)) {
        await changeTheme(page, theme);
        await takePicture(page, `marks-${name}`);
      }
      await messages(page, 'was archived')
        .getByRole('button', { name: 'Undo' })
        .click();
      await row(toReject).waitFor();

      await open(one);
      await listed(new RegExp(`^${one}, Waiting for you, Unread`)).waitFor({
        state: 'detached',
      });
      await chooseFor(toReject, 'Archive Conversation');
      await row(toReject).waitFor({ state: 'detached' });
      await goTo(page, 'Conversations');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      await hears(page, /1 archived/);
      await page.keyboard.press('Enter');
      await listed(/^Filter: Archived, 1 of /).waitFor();
      await takePicture(page, 'marks-archived');
      await chooseFor(toReject, 'Unarchive Conversation');
      await listed(/^Filter: Archived, none of /).waitFor();
      await runCommand(page, 'Switchboard: Filter Conversations');
      await page.keyboard.type('Clear Filters');
      await page.keyboard.press('Enter');
      await chooseFor(answered, 'Unpin Conversation');
      await listed(new RegExp(`^${answered}, [^,]+, Pinned`)).waitFor({
        state: 'detached',
      });
    });

    it('forks a conversation and opens the fork', async () => {
      await runCommand(page, 'Switchboard: Fork Conversation');
      await page.getByPlaceholder('Select the conversation to fork').waitFor();
      await page.keyboard.type('Renamed here');
      await page.keyboard.press('Enter');
      await webviewOf(page, 'Renamed here (fork)');
    });

    it('edits a message in a fork after saying what is not undone, and asks aside there', async () => {
      const frame = await open('Renamed here (fork)');
      const message = frame.locator('.by-person').first();
      await message.hover();
      await takePicture(page, 'fork-from-here');
      const text = await message.locator('.prose').innerText();
      await message.getByRole('button', { name: 'Edit and Resend…' }).click();
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText(/^Edit this message in a fork/).waitFor();
      await takePicture(page, 'edit-and-resend');
      await dialog.getByRole('button', { name: 'Fork and Edit' }).click();
      const fork = await webviewOf(page, 'Renamed here (fork) (fork)');
      await eventually(async () => {
        assert.equal(await field(fork).inputValue(), text);
      });
      assert.equal(await fork.locator('.by-person').count(), 0);
      await field(fork).fill('Why?');
      await fork.getByRole('button', { name: 'Side Question' }).click();
      await fork.getByText('The agent has answered your question.').waitFor();
      await fork
        .locator('.aside .prose')
        .getByText(/agent of a demo/)
        .waitFor();
      await takePicture(page, 'asked-aside');
      assert.equal(await fork.locator('.by-person').count(), 0);
    });

    it('opens by its link after VS Code asks', async () => {
      await runCommand(page, 'Switchboard: Copy Conversation Link');
      await page
        .getByPlaceholder('Select the conversation whose link to copy')
        .waitFor();
      await page.keyboard.type(two);
      await page.keyboard.press('Enter');
      await runCommand(page, 'Developer: Open URL');
      await page.keyboard.press('Control+v');
      await eventually(async () => {
        assert.match(
          await question(page).inputValue(),
          /agent-switchboard\.agent-switchboard\/conversation/,
        );
      });
      await page.keyboard.press('Enter');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Open' })
        .click();
      await webviewOf(page, new RegExp(two));
    });

    it('disappears after a question that names the loss and focuses Keep', async () => {
      await goTo(page, 'Conversations', /^Renamed here, /);
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('dialog');
      await hears(
        page,
        /^Delete; .*Renamed here.*Everything that was said and done in it is lost\./,
      );
      await takePicture(page, 'delete-conversation');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await rows(page, 'Conversations', /^Renamed here, /).waitFor({
        state: 'detached',
      });
      assert.equal(await messages(page, 'Could not').count(), 0);
    });
  });

  describe('in the message box of its page', () => {
    afterEach(closeEverything);

    const attached = (frame: Frame) =>
      frame.locator('.attachments .link').allInnerTexts();

    /** Also where the agent waits in the meantime. */
    async function send(frame: Frame, text: string): Promise<void> {
      await writeInto(field(frame), text);
      // The editor keeps the mouse from the page while something is dragged,
      // and a drop from a test ends no drag.
      await frame
        .getByRole('button', { name: /^(Send|Queue Message)$/ })
        .press('Enter');
    }

    async function dropOn(frame: Frame, data: string): Promise<void> {
      await frame.evaluate(`(() => {
        const data = new DataTransfer();
        ${data}
        const box = document.querySelector('footer .box');
        box.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }));
        box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      })()`);
    }

    async function has(
      frame: Frame,
      ...names: readonly string[]
    ): Promise<void> {
      await eventually(async () => {
        assert.deepEqual(await attached(frame), names);
      });
    }

    /** Takes off what the next test would find again. */
    async function remove(
      frame: Frame,
      ...names: readonly string[]
    ): Promise<void> {
      for (const name of names)
        await frame
          .getByRole('button', { name: `Remove ${name}`, exact: true })
          .click();
      await has(frame);
    }

    async function select(file: string): Promise<void> {
      await page.keyboard.press('Control+p');
      await question(page).fill(file);
      await page
        .locator('.quick-input-list .monaco-list-row.focused')
        .filter({ hasText: file })
        .waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.tab.active').filter({ hasText: file }).waitFor();
      await page.locator('.monaco-editor .view-line').first().click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
    }

    /** Opens the menu of these files, of which each is selected. */
    async function menuOf(...files: readonly string[]): Promise<void> {
      await runCommand(page, 'View: Show Explorer');
      const item = (file: string) =>
        page
          .locator('.explorer-folders-view')
          .getByRole('treeitem', { name: file });
      for (const [index, file] of files.entries()) {
        await item(file).click(index === 0 ? {} : { modifiers: ['Control'] });
      }
      await item(files.at(-1) ?? '').click({ button: 'right' });
    }

    it('attaches the selection from the editor menu, and with the button of the page', async () => {
      await open(answered);
      await select('first.ts');
      await page.keyboard.press('Shift+F10');
      await chooseInMenu(page, 'Attach Selection to Conversation');
      await has(await webviewOf(page, answered), 'first.ts:1');
      await hears(page, /Message to the agent/);
      await select('second.ts');
      const frame = await open(answered);
      await frame
        .getByRole('button', { name: 'Attach Editor Selection' })
        .click();
      await has(frame, 'first.ts:1', 'second.ts:1');
      await takePicture(page, 'conversation-attached');
      await send(frame, 'say: I have seen it.');
      await entry(frame, 'const first = 1;')
        .filter({ hasText: 'const second = 2;' })
        .waitFor();
      await has(frame);
    });

    it('attaches the selection to a chosen conversation when no page is open', async () => {
      await select('second.ts');
      await runCommand(page, 'Switchboard: Attach Selection to Conversation');
      await hears(page, /^Select the conversation to attach it to/);
      await page.keyboard.press('Enter');
      await eventually(async () => {
        const names = await Promise.all(
          page.frames().map((frame) => attached(frame).catch(() => [])),
        );
        assert.deepEqual(names.flat(), ['second.ts:1']);
      });
      await hears(page, /Message to the agent/);
    });

    it('hides Attach Selection in the editor menu when no page is open', async () => {
      await select('second.ts');
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: 'Copy' }).first().waitFor();
      assert.equal(
        await page
          .getByRole('menuitem', { name: 'Attach Selection to Conversation' })
          .count(),
        0,
      );
      await page.keyboard.press('Escape');
    });

    it('attaches several files from the Explorer menu, and reports one that cannot be attached', async () => {
      await open(answered);
      await menuOf('first.ts', 'program.bin', 'second.ts');
      await chooseInMenu(page, 'Attach Files to Conversation');
      await messages(page, /“program.bin” cannot be attached/).waitFor();
      const frame = await webviewOf(page, answered);
      await has(frame, 'first.ts', 'second.ts');
      await takePicture(page, 'attaching-files');
      await remove(frame, 'first.ts', 'second.ts');
    });

    it('attaches a file that you choose in the file dialog', async () => {
      const frame = await open(answered);
      await frame.getByRole('button', { name: 'Attach File…' }).click();
      await eventually(async () => {
        // The dialog fills in where it begins, and perhaps later than this.
        const path = question(page);
        if (await path.isVisible()) {
          await path.fill(join(folder, 'picture.png'), { timeout: 1_000 });
          await path.press('Enter', { timeout: 1_000 });
        }
        assert.deepEqual(await attached(frame), ['picture.png']);
      });
      await frame.locator('.attachments img').waitFor();
      await remove(frame, 'picture.png');
    });

    it('attaches what the Explorer of a remote window gives, but not through links, and asks for secret files', async () => {
      await mkdir(join(desk.home, '.aws'), { recursive: true });
      await writeFile(join(desk.home, '.aws', 'credentials'), 'canary\n');
      await symlink(
        join(desk.home, '.aws', 'credentials'),
        join(folder, 'notes.md'),
      );
      await writeFile(join(folder, '.env'), 'MODE=canary\n');
      const frame = await open(answered);
      const remote = (name: string) => {
        const address = `vscode-remote://${new URL(page.url()).host}${join(folder, name)}`;
        return dropOn(
          frame,
          `data.setData('text/uri-list', ${JSON.stringify(address)});`,
        );
      };
      await remote('second.ts');
      await has(frame, 'second.ts');
      await remote('notes.md');
      await frame
        .locator('.told')
        .getByText('“notes.md” is a link to')
        .waitFor();
      const dialog = page
        .locator('.monaco-dialog-box')
        .filter({ hasText: 'Attach “.env”?' });
      await remote('.env');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await has(frame, 'second.ts');
      await remote('.env');
      await dialog.getByRole('button', { name: 'Attach' }).click();
      await has(frame, 'second.ts', '.env');
      await remove(frame, 'second.ts', '.env');
    });

    it('attaches dropped files and a pasted picture, and refuses web links', async () => {
      const frame = await open(answered);
      const drop = (data: string) => dropOn(frame, data);
      const address = pathToFileURL(join(folder, 'second.ts')).href;
      await drop(`data.setData('text/uri-list', ${JSON.stringify(address)});`);
      await has(frame, 'second.ts');
      await drop(
        `data.items.add(new File(['one, two'], 'far.txt', { type: 'text/plain' }));`,
      );
      await has(frame, 'second.ts', 'far.txt');
      await drop(`data.setData('text/uri-list', 'https://far.example.com/x');`);
      await frame
        .locator('.told')
        .getByText('Only files on the machine of this window')
        .waitFor();
      await has(frame, 'second.ts', 'far.txt');
      await field(frame).focus();
      await frame.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${png}'), (each) => each.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], 'screen.png', { type: 'image/png' }));
        document.querySelector('textarea').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      })()`);
      await has(frame, 'second.ts', 'far.txt', 'screen.png');
      await send(frame, 'say: Read.');
      const sent = entry(frame, 'one, two').filter({
        hasText: 'const second = 2;',
      });
      await sent.locator('img[src^="data:image/png"]').waitFor();
      await takePicture(page, 'attaching-pasted');
    });
  });

  describe('of a service that is not trusted', () => {
    after(async () => {
      service.misbehave({});
      await runCommand(page, 'Switchboard: Refresh Conversations');
      await row(one).waitFor();
    });

    it('shows its title as plain text without icons, links or markup', async () => {
      await openSideBar(page);
      service.misbehave({ hostileTitles: true, only: '/conversations/search' });
      await runCommand(page, 'Switchboard: Refresh Conversations');
      const conversations = view(page, 'Conversations');
      const literal = conversations.locator('.label-name');
      await literal
        .getByText('$(error) $(sync~spin…', { exact: true })
        .first()
        .waitFor();
      await literal.getByText('<img src=x onerror=a…').first().waitFor();
      await literal.getByText('**bold** [a link](co…').first().waitFor();
      await literal.getByText('first line second li…').first().waitFor();
      assert.equal(
        await conversations
          .locator('.label-name .codicon, .label-name img')
          .count(),
        0,
      );
      assert.equal(
        await conversations
          .locator('.label-name [href], .label-name[href]')
          .count(),
        0,
      );
      for (const label of await labels(page, 'Conversations')) {
        assert.doesNotMatch(
          label,
          /\p{Cc}|[\u200b\u202a-\u202e\u2066-\u2069\u2028\u2029]/u,
        );
        assert.ok(label.length < 1_000);
      }
      const bold = rows(page, 'Conversations', /^\*\*bold/).first();
      const tooltip = await showTooltip(
        page,
        bold,
        '**bold** [a link](command:workbench.action.quit)',
      );
      assert.equal(
        await tooltip.locator('a, img, .codicon, strong').count(),
        0,
      );
      await takePicture(page, 'hostile-titles');
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
      assert.deepEqual(await messages(page).allInnerTexts(), []);
    });

    it('shows its error as plain text without links that run a command', async () => {
      service.misbehave({
        errorBody: 'hostile',
        errorStatus: 409,
        only: 'PATCH',
      });
      await goTo(page, 'Conversations');
      await page.keyboard.press('F2');
      await hears(page, /Rename Conversation.*New title of/);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Another title');
      await page.keyboard.press('Enter');
      const message = messages(page, 'Raise your quota');
      await message.waitFor();
      assert.match(
        await message.innerText(),
        /\$\(error\) \[Raise your quota\] \(command:/,
      );
      assert.equal(
        await message.locator('.notification-list-item-message a').count(),
        0,
      );
      await takePicture(page, 'hostile-error');
      await closeEverything();
    });
  });

  describe('of a service that stops', () => {
    it('keeps the entries of its page and says that the service is unreachable', async () => {
      const frame = await open(one);
      await service.stop();
      await frame.getByText('Not reachable.').waitFor();
      await frame.getByRole('button', { name: 'Try Again' }).waitFor();
      assert.ok((await frame.locator('.entry').count()) > 0);
      await takePicture(page, 'conversation-unreachable');
    });
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
