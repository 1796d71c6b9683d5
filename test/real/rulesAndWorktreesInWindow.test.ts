/**
 * Approval rules and worktrees with an end in one window at a real Agent
 * Server.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import type {
  ConfirmationPolicy,
  Conversation,
} from '../../src/service/model/entities.ts';
import { defaultWorktreeRoot } from '../../src/state/conversation/worktreeRemoval.ts';
import { commit, git, snapshot, write } from '../support/repositories.ts';
import {
  answer,
  choose,
  chooseInHeader,
  chooseInMenuOf,
  type Desk,
  eventually,
  goTo,
  messages,
  openChoice,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  writeInto,
  writeNew,
} from '../ui/support.ts';
import { AgentPage, aWhile } from './agentPage.ts';
import { clientOf } from './client.ts';
import { command } from './conversations.ts';
import { answers, type RealService, realService } from './services.ts';
import { until } from './until.ts';

interface HeldConversation {
  readonly id: string;
  readonly title: string | null;
  readonly execution_status: string;
  readonly security_analyzer: unknown;
}

const callOf = (text: string) => `call: ${command(text)}`;

describe('a window at a real Agent Server', function () {
  this.timeout(150_000);
  let real: RealService;
  let desk: Desk;
  let page: Page;
  let shop: string;

  before(async () => {
    real = await realService('agentServer');
    shop = join(await mkdtemp(join(real.home, 'window-')), 'shop');
    git(real.home, 'init', '-q', '-b', 'main', shop);
    commit(shop, { 'main.txt': 'main\n', '.gitignore': 'built\n' }, 'First');
    desk = await setUpDesk({
      settings: {
        'switchboard.refreshInterval': 2,
        'switchboard.notifications': 'off',
      },
      env: {
        SWITCHBOARD_SERVICE_URL: real.url,
        SWITCHBOARD_API_KEY: real.key,
      },
    });
    ({ page } = await desk.open({ height: 900 }));
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  const row = (name: RegExp) => rows(page, 'Conversations', name);
  const dialog = () => page.locator('.monaco-dialog-box');

  async function recordOf(title: string): Promise<HeldConversation> {
    const { items } = await answers<{ items: HeldConversation[] }>(
      real.ask('/api/conversations/search'),
    );
    return items.find((item) => item.title === title) ?? assert.fail(title);
  }

  describe('with approval rules', () => {
    const title = 'Release';
    let agent: AgentPage;

    const hasRun = (file: string) => existsSync(join(shop, file));
    const approval = () =>
      agent.frame.locator('.confirmation select option:checked');
    const ruleButton = () =>
      agent.waitingBox.getByRole('button', { name: /Don't Ask Again/ });

    it('asks in a new conversation only for actions on the list, and shows the list of the service', async () => {
      const frame = await writeNew(page, '');
      await openChoice(frame, /^Folder: |Choose a Folder/);
      await choose(page, 'Folder to work in', shop);
      await openChoice(frame, 'Approval: Risky actions');
      await choose(page, 'When the agent asks for your approval', 'Only for…');
      await frame
        .getByText(/these actions: Pushes with Git; .+not a wall/)
        .waitFor();
      await takePicture(page, 'real-rules-choice');
      const field = frame.locator('textarea');
      await writeInto(
        field,
        [`title: ${title}`, callOf('touch built'), callOf('git push')].join(
          '\n',
        ),
      );
      await field.press('Control+Enter');
      await row(new RegExp(`^${title}, `)).waitFor({ timeout: aWhile });
      agent = await AgentPage.of(page, title);
      await agent.wants('git push', 'Pushes with Git');
      assert.ok(hasRun('built'));
      assert.equal(await approval().innerText(), 'Only for 5 kinds of action');
      assert.equal(await ruleButton().count(), 0);
      await takePicture(page, 'real-rules-waits');
      await agent.frame.getByRole('button', { name: 'Details' }).click();
      await agent.frame
        .getByText(/Pushes with Git; Publishes a package or an image; /)
        .waitFor();
      await takePicture(page, 'real-rules-held');
      await agent.frame.getByRole('button', { name: 'Details' }).click();
      await agent.reject();
    });

    it('accepts by rule what the user no longer wants to be asked for, and nothing else on its line', async () => {
      await agent.frame.locator('.confirmation select').selectOption('always');
      await agent.write(
        callOf('git status'),
        callOf('git status --short'),
        callOf('git status && touch built2'),
      );
      await agent.wants('git status');
      await eventually(async () => {
        if (!(await dialog().isVisible()))
          await ruleButton().click({ timeout: 1_000 });
        await dialog().waitFor({ timeout: 1_000 });
      });
      await dialog().getByText("don't ask again for “git status *”").waitFor();
      await takePicture(page, 'real-rules-question');
      await dialog()
        .getByRole('button', { name: 'For This Conversation' })
        .click();
      await agent.wants('touch built2');
      assert.ok(!hasRun('built2'));
      await agent.frame
        .getByRole('button', { name: 'Accepted by rule “git status *”' })
        .waitFor();
      await takePicture(page, 'real-rules-accepted');
      await agent.accept();
      await agent.hears('Done.');
      assert.ok(hasRun('built2'));
    });

    it('asks for an action that is added while the agent works, after a restart too', async () => {
      await agent.frame.locator('.confirmation select').selectOption('listed');
      // The service takes a change only between two steps.
      const steps = Array.from({ length: 10 }, (_, index) =>
        callOf(
          `touch built3; timeout 5 sh -c 'until test -e built4; do sleep 0.1; done' # ${index}`,
        ),
      );
      await agent.write(...steps, callOf('touch asked'));
      await until(() => Promise.resolve(hasRun('built3') ? true : undefined));
      await runCommand(page, 'Switchboard: Approval Rules…');
      await takePicture(page, 'real-rules-list');
      await choose(page, 'A convenience', 'Add an Action to Ask For…');
      await answer(page, 'Describe the action', 'Touches a file');
      await answer(page, 'Regular expression', 'touch asked');
      await page.getByText('Touches a file').waitFor();
      await page.keyboard.press('Escape');
      await until(async () => {
        const { security_analyzer: analyzer } = await recordOf(title);
        return JSON.stringify(analyzer).includes('Touches a file')
          ? true
          : undefined;
      });
      await approval()
        .getByText('Only for 6 kinds of action')
        .waitFor({ state: 'attached', timeout: aWhile });
      write(shop, { built4: '' });
      await agent.wants('touch asked', 'Touches a file');
      await takePicture(page, 'real-rules-added');
      await agent.reject();
      await real.restart();
      await takePicture(page, 'real-rules-restarted');
      await agent.state('Live');
      await agent.write(callOf('touch asked'));
      await agent.wants('touch asked', 'Touches a file');
      assert.ok(!hasRun('asked'));
      await takePicture(page, 'real-rules-after-restart');
      await agent.reject();
      await AgentPage.closeAll(page);
      // A window without the focus looks less often.
      await goTo(page, 'Conversations');
    });
  });

  describe('with worktrees', () => {
    async function begin(
      title: string,
      message: string,
      approval: ConfirmationPolicy = 'never',
    ): Promise<Conversation & { readonly folder: string }> {
      const client = clientOf(real, { interface: 'agentServer' });
      const { creation } = await client.recognise();
      const created = await creation?.create({
        message: `title: ${title}\n${message}`,
        folder: shop,
        worktree: true,
        worktreeStart: 'HEAD',
        approval,
      });
      assert.ok(created?.kind === 'conversation');
      await row(new RegExp(`^${title}, `)).waitFor({ timeout: aWhile });
      const { conversation } = created;
      const { folder = assert.fail() } = conversation;
      folders.push(folder);
      return { ...conversation, folder };
    }

    const folders: string[] = [];

    // The service keeps them outside its home folder.
    after(async () => {
      for (const folder of folders)
        await rm(dirname(folder), { recursive: true, force: true });
    });

    const worktrees = () => git(shop, 'worktree', 'list').toString();

    it('removes one with archiving, and makes it again with the same staged and unstaged files', async () => {
      const { folder, id } = await begin('Tidy up', callOf('touch built'));
      await row(/^Tidy up, Finished/).waitFor({ timeout: aWhile });
      write(folder, { 'main.txt': 'staged\n' });
      git(folder, 'add', 'main.txt');
      write(folder, { 'main.txt': 'changed\n', 'new.txt': 'new\n' });
      const status = () => git(folder, 'status', '--porcelain').toString();
      const { built, ...files } = snapshot(folder);
      assert.ok(built);
      const statusBefore = status();
      await chooseInMenuOf(row(/^Tidy up, /), 'Archive Conversation');
      await press(page, '“Tidy up” was archived', 'Remove Its Worktree…');
      await dialog().getByText('Remove the worktree of “Tidy up”?').waitFor();
      const lines = await dialog().innerText();
      const branch = `openhands/${id}`;
      for (const text of [
        `Committed to branch “${branch}” first: 2 uncommitted files`,
        'main.txt',
        'new.txt',
        'These are lost: 1 ignored file or folder (built).',
      ])
        assert.ok(lines.includes(text), lines);
      await takePicture(page, 'real-worktree-archive');
      await dialog().getByRole('button', { name: 'Remove Worktree' }).click();
      const removed = messages(page, 'The worktree of “Tidy up” was removed');
      await removed.waitFor({ timeout: aWhile });
      await takePicture(page, 'real-worktree-archived');
      assert.ok(!existsSync(folder));
      assert.ok(!worktrees().includes(folder));
      assert.match(git(shop, 'log', branch).toString(), /Keep files/);
      await row(/^1 archived/).click();
      await chooseInMenuOf(row(/^Tidy up, /), 'Unarchive Conversation');
      await messages(page, `was made again at ${folder}`).waitFor({
        timeout: aWhile,
      });
      assert.ok(worktrees().includes(folder));
      assert.deepEqual(snapshot(folder), files);
      assert.equal(status(), statusBefore);
      await runCommand(page, 'Notifications: Clear All Notifications');
      await chooseInHeader(page, 'Conversations', 'Clear Filters');
    });

    it('cleans up one that nothing protects, also of a conversation that is gone, and makes it again from its row', async () => {
      const gone = join(defaultWorktreeRoot, randomUUID(), 'shop');
      const branch = `openhands/gone-${randomUUID().slice(0, 8)}`;
      git(shop, 'worktree', 'add', '-q', '-b', branch, gone, 'main');
      folders.push(gone);
      write(gone, { 'lost.txt': 'lost\n' });
      await chooseInMenuOf(row(/^Tidy up, /), 'Pin Conversation');
      await row(/^Tidy up, .*pinned/i).waitFor({ timeout: aWhile });
      const old = await begin('Experiment', callOf('touch built'));
      await row(/^Experiment, Finished/).waitFor({ timeout: aWhile });
      const waiting = await begin('Deploy', callOf('touch built'), 'always');
      await row(/^Deploy, Waiting/).waitFor({ timeout: aWhile });
      await runCommand(page, 'Switchboard: Clean Up Worktrees…');
      await dialog().getByText('Read the worktrees of agents').waitFor();
      await takePicture(page, 'real-worktrees-read');
      await dialog().getByRole('button', { name: 'Read Worktrees' }).click();
      const list = page.locator('.quick-input-widget');
      await list.getByText(branch).waitFor({ timeout: aWhile });
      await takePicture(page, 'real-worktrees-list');
      const item = (text: string) =>
        list.locator('.monaco-list-row').filter({ hasText: text });
      for (const [name, why] of [
        ['Tidy up', 'Its conversation is pinned.'],
        ['Deploy', 'An agent waits for you.'],
      ] as const) {
        await list.locator('input[type=text]').fill(name);
        const row = item(name);
        await row.getByText(why).waitFor();
        await row.getByText(/\d KB|\d kB/).waitFor();
        await row.click();
        await list.getByText('0 Selected').waitFor();
      }
      for (const [text, name, lost] of [
        [branch, 'Conversation is gone', 'lost.txt'],
        [old.id, 'Experiment', 'built'],
      ] as const) {
        await list.locator('input[type=text]').fill(text);
        await item(text).getByText(name).waitFor();
        await item(text).getByText(lost).waitFor();
        await item(text).click();
      }
      await list.getByText('2 Selected').waitFor();
      await takePicture(page, 'real-worktrees-chosen');
      await page.keyboard.press('Enter');
      await dialog().getByText('Remove 2 worktrees?').waitFor();
      assert.ok((await dialog().innerText()).includes(gone));
      await takePicture(page, 'real-worktrees-question');
      await dialog()
        .getByRole('button', { name: 'Remove', exact: true })
        .click();
      await messages(page, '2 worktrees were removed.').waitFor({
        timeout: aWhile,
      });
      const left = worktrees();
      assert.ok(!left.includes(gone));
      assert.ok(!left.includes(old.folder));
      assert.ok(left.includes(waiting.folder));
      await chooseInMenuOf(row(/^Experiment, /), 'Unarchive Conversation');
      await messages(page, `was made again at ${old.folder}`).waitFor({
        timeout: aWhile,
      });
      assert.ok(worktrees().includes(old.folder));
    });
  });
});
