import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import {
  type Desk,
  eventually,
  goTo,
  hears,
  messages,
  openSideBar,
  question,
  rows,
  runCommand,
  setUpDesk,
  sortByCreation,
  takePicture,
  webviewOf,
} from './support.ts';

// What waits in the demo: one action, and two of a step.
const one = 'Split the backup job into two modules';
const two = 'Move the rate limiter from callbacks';

describe('an action on a conversation', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;

  before(async () => {
    service = await startDemo({ interface: 'agentServer' });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off', 'switchboard.refreshInterval': 1 },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await rows(page, 'Conversations', new RegExp(`^${one}, Waiting for you`)).waitFor();
    await sortByCreation(page);
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  const asked = () => service.executed.filter(({ cause }) => cause.startsWith('POST '));

  /** Runs a command on the conversation with this title. */
  async function runOn(title: string, command: string): Promise<void> {
    await runCommand(page, `Switchboard: ${command}`);
    await page.getByPlaceholder('Select the conversation to answer').waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  }

  it('focuses the waiting action on its page without answering it', async () => {
    for (const command of ['Accept Action', 'Reject Action']) {
      await runOn(one, command);
      await hears(page, 'The agent wants to do this:');
      const frame = await webviewOf(page, one);
      assert.match(await frame.locator('.waitingBox').innerText(), /npm test/);
      await runCommand(page, 'View: Close All Editors');
    }
    assert.deepEqual(asked(), []);
  });

  it('focuses the message field of the page to send a message', async () => {
    await runCommand(page, 'Switchboard: Send Message');
    await page.getByPlaceholder('Select the conversation to write to').waitFor();
    await page.keyboard.type(two);
    await page.keyboard.press('Enter');
    await hears(page, /Message to the agent/);
    await runCommand(page, 'View: Close All Editors');
  });

  it('stops an agent with the button of its row', async () => {
    // It works for some minutes more.
    const row = rows(page, 'Conversations', /^Limit the public API.*, Working/);
    await row.hover();
    await row.getByRole('button', { name: 'Stop Agent' }).click();
    await eventually(() => {
      assert.ok(service.requests.some(({ path }) => path.endsWith('/interrupt')));
      return Promise.resolve();
    });
    assert.equal(await messages(page, 'Something went wrong').count(), 0);
  });

  it('renames the selected conversation with F2', async () => {
    await goTo(page, 'Conversations', /Finished/);
    await page.keyboard.press('F2');
    await hears(page, /Rename Conversation.*New title of/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Renamed here');
    await page.keyboard.press('Enter');
    await rows(page, 'Conversations', /^Renamed here, Finished/).waitFor();
  });

  it('forks a conversation and opens the fork', async () => {
    await runCommand(page, 'Switchboard: Fork Conversation');
    await page.getByPlaceholder('Select the conversation to fork').waitFor();
    await page.keyboard.type('Renamed here');
    await page.keyboard.press('Enter');
    await webviewOf(page, 'Renamed here (fork)');
    await runCommand(page, 'View: Close All Editors');
  });

  it('opens a conversation by its link after VS Code asks', async () => {
    await runCommand(page, 'Switchboard: Copy Conversation Link');
    await page.getByPlaceholder('Select the conversation whose link to copy').waitFor();
    await page.keyboard.type(two);
    await page.keyboard.press('Enter');
    await runCommand(page, 'Developer: Open URL');
    await page.keyboard.press('Control+v');
    await eventually(async () => {
      assert.match(await question(page).inputValue(), /agent-switchboard\.agent-switchboard\/conversation/);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
    await webviewOf(page, new RegExp(two));
    await runCommand(page, 'View: Close All Editors');
  });

  it('deletes a conversation after a question that names the loss and focuses Keep', async () => {
    await goTo(page, 'Conversations', /^Renamed here, Finished/);
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog');
    await hears(page, /^Keep; .*Renamed here.*Everything that was said and done in it is lost\./);
    await takePicture(page, 'delete-conversation');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await rows(page, 'Conversations', /^Renamed here, Finished/).waitFor({ state: 'detached' });
    assert.equal(await messages(page, 'Could not').count(), 0);
  });
});
