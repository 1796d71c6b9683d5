import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type MisbehavingDemo, startMisbehavingDemo } from '../../src/demo/faults/misbehavingDemo.ts';
import type { Misbehaviour } from '../../src/demo/faults/misbehaviour.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import {
  type Desk,
  eventually,
  focusList,
  fold,
  goTo,
  labels,
  messages,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  unfold,
  view,
  webviewOf,
} from './support.ts';

describe('a window at an untrusted service', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  const dialogs: string[] = [];

  before(async () => {
    service = await startMisbehavingDemo({ clock: new SteppedClock(Date.now()) });
    desk = await setUpDesk({
      settings: { 'switchboard.notifications': 'off' },
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open());
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await openSideBar(page);
    await fold(page, 'Sandboxes', 'MCP Servers');
    await rows(page, 'Conversations', /^Load more/).waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  afterEach(async () => {
    assert.deepEqual(dialogs, []);
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    assert.deepEqual(await messages(page).allInnerTexts(), []);
  });

  async function refreshWith(misbehaviour: Partial<Misbehaviour>): Promise<void> {
    service.misbehave(misbehaviour);
    await runCommand(page, 'Switchboard: Refresh Conversations');
  }

  it('shows titles as plain text without icons, links or markup', async () => {
    await refreshWith({ hostileTitles: true });
    const conversations = view(page, 'Conversations');
    const literal = conversations.locator('.label-name');
    await literal.getByText('$(error) $(sync~spin) Not an icon', { exact: true }).first().waitFor();
    await literal.getByText('<img src=x onerror=alert(1)><script>alert(2)</script>').first().waitFor();
    await literal.getByText('**bold** [a link](command:workbench.action.quit)').first().waitFor();
    await literal.getByText('first line second line').first().waitFor();
    assert.equal(await conversations.locator('.label-name .codicon, .label-name img').count(), 0);
    assert.equal(await conversations.locator('.label-name [href], .label-name[href]').count(), 0);
    for (const label of await labels(page, 'Conversations')) {
      assert.doesNotMatch(label, /\p{Cc}|[\u200b\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
      assert.ok(label.length < 1_000);
    }
    await rows(page, 'Conversations', /^\*\*bold/)
      .first()
      .hover();
    const tooltip = page.locator('.monaco-hover').filter({ hasText: 'State:' });
    await tooltip.waitFor();
    assert.equal(await tooltip.locator('a, img, .codicon, strong').count(), 0);
    await takePicture(page, 'hostile-titles');
    await page.keyboard.press('Escape');
  });

  it('shows titles as plain text on the details page', async () => {
    await refreshWith({ hostileTitles: true });
    await goTo(page, 'Conversations', /^<img src=x/);
    await page.keyboard.press('Enter');
    const details = await webviewOf(page, '<img src=x onerror=alert(1)>');
    assert.equal(await details.locator('body img, body iframe, h1 *').count(), 0);
    await takePicture(page, 'hostile-details');
  });

  it('shows undocumented values unchanged', async () => {
    await refreshWith({ unknownValues: true });
    await rows(page, 'Conversations', /HIBERNATING|daydreaming/i)
      .first()
      .waitFor();
    assert.ok((await labels(page, 'Conversations')).length > 15);
    await takePicture(page, 'unknown-values');
  });

  it('shows error messages as plain text without links that run a command', async () => {
    await unfold(page, 'Sandboxes');
    await rows(page, 'Sandboxes', /Running/)
      .first()
      .waitFor();
    service.misbehave({ errorBody: 'hostile', errorStatus: 409 });
    await runCommand(page, 'Switchboard: Pause Sandbox');
    await page.locator('.quick-input-list .monaco-list-row.focused').waitFor();
    await page.keyboard.press('Enter');
    const message = messages(page, 'Raise your quota');
    await message.waitFor();
    assert.match(await message.innerText(), /\$\(error\) \[Raise your quota\] \(command:/);
    assert.equal(await message.locator('.notification-list-item-message a').count(), 0);
    await takePicture(page, 'hostile-error');
    service.misbehave({});
    await runCommand(page, 'Notifications: Clear All Notifications');
    // The progress stays visible for a moment.
    await eventually(async () => {
      assert.equal(await messages(page).count(), 0);
    });
    await fold(page, 'Sandboxes');
  });

  it('shows the valid records when others are broken', async () => {
    await eventually(async () => {
      // A refresh that joins one already in progress still returns the earlier, valid records.
      await refreshWith({ brokenRecords: true });
      await focusList(page, 'Conversations');
      await page.keyboard.press('End');
      // Some records are skipped, so more pages are requested.
      assert.equal(
        await rows(page, 'Conversations', /^Load more conversations, (?!20 )\d+ loaded/).count(),
        1,
      );
    });
    for (const label of await labels(page, 'Conversations')) {
      assert.doesNotMatch(label, /undefined|null|NaN|\[object|Invalid/);
    }
    await takePicture(page, 'broken-records');
  });
});
