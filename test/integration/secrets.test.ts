import assert from 'node:assert/strict';
import type { TreeItem } from 'vscode';
import type { Misbehaviour } from '../support/demo/faults/misbehaviour.ts';
import { Desk, key } from './desk.ts';
import { until } from '../support/eventually.ts';

describe('a secret', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  /** Everything that was shown or logged. */
  function everything(): string {
    const { conversations, sandboxes } = desk.trees;
    const items: TreeItem[] = [
      ...conversations
        .getChildren()
        .map((row) => conversations.getTreeItem(row)),
      ...sandboxes
        .getChildren()
        .flatMap((row) => [row, ...sandboxes.getChildren(row)])
        .map((row) => sandboxes.getTreeItem(row)),
    ];
    const { person, log } = desk;
    return JSON.stringify([items, person.heard, person.offered, log]);
  }

  function assertNone(): void {
    const all = everything();
    for (const secret of [
      key,
      encodeURIComponent(key),
      'demo-secret',
      'tkn=',
    ]) {
      assert.ok(!all.includes(secret), `${secret} is in ${all}`);
    }
  }

  it('stays out of rows, tooltips, questions, messages and the log when all goes well', async () => {
    await desk.look();
    const [sandbox] = [...desk.switchboard.sandboxes.rows.values()].filter(
      ({ status }) => status === 'running',
    );
    assert.ok(sandbox);
    desk.person.presses.add('Start');
    desk.person.answers.push('Default');
    await desk.skipUntilDone(desk.run('switchboard.sandboxes.start'));
    await desk.run('switchboard.sandboxes.openUrl', sandbox.id);
    await desk.run('switchboard.conversations.showDetails');
    assert.ok(desk.log.length > 0);
    assertNone();
  });

  const faults: readonly Partial<Misbehaviour>[] = [
    { echoKey: true },
    { echoKey: 500 },
    { echoKey: 403 },
    { unauthorized: true },
    { redirectOther: 'http://attacker.invalid/?tkn=canary' },
    { truncatedJson: true },
    { errorBody: 'html' },
    { hostileCursor: true },
    { hostileIds: true },
    { extraFields: true },
  ];
  it('stays hidden when a service fails, and error messages say what to do', async () => {
    const demo = await desk.look();
    let checked = 0;
    for (const fault of faults) {
      demo.misbehave(fault);
      await desk.skipUntilDone(desk.run('switchboard.conversations.refresh'));
      await desk.skipUntilDone(desk.run('switchboard.conversations.loadMore'));
      await desk.skipUntilDone(desk.run('switchboard.sandboxes.start'));
      assertNone();
      const said = [
        ...desk.person.heard,
        desk.switchboard.conversations.error?.message ?? '',
      ];
      for (const message of said.filter((text) =>
        text.startsWith('Could not'),
      )) {
        // The event, its object, and the remedy.
        assert.match(
          message,
          /^Could not .+: .*http:\/\/127\.0\.0\.1:\d+ .+\. .+\.$/,
        );
        checked++;
      }
    }
    assert.ok(checked > faults.length, `${checked} messages`);
  });

  it('never follows a redirect to another server', async () => {
    const elsewhere = await desk.serve();
    await desk.connect({ misbehaviour: { redirectOther: elsewhere.url } });
    await desk.open();
    await until(() => desk.switchboard.conversations.error);
    assert.equal(elsewhere.requestCount, 0);
  });
});
