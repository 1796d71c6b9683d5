import assert from 'node:assert/strict';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import type { ServiceServer } from '../../src/service/records/serviceServer.ts';
import { serviceServerId } from '../../src/state/mcpServers/serviceServers.ts';
import { Desk } from './desk.ts';

describe('an action on an MCP server of a service that was changed elsewhere', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  /** Requests before those that a test is about. */
  let seen = 0;
  const id = () => serviceServerId(demo.url, 'database');

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    demo = await desk.connect({ interface: 'agentServer' });
    await desk.service.toolServers.refresh();
  });

  afterEach(async () => {
    await desk.clear();
  });

  const changeElsewhere = async (change: object) => {
    const { ok } = await fetch(`${demo.url}/api/settings/mcp/database`, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/json',
        'x-session-api-key': demo.key,
      },
      body: JSON.stringify(change),
    });
    assert.ok(ok);
    seen = demo.requests.length;
  };
  const changes = () =>
    demo.requests
      .slice(seen)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  const atService = async (): Promise<ServiceServer | undefined> => {
    await desk.service.toolServers.refresh();
    return desk.service.toolServers.find('database');
  };
  const heardThatItChanged = () =>
    desk.person.heard.filter((text) =>
      /“database” at .+ has changed since/.test(text),
    ).length;

  it('checks no other command than the question named', async () => {
    await changeElsewhere({ command: 'rm', args: ['-rf', '/srv'] });
    desk.person.presses.add('Check');
    await desk.run('switchboard.serviceServers.check', id());
    assert.match(desk.person.heard.join('\n'), /@example\/mcp-database/);
    assert.deepEqual([changes(), heardThatItChanged()], [[], 1]);
    await desk.run('switchboard.serviceServers.check', id());
    assert.match(desk.person.heard.join('\n'), /rm -rf \/srv/);
    assert.deepEqual(changes(), ['POST /api/mcp/test']);
  });

  it('keeps a server with values that the question did not name', async () => {
    await changeElsewhere({ env: { LATER_TOKEN: 'canary' } });
    desk.person.presses.add('Remove');
    await desk.run('switchboard.serviceServers.remove', id());
    assert.deepEqual([changes(), heardThatItChanged()], [[], 1]);
    await desk.run('switchboard.serviceServers.remove', id());
    assert.match(desk.person.heard.join('\n'), /DATABASE_URL, LATER_TOKEN/);
    assert.equal(await atService(), undefined);
  });

  it('enables no other command than the row shows, but disables at once', async () => {
    await changeElsewhere({ command: 'rm', enabled: false });
    await desk.run('switchboard.serviceServers.enable', id());
    assert.deepEqual([changes(), heardThatItChanged()], [[], 1]);
    await desk.run('switchboard.serviceServers.enable', id());
    assert.equal((await atService())?.enabled, true);
    await changeElsewhere({ command: 'npx' });
    await desk.run('switchboard.serviceServers.disable', id());
    assert.equal((await atService())?.enabled, false);
  });

  it('enables a server of which only the check box has changed, as by a click just before', async () => {
    await changeElsewhere({ enabled: false });
    await desk.run('switchboard.serviceServers.enable', id());
    assert.equal(heardThatItChanged(), 0);
    assert.equal((await atService())?.enabled, true);
  });

  it('keeps the edit of another window', async () => {
    await changeElsewhere({ args: ['of', 'another', 'window'] });
    desk.person.answers.push('Command', 'npx mine');
    await desk.run('switchboard.serviceServers.edit', id());
    assert.deepEqual([changes(), heardThatItChanged()], [[], 1]);
  });

  it('reads the state of the group to a screen reader', async () => {
    const label = () => {
      const row = desk.trees.servers.row(`service:${demo.url}`);
      assert.ok(row);
      const item = desk.trees.servers.getTreeItem(row);
      return item.accessibilityInformation?.label ?? '';
    };
    assert.match(label(), /^MCP servers of .+, its own servers$/);
    demo.misbehave({ forbidden: true });
    await desk.skipUntilDone(desk.service.toolServers.refresh());
    assert.match(label(), /^MCP servers of .+, its own servers · old, Could/);
  });

  it('shows no secret of its command in the list of what to edit', async () => {
    await changeElsewhere({ args: ['--api-key', 'canary-in-arguments'] });
    await desk.service.toolServers.refresh();
    await desk.run('switchboard.serviceServers.edit', id());
    assert.doesNotMatch(desk.person.descriptions.join('\n'), /canary/);
  });

  it('sends nothing if the command line stays as it was', async () => {
    await desk.service.toolServers.refresh();
    seen = demo.requests.length;
    desk.person.answers.push(
      'Command',
      'npx -y @example/mcp-database --read-only',
    );
    await desk.run('switchboard.serviceServers.edit', id());
    assert.deepEqual(changes(), []);
  });
});
