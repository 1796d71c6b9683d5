import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import {
  changeTheme,
  choose,
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
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

// What waits in the demo: one action, two of a step, and one with characters that are not seen.
const one = 'Split the backup job into two modules';
const two = 'Move the rate limiter from callbacks';
const hidden = 'Move the invoice mailer from callbacks';

describe('acting on conversations', () => {
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
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  const shown = (text: string | RegExp) =>
    page.locator('.editor-container .monaco-editor .view-lines').getByText(text).first();
  const asked = () => service.executed.filter(({ cause }) => cause.startsWith('POST '));

  /** Runs a command on the conversation with this title. */
  async function runOn(title: string, command: string): Promise<void> {
    await runCommand(page, `Switchboard: ${command}`);
    await page.getByPlaceholder('Select the conversation to answer').waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  }

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows in the ${name} theme all that waits, whole, before it can be accepted, and can be left`, async () => {
      await changeTheme(page, theme);
      await runOn(one, 'Accept Action');
      await hears(page, /Accept/);
      await shown('npm test').waitFor();
      await shown('wants to do this:').waitFor();
      await takePicture(page, `accept-${name}`);
      await page.keyboard.press('Escape');
      await shown('npm test').waitFor({ state: 'detached' });
      assert.deepEqual(asked(), []);
    });
  }

  it('does what was accepted, once', async () => {
    await runOn(one, 'Accept Action');
    await shown('npm test').waitFor();
    await choose(page, 'is shown below', 'Accept');
    await eventually(() => {
      assert.equal(asked().length, 1);
      return Promise.resolve();
    });
  });

  it('does nothing of what was rejected, and tells the agent why', async () => {
    const done = asked().length;
    await runOn(two, 'Reject Action');
    await shown('Your answer counts for all of them').waitFor();
    await takePicture(page, 'reject-two');
    await choose(page, 'is shown below', 'Reject with a Reason');
    await hears(page, /Reject with a Reason.*should know/);
    await page.keyboard.type('Not on a Friday');
    await page.keyboard.press('Enter');
    await rows(page, 'Conversations', new RegExp(`^${two}.*, Idle`)).waitFor();
    assert.equal(asked().length, done);
  });

  it('spells out what cannot be seen or changes direction', async () => {
    await runOn(hidden, 'Accept Action');
    await shown(/\\u20/).waitFor();
    await takePicture(page, 'accept-hostile');
    await page.keyboard.press('Escape');
  });

  it('renames with F2 the conversation that is selected', async () => {
    await goTo(page, 'Conversations', /Finished/);
    await page.keyboard.press('F2');
    await hears(page, /Rename Conversation.*New title of/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Renamed here');
    await page.keyboard.press('Enter');
    await rows(page, 'Conversations', /^Renamed here, Finished/).waitFor();
  });

  it('forks, and opens the new one', async () => {
    await runCommand(page, 'Switchboard: Fork Conversation');
    await page.getByPlaceholder('Select the conversation to fork').waitFor();
    await page.keyboard.type('Renamed here');
    await page.keyboard.press('Enter');
    await webviewOf(page, /./);
    await runCommand(page, 'View: Close All Editors');
  });

  it('opens a conversation by its link, after the editor has asked', async () => {
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

  it('deletes after a question that names what is lost, whose harmless button has the keyboard', async () => {
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
