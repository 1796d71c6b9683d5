import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  changeTheme,
  chooseInMenuOf,
  type Desk,
  focusList,
  goTo,
  eventually,
  hasWalkthrough,
  labels,
  messages,
  openSideBar,
  press,
  question,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  statusBar,
  takePicture,
  themes,
  view,
  webviewOf,
} from './support.ts';

/** Titles come from the seed of the demo, so they are the same in every run. */
const title = 'Upgrade the dependencies of the GraphQL gateway';

/** Has waited since before the start, with all its changes. */
const waiting = 'Split the backup job into two modules';

describe('the demo service', () => {
  let desk: Desk;
  let page: Page;

  before(async () => {
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off' },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
  });

  beforeEach(async () => {
    await tryDemo(page);
  });

  it('fills both views with one click and shows everywhere that it is a demo', async () => {
    await rows(page, 'Sandboxes').first().waitFor();
    for (const pane of ['Conversations', 'Sandboxes']) {
      await view(page, pane)
        .locator('.pane-header .description')
        .getByText('Demo')
        .waitFor();
    }
    await statusBar(page).getByText('Demo Service').waitFor();
  });

  it('shows waiting agents first, beside the walkthrough', async () => {
    await page
      .locator('.getting-started-step')
      .filter({ hasText: 'Open a conversation' })
      .waitFor();
    assert.match(
      (await labels(page, 'Conversations'))[0] ?? '',
      /, Waiting for you, /,
    );
    await takePicture(page, 'demo-first');
    await runCommand(page, 'View: Close All Editors');
  });

  it('opens no walkthrough when an editor is open', async () => {
    await runCommand(page, 'Switchboard: Stop the Demo Service');
    await runCommand(page, 'File: New Untitled Text File');
    await runCommand(page, 'Switchboard: Try the Demo Service');
    await rows(page, 'Conversations').first().waitFor();
    assert.equal(await page.locator('.tab').count(), 1);
    await runCommand(page, 'View: Close All Editors');
  });

  it('labels its rows with title, state, repository, branch and age for a screen reader', async () => {
    const state =
      '(Waiting for you|Failed|Working|Starting|Idle|Finished|Paused|Stopped)';
    await rows(
      page,
      'Conversations',
      new RegExp(
        `^${title}, ${state}, repository northwind/checkout-api, branch fix/upgrade-dependencies-graphql-gateway, (cost [^,]+, )?at Demo, (just now|\\d+ minutes? ago)$`,
      ),
    ).waitFor();
    for (const label of await labels(page, 'Conversations')) {
      assert.match(
        label,
        new RegExp(
          `^[^,]+, ${state}((, repository [^,]+)?(, branch [^,]+)?(, cost [^,]+)?, at Demo|, folder [^,]+, model [^,]+(, cost [^,]+)?, at Demo Agent Server), [^,]+$`,
        ),
      );
    }
    for (const label of await labels(page, 'Sandboxes')) {
      assert.match(
        label,
        /^Sandbox, [^,]+, (Starting|Running|Paused|Failed)(, \d conversations?)?(, server:\S+)?, Demo, created \d+ (hours|days) ago$/,
      );
    }
  });

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows its rows and a tooltip in the ${name} theme, wide and narrow`, async () => {
      await changeTheme(page, theme);
      await tryDemo(page);
      await showTooltip(
        page,
        rows(page, 'Conversations', title),
        'northwind/checkout-api · fix/',
      );
      await takePicture(page, `demo-${name}`);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 520, height: 800 });
      await rows(page, 'Sandboxes').first().hover();
      await takePicture(page, `demo-${name}-narrow`);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }

  it('loads more rows, shows how many are loaded, and keeps the scroll position', async () => {
    await focusList(page, 'Conversations');
    await goToLastRow(page);
    await rows(
      page,
      'Conversations',
      'Load more conversations, 40 loaded',
    ).waitFor();
    const before = await titles(page);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      // More rows fit in place of "Load More" and the automations.
      assert.deepEqual(
        (await titles(page)).slice(0, before.length - 2),
        before.slice(0, -2),
      );
      assert.equal(await rows(page, 'Conversations', /^Load more/).count(), 0);
    });
    await eventually(async () => {
      await goToLastRow(page);
      assert.equal(
        await rows(
          page,
          'Conversations',
          'Load more conversations, 60 loaded',
        ).count(),
        1,
      );
    });
    // The row may have come after the list was scrolled to its end.
    await goToLastRow(page);
    await takePicture(page, 'load-more');

    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const selected = view(page, 'Conversations')
      .locator('.monaco-list-row[aria-selected=true]')
      .and(page.locator(':not([aria-label^="Load more"])'));
    const label = (await selected.getAttribute('aria-label')) ?? '';
    await webviewOf(page, label.split(',')[0] ?? '');
    const shown = await titles(page);
    await focusList(page, 'Conversations');
    await goToLastRow(page);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      // Seven of the 80 are below the conversations that started them. The
      // automations have a row.
      assert.equal(
        await rows(page, 'Conversations').first().getAttribute('aria-setsize'),
        '74',
      );
    });
    assert.deepEqual(
      (await titles(page)).slice(0, shown.length - 2),
      shown.slice(0, -2),
    );
    await focusList(page, 'Conversations');
    await goToLastRow(page);
    assert.equal(await rows(page, 'Conversations', /^Load more/).count(), 0);
  });

  it('shows the details of a conversation on a page', async () => {
    await goTo(page, 'Conversations', new RegExp(`^${title}`));
    await page.keyboard.press('Enter');
    const details = await webviewOf(page, title);
    await details.getByRole('button', { name: 'Details' }).click();
    const facts = await details.locator('dl').innerText();
    for (const fact of [
      'State',
      'Repository\\s+northwind/checkout-api',
      'Created\\s+\\d+ minutes ago \\(',
    ]) {
      assert.match(facts, new RegExp(fact));
    }
    await details.getByRole('button', { name: 'More Actions…' }).click();
    await details.getByRole('menuitem', { name: 'Open in Browser' }).waitFor();
    await page.locator('.tab').getByText(title).waitFor();
    await takePicture(page, 'details');
  });

  it('shows the welcome view again when it is stopped', async () => {
    await runCommand(page, 'Switchboard: Stop the Demo Service');
    const conversations = view(page, 'Conversations');
    await conversations
      .locator('.welcome-view-content')
      .getByText(/Connect to a service/i)
      .first()
      .waitFor();
    await conversations
      .locator('.pane-header .description')
      .getByText('Demo')
      .waitFor({ state: 'hidden' });
    assert.equal(await rows(page, 'Conversations').count(), 0);
    await view(page, 'Sandboxes').waitFor({ state: 'detached' });
    await statusBar(page)
      .getByText('Demo Service')
      .waitFor({ state: 'hidden' });
    await runCommand(page, 'View: Close All Editors');
  });

  it('makes the repository of the demo, goes on in its window, takes over into it, and undoes that', async () => {
    await runCommand(page, 'View: Close All Editors');
    const clone = join(desk.home, 'infrastructure');
    const offer = /Open a clone of “infrastructure” to take over these changes/;
    for (const [name, theme] of Object.entries(themes)) {
      await changeTheme(page, theme);
      await takeOver(page);
      await messages(page, offer).waitFor();
      await takePicture(page, `demo-repository-${name}`);
      if (theme !== Object.values(themes).at(-1))
        await runCommand(page, 'Notifications: Clear All Notifications');
    }
    await press(page, offer, 'Create the Demo Repository');
    await eventually(async () => {
      // The dialog fills in where it begins, and perhaps later than this.
      const path = question(page);
      if (await path.isVisible()) {
        await path.fill(desk.home, { timeout: 1_000 });
        await path.press('Enter', { timeout: 1_000 });
      }
      await messages(page, `The demo repository is in ${clone}.`).waitFor({
        timeout: 1_000,
      });
    });
    await takePicture(page, 'demo-repository-made');
    const loaded = page.waitForEvent('load');
    await messages(page, clone)
      .getByRole('button', { name: 'Open', exact: true })
      .click();
    await loaded;
    await openSideBar(page);
    // Git has found it.
    await statusBar(page).getByText('main').waitFor();
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: clone }).toString();

    await takeOver(page);
    await question(page).waitFor();
    await takePicture(page, 'demo-take-over');
    await page.keyboard.press('Enter');
    const taken = `Took over 3 files of “${waiting}”.`;
    await messages(page, taken).waitFor();
    assert.deepEqual(
      git('status', '--porcelain', '-uall').trimEnd().split('\n'),
      [
        ' M jobs/backup/backup.ts',
        '?? jobs/backup/test/upload.test.ts',
        '?? jobs/backup/upload.ts',
      ],
    );
    await takePicture(page, 'demo-taken-over');
    await press(page, taken, 'Undo');
    await messages(page, 'All files are as they were').waitFor();
    assert.equal(git('status', '--porcelain'), '');
  });
});

async function takeOver(page: Page): Promise<void> {
  await tryDemo(page);
  await chooseInMenuOf(
    rows(page, 'Conversations', waiting),
    'Take Over Changes',
  );
}

/** Presses the button if there is one. Nothing is open then. */
async function tryDemo(page: Page): Promise<void> {
  const offer = view(page, 'Conversations').getByRole('button', {
    name: 'Try the Demo Service',
  });
  await rows(page, 'Conversations').first().or(offer).waitFor();
  if (await offer.isVisible()) {
    await offer.click();
    await hasWalkthrough(page);
  }
  await rows(page, 'Conversations').first().waitFor();
}

/** The titles of the visible rows. */
async function titles(page: Page): Promise<(string | undefined)[]> {
  return (await labels(page, 'Conversations')).map(
    (label) => label.split(',')[0],
  );
}

/** Focuses the row above the group of automations. */
async function goToLastRow(page: Page): Promise<void> {
  // The automations come after the conversations.
  await eventually(async () => {
    await page.keyboard.press('End');
    assert.equal(await rows(page, 'Conversations', /^Automations/).count(), 1);
  });
  await page.keyboard.press('ArrowUp');
}
