import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, window } from 'vscode';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { titleOf } from '../../src/editor/words/conversations/conversationWords.ts';
import { wholeCommand } from '../../src/editor/words/conversations/noticeWords.ts';
import { activityOf } from '../../src/state/lists/activity.ts';
import { actionsOf } from '../../src/state/transcript/waiting.ts';
import { Desk } from './desk.ts';
import { replace } from './person.ts';
import { until } from '../support/eventually.ts';

const folder = join(homedir(), '.palette');
const file = join(folder, 'mcp.json');

interface Row {
  readonly label: string;
  readonly detail?: string;
}

describe('a command of the palette', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    await mkdir(folder, { recursive: true });
    desk = await Desk.setUp({
      refreshInterval: 0,
      'conversations.pageSize': 60,
      'mcp.file': file,
    });
    demo = await desk.look({ interface: 'agentServer' }, { name: 'Lab' });
  });

  afterEach(async () => {
    await desk.clear();
    await rm(folder, { recursive: true, force: true });
  });

  const isEnabled = (name: string) =>
    desk.service.toolServers.find(name)?.enabled;

  it('asks whether to add an MCP server on this machine or at the service', async () => {
    desk.person.answers.push('This Machine', 'npx -y files-mcp', 'Add');
    await desk.run('switchboard.mcp.add');
    assert.deepEqual(desk.person.offered[0], ['Lab', 'This Machine']);
    assert.match(await readFile(file, 'utf8'), /"files"/);
    desk.person.answers.push('Lab', 'npx -y notes-mcp', 'Add');
    await desk.run('switchboard.mcp.add');
    assert.ok(desk.service.toolServers.find('notes'));
    assert.doesNotMatch(await readFile(file, 'utf8'), /"notes"/);
  });

  it('changes an MCP server of a service without asking where, while the file has none', async () => {
    desk.person.answers.push('tracker');
    await desk.run('switchboard.mcp.disable');
    await until(() => isEnabled('tracker') === false);
    await writeFile(file, '{"mcpServers": {"mine": {"command": "npx"}}}');
    desk.person.offered.length = 0;
    desk.person.answers.push('Lab', 'tracker');
    await desk.run('switchboard.mcp.enable');
    assert.deepEqual(desk.person.offered[0], ['Lab', 'This Machine']);
    await until(() => isEnabled('tracker') === true);
  });

  it('never asks where if no service has MCP servers of its own', async () => {
    await desk.look({ interface: 'v0' });
    desk.person.answers.push('npx -y files-mcp', 'Add');
    await desk.run('switchboard.mcp.add');
    assert.match(await readFile(file, 'utf8'), /"files"/);
  });

  const waiting = () =>
    [...desk.switchboard.conversations.rows.values()].filter(
      (row) => activityOf(row) === 'waiting',
    );
  const waitsFor = (conversation: Conversation) =>
    actionsOf(desk.switchboard.snapshot(conversation)?.waiting);
  const executed = () =>
    demo.executed.filter(({ cause }) => cause.startsWith('POST ')).length;

  /** Runs the command and picks the first row that fits. Returns all rows. */
  async function accept(fits: (row: Row) => boolean): Promise<readonly Row[]> {
    let shown: readonly Row[] = [];
    const restore = replace(window, 'showQuickPick', (items) => {
      shown = items as readonly Row[];
      return Promise.resolve(shown.find(fits));
    });
    try {
      await desk.run('switchboard.conversations.accept');
    } finally {
      restore();
    }
    return shown;
  }

  const opensPage = ({ detail }: Row) =>
    detail?.endsWith('Opens the conversation') === true;

  it('shows in each row what would be accepted, and accepts only what a row shows in full', async () => {
    await until(() => waiting().every(waitsFor));
    const rows = await accept((row) => !opensPage(row));
    assert.ok(rows.length > 0 && rows.every(({ detail }) => detail));
    const whole = rows.find((row) => !opensPage(row));
    assert.equal(executed(), whole ? 1 : 0);
    const before = executed();
    const [other] = (await accept(opensPage)).filter(opensPage);
    assert.ok(other);
    assert.equal(executed(), before);
    await until(
      () => window.tabGroups.activeTabGroup.activeTab?.label === other.label,
    );
  });

  it('accepts from the active page only what that has shown in full for a while', async () => {
    await until(() => waiting().every(waitsFor));
    const conversation = waiting().find(
      (row) => wholeCommand(waitsFor(row)) !== undefined,
    );
    assert.ok(conversation);
    await desk.run(
      'switchboard.conversations.showDetails',
      keyOf(conversation),
    );
    await until(
      () =>
        window.tabGroups.activeTabGroup.activeTab?.label ===
        titleOf(conversation),
    );
    await desk.run('switchboard.conversations.accept');
    assert.equal(executed(), 0);
    await until(async () => {
      await desk.skip(6);
      if (executed() === 0) await desk.run('switchboard.conversations.accept');
      return executed() === 1;
    });
    assert.deepEqual(desk.person.offered, []);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('accepts a short action from its row once a question has shown all of it', async () => {
    await until(() => waiting().every(waitsFor));
    const conversation = waiting().find(
      (row) => wholeCommand(waitsFor(row)) !== undefined,
    );
    assert.ok(conversation);
    const command = wholeCommand(waitsFor(conversation)) ?? '';
    await desk.run('switchboard.conversations.accept', keyOf(conversation));
    assert.ok(
      desk.person.heard.some((message) =>
        message.includes(`wants to run \`${command}\``),
      ),
    );
    assert.equal(executed(), 0);
    desk.person.presses.add('Accept');
    await desk.run('switchboard.conversations.accept', keyOf(conversation));
    assert.equal(executed(), 1);
    assert.equal(window.tabGroups.activeTabGroup.activeTab, undefined);
  });

  it('shows the page of an action that no question can show in full', async () => {
    await until(() => waiting().every(waitsFor));
    const conversation = waiting().find(
      (row) => wholeCommand(waitsFor(row)) === undefined,
    );
    assert.ok(conversation);
    desk.person.presses.add('Accept');
    await desk.run('switchboard.conversations.accept', keyOf(conversation));
    assert.equal(executed(), 0);
    await until(
      () =>
        window.tabGroups.activeTabGroup.activeTab?.label ===
        titleOf(conversation),
    );
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('answers the conversation of the active page without a question, once it has been seen', async () => {
    const [conversation] = waiting();
    assert.ok(conversation);
    await desk.run(
      'switchboard.conversations.showDetails',
      keyOf(conversation),
    );
    await until(
      () =>
        window.tabGroups.activeTabGroup.activeTab?.label ===
        titleOf(conversation),
    );
    const answers = () =>
      demo.requests.filter(({ method }) => method === 'POST').length;
    // A page that has not been drawn yet has shown nothing that could be
    // answered.
    await until(async () => {
      if (answers() === 0) await desk.run('switchboard.conversations.reject');
      return answers() > 0;
    });
    assert.deepEqual(desk.person.offered, []);
    assert.equal(executed(), 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
});
