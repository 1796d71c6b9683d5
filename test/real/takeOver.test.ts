/**
 * Changes by an agent of a real service in a real clone, taken over into
 * another one, in a real window.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { commit, git, snapshot } from '../support/repositories.ts';
import {
  changeTheme,
  chooseInMenuOf,
  type Desk,
  eventually,
  goTo,
  hears,
  messages,
  openSideBar,
  press,
  question,
  pressBox,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
} from '../ui/support.ts';
import { aWhile } from './agentPage.ts';
import { atAgentServer, command } from './conversations.ts';
import { type RealService, realService } from './services.ts';

const title = 'Fix the cart';

/** The work of the agent. */
const script = [
  "printf 'export const tax = 19;\\n' > src/tax.ts",
  "git add src/tax.ts && git commit -qm 'Add the tax'",
  "printf 'export const cart = [1];\\nexport const total = 0;' > src/cart.ts",
  "git mv 'src/old name.ts' 'src/new name.ts' && rm gone.txt && chmod 755 run.sh",
  "printf '\\000\\001\\007' > logo.bin && printf 'ä' > 'Grüße \"1\".txt' && : > empty && ln -s src/cart.ts link",
];

/**
 * App servers join as soon as the texts of changed files can be read in their
 * sandboxes.
 */
const kinds = [atAgentServer];

