import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import {
  chooseInMenu,
  type Desk,
  eventually,
  hears,
  messages,
  openPage,
  openSideBar,
  question,
  rows,
  runCommand,
  setUpDesk,
  sortByCreation,
  takePicture,
  webviewOf,
  writeInto,
} from './support.ts';

/** One pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the message box of a conversation page', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;
  let folder: string;
  /** Of the conversation whose page is opened. */
  let title: string;

  before(async () => {
    service = await startDemo({ interface: 'agentServer' });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off', 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    folder = join(desk.home, 'project');
    await mkdir(folder);
    await writeFile(join(folder, 'first.ts'), 'const first = 1;\n');
    await writeFile(join(folder, 'second.ts'), 'const second = 2;\n');
    await writeFile(join(folder, 'picture.png'), Buffer.from(png, 'base64'));
    await writeFile(join(folder, 'program.bin'), Buffer.from([0, 1, 2, 255]));
    ({ page } = await desk.open({ folder }));
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
    await sortByCreation(page);
    const row = rows(page, 'Conversations', /, Finished/).first();
    await row.waitFor();
    title = ((await row.getAttribute('aria-label')) ?? '').split(', ')[0] ?? '';
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  afterEach(async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  const field = (frame: Frame) => frame.getByRole('textbox', { name: 'Message to the agent' });
  const attached = (frame: Frame) => frame.locator('.attachments li > span').allInnerTexts();

  async function open(): Promise<Frame> {
    await openSideBar(page);
    const frame = await openPage(page, rows(page, 'Conversations', title).first(), title);
    await frame.locator('.entry').first().waitFor();
    return frame;
  }

  /** Also where the agent waits in the meantime. */
  async function send(frame: Frame, text: string): Promise<void> {
    await writeInto(field(frame), text);
    // The editor keeps the mouse from the page while something is dragged, and a drop from a test ends no drag.
    await frame.getByRole('button', { name: /^(Send|Leave the Message)$/ }).press('Enter');
  }

  async function has(frame: Frame, ...names: readonly string[]): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await attached(frame), names);
    });
  }

  async function select(file: string): Promise<void> {
    await page.keyboard.press('Control+p');
    await question(page).fill(file);
    await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: file }).waitFor();
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
      page.locator('.explorer-folders-view').getByRole('treeitem', { name: file });
    for (const [index, file] of files.entries()) {
      await item(file).click(index === 0 ? {} : { modifiers: ['Control'] });
    }
    await item(files.at(-1) ?? '').click({ button: 'right' });
  }

  it('attaches the selection from the editor menu to the last open page', async () => {
    await open();
    await select('first.ts');
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(page, 'Attach Selection to Conversation');
    await has(await webviewOf(page, title), 'first.ts:1');
    await hears(page, /Message to the agent/);
  });

  it('attaches the selection to a chosen conversation when no page is open', async () => {
    await select('second.ts');
    await runCommand(page, 'Switchboard: Attach Selection to Conversation');
    await hears(page, /^Select the conversation to attach it to/);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      const names = await Promise.all(page.frames().map((frame) => attached(frame).catch(() => [])));
      assert.deepEqual(names.flat(), ['second.ts:1']);
    });
    await hears(page, /Message to the agent/);
  });

  it('hides Attach Selection in the editor menu when no page is open', async () => {
    await select('second.ts');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy' }).first().waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Attach Selection to Conversation' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('attaches several files from the Explorer menu', async () => {
    await open();
    await menuOf('first.ts', 'second.ts');
    await chooseInMenu(page, 'Attach Files to Conversation');
    await has(await webviewOf(page, title), 'first.ts', 'second.ts');
    await takePicture(page, 'attaching-files');
  });

  it('reports a file that cannot be attached and keeps the others', async () => {
    await open();
    await menuOf('first.ts', 'program.bin');
    await chooseInMenu(page, 'Attach Files to Conversation');
    await messages(page, /“program.bin” cannot be attached/).waitFor();
    await has(await webviewOf(page, title), 'first.ts');
  });

  it('attaches a file that you choose in the file dialog', async () => {
    const frame = await open();
    await frame.getByRole('button', { name: 'Attach a file' }).click();
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
  });

  it('attaches dropped files by address or content, and refuses web links', async () => {
    const frame = await open();
    const drop = async (data: string) => {
      await frame.evaluate(`(() => {
        const data = new DataTransfer();
        ${data}
        const box = document.querySelector('footer .box');
        box.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }));
        box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      })()`);
    };
    const address = pathToFileURL(join(folder, 'second.ts')).href;
    await drop(`data.setData('text/uri-list', ${JSON.stringify(address)});`);
    await has(frame, 'second.ts');
    await drop(`data.items.add(new File(['one, two'], 'far.txt', { type: 'text/plain' }));`);
    await has(frame, 'second.ts', 'far.txt');
    await drop(`data.setData('text/uri-list', 'https://far.example.com/x');`);
    await frame.locator('.told').getByText('Only files can be attached.').waitFor();
    await has(frame, 'second.ts', 'far.txt');
    await send(frame, 'say: Read.');
    await frame
      .locator('.entry')
      .filter({ hasText: 'one, two' })
      .filter({ hasText: 'const second = 2;' })
      .waitFor();
  });

  it('attaches a pasted picture and shows it in the message', async () => {
    const frame = await open();
    await field(frame).focus();
    await frame.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${png}'), (each) => each.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'screen.png', { type: 'image/png' }));
      document.querySelector('textarea').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await has(frame, 'screen.png');
    await send(frame, 'say: I see it.');
    await frame.locator('.entry.by-person img[src^="data:image/png"]').last().waitFor();
    await takePicture(page, 'attaching-pasted');
  });
});
