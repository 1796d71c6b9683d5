import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { installChecker } from './checkerExtension.ts';
import {
  accept,
  asks,
  changeTheme,
  type Desk,
  eventually,
  question,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  themes,
} from './support.ts';

const canary = 'Zx81canaryQ7v';

const cart = `import { prices } from './prices.ts';

export function total(names: readonly string[]): number {
  const vat: number = '19%';
  return names.reduce((sum, name) => sum + prices[name] * vat, 0);
}
`;

describe('New Conversation From Here', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;
  let folder: string;

  before(async () => {
    service = await startDemo();
    desk = await setUpDesk({
      installMore: installChecker,
      // Each line of a message is one of the window.
      settings: {
        'switchboard.notifications': 'off',
        'switchboard.services': [{ url: service.url }],
        '[markdown]': { 'editor.wordWrap': 'off' },
      },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    folder = join(desk.home, 'storefront');
    await mkdir(folder);
    git('init', '-q', '-b', 'main');
    git('remote', 'add', 'origin', 'https://code.example.com/northwind/storefront.git');
    await write('src/cart.ts', cart);
    await write('src/prices.ts', 'export const prices = { tea: 3, cake: 4 };\n');
    await write('.gitignore', 'build/\n');
    commit('Add the cart');
    push();
    ({ page } = await desk.open({ folder, height: 1000 }));
    await changeTheme(page, themes.dark ?? assert.fail());
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  beforeEach(async () => {
    await page.keyboard.press('Escape');
    await runCommand(page, 'Notifications: Clear All Notifications');
    // Nothing that is written asks whether to keep it.
    while ((await page.locator('.tabs-container .tab').count()) > 0) {
      await runCommand(page, 'View: Revert and Close Editor');
    }
  });

  function git(...args: readonly string[]): string {
    const settings = ['-c', 'user.name=Jo', '-c', 'user.email=jo@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...settings, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();
  }

  function commit(message: string): void {
    git('add', '--all');
    git('commit', '-q', '-m', message);
  }

  /** As if it had been pushed. */
  function push(): void {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('config', 'branch.main.remote', 'origin');
    git('config', 'branch.main.merge', 'refs/heads/main');
  }

  async function write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  async function showSourceControl(): Promise<void> {
    const icon = page.locator('.part.activitybar').getByRole('tab', { name: /^Source Control/ });
    const shown = page.locator('.part.sidebar .scm-view').first();
    await eventually(async () => {
      // If it is shown already, a click would close it.
      if (!(await shown.isVisible())) await icon.click();
      await shown.waitFor({ timeout: 3_000 });
    });
    // The tooltip of the icon would lie over the rows.
    await page.mouse.move(640, 400);
  }

  async function chooseFromMenu(): Promise<void> {
    const item = page.getByRole('menuitem', { name: 'New Conversation From Here' });
    await item.waitFor();
    await eventually(async () => {
      // A menu that has just opened takes no click yet.
      await item.click({ timeout: 1_000 }).catch(() => undefined);
      await item.waitFor({ state: 'hidden', timeout: 1_000 });
    });
  }

  const posts = () => service.requests.filter(({ method }) => method === 'POST');

  async function open(file: string, line = 1): Promise<void> {
    await page.keyboard.press('Control+p');
    await question(page).fill(file);
    await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: file }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active').filter({ hasText: file }).waitFor();
    await eventually(async () => {
      await page.keyboard.press('Control+g');
      await question(page).fill(`:${line}:25`, { timeout: 3_000 });
      await page.keyboard.press('Enter');
      await page.locator('.monaco-editor.focused').waitFor({ timeout: 3_000 });
      await statusBar(page).getByText(`Ln ${line}, Col`).waitFor({ timeout: 3_000 });
    });
  }

  /** The text that is shown, which is all of it in a window that is tall enough. */
  async function written(): Promise<string> {
    await page
      .locator('.tab.active')
      .filter({ hasText: /Untitled-\d/ })
      .waitFor();
    const lines = page.locator('.editor-group-container.active .view-lines .view-line');
    const tops = await lines.evaluateAll((all: readonly { style: { top: string }; textContent: string }[]) =>
      all.map((line) => [parseFloat(line.style.top), line.textContent] as const),
    );
    return tops
      .sort(([a], [b]) => a - b)
      .map(([, line]) => line.replaceAll('\u00a0', ' '))
      .join('\n');
  }

  async function proposes(...parts: readonly (string | RegExp)[]): Promise<string> {
    let text = '';
    await eventually(async () => {
      text = await written();
      for (const part of parts)
        assert.ok(typeof part === 'string' ? text.includes(part) : part.test(text), text);
    });
    return text;
  }

  /** Chooses a quick fix with the keyboard. */
  async function fix(title: string): Promise<void> {
    const menu = page.locator('.action-widget .monaco-list-row').filter({ hasText: title });
    await eventually(async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+.');
      await menu.waitFor({ timeout: 3_000 });
    });
    for (let left = 20; left > 0 && !((await menu.getAttribute('class')) ?? '').includes('focused'); left--) {
      await page.keyboard.press('ArrowDown');
    }
  }

  it('starts from a quick fix at a problem and creates the conversation only on Create', async () => {
    await open('cart.ts', 4);
    await page.locator('.squiggly-error').waitFor();
    await fix('Let an agent fix this');
    await takePicture(page, 'from-here-fix');
    await page.keyboard.press('Enter');
    const text = await proposes(
      /^Fix this problem\.\n\nIn `northwind\/storefront`, branch `main`, commit [\da-f]{10}\.\n/,
      "  - line 4, error: Type 'string' is not assignable to type 'number'. (ts 2322)",
      "const vat: number = '19%';",
    );
    assert.doesNotMatch(text, /You may not have|Left out/);
    await takePicture(page, 'from-here-message');
    assert.deepEqual(posts(), []);
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Thank you.');
    await page.getByRole('button', { name: 'New Conversation', exact: true }).first().click();
    await asks(page, '(2/4)');
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: 'northwind/storefront' })
      .waitFor();
    await accept(page, '(3/4)');
    await accept(page, '(4/4)');
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: 'New Sandbox' })
      .waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog').filter({ hasText: 'Create this conversation at' });
    await dialog.getByText('Nothing has been sent yet.').waitFor();
    await takePicture(page, 'from-here-create');
    assert.deepEqual(posts(), []);
    await dialog.getByRole('button', { name: 'Create' }).click();
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
    await page.keyboard.press('Control+a');
    await runCommand(page, 'Switchboard: New Conversation From Here');
    const text = await proposes(
      /^\n\nIn `northwind\/storefront`, /,
      '- `src/prices.ts`, lines 1 to 2',
      'You may not have `src/prices.ts` as it is here: it has changes that are not saved. This is all of it:',
      /Left out:\n- `src\/prices.ts`, line 1: what looks like a secret/,
    );
    assert.doesNotMatch(text, /canary/);
    await takePicture(page, 'from-here-selection');
  });

  it('includes uncommitted changes from the Source Control view without ignored files, secret files or linked files', async () => {
    await write('src/prices.ts', 'export const prices = { tea: 3, cake: 5 };\n');
    await write('src/new.ts', 'export const fresh = true;\n');
    await write('.env', `PASSWORD=${canary}\n`);
    await write('build/out.js', canary);
    await write('logo.bin', Buffer.from([0, 1, 2]));
    await writeFile(join(desk.home, 'private.txt'), canary);
    await symlink('../private.txt', join(folder, 'notes.md'));
    await rm(join(folder, 'src/cart.ts'));
    try {
      await showSourceControl();
      const changes = page.locator('.part.sidebar').getByRole('treeitem', { name: /^Changes/ });
      await page
        .locator('.part.sidebar')
        .getByRole('treeitem', { name: /new\.ts/ })
        .waitFor();
      await changes.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'New Conversation From Here' }).waitFor();
      await takePicture(page, 'from-here-changes-menu');
      await chooseFromMenu();
      const text = await proposes(
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
    commit('Other prices');
    git('checkout', '-q', 'main');
    await write('src/prices.ts', 'export const prices = { tea: 9 };\n');
    commit('Prices');
    assert.throws(() => git('merge', 'other'));
    try {
      await open('prices.ts', 2);
      await fix('Let an agent resolve this conflict');
      await page.keyboard.press('Enter');
      const parts = [
        /^Resolve this merge conflict\.\n/,
        '- `src/prices.ts`, lines 1 to 5',
        '<<<<<<< HEAD',
        'it has changes that are not committed',
      ];
      await proposes(...parts);
      await runCommand(page, 'View: Revert and Close Editor');
      await showSourceControl();
      const row = page.locator('.part.sidebar').getByRole('treeitem', { name: /prices\.ts/ });
      await row.click({ button: 'right' });
      await chooseFromMenu();
      await proposes(...parts);
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
      await tests.getByRole('treeitem', { name: /adds up/ }).waitFor({ timeout: 2_000 });
    });
    await tests.getByRole('treeitem', { name: /adds up/ }).click({ button: 'right' });
    await chooseFromMenu();
    await proposes(/^Make this test pass\.\n/, 'The test: the cart › adds up', '`src/cart.ts`, lines 3 to');
    await runCommand(page, 'View: Revert and Close Editor');
    const results = page.locator('.test-output-peek-tree');
    await results.getByRole('treeitem', { name: /adds up/ }).click({ button: 'right' });
    await chooseFromMenu();
    await proposes(/^Make this test pass\.\n/, 'The test: the cart › adds up');
    await runCommand(page, 'View: Revert and Close Editor');
    const result = results.getByRole('treeitem', { name: /Expected values/ }).last();
    await eventually(async () => {
      await results.getByRole('treeitem', { name: /adds up/ }).click();
      await page.keyboard.press('ArrowRight');
      await result.waitFor({ timeout: 2_000 });
    });
    await result.click({ button: 'right' });
    await chooseFromMenu();
    await proposes(
      'How it failed:',
      'Expected values to be equal',
      /Expected:\n```\n30\n```\n\nActual:\n```\n29/,
    );
    await takePicture(page, 'from-here-test');
  });

  it('proposes to fix a problem in the light theme too', async () => {
    await changeTheme(page, themes.light ?? assert.fail());
    await open('cart.ts', 4);
    await fix('Let an agent fix this');
    await takePicture(page, 'from-here-fix-light');
    await page.keyboard.press('Enter');
    await proposes(/^Fix this problem\./);
    await takePicture(page, 'from-here-message-light');
  });
});
