import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { RepositoryFile } from '../../src/demo/agentServer/demoRepositories.ts';
import { type MisbehavingDemo, startMisbehavingDemo } from '../../src/demo/faults/misbehavingDemo.ts';
import {
  changeTheme,
  type Desk,
  eventually,
  fold,
  goTo,
  messages,
  openSideBar,
  press,
  reload,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
} from './support.ts';

interface Found {
  readonly id: string;
  readonly title: string | null;
  readonly execution_status: string;
  readonly workspace: { readonly working_dir: string };
}

const bytes = (text: string) => Buffer.from(text);

const odd: readonly RepositoryFile[] = [
  { path: '../../etc/passwd', before: undefined, after: bytes('root\n') },
  { path: 'a\nb.ts', before: bytes('one\n'), after: bytes('two\n') },
  { path: 'big.txt', before: undefined, after: Buffer.alloc(1_500_000, 'x\n') },
  { path: 'gone.md', before: bytes('# Gone\n'), after: undefined },
  { path: 'link', before: undefined, after: bytes('/etc/hostname'), mode: '120000' },
  { path: 'logo.bin', before: Buffer.from([0, 1]), after: Buffer.from([0, 2]) },
  { path: 'new name.ts', from: 'old name.ts', before: bytes('moved\n'), after: bytes('moved\n') },
  { path: 'safe\u202egpj.exe', before: undefined, after: bytes('text\n') },
];

/** All of what was added is in the patch, and need not be asked for. */
const added = (count: number): RepositoryFile[] =>
  Array.from({ length: count }, (_, at) => ({
    path: `src/file${at + 1}.ts`,
    before: undefined,
    after: bytes('const value = 1;\n'),
  }));

const some = (count: number, after = '2'): RepositoryFile[] =>
  Array.from({ length: count }, (_, at) => ({
    path: `src/file${at + 1}.ts`,
    before: bytes('const value = 1;\n'),
    after: bytes(`const value = ${after};\n`),
  }));