for (const kind of kinds) {
  describe(`the command that takes over what an agent ${kind.where} changed, in a window`, function () {
    this.timeout(400_000);
    let desk: Desk;
    let page: Page;
    let service: RealService;
    let agent: string;
    let here: string;

    before(async () => {
      service = await realService(kind.service);
      const place = await kind.place(service, 'cart');
      agent = place.folder;
      const origin = join(service.home, 'cart.git');
      execFileSync('git', ['init', '-q', '--bare', '-b', 'main', origin]);
      git(agent, 'init', '-q');
      git(agent, 'remote', 'add', 'origin', origin);
      for (const [name, value] of [
        ['user.name', 'A'],
        ['user.email', 'a@example.com'],
      ])
        git(agent, 'config', name ?? '', value ?? '');
      git(agent, 'checkout', '-q', '-b', 'main');
      commit(agent, {
        'src/cart.ts': 'export const cart = [];\nexport const total = 0;\n',
        'src/old name.ts': 'export function moved() {\n  return 1;\n}\n',
        'gone.txt': 'gone\n',
        'logo.bin': Buffer.from([0, 1, 2, 3, 0, 255]),
        'run.sh': 'echo\n',
      });
      git(agent, 'push', '-q', 'origin', 'main');
      const text = [
        ...script.map((line) => `call: ${command(line)}`),
        'say: Done.',
      ].join('\n');
      await kind.begin(service, title, place, 'NeverConfirm', text);
      desk = await setUpDesk({
        settings: {
          'switchboard.refreshInterval': 2,
          'switchboard.notifications': 'off',
        },
        env: {
          SWITCHBOARD_SERVICE_URL: service.url,
          SWITCHBOARD_API_KEY: service.key,
        },
      });
      here = join(desk.home, 'cart');
      execFileSync('git', ['clone', '-q', origin, here], { stdio: 'ignore' });
      ({ page } = await desk.open({ folder: here, height: 900 }));
      await openSideBar(page);
      await theRow().waitFor({ timeout: aWhile });
    });

    after(async () => {
      await desk.clear();
    });

    const theRow = () => rows(page, 'Conversations', /^Fix the cart, Finished/);

    const pick = () => page.locator('.quick-input-widget');

    const asksHow = () =>
      page
        .getByPlaceholder('How to take over the changes of “Fix the cart”')
        .waitFor({ timeout: aWhile });

    async function chooseFiles(): Promise<void> {
      await chooseInMenuOf(theRow(), 'Take Over Changes');
      await asksHow();
      await takePicture(page, 'take-over-ways');
      await pick().getByText('Apply Changes', { exact: true }).click();
      await pick().getByText('src/tax.ts').waitFor({ timeout: aWhile });
    }

    const said = 'Took over 9 files of “Fix the cart”.';

    it('asks which files, gives the same tree byte for byte, and Undo brings back exactly what was', async () => {
      writeFileSync(join(here, 'untracked.txt'), 'mine\n');
      const [before, index] = [
        snapshot(here),
        git(here, 'ls-files', '--stage').toString(),
      ];
      await chooseFiles();
      const offered = await pick().locator('.monaco-list-row').count();
      assert.equal(offered, 9);
      await pick().getByText('moved from src/old name.ts').waitFor();
      await pick().getByText('becomes executable').waitFor();
      for (const theme of ['light', 'dark']) {
        await question(page).press('Escape');
        await changeTheme(page, themes[theme] ?? assert.fail());
        await chooseFiles();
        await takePicture(page, `take-over-files-${theme}`);
      }
      await question(page).press('Enter');
      await messages(page, said).waitFor({ timeout: aWhile });
      await takePicture(page, 'take-over-done');
      assert.deepEqual(snapshot(here), {
        ...snapshot(agent),
        'untracked.txt': before['untracked.txt'],
      });
      assert.equal(git(here, 'ls-files', '--stage').toString(), index);
      await press(page, said, 'Undo');
      await messages(
        page,
        'All files are as they were before “Fix the cart” was taken over.',
      ).waitFor();
      assert.deepEqual(snapshot(here), before);
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('takes over only what is reviewed, and marks the rest when that is taken over', async () => {
      const before = snapshot(here);
      await goTo(page, 'Conversations', /^Fix the cart, Finished/);
      await page.keyboard.press('ArrowRight');
      await goTo(page, 'Conversations', /^src\/tax\.ts, added, to review/);
      await pressBox(page);
      await rows(
        page,
        'Conversations',
        /^Fix the cart, .*8 of 9 to review/,
      ).waitFor({ timeout: aWhile });
      await goTo(page, 'Conversations', /^Fix the cart, Finished/);
      await page.keyboard.press('ArrowLeft');
      await chooseInMenuOf(theRow(), 'Take Over Changes');
      await pick()
        .getByText('Apply Reviewed Changes', { exact: true })
        .click({ timeout: aWhile });
      await pick().getByText('src/tax.ts').waitFor({ timeout: aWhile });
      assert.equal(await pick().locator('.monaco-list-row').count(), 1);
      await question(page).press('Enter');
      const one = 'Took over 1 file of “Fix the cart”.';
      await messages(page, one).waitFor({ timeout: aWhile });
      assert.deepEqual(snapshot(here), {
        ...before,
        'src/tax.ts': snapshot(agent)['src/tax.ts'],
      });
      await press(page, one, 'Undo');
      await messages(
        page,
        'All files are as they were before “Fix the cart” was taken over.',
      ).waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
      await chooseFiles();
      await question(page).press('Enter');
      await press(page, said, 'Mark as Reviewed');
      await rows(page, 'Conversations', /^Fix the cart, .*, reviewed/).waitFor({
        timeout: aWhile,
      });
      await runCommand(page, 'Switchboard: Undo Take Over');
      await messages(
        page,
        'All files are as they were before “Fix the cart” was taken over.',
      ).waitFor();
      assert.deepEqual(snapshot(here), before);
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('marks a conflict and loses nothing, and is undone from the palette', async () => {
      const mine = 'export const cart = [2];\nexport const total = 0;\n';
      writeFileSync(join(here, 'src/cart.ts'), mine);
      const before = snapshot(here);
      await chooseFiles();
      await pick()
        .getByText('Was changed here too: this becomes a conflict.')
        .waitFor();
      await question(page).press('Enter');
      const conflict =
        'Took over 9 files of “Fix the cart”. Resolve the conflicts in src/cart.ts.';
      await messages(page, conflict).waitFor({ timeout: aWhile });
      const text = readFileSync(join(here, 'src/cart.ts'), 'utf8');
      for (const line of [
        '<<<<<<< Here',
        'cart = [2]',
        'cart = [1]',
        '>>>>>>> Fix the cart',
      ])
        assert.ok(text.includes(line), text);
      await press(page, conflict, 'Show Conflicts');
      await page
        .locator('.view-line')
        .filter({ hasText: '<<<<<<< Here' })
        .waitFor();
      for (const theme of ['light', 'dark']) {
        await changeTheme(page, themes[theme] ?? assert.fail());
        await takePicture(page, `take-over-conflict-${theme}`);
      }
      await runCommand(page, 'View: Close All Editors');
      writeFileSync(join(here, 'src/cart.ts'), 'resolved\n');
      await runCommand(page, 'Switchboard: Undo Take Over');
      const lose =
        'These files have changed since they were taken over. Undo anyway, and lose those changes?';
      const dialog = page.getByRole('dialog').filter({ hasText: lose });
      await dialog.waitFor();
      await takePicture(page, 'take-over-undo-asks');
      await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
      await eventually(() => {
        assert.deepEqual(snapshot(here), before);
        return Promise.resolve();
      });
      git(here, 'checkout', '-q', '--', '.');
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('takes nothing over while one of the files is open with unsaved changes', async () => {
      const before = snapshot(here);
      await page.keyboard.press('Control+P');
      await page.keyboard.insertText('src/cart.ts');
      await pick().getByText('cart.ts', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.monaco-editor .view-line').first().waitFor();
      await page.keyboard.type('x');
      await page.locator('.tab.dirty').waitFor();
      await chooseFiles();
      await question(page).press('Enter');
      const unsaved =
        'These files have unsaved changes: src/cart.ts. Save or revert them, and try again.';
      await messages(page, unsaved).waitFor();
      await runCommand(page, 'File: Revert File');
      await runCommand(page, 'View: Close All Editors');
      assert.deepEqual(snapshot(here), before);
      await runCommand(page, 'Notifications: Clear All Notifications');
    });

    it('fetches only when the branch is to be checked out, and applies the changes where it was not pushed', async () => {
      const fetchedAt = () => existsSync(join(here, '.git', 'FETCH_HEAD'));
      await chooseInMenuOf(theRow(), 'Take Over Changes');
      await asksHow();
      assert.equal(fetchedAt(), false);
      await pick().getByText('Check Out Branch', { exact: true }).click();
      const notPushed = 'The agent has not pushed all its commits to “main”.';
      await press(page, notPushed, 'Apply Changes');
      assert.equal(fetchedAt(), true);
      await pick().getByText('src/tax.ts').waitFor({ timeout: aWhile });
      await question(page).press('Escape');
    });

    it('checks out the branch that the agent pushed', async () => {
      git(agent, 'push', '-q', 'origin', 'HEAD:main');
      await chooseInMenuOf(theRow(), 'Take Over Changes');
      await asksHow();
      await pick().getByText('Check Out Branch', { exact: true }).click();
      const confirmed = page
        .getByRole('dialog')
        .filter({ hasText: 'with uncommitted changes' });
      await confirmed
        .getByRole('button', { name: 'Check Out', exact: true })
        .click();
      await messages(page, 'Checked out “main”.').waitFor({ timeout: aWhile });
      assert.equal(
        git(here, 'rev-parse', 'HEAD').toString(),
        git(agent, 'rev-parse', 'HEAD').toString(),
      );
    });

    /** A window with another folder. */
    async function elsewhere(folder: string): Promise<void> {
      await page.close();
      ({ page } = await desk.open({ folder, height: 900 }));
      await openSideBar(page);
      await theRow().waitFor({ timeout: aWhile });
      await chooseInMenuOf(theRow(), 'Take Over Changes');
    }

    it('says that the changes are here already where the agent works in the open folder', async () => {
      await elsewhere(agent);
      await messages(
        page,
        'works directly in this folder, so its changes are already here',
      ).waitFor({
        timeout: aWhile,
      });
      await page
        .getByRole('heading', { name: 'Source Control' })
        .first()
        .waitFor();
    });

    it('says what to do where the open folder is not a clone of what the agent works in', async () => {
      const other = join(desk.home, 'other');
      execFileSync('git', ['init', '-q', other]);
      commit(other, { 'a.txt': 'a\n' });
      await elsewhere(other);
      await messages(
        page,
        'Open a clone of the repository the agent works in',
      ).waitFor({
        timeout: aWhile,
      });
    });

    it('asks which clone takes them over where several are open', async () => {
      const both = join(desk.home, 'both');
      for (const name of ['first', 'second'])
        execFileSync(
          'git',
          ['clone', '-q', join(service.home, 'cart.git'), join(both, name)],
          {
            stdio: 'ignore',
          },
        );
      await elsewhere(both);
      // A row that the editor draws again may take the focus from the question.
      await page
        .getByPlaceholder('Select a repository to apply the changes to')
        .click({ timeout: aWhile });
      await hears(page, /^Select a repository to apply the changes to/, aWhile);
      await takePicture(page, 'take-over-which');
      await pick().getByText('second', { exact: true }).click();
      await asksHow();
    });
  });
}
