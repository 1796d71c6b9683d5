import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { startRecipient } from '../support/recipient.ts';
import {
  changeTheme,
  chooseInMenuOf,
  type Desk,
  eventually,
  fold,
  messages,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  showTooltip,
  takePicture,
  themes,
} from './support.ts';

describe('the automations of an Agent Server', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let recipient: Awaited<ReturnType<typeof startRecipient>>;

  before(async () => {
    service = await startMisbehavingDemo({
      interface: 'agentServer',
      conversations: 12,
      // Nothing else notifies meanwhile.
      written: [],
      automations: true,
    });
    recipient = await startRecipient();
    desk = await setUpDesk({
      settings: {
        'switchboard.refreshInterval': 2,
        'switchboard.onAttention': { url: recipient.origin, on: ['failed'] },
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
      skipsTime: true,
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await fold(page, 'Sandboxes', 'MCP Servers');
  });

  after(async () => {
    await desk.clear();
    await service.stop();
    await recipient.stop();
  });

  const row = (words: string | RegExp) => rows(page, 'Conversations', words);
  const failing = (state: string) =>
    row(new RegExp(`^Update dependencies, automation, ${state}`));

  it('lists them in a group with their last runs', async () => {
    const group = row(/^Automations, 2 · 1 failed/);
    await group.click();
    await failing('Failed, 2 hours ago').waitFor();
    await row(/^Triage new issues, automation, Finished, /).waitFor();
    await group.scrollIntoViewIfNeeded();
    for (const [name, theme] of Object.entries(themes)) {
      await changeTheme(page, theme);
      const tooltip = await showTooltip(page, failing(''), /npm install/);
      assert.match(await tooltip.innerText(), /0 6 \* \* 1 UTC/);
      await takePicture(page, `automations-${name}`);
    }
  });

  it('opens the conversation of the last run with one click', async () => {
    await failing('').click();
    await page.locator('.tab.active').waitFor();
    await runCommand(page, 'View: Close All Editors');
  });

  it('notifies once of a run that failed, with the conversation of the run', async () => {
    await chooseInMenuOf(failing(''), 'Run Now');
    const text = '“Automation: Update dependencies” failed.';
    await desk.appears(messages(page, text));
    await takePicture(page, 'automation-failed');
    await press(page, text, 'Show');
    await page.locator('.tab.active').waitFor();
    await runCommand(page, 'View: Close All Editors');
    await eventually(() => {
      assert.equal(recipient.requests.length, 1);
    });
    const sent = JSON.parse(recipient.requests[0]?.body ?? '') as Record<
      string,
      string
    >;
    assert.equal(sent.state, 'failed');
    assert.equal(sent.title, 'Automation: Update dependencies');
    assert.match(sent.link ?? '', /\/conversation\?service=.*&id=/);
  });

  it('turns one off and on', async () => {
    await chooseInMenuOf(failing(''), 'Turn Off');
    await failing('Off, Failed').waitFor();
    await takePicture(page, 'automation-off');
    await chooseInMenuOf(failing(''), 'Turn On');
    await failing('Failed').waitFor();
  });
});