describe('Show Changes', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let title: string;

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'agentServer' });
    title = await titleOfOne();
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off', 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open({ height: 1000 }));
    await openSideBar(page);
    await fold(page, 'Sandboxes', 'MCP Servers');
    await rows(page, 'Conversations').first().waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  beforeEach(async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  /** One that has ended, in a folder that has a repository in which the agent has made a commit. */
  async function titleOfOne(): Promise<string> {
    const headers = { 'X-Session-API-Key': service.key };
    const response = await fetch(`${service.url}/api/conversations/search?limit=50`, { headers });
    const { items } = (await response.json()) as { items: Found[] };
    for (const { id, title, execution_status, workspace } of items) {
      if (title === null || !['error', 'finished', 'stuck'].includes(execution_status)) continue;
      const path = `/api/conversations/${id}/git/changes?path=${workspace.working_dir}`;
      const changes = await (await fetch(service.url + path, { headers })).json();
      if (Array.isArray(changes) && changes.length > 0) return title;
    }
    return assert.fail('There is none.');
  }

  async function choose(command: string): Promise<void> {
    await runCommand(page, `Switchboard: ${command}`);
    await page.getByPlaceholder('Select the conversation whose changes to show').waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  }

  const tab = (words: string | RegExp): Locator => page.locator('.tab').filter({ hasText: words });

  const shown = (text: string, side = 'modified'): Locator =>
    page.locator(`.multiDiffEntry .editor.${side} .view-line`).filter({ hasText: text }).first();

  const row = () => rows(page, 'Conversations', new RegExp(`^${escaped(title)}, `));

  it('shows binary, large, moved, deleted and linked files, and misleading names', async () => {
    service.misbehave({ changedFiles: odd });
    await choose('Show Changes');
    await tab('(8 files)').waitFor();
    await shown('two').waitFor();
    await shown('Text of 1500000 bytes').waitFor();
    await shown('# Gone', 'original').waitFor();
    await shown('Link to /etc/hostname').waitFor();
    await shown('Binary file of 2 bytes').waitFor();
    const titles = await page.locator('.multiDiffEntry .title.modified').allInnerTexts();
    const all = titles.join('\n');
    assert.match(all, /passwd/);
    assert.match(all, /a b\.ts/);
    assert.match(all, /safe gpj\.exe/);
    assert.ok(!all.includes('\u202e'));
    for (const theme of ['light', 'dark']) {
      await changeTheme(page, themes[theme] ?? assert.fail());
      await takePicture(page, `changes-odd-${theme}`);
    }
    await goTo(page, 'Conversations', new RegExp(`^${escaped(title)}, `));
    await page.keyboard.press('ArrowRight');
    await rows(page, 'Conversations', /^\(\.\.\)\/\(\.\.\)\/etc\/passwd, added/).waitFor();
    await page.keyboard.press('ArrowLeft');
  });

  it('opens 100 of 500 changed files and lists files below the row', async () => {
    service.misbehave({ changedFiles: added(500) });
    await choose('Show Changes');
    await messages(page, '100 of 500 changed files are shown.').waitFor();
    await tab('(100 files)').waitFor();
    await row()
      .and(rows(page, 'Conversations', /500 files changed/))
      .waitFor();
    await rows(page, 'Conversations', /^src\/file1\.ts, added/).waitFor();
    assert.equal(await messages(page, 'more files changed').count(), 0, 'They are shown already.');
    await takePicture(page, 'changes-many');
    await goTo(page, 'Conversations', new RegExp(`^${escaped(title)}, `));
    await page.keyboard.press('ArrowLeft');
  });

  it('restores a diff and a single file after a window reload', async () => {
    service.misbehave({ changedFiles: some(2) });
    await choose('Show Changes');
    await tab('(2 files)').waitFor();
    await shown('value = 2').waitFor();
    await runCommand(page, 'View: Keep Editor');
    await goTo(page, 'Conversations', new RegExp(`^${escaped(title)}, `));
    await page.keyboard.press('ArrowRight');
    await rows(page, 'Conversations', /^src\/file2\.ts, changed/).click();
    await tab('src/file2.ts').waitFor();
    await reload(page);
    const single = page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: 'value = 2' });
    await single.first().waitFor();
    await takePicture(page, 'changes-restored');
    // It reads its files only when it is seen.
    await tab(`Changes of “${title}”`).click();
    await shown('value = 2').waitFor();
    await tab('(2 files)').waitFor();
  });

  it('refreshes the diff when files change and offers newly changed files', async () => {
    service.misbehave({ changedFiles: some(2) });
    await choose('Show Changes');
    await shown('value = 2').waitFor();
    service.misbehave({ changedFiles: some(5, '7') });
    await runCommand(page, 'Switchboard: Rename Conversation');
    await page.getByPlaceholder('Select the conversation to rename').waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').getByText('New title of').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type((title = 'Renamed while it works'));
    await page.keyboard.press('Enter');
    await shown('value = 7').waitFor();
    await press(page, '3 more files changed in “Renamed while it works”.', 'Show');
    await tab('(5 files)').waitFor();
  });

  it('lists the commits of the agent and opens the diff of one', async () => {
    service.misbehave({});
    await choose('Show Changes Since …');
    await page.getByPlaceholder('Select what to show of').waitFor();
    await takePicture(page, 'changes-commits');
    await page.keyboard.type('Add the tax rate');
    await page.keyboard.press('Enter');
    await tab(/Commit [0-9a-f]{8} of “Renamed while it works” \(1 file\)/).waitFor();
    await shown('export const tax = 0.19;').waitFor();
  });

  it('explains why changes cannot be read, cancels a slow read, and opens no tab', async () => {
    service.misbehave({ forbidden: true, only: /\/(file|git)\// });
    await choose('Show Changes');
    await messages(page, 'Use a key with the necessary permissions').waitFor();
    assert.equal(await page.locator('.tab').count(), 0);
    await runCommand(page, 'Notifications: Clear All Notifications');
    service.misbehave({ slowHeaders: 600_000, only: /\/(file|git)\// });
    await choose('Show Changes');
    await messages(page, 'Reading what “Renamed while it works” has changed').waitFor();
    await press(page, 'Reading what', 'Cancel');
    await eventually(async () => {
      assert.equal(await messages(page, 'Reading what').count(), 0);
    });
    assert.equal(await messages(page, 'Something went wrong').count(), 0);
    assert.equal(await page.locator('.tab').count(), 0);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
