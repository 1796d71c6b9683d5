import assert from 'node:assert/strict';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import {
  createClient,
  type ServiceClient,
} from '../../../../src/service/client.ts';
import {
  followingOf,
  mergeRows,
} from '../../../../src/state/lists/following.ts';
import type { ConnectedService } from '../../../../src/state/connectedService.ts';
import { Switchboard } from '../../../../src/state/switchboard.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from '../../service/agentServerStub.ts';
import { MemoryStore } from '../support.ts';

describe('the list of an Agent Server', () => {
  let stub: AgentServerStub;
  let switchboard: Switchboard;
  let service: ConnectedService;
  let client: ServiceClient;

  async function serve(held: number): Promise<void> {
    const clock = new HurriedClock(100);
    stub = await startAgentServerStub(held);
    client = createClient({
      address: new URL(stub.url),
      authentication: 'none',
      key: undefined,
      interface: 'auto',
      clock,
      requestsPerSecond: Infinity,
      deadline: 100_000_000,
    });
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 20,
    });
    service = switchboard.connect({
      client,
      address: stub.url,
      name: 'At home',
      demo: false,
    });
    await switchboard.refresh();
    stub.asked.length = stub.bytes = 0;
  }

  afterEach(async () => {
    switchboard.dispose();
    await stub.stop();
  });

  const rows = () => [...switchboard.conversations.rows.values()];
  const poll = () => service.refresh('poll');

  it('polls with two requests and about half a page of rows, even at a service with 10,000 conversations', async () => {
    await serve(10_000);
    const before = switchboard.conversations.rows;
    assert.equal(await poll(), 'steady');
    assert.equal(await poll(), 'steady');
    assert.equal(switchboard.conversations.rows, before);
    assert.equal(stub.asked.length, 4);
    const row = JSON.stringify(stub.records[0]).length;
    assert.ok(stub.bytes < 2 * 11.5 * row, `${stub.bytes} bytes`);
  });

  it('shows conversations created, changed and deleted elsewhere within two polls', async () => {
    await serve(10_000);
    const [first, , third] = stub.records;
    // The service does not note this.
    Object.assign(stub.records[10] ?? {}, {
      title: 'Changed in silence',
      execution_status: 'error',
    });
    stub.change(third, { title: 'Renamed' });
    stub.remove(first);
    const made = stub.add({ title: 'Made elsewhere' });
    stub.change(stub.records.at(-1), { title: 'Far below' });
    await poll();
    await poll();
    const titles = rows().map(({ title }) => title);
    assert.equal(rows()[0]?.id, made.id);
    assert.ok(
      titles.includes('Renamed') && titles.includes('Changed in silence'),
    );
    assert.ok(
      !titles.includes('Far below') &&
        !rows().some(({ id }) => id === first?.id),
    );
    assert.deepEqual(
      rows().map(({ id }) => id),
      stub.records.slice(0, 20).map(({ id }) => id),
    );
  });

  it('loads rows from the next page when deletions leave less than a page', async () => {
    await serve(100);
    for (const record of stub.records.slice(3, 9)) stub.remove(record);
    await poll();
    await poll();
    assert.deepEqual(
      rows().map(({ id }) => id),
      stub.records.slice(0, 20).map(({ id }) => id),
    );
    assert.ok(switchboard.conversations.more);
  });

  it('reloads the whole page after many changes, and then polls for changes again', async () => {
    await serve(300);
    for (const record of stub.records)
      stub.change(record, { title: 'Another' });
    await poll();
    assert.ok(rows().every(({ title }) => title === 'Another'));
    stub.asked.length = 0;
    await poll();
    assert.ok(
      stub.asked.every((line) => !line.includes('limit=20&')),
      stub.asked.join('\n'),
    );
  });

  it('reloads the whole page when the user refreshes', async () => {
    await serve(100);
    await switchboard.refresh();
    assert.deepEqual(stub.asked, ['GET /api/conversations/search?limit=20']);
  });

  it('keeps a rename and a deletion made here during a poll', async () => {
    await serve(5);
    const [renamed, deleted] = rows();
    assert.ok(renamed && deleted);
    stub.change(stub.records[0], { execution_status: 'running' });
    stub.change(stub.records[1], { execution_status: 'running' });
    stub.answer = () => {
      stub.answer = () => undefined;
      service.conversations.edit(keyOf(renamed), (row) => ({
        ...row,
        title: 'Renamed here',
      }));
      service.conversations.edit(keyOf(deleted), () => undefined);
      return undefined;
    };
    await poll();
    assert.equal(rows().length, 4);
    const [first] = rows();
    assert.deepEqual(
      [first?.title, first?.execution],
      ['Renamed here', 'running'],
    );
  });

  it('keeps its rows and reports the error when a poll fails, and recovers', async () => {
    await serve(100);
    stub.change(stub.records[5], { title: 'Renamed' });
    stub.answer = () => [500, { detail: 'no' }];
    assert.equal(await poll(), 'failed');
    assert.equal(switchboard.conversations.error?.kind, 'serverFailed');
    assert.equal(rows().length, 20);
    stub.answer = () => undefined;
    await poll();
    assert.equal(switchboard.conversations.error, undefined);
    assert.ok(rows().some(({ title }) => title === 'Renamed'));
  });

  it('puts changed conversations first when sorted by last activity', async () => {
    await serve(100);
    await switchboard.arrange({ sorting: 'updated' });
    const far = stub.records.at(-1);
    stub.change(far, { title: 'Far below' });
    stub.change(stub.records[7], {});
    await poll();
    assert.deepEqual(
      rows()
        .slice(0, 2)
        .map(({ id }) => id),
      [stub.records[7]?.id, far?.id],
    );
    assert.equal(new Set(rows().map(({ id }) => id)).size, rows().length);
  });

  it('shows no sandboxes and no error', async () => {
    await serve(5);
    await switchboard.refresh();
    assert.equal(switchboard.sandboxes.error, undefined);
    assert.equal(switchboard.sandboxes.rows.size, 0);
    assert.ok(stub.asked.length > 0);
    assert.ok(stub.asked.every((line) => !line.includes('sandbox')));
  });

  it('does not poll for changes when the service filters the list or reports no changes', async () => {
    await serve(5);
    const { conversations } = await client.recognise();
    assert.equal(followingOf(conversations, { title: 'fix' }), undefined);
    assert.equal(
      followingOf({ ...conversations, changes: undefined } as never, {}),
      undefined,
    );
    assert.equal(followingOf(undefined, {}), undefined);
    assert.ok(
      followingOf(conversations, { order: 'updated', title: undefined }),
    );
  });
});

describe('the merge of changed rows', () => {
  type Row = Pick<Conversation, 'service' | 'id'> & { readonly at: number };
  const merged = (
    rows: readonly Row[],
    changed: readonly Row[],
    more: boolean,
  ) =>
    mergeRows(rows, changed, (a, b) => b.at - a.at, more)
      .map(({ id, at }) => `${id}${at}`)
      .join(' ');
  const row = (id: string, at: number): Row => ({ service: 's', id, at });
  const rows = [row('a', 9), row('b', 7), row('c', 5)];

  it('puts changed rows at their place in the order', () => {
    assert.equal(
      merged(rows, [row('d', 10), row('e', 8), row('f', 6)], true),
      'd10 a9 e8 b7 f6 c5',
    );
    assert.equal(merged(rows, [row('b', 7)], true), 'a9 b7 c5');
    assert.equal(merged(rows, [row('c', 10)], true), 'c10 a9 b7');
  });

  it('leaves changed rows after the last row to the next page, if there is one', () => {
    assert.equal(merged(rows, [row('d', 1)], true), 'a9 b7 c5');
    assert.equal(merged(rows, [row('d', 1)], false), 'a9 b7 c5 d1');
    assert.equal(merged([], [row('d', 1)], false), 'd1');
  });
});
