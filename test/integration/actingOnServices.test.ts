import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { keyOf } from '../../src/service/model/entities.ts';
import { Desk } from './desk.ts';
import { type NamedDemo, serveSeveral } from './severalServices.ts';

describe('an action at one of several services with the same IDs', () => {
  let desk: Desk;
  let a: NamedDemo;
  let b: NamedDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    [a, b] = await serveSeveral(desk, { seed: 1 }, { seed: 1 });
    await desk.connectTo(a.setting, b.setting);
    await desk.open();
    await desk.loaded();
  });

  afterEach(async () => {
    await desk.clear();
  });

  const changes = ({ requests }: NamedDemo) =>
    requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);

  it('opens a conversation at its own service', async () => {
    const ofA = [
      ...(desk.switchboard.service(a.url)?.conversations.rows.values() ?? []),
    ];
    const linked = ofA.find(({ link }) => link);
    assert.ok(linked);
    assert.ok(
      desk.switchboard
        .service(b.url)
        ?.conversations.rows.has(keyOf({ service: b.url, id: linked.id })),
    );
    for (const { url } of [b, a]) {
      const row = desk.trees.conversations.rowOf({ ...linked, service: url });
      await commands.executeCommand('switchboard.conversations.open', row, [
        row,
      ]);
    }
    assert.deepEqual(
      desk.person.opened.map((address) => new URL(address).origin),
      [b.url, a.url],
    );
  });

  it('pauses, resumes and deletes a sandbox at its own service', async () => {
    const sandbox = [...desk.switchboard.sandboxes.rows.values()].find(
      ({ service, status }) => service === b.url && status === 'running',
    );
    assert.ok(sandbox);
    const { id } = sandbox;
    const stateAt = ({ url }: NamedDemo) =>
      desk.switchboard.sandbox(keyOf({ service: url, id }))?.status;
    const row = desk.trees.sandboxes.row(`sandbox:${keyOf(sandbox)}`);
    desk.person.presses.add('Resume').add('Delete');
    await desk.skipUntilDone(
      commands.executeCommand('switchboard.sandboxes.pause', row, [row]),
    );
    assert.deepEqual([stateAt(a), stateAt(b)], ['running', 'paused']);
    await desk.skipUntilDone(
      commands.executeCommand('switchboard.sandboxes.resume', row, [row]),
    );
    assert.deepEqual([stateAt(a), stateAt(b)], ['running', 'running']);
    await commands.executeCommand('switchboard.sandboxes.delete', row, [row]);
    assert.equal(stateAt(a), 'running');
    assert.deepEqual(changes(a), []);
    assert.equal(changes(b).length, 3);
    assert.ok(changes(b).every((change) => change.includes(id)));
  });

  it('creates a new conversation at the service that you choose', async () => {
    await desk.write('Fix the build');
    desk.person.answers.push('Beta');
    await desk.pages.choose('service');
    assert.deepEqual(desk.person.offered, [['Alpha', 'Beta']]);
    await desk.skipUntilDone(
      desk.pages.say({ type: 'create', text: 'Fix the build' }),
    );
    assert.deepEqual([changes(a).length, changes(b).length], [0, 1]);
    assert.match(
      desk.rows().join('\n'),
      /^Fix the build · now · Beta$|^Fix the build · now · Beta · /m,
    );
    assert.equal(
      desk.switchboard.service(b.url)?.conversations.rows.values().next().value
        ?.title,
      'Fix the build',
    );
  });

  it('creates the next conversation at the service of the last one, also after a failure', async () => {
    b.misbehave({ forbidden: true, only: 'POST' });
    const id = await desk.write('Fix the tests');
    desk.person.answers.push('Beta');
    await desk.pages.choose('service');
    await desk.run('switchboard.conversations.cancelNew', id);
    desk.person.offered.length = 0;
    await desk.skipUntilDone(desk.create('Fix the build'));
    const [failed] = desk.switchboard.requested.all;
    assert.equal(failed?.address, b.url);
    b.misbehave({});
    await desk.skipUntilDone(
      desk.pages.say({ type: 'create', text: 'Fix the build' }),
    );
    assert.deepEqual(desk.person.offered, []);
    assert.deepEqual([changes(a).length, changes(b).length], [0, 2]);
    assert.deepEqual(desk.switchboard.requested.all, []);
    assert.match(
      desk.rows().join('\n'),
      /^Fix the build · now · Beta$|^Fix the build · now · Beta · /m,
    );
  });

  it('creates a new conversation elsewhere if the last service is not connected', async () => {
    await desk.connectTo(a.setting);
    await desk.skipUntilDone(desk.create('Fix the build'));
    assert.equal(changes(a).length, 1);
  });
});
