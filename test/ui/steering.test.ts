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
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  themes,
  webviewOf,
} from './support.ts';

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
    await rows(page, 'Conversations', /Waiting for you/)
      .first()
      .waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  const waiting = () => rows(page, 'Conversations', /Waiting for you/);
  const shown = () => page.locator('.editor-container .monaco-editor .view-lines');
  const asked = () => service.executed.filter(({ cause }) => cause.startsWith('POST '));

  /** Runs a command on the row with this number, counted from zero, and returns its title. */
  async function runOn(row: number, command: string): Promise<string> {
    const label = (await waiting().nth(row).getAttribute('aria-label')) ?? '';
    const [title = ''] = label.split(', ');
    await runCommand(page, `Switchboard: ${command}`);
    await page.getByPlaceholder('Select the conversation to answer').waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    return title;
  }

  for (const [name, theme] of Object.entries(themes)) {
    it(`shows in the ${name} theme all that waits, whole, before it can be accepted, and can be left`, async () => {
      await changeTheme(page, theme);
      const title = await runOn(0, 'Accept Action');
      await hears(page, new RegExp(`Accept`));
      await shown().getByText('npm test').waitFor();
      await shown().getByText('wants to do this:').waitFor();
      await takePicture(page, `accept-${name}`);
      await page.keyboard.press('Escape');
      await shown().getByText('npm test').waitFor({ state: 'detached' });
      assert.deepEqual(asked(), [], title);
    });
  }

  it('does what was accepted, once, and the row goes on', async () => {
    const before = await waiting().count();
    await runOn(0, 'Accept Action');
    await shown().getByText('npm test').waitFor();
    await choose(page, 'is shown below', 'Accept');
    await eventually(() => {
      assert.equal(asked().length, 1);
      return Promise.resolve();
    });
    await eventually(async () => {
      assert.ok((await waiting().count()) < before);
    });
  });

  it('does nothing of what was rejected, and tells the agent why', async () => {
    const done = asked().length;
    const title = await runOn(0, 'Reject Action');
    await shown().getByText('Your answer counts for all of them').waitFor();
    await takePicture(page, 'reject-two');
    await choose(page, 'is shown below', 'Reject with a Reason');
    await page.getByRole('textbox', { name: /should know/ }).waitFor();
    await page.keyboard.type('Not on a Friday');
    await page.keyboard.press('Enter');
    await rows(page, 'Conversations', new RegExp(`^${title}, Idle`)).waitFor();
    assert.equal(asked().length, done);
  });

  it('spells out what cannot be seen or changes direction', async () => {
    await runOn(0, 'Accept Action');
    await shown().getByText(/\\u20/).first().waitFor();
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
    await webviewOf(page, /Renamed here/);
    await runCommand(page, 'View: Close All Editors');
  });

  it('deletes after a question that names what is lost, whose harmless button has the keyboard', async () => {
    await goTo(page, 'Conversations', /^Renamed here, Finished/);
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Everything that was said and done in it is lost.').waitFor();
    await takePicture(page, 'delete-conversation');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await rows(page, 'Conversations', /^Renamed here, Finished/).waitFor({ state: 'detached' });
    assert.equal(await messages(page, 'Could not').count(), 0);
  });
});
