import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import {
  answer,
  asks,
  choose,
  type Desk,
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
  }

  it('is created with the keyboard, appears in the list at once, and becomes the conversation', async () => {
    await begin('Fix the build of the shop');
    const pending = rows(page, 'Conversations', /^Fix the build of the shop, (Sending|Beginning)/);
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

  it('says why it was not created, and can be tried again with the same text', async () => {
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
    await page
      .locator('.quick-input-list .monaco-list-row.focused')
      .filter({ hasText: 'northwind/storefront' })
      .waitFor();
    await page.keyboard.press('Enter');
    await asks(page, '(3/4)');
    assert.equal(await question(page).inputValue(), 'main');
    await page.keyboard.press('Enter');
    await choose(page, '(4/4)', 'New Sandbox');
    await failed.waitFor({ state: 'hidden' });
    await rows(page, 'Conversations', /^This is going to work, Beginning/).waitFor();
    clock.advance(duration);
    await rows(page, 'Conversations', /^This is going to work, (Working|Starting), /).waitFor();
  });

  it('can be cancelled, and its row can be removed', async () => {
    await begin('Never mind');
    const row = rows(page, 'Conversations', /^Never mind, /);
    await row.waitFor();
    await press(page, 'Creating the conversation', 'Cancel');
    await rows(page, 'Conversations', /^Never mind, Cancelled, /).waitFor();
    // Cancelling is not reported as an error.
    await messages(page, 'Creating the conversation').waitFor({ state: 'hidden' });
    assert.equal(await messages(page, 'was not created').count(), 0);
    await row.hover();
    await takePicture(page, 'new-conversation-cancelled');
    await row.getByRole('button', { name: 'Cancel New Conversation' }).click();
    await row.waitFor({ state: 'hidden' });
  });

  it('survives a reload of the window', async () => {
    await begin('Survive a reload');
    await rows(page, 'Conversations', /^Survive a reload, Beginning/).waitFor();
    await reload(page);
    await rows(page, 'Conversations', /^Survive a reload, Beginning/).waitFor();
    clock.advance(duration);
    await rows(page, 'Conversations', /^Survive a reload, (Working|Starting), /).waitFor();
  });
});
