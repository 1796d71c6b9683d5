import assert from 'node:assert/strict';
import { commands, window } from 'vscode';
import { startRecipient } from '../support/recipient.ts';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';

describe('the test notification', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('opens the setting while it names nothing to notify', async () => {
    await desk.run('switchboard.sendTestNotification');
    await until(
      () => window.tabGroups.activeTabGroup.activeTab?.label === 'Settings',
    );
    assert.deepEqual(desk.person.heard, []);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says what came of the program and the address', async () => {
    const recipient = await startRecipient();
    await desk.configure({
      onAttention: {
        command: [process.execPath, '--no-such-option'],
        url: recipient.origin,
        headers: { 'X-Team': 'ledger' },
        body: { content: '${title}', allowed_mentions: { parse: [] } },
      },
    });
    await desk.run('switchboard.sendTestNotification');
    await recipient.stop();
    const [message = '', detail = ''] = desk.person.heard;
    assert.equal(desk.person.heard.length, 2);
    assert.match(detail, /"title":"Test notification".*\n\{"content":"Test/);
    assert.match(message, /^node failed: .*no-such-option/);
    assert.ok(
      message.endsWith(`${recipient.host} answered with status 200.`),
      message,
    );
    const [request] = recipient.requests;
    assert.equal(request?.headers['x-team'], 'ledger');
    assert.deepEqual(JSON.parse(request.body), {
      content: 'Test notification',
      allowed_mentions: { parse: [] },
    });
  });
});
