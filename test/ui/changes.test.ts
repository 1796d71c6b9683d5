import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import type { RepositoryFile } from '../support/demo/patches.ts';
import { exchange } from '../../src/demo/exchange.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { installChecker } from './checkerExtension.ts';
import {
  changeTheme,
  chooseInMenu,
  chooseInMenuOf,
  closeEditors,
  type Desk,
  eventually,
  fold,
  goTo,
  labels,
  messages,
  openChoice,
  openPage,
  openSideBar,
  press,
  pressBox,
  question,
  reload,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  themes,
  untilStored,
  view,
  webviewOf,
  writeInto,
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
  {
    path: 'link',
    before: undefined,
    after: bytes('/etc/hostname'),
    mode: '120000',
  },
  { path: 'logo.bin', before: Buffer.from([0, 1]), after: Buffer.from([0, 2]) },
  {
    path: 'new name.ts',
    from: 'old name.ts',
    before: bytes('moved\n'),
    after: bytes('moved\n'),
  },
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

const file = (text: string, path = 'src/cart.ts') => ({
  path,
  before: Buffer.from('export const total = 0;\nexport const net = 0;\n'),
  after: Buffer.from(text),
});

const first =
  'export const total = 1;\nexport const net = 2;\nexport const vat = 3;\n';

const canary = 'Zx81canaryQ7v';

const cart = `import { prices } from './prices.ts';

export function total(names: readonly string[]): number {
  const vat: number = '19%';
  return names.reduce((sum, name) => sum + prices[name] * vat, 0);
}
`;

/** Its agent has committed two files. */
const withCommit = 'Document webhook signatures';

const canCreate = 'Cloud';

describe('a window with a folder and two services', () => {
  let desk: Desk;
  let page: Page;
  /** An Agent Server, whose agents have changed files. */
  let service: MisbehavingDemo;
  /**
   * A service that takes repositories, asks for no key and has no conversation.
   */
  let creating: MisbehavingDemo;
  let folder: string;
  /**
   * The title of a conversation whose changes are shown, and another one whose
   * changes are reviewed.
   */
  let changed: string;
  let reviewed: Found;

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'agentServer' });
    const key = 'not-asked-for';
    creating = await startMisbehavingDemo({
      key,
      conversations: 0,
      exchange: (call, response, api) =>
        exchange(
          { ...call, headers: { ...call.headers, 'x-session-api-key': key } },
          response,
          api,
        ),
    });
    desk = await setUpDesk({
      installMore: installChecker,
      settings: {
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 0,
        'switchboard.services': [
          { url: creating.url, name: canCreate, authentication: 'none' },
        ],
        // Each line of a message is one of the window, and all of them are
        // seen.
        '[markdown]': { 'editor.wordWrap': 'off' },
        'comments.openView': 'never',
        // Git lists files when a test says so, not while a menu is open.
        'git.autorefresh': false,
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
    });
    folder = join(desk.home, 'storefront');
    await mkdir(folder);
    git('init', '-q', '-b', 'main');
    git(
      'remote',
      'add',
      'origin',
      'https://code.example.com/northwind/storefront.git',
    );
    await write('src/cart.ts', cart);
    await write(
      'src/prices.ts',
      'export const prices = { tea: 3, cake: 4 };\n',
    );
    await write('.gitignore', 'build/\n');
    commit('Add the cart');
    push();
    ({ page } = await desk.open({ folder, height: 1000 }));
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
    await view(page, 'Sandboxes').waitFor();
    await fold(page, 'Sandboxes', 'MCP Servers');
    const visible = await labels(page, 'Conversations');
    const found = (await find('error', 'finished', 'stuck')).filter(
      ({ title }) => visible.some((label) => label.startsWith(`${title}, `)),
    );
    changed =
      found.find(({ title }) => title === withCommit)?.title ??
      assert.fail('There is none.');
    reviewed =
      found.find(({ title }) => title !== withCommit) ??
      assert.fail('There is only one.');
  });

  after(async () => {
    await desk.clear();
    await Promise.all([service.stop(), creating.stop()]);
  });

  /**
   * Closes all editors, also those with text that is not saved, and all
   * messages.
   */
  async function clear(): Promise<void> {
    const tabs = page.locator('.tabs-container .tab');
    while ((await tabs.count()) > 0) {
      const isUnsaved = (await tabs.and(page.locator('.dirty')).count()) > 0;
      await runCommand(
        page,
        isUnsaved ? 'View: Revert and Close Editor' : 'View: Close All Editors',
      );
    }
    if ((await messages(page).count()) > 0) {
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
  }

  function git(...args: readonly string[]): string {
    const settings = [
      '-c',
      'user.name=Jo',
      '-c',
      'user.email=jo@example.com',
      '-c',
      'commit.gpgsign=false',
    ];
    return execFileSync('git', [...settings, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();
  }

  function commit(message: string): void {
    git('add', '--all');
    git('commit', '-q', '-m', message);
  }

  /** Pretends that the branch was pushed. */
  function push(): void {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('config', 'branch.main.remote', 'origin');
    git('config', 'branch.main.merge', 'refs/heads/main');
  }

  async function write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(service.url + path, {
      headers: { 'X-Session-API-Key': service.key },
    });
    return (await response.json()) as T;
  }

  /** Conversations of agents in a folder that has a repository. */
  async function find(
    ...statuses: readonly string[]
  ): Promise<readonly Found[]> {
    const { items } = await ask<{ items: Found[] }>(
      '/api/conversations/search?limit=50',
    );
    const found = items.filter(
      ({ title, execution_status }) =>
        title && statuses.includes(execution_status),
    );
    const changes = await Promise.all(
      found.map(({ id, workspace }) =>
        ask(
          `/api/conversations/${id}/git/changes?path=${workspace.working_dir}`,
        ),
      ),
    );
    return found.filter(
      (_, index) => Array.isArray(changes[index]) && changes[index].length > 0,
    );
  }

  async function chooseFor(command: string, title: string): Promise<void> {
    await runCommand(page, `Switchboard: ${command}`);
    await page
      .getByPlaceholder('Select the conversation whose changes to show')
      .waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  }

  const tab = (words: string | RegExp): Locator =>
    page.locator('.tab').filter({ hasText: words });

  const shown = (text: string, side = 'modified'): Locator =>
    page
      .locator(`.multiDiffEntry .editor.${side} .view-line`)
      .filter({ hasText: text })
      .first();

  const row = (title: string) =>
    rows(page, 'Conversations', new RegExp(`^${escaped(title)}, `));

  /** The letter at the end of a row, which the editor draws without text. */
  async function letterOf(file: Locator): Promise<string> {
    const label = file.locator('.monaco-icon-label').first();
    return await label.evaluate((element) =>
      (globalThis as unknown as Styles)
        .getComputedStyle(element, '::after')
        .content.slice(1, -1),
    );
  }

  const boxes = (): Locator => page.locator('.review-widget');

  async function writeAt(place: Locator, text: string): Promise<void> {
    await place.click();
    await runCommand(page, 'Switchboard: Comment to the Agent');
    const field = boxes().locator('.comment-form .monaco-editor.focused');
    await field.waitFor();
    await page.keyboard.type(text);
    await field.getByText(text.split(' ').at(-1) ?? '').waitFor();
  }

  async function pressInBox(name: string): Promise<void> {
    await boxes().getByRole('button', { name }).first().click();
  }

  describe('Show Changes', () => {
    beforeEach(clear);

    it('shows binary, large, moved, deleted and linked files, and misleading names', async () => {
      service.misbehave({ changedFiles: odd });
      await chooseFor('Show Changes', changed);
      await tab('(8 files)').waitFor();
      await shown('two').waitFor();
      await shown('Text of 1500000 bytes').waitFor();
      await shown('# Gone', 'original').waitFor();
      await shown('Link to /etc/hostname').waitFor();
      await shown('Binary file of 2 bytes').waitFor();
      const titles = await page
        .locator('.multiDiffEntry .title.modified')
        .allInnerTexts();
      const all = titles.join('\n');
      assert.match(all, /passwd/);
      assert.match(all, /a b\.ts/);
      assert.match(all, /safe gpj\.exe/);
      assert.ok(!all.includes('\u202e'));
      await takePicture(page, 'changes-odd');
      await goTo(page, 'Conversations', new RegExp(`^${escaped(changed)}, `));
      await page.keyboard.press('ArrowRight');
      await rows(
        page,
        'Conversations',
        /^\(\.\.\)\/\(\.\.\)\/etc\/passwd, added/,
      ).waitFor();
      await page.keyboard.press('ArrowLeft');
    });

    it('opens 100 of 500 changed files and lists files below the row', async () => {
      service.misbehave({ changedFiles: added(500) });
      await chooseFor('Show Changes', changed);
      await messages(page, '100 of 500 changed files are shown.').waitFor();
      await tab('(100 files)').waitFor();
      await row(changed)
        .and(rows(page, 'Conversations', /500 files changed/))
        .waitFor();
      const file = rows(page, 'Conversations', /^src\/file1\.ts, added/);
      await file.waitFor();
      await eventually(async () => {
        assert.equal(await letterOf(file), 'A');
      });
      assert.equal(
        await messages(page, 'more files changed').count(),
        0,
        'They are shown already.',
      );
      await takePicture(page, 'changes-many');
      await goTo(page, 'Conversations', new RegExp(`^${escaped(changed)}, `));
      await page.keyboard.press('ArrowLeft');
    });

    it('refreshes the diff when files change and offers newly changed files', async () => {
      service.misbehave({ changedFiles: some(2) });
      await chooseFor('Show Changes', changed);
      await shown('value = 2').waitFor();
      service.misbehave({ changedFiles: some(5, '7') });
      await runCommand(page, 'Switchboard: Rename Conversation');
      await page
        .getByPlaceholder('Select the conversation to rename')
        .waitFor();
      await page.keyboard.type(changed);
      await page.keyboard.press('Enter');
      await page
        .locator('.quick-input-widget')
        .getByText('New title of')
        .waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.type((changed = 'Renamed while it works'));
      await page.keyboard.press('Enter');
      await shown('value = 7').waitFor();
      await press(
        page,
        '3 more files changed in “Renamed while it works”.',
        'Show',
      );
      await tab('(5 files)').waitFor();
    });

    it('lists the commits of the agent and opens the diff of one', async () => {
      service.misbehave({});
      await chooseFor('Show Changes Since…', changed);
      await page.getByPlaceholder('Select which changes of').waitFor();
      await takePicture(page, 'changes-commits');
      await page.keyboard.type('Explain how webhooks are signed');
      await page.keyboard.press('Enter');
      await tab(
        /Commit [0-9a-f]{8} in the folder of “Renamed while it works” \(2 files\)/,
      ).waitFor();
      await shown('X-Signature').waitFor();
    });

    it('explains why changes cannot be read, cancels a slow read, and opens no tab', async () => {
      service.misbehave({ forbidden: true, only: /\/(file|git)\// });
      await chooseFor('Show Changes', changed);
      await messages(
        page,
        'Use a key with the necessary permissions',
      ).waitFor();
      assert.equal(await page.locator('.tab').count(), 0);
      await runCommand(page, 'Notifications: Clear All Notifications');
      service.misbehave({ slowHeaders: 600_000, only: /\/(file|git)\// });
      await chooseFor('Show Changes', changed);
      await messages(
        page,
        'Loading the changes of “Renamed while it works”',
      ).waitFor();
      await press(page, 'Loading the changes', 'Cancel');
      await eventually(async () => {
        assert.equal(await messages(page, 'Loading the changes').count(), 0);
      });
      assert.equal(await messages(page, 'Something went wrong').count(), 0);
      assert.equal(await page.locator('.tab').count(), 0);
    });
  });

  describe('a review', () => {
    let title: string;

    before(async () => {
      await clear();
      title = reviewed.title ?? '';
      service.misbehave({
        changedFiles: [file(first), file('one\n', 'docs/notes.md')],
      });
    });

    /** Messages of the user in it, the last first. */
    async function said({ id }: Found): Promise<readonly string[]> {
      const path = `/api/conversations/${id}/events/search?limit=50&sort_order=TIMESTAMP_DESC&source=user`;
      const { items } = await ask<{
        items: { llm_message?: { content: { text: string }[] } }[];
      }>(path);
      return items.flatMap(
        ({ llm_message }) => llm_message?.content.map(({ text }) => text) ?? [],
      );
    }

    it('explains how to begin when there are no comments', async () => {
      await runCommand(page, 'Switchboard: Send Review');
      await messages(
        page,
        "There are no comments to send. Open an agent's changes with",
      ).waitFor();
      await runCommand(page, 'Switchboard: Comment to the Agent');
      await messages(
        page,
        'select lines, and choose Comment to the Agent again.',
      ).waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('collects comments written beside the lines of the diff', async () => {
      await chooseFor('Show Changes', title);
      await shown('net = 2').waitFor();
      await writeAt(shown('net = 2'), 'Round this.');
      await takePicture(page, 'review-writing');
      await page.keyboard.press('Control+Enter');
      await boxes().getByText('Not sent yet').waitFor();
      await statusBar(page).getByText('Send Review (1)').waitFor();
      await rows(
        page,
        'Conversations',
        new RegExp(`^${escaped(title)}, .*1 comment not sent`),
      ).waitFor();
      const original = page
        .locator('.multiDiffEntry .editor.original .view-line')
        .filter({ hasText: 'total = 0' });
      await writeAt(original.first(), 'Why not keep this?');
      await pressInBox('Add to Review');
      await statusBar(page).getByText('Send Review (2)').waitFor();
      for (const theme of ['light', 'dark']) {
        await changeTheme(page, themes[theme] ?? assert.fail());
        await takePicture(page, `review-collected-${theme}`);
      }
    });

    it('edits a comment, and restores a discarded one on Undo', async () => {
      const box = boxes().filter({ hasText: 'Round this.' });
      await box.hover();
      await box.getByRole('button', { name: 'Edit Comment' }).click();
      await box.locator('.monaco-editor.focused').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Round this to cents.');
      await box.getByRole('button', { name: 'Save' }).click();
      const changed = boxes().filter({ hasText: 'Round this to cents.' });
      await changed.getByText('Not sent yet').waitFor();
      await changed.hover();
      await changed.getByRole('button', { name: 'Discard Comment' }).click();
      await statusBar(page).getByText('Send Review (1)').waitFor();
      await press(page, 'The comment was discarded.', 'Undo');
      await statusBar(page).getByText('Send Review (2)').waitFor();
    });

    it('survives a window reload, as do a diff, a single file and an unsent message', async () => {
      await runCommand(page, 'View: Keep Editor');
      await chooseFor('Show Changes', changed);
      await tab(`Changes in the folder of “${changed}”`).waitFor();
      await runCommand(page, 'View: Keep Editor');
      await goTo(page, 'Conversations', new RegExp(`^${escaped(changed)}, `));
      await page.keyboard.press('ArrowRight');
      await rows(page, 'Conversations', /^src\/cart\.ts, changed/).click();
      await tab('src/cart.ts').waitFor();
      await runCommand(page, 'View: Keep Editor');
      const frame = await openPage(page, row(title).first(), title);
      const field = frame.getByRole('textbox', {
        name: 'Message to the agent',
      });
      await writeInto(field, 'Not sent yet');
      await untilStored(page, 'Not sent yet');
      await reload(page);
      const restored = (await webviewOf(page, title)).getByRole('textbox', {
        name: 'Message to the agent',
      });
      await eventually(async () => {
        assert.equal(await restored.inputValue(), 'Not sent yet');
      });
      await statusBar(page).getByText('Send Review (2)').waitFor();
      await tab('src/cart.ts').click();
      const single = page
        .locator('.monaco-diff-editor .modified .view-line')
        .filter({ hasText: 'net = 2' });
      await single.first().waitFor();
      await takePicture(page, 'changes-restored');
      // It reads its files only when it is seen.
      await tab(`Changes in the folder of “${changed}”`).click();
      await shown('net = 2').waitFor();
      await tab('(2 files)').waitFor();
      await tab(`“${title}”`).click();
      await boxes()
        .filter({ hasText: 'Round this to cents.' })
        .getByText('Not sent yet')
        .waitFor();
      assert.deepEqual(await messages(page).allInnerTexts(), []);
    });

    it('moves a comment with its line and says when the file has changed', async () => {
      service.misbehave({
        changedFiles: [
          file(`// New\n${first}`),
          file('one\n', 'docs/notes.md'),
        ],
      });
      await chooseFor('Show Changes', title);
      await shown('// New').waitFor();
      const box = boxes().filter({ hasText: 'Round this to cents.' });
      await box.getByText('src/cart.ts, line 3').waitFor();
      service.misbehave({
        changedFiles: [file('// Else\n'), file('one\n', 'docs/notes.md')],
      });
      await chooseFor('Show Changes', title);
      await shown('// Else').waitFor();
      await box
        .getByText('The file has changed since you wrote this')
        .waitFor();
      await box.getByText('export const net = 2;').waitFor();
      await takePicture(page, 'review-outdated');
    });

    it('sends the comments as one message with files, lines and quotes, then removes them', async () => {
      await goTo(page, 'Conversations', new RegExp(`^${escaped(title)}`));
      await page.keyboard.press('Shift+F10');
      await chooseInMenu(page, 'Send Review');
      await page
        .locator('.quick-input-title')
        .getByText('Send Review (2)')
        .waitFor();
      await page
        .locator('.quick-input-list')
        .getByText('src/cart.ts, line 3 · outdated')
        .waitFor();
      await takePicture(page, 'review-sending');
      assert.match(
        (await question(page).getAttribute('placeholder')) ?? '',
        /Enter sends the checked comments/,
      );
      await question(page).press('Enter');
      await messages(page, 'The message was sent to').waitFor();
      await statusBar(page)
        .getByText('Send Review')
        .waitFor({ state: 'hidden' });
      assert.equal(await boxes().count(), 0);
      const [last = ''] = await said(reviewed);
      assert.match(
        last,
        /^My comments on your changes:\n\n1\. `src\/cart\.ts`, line 3:\n\n```ts\nexport const net = 2;\n```/,
      );
      assert.match(
        last,
        /The file has changed since\.\)\n\nRound this to cents\.\n\n2\. .+line 1, as it was before your change:/,
      );
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('never runs a waiting action: asks before sending and queues the comments on request', async () => {
      const [waiting] = await find('waiting_for_confirmation');
      assert.ok(waiting);
      service.misbehave({ changedFiles: [file(first)] });
      await chooseFor('Show Changes', waiting.title ?? '');
      await shown('net = 2').waitFor();
      await writeAt(shown('net = 2'), 'Not this way.');
      await pressInBox('Send Now');
      const dialog = page
        .getByRole('dialog')
        .filter({ hasText: 'Sending now would run the pending action.' });
      await dialog.waitFor();
      await takePicture(page, 'review-waits');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await statusBar(page).getByText('Send Review (1)').waitFor();
      assert.ok(
        !(await said(waiting)).some((text) => text.includes('Not this way.')),
      );
      await runCommand(page, 'Switchboard: Send Review');
      await page
        .locator('.quick-input-title')
        .getByText('Send Review (1)')
        .waitFor();
      await question(page).press('Enter');
      await dialog.getByRole('button', { name: 'Queue Message' }).click();
      await statusBar(page)
        .getByText('Send Review')
        .waitFor({ state: 'hidden' });
      await messages(page, 'The message is queued.').waitFor();
      assert.ok(
        !(await said(waiting)).some((text) => text.includes('Not this way.')),
      );
      assert.deepEqual(
        service.executed.filter(({ cause }) => cause.startsWith('POST ')),
        [],
      );
    });
  });

  describe('To Review', () => {
    const again = `${first}// More\n`;
    const notes = file('one\n', 'docs/notes.md');

    before(async () => {
      await clear();
      service.misbehave({ changedFiles: [file(first), notes] });
    });

    const fileRow = (label: RegExp) => rows(page, 'Conversations', label);

    async function expand(): Promise<void> {
      await goTo(page, 'Conversations', new RegExp(`^${escaped(changed)}, `));
      await page.keyboard.press('ArrowRight');
    }

    it('takes a mark from the keyboard, in the list and in the title of a diff', async () => {
      await chooseFor('Show Changes', changed);
      await shown('net = 2').waitFor();
      await expand();
      await goTo(page, 'Conversations', /^src\/cart\.ts, changed, to review/);
      await pressBox(page);
      await fileRow(/^src\/cart\.ts, changed, reviewed/).waitFor();
      await row(changed)
        .and(rows(page, 'Conversations', /1 of 2 to review/))
        .waitFor();
      const box = fileRow(/^src\/cart\.ts/).getByRole('checkbox', {
        name: 'Reviewed',
      });
      assert.equal(await box.getAttribute('aria-checked'), 'true');
      await goTo(page, 'Conversations', /^docs\/notes\.md, changed, to review/);
      await page.keyboard.press('Enter');
      await tab('docs/notes.md').waitFor();
      const title = page.locator('.part.editor .editor-actions');
      await title.getByRole('button', { name: 'Mark as Reviewed' }).click();
      await fileRow(/^docs\/notes\.md, changed, reviewed/).waitFor();
      await runCommand(page, 'Switchboard: Mark as Reviewed');
      await fileRow(/^docs\/notes\.md, changed, to review/).waitFor();
    });

    it('shows only what changed since the mark, and all of it from the title', async () => {
      service.misbehave({ changedFiles: [file(again), notes] });
      await chooseFor('Show Changes', changed);
      await tab(`To review in “${changed}” (2 files)`).waitFor();
      await shown('// More').waitFor();
      // It is no change any more.
      await shown('vat = 3', 'original').waitFor();
      await row(changed)
        .and(rows(page, 'Conversations', /2 of 2 to review/))
        .waitFor();
      for (const theme of ['light', 'high-contrast', 'dark']) {
        await changeTheme(page, themes[theme] ?? assert.fail(theme));
        await takePicture(page, `to-review-${theme}`);
      }
      const title = page.locator('.part.editor .editor-actions');
      await title.getByRole('button', { name: 'Show Whole Change' }).click();
      await tab(`Changes in the folder of “${changed}” (2 files)`).waitFor();
      await shown('total = 0', 'original').waitFor();
      await expand();
      await fileRow(
        /^src\/cart\.ts, changed, changed since you reviewed it/,
      ).click();
      await tab('src/cart.ts · changed since you reviewed it').waitFor();
      await title.getByRole('button', { name: 'Show Whole Change' }).click();
      await tab('src/cart.ts · changed').last().waitFor();
    });

    it('takes a comment on what is left, at its line', async () => {
      await clear();
      await chooseFor('Show Changes', changed);
      await shown('// More').waitFor();
      await writeAt(shown('// More'), 'Why more?');
      await pressInBox('Add to Review');
      await runCommand(page, 'Switchboard: Send Review');
      await page
        .locator('.quick-input-list')
        .getByText('src/cart.ts, line 4', { exact: true })
        .waitFor();
      await page.keyboard.press('Escape');
      await goTo(page, 'Conversations', new RegExp(`^${escaped(changed)}, `));
      await page.keyboard.press('Shift+F10');
      await chooseInMenu(page, 'Discard Review');
      await boxes().waitFor({ state: 'detached' });
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('offers scopes in one pick and remembers the chosen one', async () => {
      await chooseFor('Show Changes Since…', changed);
      await page.getByPlaceholder('Select which changes of').waitFor();
      await page
        .locator('.quick-input-list')
        .getByText('2 of 2 to review')
        .waitFor();
      await takePicture(page, 'to-review-scopes');
      await page.keyboard.type('All Changes');
      await page.keyboard.press('Enter');
      await tab(`Changes in the folder of “${changed}” (2 files)`).waitFor();
      await clear();
      await chooseFor('Show Changes', changed);
      await tab(`Changes in the folder of “${changed}” (2 files)`).waitFor();
      await chooseFor('Show Changes Since…', changed);
      await page.getByPlaceholder('Select which changes of').waitFor();
      await page.keyboard.type('To Review');
      await page.keyboard.press('Enter');
      await tab(`To review in “${changed}” (2 files)`).waitFor();
    });

    it('says when everything is reviewed', async () => {
      await clear();
      await goTo(page, 'Conversations', new RegExp(`^${escaped(changed)}, `));
      await page.keyboard.press('Shift+F10');
      await chooseInMenu(page, 'Mark All as Reviewed');
      await messages(
        page,
        `Marked 2 files of “${changed}” as reviewed.`,
      ).waitFor();
      await row(changed)
        .and(rows(page, 'Conversations', /, reviewed/))
        .waitFor();
      await chooseFor('Show Changes', changed);
      await messages(
        page,
        `Nothing is left to review in “${changed}”.`,
      ).waitFor();
      await takePicture(page, 'to-review-done');
    });
  });

  describe('Start Conversation From Here', () => {
    beforeEach(clear);

    async function showSourceControl(): Promise<void> {
      const icon = page
        .locator('.part.activitybar')
        .getByRole('tab', { name: /^Source Control/ });
      const shown = page.locator('.part.sidebar .scm-view').first();
      await eventually(async () => {
        // If it is shown already, a click would close it.
        if (!(await shown.isVisible())) await icon.click();
        await shown.waitFor({ timeout: 3_000 });
      });
      // The tooltip of the icon would lie over the rows.
      await page.mouse.move(640, 400);
      await runCommand(page, 'Git: Refresh');
    }

    const posts = () =>
      creating.requests.filter(({ method }) => method === 'POST');

    /**
     * Opens a file that has this text on disk. The editor can show an older one
     * at first, and moves the cursor when it reloads.
     */
    async function open(file: string, line = 1, text = ''): Promise<void> {
      await page.keyboard.press('Control+p');
      await question(page).fill(file);
      await page
        .locator('.quick-input-list .monaco-list-row.focused')
        .filter({ hasText: file })
        .waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.tab.active').filter({ hasText: file }).waitFor();
      await page
        .locator('.editor-group-container.active .view-lines')
        .filter({ hasText: text })
        .waitFor();
      await eventually(async () => {
        await page.keyboard.press('Control+g');
        await question(page).fill(`:${line}:25`, { timeout: 3_000 });
        await page.keyboard.press('Enter');
        await page
          .locator('.monaco-editor.focused')
          .waitFor({ timeout: 3_000 });
        await statusBar(page)
          .getByText(`Ln ${line}, Col`)
          .waitFor({ timeout: 3_000 });
      });
    }

    const from = (frame: Frame) => frame.locator('.attachments .link');

    /**
     * Chooses the service that takes repositories. Returns the page with the
     * proposed message, and what is attached to it.
     */
    async function proposes(
      message: string,
      ...parts: readonly (string | RegExp)[]
    ) {
      const frame = await webviewOf(
        page,
        message === '' ? /^(Selection|Changes): / : message,
      );
      if (
        !(await frame
          .getByRole('button', { name: `Service: ${canCreate}` })
          .isVisible())
      ) {
        await openChoice(frame, /^Service: /);
        await page
          .getByPlaceholder('Select the service for the new conversation')
          .waitFor();
        await question(page).fill(canCreate);
        await page
          .locator('.quick-input-list .monaco-list-row.focused')
          .filter({ hasText: canCreate })
          .waitFor();
        await page.keyboard.press('Enter');
        await frame
          .getByRole('button', { name: `Service: ${canCreate}` })
          .waitFor();
      }
      assert.equal(await frame.locator('textarea').inputValue(), message);
      const texts: string[] = [];
      for (const name of await from(frame).allInnerTexts()) {
        await frame.getByRole('button', { name, exact: true }).click();
        await frame.getByRole('region', { name, exact: true }).waitFor();
        texts.push(await frame.locator('.content').innerText());
      }
      const text = texts.join('\n\n');
      for (const part of parts)
        assert.ok(
          typeof part === 'string' ? text.includes(part) : part.test(text),
          text,
        );
      return { frame, text };
    }

    /** Chooses a quick fix with the keyboard. */
    async function fix(title: string): Promise<void> {
      const menu = page
        .locator('.action-widget .monaco-list-row')
        .filter({ hasText: title });
      await eventually(async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+.');
        await menu.waitFor({ timeout: 3_000 });
      });
      for (
        let left = 20;
        left > 0 &&
        !((await menu.getAttribute('class')) ?? '').includes('focused');
        left--
      ) {
        await page.keyboard.press('ArrowDown');
      }
    }

    it('starts from a quick fix at a problem and creates the conversation only on Create', async () => {
      await open('cart.ts', 4);
      await page.locator('.squiggly-error').waitFor();
      await fix('Let an agent fix this');
      await takePicture(page, 'from-here-fix');
      await page.keyboard.press('Enter');
      const { frame, text } = await proposes(
        'Fix this problem.',
        /^In `northwind\/storefront`, branch `main`, commit [\da-f]{10}\.\n/,
        "  - line 4, error: Type 'string' is not assignable to type 'number'. (ts 2322)",
        "const vat: number = '19%';",
      );
      assert.doesNotMatch(text, /may be different|Not included/);
      assert.deepEqual(await from(frame).allInnerTexts(), [
        'Problem: src/cart.ts, lines 1 to 7',
      ]);
      for (const [name, theme] of Object.entries(themes)) {
        await changeTheme(page, theme);
        await takePicture(page, `from-here-problem-${name}`);
      }
      await frame
        .getByRole('button', { name: 'Repository: northwind/storefront' })
        .waitFor();
      await frame.getByRole('button', { name: 'Branch: main' }).waitFor();
      await rows(
        page,
        'Conversations',
        /^Fix this problem\., Draft$/,
      ).waitFor();
      assert.deepEqual(posts(), []);
      await writeInto(
        frame.locator('textarea'),
        'Fix this problem. Thank you.',
      );
      await frame.locator('textarea').press('Control+Enter');
      await rows(
        page,
        'Conversations',
        /^Fix this problem\..*repository northwind\/storefront, branch main/,
      ).waitFor();
      assert.equal(posts().length, 1);
    });

    it('quotes a selection, includes an unsaved file in full, and leaves out a likely secret', async () => {
      await open('prices.ts');
      await page.keyboard.press('Control+Home');
      await page.keyboard.insertText(`const password = '${canary}';\n`);
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
      await runCommand(page, 'Switchboard: Start Conversation From Here');
      const { frame, text } = await proposes(
        '',
        /^In `northwind\/storefront`, /,
        '- `src/prices.ts`, line 1',
        '`src/prices.ts` may be different where you work: it has changes that are not saved. Full content:',
        /Not included:\n- possible secret \(`src\/prices.ts`, line 1\)/,
      );
      assert.doesNotMatch(text, /canary/);
      await frame
        .locator('.leftOut')
        .getByText('possible secret (src/prices.ts, line 1)')
        .waitFor();
      await takePicture(page, 'from-here-selection');
      await frame
        .getByRole('button', { name: 'Remove src/prices.ts', exact: true })
        .click();
      await from(frame)
        .filter({ hasText: /^src\/prices\.ts$/ })
        .waitFor({ state: 'detached' });
    });

    it('keeps a draft with what is attached when the window reloads, until you discard it', async () => {
      const sent = posts().length;
      await open('prices.ts', 1, 'cake: 4');
      await page.keyboard.press('Control+a');
      await runCommand(page, 'Switchboard: Start Conversation From Here');
      const name = 'Selection: src/prices.ts, line 1';
      const frame = await webviewOf(page, name);
      await writeInto(frame.locator('textarea'), 'Explain the prices');
      const row = rows(page, 'Conversations', /^Explain the prices, Draft$/);
      await row.waitFor();
      await untilStored(page, 'Explain the prices');
      await reload(page);
      const again = await webviewOf(page, 'Explain the prices');
      await row.waitFor();
      assert.equal(
        await again.locator('textarea').inputValue(),
        'Explain the prices',
      );
      assert.deepEqual(await from(again).allInnerTexts(), [name]);
      await again.getByRole('button', { name: 'Discard' }).click();
      await row.waitFor({ state: 'detached' });
      assert.equal(posts().length, sent);
    });

    it('includes uncommitted changes from the Source Control view without ignored files, secret files or linked files', async () => {
      await write(
        'src/prices.ts',
        'export const prices = { tea: 3, cake: 5 };\n',
      );
      await write('src/new.ts', 'export const fresh = true;\n');
      await write('.env', `PASSWORD=${canary}\n`);
      await write('build/out.js', canary);
      await write('logo.bin', Buffer.from([0, 1, 2]));
      await writeFile(join(desk.home, 'private.txt'), canary);
      await symlink('../private.txt', join(folder, 'notes.md'));
      await rm(join(folder, 'src/cart.ts'));
      try {
        await showSourceControl();
        const changes = page
          .locator('.part.sidebar')
          .getByRole('treeitem', { name: /^Changes/ });
        await page
          .locator('.part.sidebar')
          .getByRole('treeitem', { name: /new\.ts/ })
          .waitFor();
        await changes.click({ button: 'right' });
        await page
          .getByRole('menuitem', { name: 'Start Conversation From Here' })
          .waitFor();
        await takePicture(page, 'from-here-changes-menu');
        await chooseInMenu(page, 'Start Conversation From Here');
        const { text } = await proposes(
          '',
          '-export const prices = { tea: 3, cake: 4 };',
          '+export const prices = { tea: 3, cake: 5 };',
          '+export const fresh = true;',
          '- `src/cart.ts`',
          '- `.env` (a file for secrets)',
          '- `logo.bin` (not text)',
          '+++ b/notes.md -> ../private.txt\n',
        );
        assert.doesNotMatch(text, /canary|build/);
        await takePicture(page, 'from-here-changes');
      } finally {
        git('checkout', '--', '.');
        git('clean', '-fdxq');
      }
    });

    it('proposes to resolve a merge conflict from the editor and the Source Control view', async () => {
      git('checkout', '-q', '-b', 'other');
      await write('src/prices.ts', 'export const prices = { tea: 7 };\n');
      await write('logo.bin', Buffer.from([0, 7]));
      commit('Other prices');
      git('checkout', '-q', 'main');
      await write('src/prices.ts', 'export const prices = { tea: 9 };\n');
      await write('logo.bin', Buffer.from([0, 9]));
      commit('Prices');
      assert.throws(() => git('merge', 'other'));
      try {
        await open('prices.ts', 2, '<<<<<<<');
        await fix('Let an agent resolve this conflict');
        await page.keyboard.press('Enter');
        const parts = [
          'Resolve this merge conflict.',
          '- `src/prices.ts`, lines 1 to 5',
          '<<<<<<< HEAD',
          'it has changes that are not committed',
        ] as const;
        await proposes(...parts);
        await closeEditors(page);
        await showSourceControl();
        const items = page.locator('.part.sidebar').getByRole('treeitem');
        await items.filter({ hasText: 'Merge Changes' }).waitFor();
        await items.filter({ hasText: /^\s*Changes\s*0\s*$/ }).waitFor();
        await chooseInMenuOf(
          items.filter({ hasText: 'prices.ts' }),
          'Start Conversation From Here',
        );
        await proposes(...parts);
        await closeEditors(page);
        await chooseInMenuOf(
          items.filter({ hasText: 'logo.bin' }),
          'Start Conversation From Here',
        );
        await proposes(
          'Resolve this merge conflict.',
          'Not included:\n- `logo.bin` (not text)',
        );
      } finally {
        git('merge', '--abort');
        git('reset', '-q', '--hard', 'origin/main');
      }
    });

    it('proposes to fix a failed test from the list of tests and from its message', async () => {
      await runCommand(page, 'Test: Run All Tests');
      await runCommand(page, 'View: Show Testing');
      const tests = page.locator('.part.sidebar');
      await tests
        .getByRole('treeitem', { name: /the cart/ })
        .first()
        .waitFor();
      await eventually(async () => {
        await tests
          .getByRole('treeitem', { name: /the cart/ })
          .first()
          .click();
        await page.keyboard.press('ArrowRight');
        await tests
          .getByRole('treeitem', { name: /adds up/ })
          .waitFor({ timeout: 2_000 });
      });
      await chooseInMenuOf(
        tests.getByRole('treeitem', { name: /adds up/ }),
        'Start Conversation From Here',
      );
      await proposes(
        'Make this test pass.',
        'The test: the cart › adds up',
        '`src/cart.ts`, lines 3 to',
      );
      await closeEditors(page);
      const results = page.locator('.test-output-peek-tree');
      await chooseInMenuOf(
        results.getByRole('treeitem', { name: /adds up/ }),
        'Start Conversation From Here',
      );
      await proposes('Make this test pass.', 'The test: the cart › adds up');
      await closeEditors(page);
      const result = results
        .getByRole('treeitem', { name: /Expected values/ })
        .last();
      await eventually(async () => {
        await results.getByRole('treeitem', { name: /adds up/ }).click();
        await page.keyboard.press('ArrowRight');
        await result.waitFor({ timeout: 2_000 });
      });
      await chooseInMenuOf(result, 'Start Conversation From Here');
      await proposes(
        'Make this test pass.',
        'How it failed:',
        'Expected values to be equal',
        /Expected:\n```\n30\n```\n\nActual:\n```\n29/,
      );
      await takePicture(page, 'from-here-test');
    });
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The part of the DOM's window used here. */
interface Styles {
  getComputedStyle(
    element: unknown,
    part: string,
  ): { readonly content: string };
}
