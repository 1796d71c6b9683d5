import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import {
  accept,
  answer,
  asks,
  choose,
  type Desk,
  eventually,
  messages,
  openSideBar,
  press,
  question,
  reload,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
} from './support.ts';

/** The time that the demo service takes to create a conversation. */
const duration = 5_000;

describe('a new conversation', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;
  let clock: SteppedClock;

  before(async () => {
    // The demo changes only when a test advances its clock, so every stage can be seen.
    clock = new SteppedClock(Date.now());
    service = await startDemo({ clock });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off' },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
    await rows(page, 'Sandboxes').first().waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  /** Answers every question with the keyboard. */
  async function begin(message: string): Promise<void> {
    await runCommand(page, 'Switchboard: New Conversation');
    await answer(page, '(1/4)', message);
    await choose(page, '(2/4)', 'northwind/storefront');
    await answer(page, '(3/4)', 'main');
    await choose(page, '(4/4)', 'New Sandbox');
    await isTaken();
  }

  /** Waits until the service is at work, which takes as long as its clock says from then on. */
  async function isTaken(): Promise<void> {
    await eventually(() => {
      const posted = service.requests.findLastIndex(({ method }) => method === 'POST');
      const asked = service.requests.slice(posted + 1).some(({ path }) => path.endsWith('/start-tasks'));
      assert.ok(posted >= 0 && asked, 'Nobody has asked the service how far it is.');
      return Promise.resolve();
    });
  }

  /** Waits until this is what Enter chooses. */
  async function focused(label: string): Promise<void> {
    await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: label }).waitFor();
  }

  it('appears in the list at once when created by keyboard, and becomes the conversation', async () => {
    await begin('Fix the build of the shop');
    const pending = rows(page, 'Conversations', /^Fix the build of the shop, Beginning/);
    await pending.waitFor();
    await takePicture(page, 'new-conversation-pending');
    clock.advance(1_000);
    await rows(page, 'Conversations', /^Fix the build of the shop, Waiting for the sandbox/).waitFor();
    clock.advance(duration);
    await rows(
      page,
      'Conversations',
      /^Fix the build of the shop, (Working|Starting), repository northwind\/storefront, branch main, (cost .+, )?just now$/,
    ).waitFor();
    await pending.waitFor({ state: 'hidden' });
    await messages(page, 'Creating the conversation').waitFor({ state: 'hidden' });
    await takePicture(page, 'new-conversation-there');
    const created = service.requests.filter(({ method }) => method === 'POST');
    assert.equal(created.length, 1);
  });

  it('explains why it was not created and keeps its answers for a retry', async () => {
    await begin('This is going to fail');
    await rows(page, 'Conversations', /^This is going to fail, Beginning/).waitFor();
    clock.advance(duration);
    const failed = rows(page, 'Conversations', /^This is going to fail, Not created, /);
    await failed.waitFor();
    await messages(page, '“This is going to fail” was not created: ').waitFor();
    await takePicture(page, 'new-conversation-failed');
    await press(page, '“This is going to fail” was not created: ', 'Try Again');
    await asks(page, '(1/4)');
    assert.equal(await question(page).inputValue(), 'This is going to fail');
    await answer(page, '(1/4)', 'This is going to work');
    await asks(page, '(2/4)');
    await focused('northwind/storefront');
    await accept(page, '(3/4)');
    await focused('main');
    await page.keyboard.press('Enter');
    await choose(page, '(4/4)', 'New Sandbox');
    await isTaken();
    await failed.waitFor({ state: 'hidden' });
    await rows(page, 'Conversations', /^This is going to work, Beginning/).waitFor();
    clock.advance(duration);
    await rows(page, 'Conversations', /^This is going to work, (Working|Starting), /).waitFor();
  });

  it('stops when you cancel it and disappears when you remove its row', async () => {
    await begin('Never mind');
    const row = rows(page, 'Conversations', /^Never mind, /);
    await row.waitFor();
    const cancel = messages(page, 'Creating the conversation').getByRole('button', { name: 'Cancel' });
    // The editor loses a click on a notification that it draws anew at that moment, with other words.
    await eventually(async () => {
      if (await cancel.isVisible()) await cancel.click({ timeout: 1_000 });
      await rows(page, 'Conversations', /^Never mind, Cancelled, /).waitFor({ timeout: 3_000 });
    });
    // Cancelling is not reported as an error.
    await messages(page, 'Creating the conversation').waitFor({ state: 'hidden' });
    assert.equal(await messages(page, 'was not created').count(), 0);
    await row.hover();
    await takePicture(page, 'new-conversation-cancelled');
    // The editor loses a click on a row that it draws anew at that moment.
    await eventually(async () => {
      const button = row.getByRole('button', { name: 'Cancel New Conversation' });
      if (await row.isVisible()) await button.click({ timeout: 1_000 });
      await row.waitFor({ state: 'hidden', timeout: 3_000 });
    });
  });

  it('searches repositories and branches at the service as you type', async () => {
    await runCommand(page, 'Switchboard: New Conversation');
    await answer(page, '(1/4)', 'Draw a chart');
    await asks(page, '(2/4)');
    await page.keyboard.type('DATA-pipe');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'As Typed' }).waitFor();
    await focused('meridian/data-pipeline');
    await takePicture(page, 'new-conversation-repositories');
    await accept(page, '(3/4)');
    await focused('Default Branch');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'develop' }).waitFor();
    await page.keyboard.type('2.5');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'As Typed' }).waitFor();
    await focused('release/2.5');
    await takePicture(page, 'new-conversation-branches');
    await page.keyboard.press('Enter');
    await choose(page, '(4/4)', 'New Sandbox');
    await rows(page, 'Conversations', /^Draw a chart, Beginning/).waitFor();
    clock.advance(duration);
    await rows(
      page,
      'Conversations',
      /^Draw a chart, .*repository meridian\/data-pipeline, branch release\/2\.5/,
    ).waitFor();
    const searches = service.requests.filter(({ path }) => path === '/api/v1/git/repositories/search');
    assert.ok(searches.length < 3 * 4 * 4, 'not for every key');
  });

  it('fills in a task that the service suggests', async () => {
    await runCommand(page, 'Switchboard: New Conversation');
    await asks(page, '(1/4)');
    const task = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: '#87 Show prices' });
    // A click while the question is drawn is lost.
    await eventually(async () => {
      const button = page.getByRole('button', { name: 'Choose a Suggested Task' });
      // A slow service shows the tasks later.
      if (await button.isVisible()) await button.click({ timeout: 3_000 });
      await task.waitFor({ timeout: 3_000 });
    });
    await takePicture(page, 'new-conversation-tasks');
    await choose(page, 'Suggested Tasks', '#87 Show prices');
    await asks(page, '(1/4)');
    assert.equal(
      await question(page).inputValue(),
      'Resolve the merge conflicts of pull request #87 of northwind/storefront: Show prices in the currency of the visitor',
    );
    await accept(page, '(2/4)');
    await focused('northwind/storefront');
    await page.keyboard.press('Escape');
  });

  it('survives a window reload', async () => {
    await begin('Survive a reload');
    await rows(page, 'Conversations', /^Survive a reload, Beginning/).waitFor();
    // Only what the service said after its first answer shows that this was there before the reload.
    clock.advance(1_000);
    await rows(page, 'Conversations', /^Survive a reload, Waiting for the sandbox/).waitFor();
    await reload(page);
    await rows(page, 'Conversations', /^Survive a reload, Waiting for the sandbox/).waitFor();
    clock.advance(duration);
    await rows(page, 'Conversations', /^Survive a reload, (Working|Starting), /).waitFor();
  });
});
