/**
 * Reviews and resets in a window at a real Agent Server, while a request is
 * held back on its way.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Conversation } from '../../src/service/model/entities.ts';
import { commit, git, write } from '../support/repositories.ts';
import {
  chooseInMenuOf,
  type Desk,
  eventually,
  goTo,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
} from '../ui/support.ts';
import { AgentPage, aWhile } from './agentPage.ts';
import { clientOf } from './client.ts';
import { type Proxy, startProxy } from './proxy.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

const text = '+a.txt';
const binary = '+b.bin';
const bytes = (last: string) => Buffer.from(`\0\u00ff${last}`, 'latin1');

describe('a window whose requests to a real Agent Server are held back', function () {
  this.timeout(400_000);
  let real: RealService;
  let proxy: Proxy;
  let desk: Desk;
  let page: Page;
  let clone: string;

  before(async () => {
    real = await realService('agentServer');
    proxy = await startProxy(real.url);
    clone = join(await mkdtemp(join(real.home, 'held-')), 'shop');
    git(real.home, 'init', '-q', '-b', 'main', clone);
    commit(clone, { [text]: 'one\n', [binary]: bytes('1') }, 'First');
    desk = await setUpDesk({
      settings: {
        'switchboard.refreshInterval': 2,
        'switchboard.notifications': 'off',
      },
      env: {
        SWITCHBOARD_SERVICE_URL: proxy.url,
        SWITCHBOARD_API_KEY: real.key,
      },
    });
    ({ page } = await desk.open({ height: 900 }));
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
    await proxy.stop();
  });

  const row = (name: RegExp) => rows(page, 'Conversations', name);

  /** Starts a conversation that has finished, and waits for its row. */
  async function begin(
    title: string,
    worktree: boolean,
  ): Promise<Conversation> {
    const client = clientOf(
      { url: real.url, key: real.key },
      { interface: 'agentServer' },
    );
    const { creation, conversations, editing } = await client.recognise();
    const created = await creation?.create({
      message: 'Say hello.',
      folder: clone,
      worktree,
    });
    assert.ok(created?.kind === 'conversation');
    const { id } = created.conversation;
    await until(async () =>
      (await conversations.find(id))?.title ? true : undefined,
    );
    await until(async () =>
      (await conversations.find(id))?.execution === 'finished'
        ? true
        : undefined,
    );
    await editing?.rename(id, title, {});
    await row(new RegExp(`^${title}, Finished`)).waitFor({ timeout: aWhile });
    return created.conversation;
  }

  it('calls nothing reviewed that was stashed while it was read', async () => {
    const { folder = '' } = await begin('Stashed', false);
    const theRow = row(/^Stashed, /);
    write(folder, { [text]: 'one\ntwo\n', [binary]: bytes('2') });
    await chooseInMenuOf(theRow, 'Show Changes (Diff)');
    await page
      .locator('.view-line')
      .filter({ hasText: 'two' })
      .first()
      .waitFor({ timeout: aWhile });
    await page
      .locator('.view-line')
      .filter({ hasText: 'Binary file' })
      .last()
      .waitFor();
    await chooseInMenuOf(theRow, 'Mark All as Reviewed');
    await row(/^Stashed, .*, reviewed/).waitFor({ timeout: aWhile });
    await runCommand(page, 'View: Close All Editors');

    write(folder, { [text]: 'one\ntwo\nevil\n', [binary]: bytes('evil') });
    const held = proxy.hold(/\/file\/download|\/git\/diff/);
    await chooseInMenuOf(theRow, 'Show Changes (Diff)');
    await held.arrived;
    git(folder, 'stash');
    held.release();
    await page
      .locator('.tab')
      .filter({ hasText: 'Stashed' })
      .waitFor({ timeout: aWhile });
    git(folder, 'stash', 'pop');
    await row(/^Stashed, .*2 of 2 to review/).waitFor({ timeout: aWhile });
    await runCommand(page, 'View: Close All Editors');
    await chooseInMenuOf(theRow, 'Show Changes (Diff)');
    await page
      .locator('.view-line')
      .filter({ hasText: 'evil' })
      .first()
      .waitFor({ timeout: aWhile });
    await takePicture(page, 'real-held-back');
    await row(/^Stashed, .*2 of 2 to review/).waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  it('opens the page of a fork only after its files were reset', async () => {
    const { folder = '' } = await begin('Reset', true);
    write(folder, { 'new.txt': 'new\n', [text]: 'changed\n' });
    const original = await AgentPage.open(page, 'Reset');
    await original.frame.locator('.by-person').first().hover();
    await original.frame
      .getByRole('button', { name: 'Edit and Resend…' })
      .first()
      .click();
    const dialog = page
      .getByRole('dialog')
      .filter({ hasText: 'Edit this message in a fork' });
    await dialog
      .getByText(/“First”, where the worktree was before the message/)
      .waitFor({ timeout: aWhile });
    const held = proxy.hold(/execute_bash_command/);
    await dialog
      .getByRole('button', { name: 'Fork, Reset Files and Edit' })
      .click();
    await held.arrived;
    const tabs = page.locator('.editor-group-container .tab');
    assert.equal(await tabs.filter({ hasText: 'Reset (fork)' }).count(), 0);
    assert.equal(readFileSync(join(folder, text), 'utf8'), 'changed\n');
    held.release();
    await messages(page, 'The files are as they were at commit').waitFor({
      timeout: aWhile,
    });
    await tabs.filter({ hasText: 'Reset (fork)' }).waitFor({ timeout: aWhile });
    await eventually(() => {
      assert.equal(readFileSync(join(folder, text), 'utf8'), 'one\n');
      assert.ok(!existsSync(join(folder, 'new.txt')));
    });
    const branch = git(
      folder,
      'branch',
      '--list',
      '--format=%(refname:short)',
      'before-fork-*',
    ).toString();
    assert.equal(
      git(folder, 'show', `${branch.trim()}:new.txt`).toString(),
      'new\n',
    );
    await goTo(page, 'Conversations', /^Reset \(fork\), /);
  });
});
