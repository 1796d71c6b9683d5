import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { commit, git, snapshot, write } from '../support/repositories.ts';
import {
  answer,
  changeTheme,
  choose,
  type Desk,
  eventually,
  goTo,
  labels,
  messages,
  openChoice,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  themes,
  view,
  writeNew,
} from '../ui/support.ts';
import { AgentPage } from './agentPage.ts';
import { answers, type RealService, startService } from './services.ts';

/**
 * Milliseconds in which a real service starts a process for each sandbox, and
 * asks a model for each step.
 */
const aWhile = 180_000;

interface HeldConversation {
  readonly id: string;
  readonly title: string | null;
  readonly workspace: { readonly working_dir: string };
}

describe('the real services in a window', () => {
  let desk: Desk;
  let page: Page;
  let agentServer: RealService;
  let appServer: RealService;
  let serviceWithV0: RealService;
  let project: string;

  const host = ({ url }: RealService) => new URL(url).host;
  const row = (name: RegExp) => rows(page, 'Conversations', name);
  const sandbox = (state: string) =>
    rows(page, 'Sandboxes', new RegExp(`, ${state}, `));

  before(async () => {
    [agentServer, appServer, serviceWithV0] = await Promise.all([
      startService('agentServer'),
      startService('appServer'),
      startService('serviceWithV0'),
    ]);
    project = join(agentServer.home, 'shop');
    await mkdir(project);
    git(project, 'init', '--quiet');
    // A worktree begins at a commit.
    commit(project, { 'begun.txt': 'begun\n' }, 'Begin');
    desk = await setUpDesk({
      settings: {
        'switchboard.notifications': 'off',
        'switchboard.refreshInterval': 2,
      },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  async function connect({ url, key }: RealService): Promise<void> {
    await runCommand(page, 'Switchboard: Connect to a Service');
    await answer(page, 'Address of the service', url);
    await answer(page, /^Key of /, key);
  }

  /** The newest conversation of the Agent Server. */
  async function newest(): Promise<HeldConversation> {
    const { items } = await answers<{ items: HeldConversation[] }>(
      agentServer.ask('/api/conversations/search'),
    );
    return items[0] ?? assert.fail();
  }

  async function pick(question: string, label: string): Promise<void> {
    // Keys could be typed before the question has the focus.
    await page.getByPlaceholder(question).fill(label);
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: label })
      .waitFor();
    await page.keyboard.press('Enter');
  }

  it('connects to each with its address and key alone, and says what it is', async () => {
    for (const [service, kind] of [
      [agentServer, 'Agent Server'],
      [appServer, 'V1'],
      [serviceWithV0, 'V0'],
    ] as const) {
      await connect(service);
      await messages(page, `Connected to ${service.url} (${kind}).`).waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
    await statusBar(page).getByText('3 services').waitFor();
  });

  it('creates a conversation in a folder of the Agent Server, and shows it until it has finished', async () => {
    const frame = await writeNew(page, 'say: hello');
    await openChoice(frame, /^Service: /);
    await pick('Select the service', host(agentServer));
    await openChoice(frame, /^Folder: |Choose a Folder/);
    await choose(page, 'Folder to work in', project);
    await frame.getByRole('button', { name: /^Folder: / }).waitFor();
    await openChoice(frame, 'Directly in the Folder');
    await page
      .getByText('New Worktree from Upstream of Current Branch')
      .waitFor();
    await takePicture(page, 'real-worktree-choices');
    await choose(
      page,
      'Where the agent makes its changes',
      'New Worktree from Current Commit',
    );
    await frame
      .getByRole('button', { name: 'New Worktree from Current Commit' })
      .waitFor();
    await frame.locator('textarea').press('Control+Enter');
    const finished = row(
      new RegExp(
        `, Finished, folder shop, model rule, .*at ${host(agentServer)}`,
      ),
    );
    await finished.waitFor({ timeout: aWhile });
    await takePicture(page, 'real-agent-server');
    assert.notEqual(
      (await newest()).workspace.working_dir,
      project,
      'It is not in a worktree of its own.',
    );
  });

  it('edits a message in a fork, resets the files of its worktree, and loses none of them', async () => {
    const folder = (await newest()).workspace.working_dir;
    // Without a commit: Git's times are in seconds, and the message may be of
    // this one.
    write(folder, { 'new.txt': 'new\n', 'begun.txt': 'changed\n' });
    const changed = snapshot(folder);
    // Afterwards, the service gives it no other title.
    await eventually(async () => {
      assert.ok((await newest()).title);
    });
    const path = `/api/conversations/${(await newest()).id}`;
    await answers(
      agentServer.ask(path, {
        method: 'PATCH',
        body: JSON.stringify({ title: 'Hello' }),
      }),
    );
    await row(/^Hello, Finished/).waitFor();
    const old = await AgentPage.open(page, 'Hello');
    await old.frame.locator('.by-person').first().hover();
    await old.frame
      .getByRole('button', { name: 'Edit and Resend…' })
      .first()
      .click();
    const dialog = page
      .getByRole('dialog')
      .filter({ hasText: 'Edit this message in a fork' });
    await dialog
      .getByText(
        /“Begin”, where the worktree was before the message.*git update-ref/s,
      )
      .waitFor();
    await takePicture(page, 'real-reset-worktree');
    for (const theme of ['dark', 'high-contrast']) {
      await page.keyboard.press('Escape');
      await changeTheme(page, themes[theme] ?? assert.fail());
      await old.frame.locator('.by-person').first().hover();
      await old.frame
        .getByRole('button', { name: 'Edit and Resend…' })
        .first()
        .click();
      await dialog.waitFor();
      await takePicture(page, `real-reset-worktree-${theme}`);
    }
    await dialog
      .getByRole('button', { name: 'Fork, Reset Files and Edit' })
      .click();
    await messages(page, 'The files are as they were at commit').waitFor({
      timeout: aWhile,
    });
    assert.equal(readFileSync(join(folder, 'begun.txt'), 'utf8'), 'begun\n');
    assert.equal(existsSync(join(folder, 'new.txt')), false);
    const [branch = ''] = git(
      folder,
      'branch',
      '--list',
      '--format=%(refname:short)',
      'before-fork-*',
    )
      .toString()
      .trim()
      .split('\n');
    const head = git(folder, 'rev-parse', 'HEAD').toString();
    assert.equal(git(folder, 'rev-parse', `${branch}~2`).toString(), head);
    assert.equal(git(folder, 'stash', 'list').toString(), '');
    await takePicture(page, 'real-undo-reset');
    await page.getByRole('button', { name: 'Undo Reset' }).click();
    await messages(page, 'The files are as they were before').waitFor({
      timeout: aWhile,
    });
    assert.deepEqual(snapshot(folder), changed);
    assert.equal(git(folder, 'branch', '--list', branch).toString(), '');
    const fork = await AgentPage.of(page, 'Hello (fork)');
    assert.ok((await fork.field.inputValue()).endsWith('say: hello'));
    await AgentPage.closeAll(page);
    // A window without the focus looks less often.
    await goTo(page, 'Conversations', / \(fork\), /);
    await answers(
      agentServer.ask(`/api/conversations/${(await newest()).id}`, {
        method: 'DELETE',
      }),
    );
    await row(/ \(fork\), /).waitFor({ state: 'detached' });
  });

  it('shows within two polls what was renamed and deleted elsewhere', async () => {
    const path = `/api/conversations/${(await newest()).id}`;
    await answers(
      agentServer.ask(path, {
        method: 'PATCH',
        body: JSON.stringify({ title: 'Greeting' }),
      }),
    );
    await row(/^Greeting, Finished/).waitFor();
    await answers(agentServer.ask(path, { method: 'DELETE' }));
    await row(/^Greeting, /).waitFor({ state: 'detached' });
  });

  it('creates a conversation in a new sandbox of the app server, and never calls it failed', async () => {
    const frame = await writeNew(page, 'say: hello');
    await openChoice(frame, /^Service: /);
    await pick('Select the service', host(appServer));
    await frame.getByRole('button', { name: 'No Repository' }).waitFor();
    await frame.locator('textarea').press('Control+Enter');
    const seen = new Set<string>();
    await eventually(async () => {
      for (const label of await labels(page, 'Sandboxes'))
        seen.add(label.split(', ')[2] ?? '');
      for (const label of await labels(page, 'Conversations'))
        seen.add(label.split(', ')[1] ?? '');
      assert.equal(
        await row(new RegExp(`, Finished, .*at ${host(appServer)}`)).count(),
        1,
      );
    }, aWhile);
    assert.ok(!seen.has('Failed'), [...seen].join());
    await sandbox('Running').waitFor({ timeout: aWhile });
    await takePicture(page, 'real-app-server');
  });

  it('pauses, resumes and deletes the sandbox, and shows the states that the service gives', async () => {
    // A palette that closes gives the focus back, to a page later than to a
    // list.
    await goTo(page, 'Sandboxes');
    await runCommand(page, 'Switchboard: Pause Sandbox');
    await pick('Select the sandbox to pause', 'Running');
    await sandbox('Paused').waitFor({ timeout: aWhile });
    const states = async () => {
      const { items } = await answers<{ items: { status: string }[] }>(
        appServer.ask('/api/v1/sandboxes/search'),
      );
      return items.map(({ status }) => status);
    };
    assert.deepEqual(await states(), ['PAUSED']);
    await runCommand(page, 'Switchboard: Resume Sandbox');
    await pick('Select the sandbox to resume', 'Paused');
    await sandbox('Running').waitFor({ timeout: aWhile });
    assert.deepEqual(await states(), ['RUNNING']);
    await runCommand(page, 'Switchboard: Delete Sandbox');
    await pick('Select the sandbox to delete', 'Running');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Delete' })
      .click();
    await rows(page, 'Sandboxes')
      .first()
      .waitFor({ state: 'detached', timeout: aWhile });
    assert.deepEqual(await states(), []);
  });

  it('hides the view of sandboxes when only an Agent Server is left, which has none', async () => {
    for (const service of [appServer, serviceWithV0]) {
      await runCommand(page, 'Switchboard: Remove Service');
      await pick('Select the service to remove', host(service));
      await messages(page, 'Its key is kept.').first().waitFor();
    }
    await view(page, 'Sandboxes').waitFor({ state: 'detached' });
  });
});
