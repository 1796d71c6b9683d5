import assert from 'node:assert/strict';
import { env, type WebviewPanel, window } from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import { SpendingLedger } from '../../src/state/costs/spending.ts';
import { until } from '../support/eventually.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';

describe('the page of the costs of conversations', () => {
  let desk: Desk;
  let panels: WebviewPanel[];
  let restore: () => void;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 1_000,
    });
    panels = [];
    const { spending } = desk.switchboard;
    // Agents of other tests have spent, too.
    Object.assign(desk.switchboard, {
      spending: new SpendingLedger(systemClock),
    });
    const create = window.createWebviewPanel.bind(window) as Anything;
    const restoreCreate = replace(
      window,
      'createWebviewPanel',
      (...options) => {
        const panel = create(...options) as WebviewPanel;
        panels.push(panel);
        return panel;
      },
    );
    restore = () => {
      restoreCreate();
      Object.assign(desk.switchboard, { spending });
    };
  });

  afterEach(async () => {
    for (const panel of panels) panel.dispose();
    restore();
    await desk.clear();
  });

  const html = () => panels.at(-1)?.webview.html ?? '';

  it('appears within a second for 1,000 conversations, without a request', async () => {
    const demo = await desk.look({ conversations: 1_000 });
    await until(() => desk.switchboard.conversations.rows.size === 1_000);
    const { requestCount } = demo;
    const begin = performance.now();
    await desk.run('switchboard.showCosts');
    const took = performance.now() - begin;
    assert.match(html(), /1,?000 listed conversations/);
    assert.equal(html().match(/<table/g)?.length, 4);
    assert.ok(took < 1_000, `${took} ms`);
    await desk.run('switchboard.showCosts', 'copy');
    assert.equal(demo.requestCount, requestCount);
    assert.equal(panels.length, 1);
    const lines = (await env.clipboard.readText()).split(/\r?\n/);
    assert.ok(lines.length > 1_000);
  });

  it('says what to do while there are none', async () => {
    await desk.run('switchboard.showCosts');
    assert.match(html(), /No service is connected\. Connect to one/);
    assert.match(html(), /href="command:switchboard\.connect\?/);
    const demo = await desk.look({ conversations: 0 });
    const { requestCount } = demo;
    await desk.run('switchboard.showCosts');
    assert.match(html(), /No conversation is listed\. Start one/);
    assert.equal(demo.requestCount, requestCount);
  });
});
