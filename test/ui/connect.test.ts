import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type MisbehavingDemo, startMisbehavingDemo } from '../../src/demo/faults/misbehavingDemo.ts';
import {
  answer,
  asks,
  type Desk,
  eventually,
  hears,
  messages,
  openSideBar,
  press,
  question,
  rows,
  runCommand,
  setUpDesk,
  statusBar,
  takePicture,
  view,
} from './support.ts';

const key = 'canary-key-of-the-service';

describe('Connect to a Service', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;

  before(async () => {
    service = await startMisbehavingDemo({ key });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off', 'switchboard.refreshInterval': 1 },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  it('explains an invalid address', async () => {
    await runCommand(page, 'Switchboard: Connect to a Service');
    const wrong = {
      'ftp://agents.example.com': '"ftp://" is not supported',
      'https://me:secret@agents.example.com': 'a user name or a password',
      'https://': 'is not an address',
    };
    for (const [address, words] of Object.entries(wrong)) {
      await answer(page, '(1/2)', address);
      await asks(page, words);
    }
    await takePicture(page, 'connect-wrong-address');
    await page.keyboard.press('Escape');
  });

  it('keeps your input when a key is wrong, and connects with the right one by keyboard', async () => {
    await runCommand(page, 'Switchboard: Connect to a Service');
    await answer(page, '(1/2)', service.url);
    await asks(page, '(2/2)');
    await takePicture(page, 'connect-key');
    assert.equal(await question(page).getAttribute('type'), 'password');
    await answer(page, '(2/2)', 'wrong');
    await messages(page, 'refused access. Check the key.').waitFor();
    await takePicture(page, 'connect-wrong-key');

    // The button "Change".
    await runCommand(page, 'Notifications: Accept Notification Primary Action');
    await asks(page, '(1/2)');
    assert.equal(await question(page).inputValue(), service.url);
    await page.keyboard.press('Enter');
    await asks(page, '(2/2)');
    assert.equal(await question(page).inputValue(), 'wrong');
    await answer(page, '(2/2)', key);

    const host = new URL(service.url).host;
    await rows(page, 'Conversations').first().waitFor();
    await rows(page, 'Sandboxes').first().waitFor();
    await hears(page, /^Conversations; .+, .+/);
    await view(page, 'Conversations').locator('.pane-header .description').getByText(host).waitFor();
    await statusBar(page).getByText(host).waitFor();
    await takePicture(page, 'connected');
    // When several messages appear within a second, VS Code hides the last ones.
    await runCommand(page, 'Notifications: Show Notifications');
    const told = page.locator('.notifications-center .notification-list-item');
    await told.filter({ hasText: `Connected to ${service.url} (V0).` }).waitFor();
    await runCommand(page, 'Notifications: Hide Notifications');
    assert.ok(!(await page.content()).includes(key));
  });

  it('keeps rows and shows their age while the service is unreachable, and refreshes when it returns', async () => {
    const port = Number(new URL(service.url).port);
    await service.stop();
    const problem = /^No connection, as of \d\d:\d\d, .*127\.0\.0\.1/;
    await rows(page, 'Conversations', problem).waitFor();
    await rows(page, 'Sandboxes', problem).waitFor();
    assert.ok((await rows(page, 'Conversations').count()) > 5);
    await rows(page, 'Conversations', problem).hover();
    await takePicture(page, 'service-away');

    service = await startMisbehavingDemo({ key, port });
    await rows(page, 'Conversations', problem).waitFor({ state: 'hidden' });
    await rows(page, 'Sandboxes', problem).waitFor({ state: 'hidden' });
    assert.ok((await rows(page, 'Conversations').count()) > 5);
  });

  it('asks once for another key when a working key is refused', async () => {
    service.misbehave({ unauthorized: true });
    const asked = messages(page, 'did not accept the key').filter({ hasText: 'Set API Key' });
    await asked.first().waitFor();
    await rows(page, 'Conversations', /^Key not accepted, as of /).waitFor();
    assert.equal(await asked.count(), 1);
    await takePicture(page, 'key-refused');
    service.misbehave({});
    await press(page, 'did not accept the key', 'Set API Key');
    await answer(page, 'Set API Key', key);
    await eventually(async () => {
      assert.equal(await rows(page, 'Conversations', /^Key not accepted/).count(), 0);
      assert.ok((await rows(page, 'Conversations').count()) > 5);
    });
    assert.equal(await asked.count(), 0);
  });
});
