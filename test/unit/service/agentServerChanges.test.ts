import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/service/model/entities.ts';
import type { Conversations } from '../../../src/service/abilities/agentService.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from './agentServerStub.ts';
import { Lines, serviceOf } from './support.ts';

describe('the search for changes on an Agent Server', () => {
  let stub: AgentServerStub;
  let known: readonly Conversation[];
  let conversations: Conversations;

  async function serve(held: number, shown = 20): Promise<void> {
    stub = await startAgentServerStub(held);
    ({ conversations } = serviceOf(stub, 'agentServer', { log: new Lines() }));
    await list(shown);
    stub.asked.length = 0;
    stub.bytes = 0;
  }

  async function list(shown: number): Promise<void> {
    const pages = conversations.list({}, { size: 99 });
    const rows: Conversation[] = [];
    while (rows.length < shown)
      rows.push(...((await pages.next()).value?.items ?? assert.fail()));
    known = rows.slice(0, shown);
  }

  afterEach(async () => {
    await stub.stop();
  });

  const find = async () => await conversations.changes?.(known);

  /**
   * Returns the findings of this many calls, with the rows as a list would have
   * them.
   */
  async function findIn(calls: number) {
    const changed = new Map<string, Conversation>();
    const gone = new Set<string>();
    for (let call = 0; call < calls; call++) {
      const found = (await find()) ?? assert.fail('too much has changed');
      for (const row of found.changed) changed.set(row.id, row);
      for (const id of found.gone) gone.add(id);
      const now = new Map([
        ...known.map((row) => [row.id, row] as const),
        ...changed,
      ]);
      known = [...now.values()].filter(({ id }) => !gone.has(id));
    }
    return { changed: [...changed.keys()], gone: [...gone] };
  }

  const shown = (index: number) =>
    stub.records.find(({ id }) => id === known[index]?.id) ?? assert.fail();

  it('returns no changes when nothing changed', async () => {
    await serve(30);
    for (let call = 0; call < 4; call++)
      assert.deepEqual(await find(), { changed: [], gone: [] });
  });

  it('finds a change with a new timestamp at once, even in rows that are not shown', async () => {
    await serve(30);
    await find();
    const renamed = shown(7);
    stub.change(renamed, { title: 'Renamed' });
    stub.change(stub.records.at(-1), { title: 'Far below' });
    const made = stub.add();
    const { changed, gone } = await findIn(1);
    assert.deepEqual(
      changed.toSorted(),
      [renamed.id, made.id, stub.records.at(-1)?.id ?? ''].toSorted(),
    );
    assert.deepEqual(gone, []);
    assert.deepEqual(await findIn(3), { changed: [], gone: [] });
  });

  it('finds a change or deletion without a new timestamp by the second call, in any row', async () => {
    await serve(100, 100);
    await find();
    for (const index of [0, 1, 46, 47, 48, 49, 80]) {
      const record = shown(index);
      record.title = `Changed ${index}`;
      const removed = shown(index + 3);
      stub.remove(removed);
      const found = await findIn(2);
      assert.deepEqual(
        found,
        { changed: [record.id], gone: [removed.id] },
        `row ${index}`,
      );
    }
  });

  it('finds a new conversation when all rows have the same timestamp', async () => {
    await serve(30);
    const [{ updated_at }] = [shown(0)];
    for (const record of stub.records) record.updated_at = updated_at;
    await find();
    const made = stub.add({ updated_at });
    const { changed } = await findIn(2);
    assert.ok(changed.includes(made.id));
  });

  it('finds each new status of a running agent at once, even without a new timestamp', async () => {
    await serve(300, 200);
    for (const index of [3, 150, 199])
      stub.change(shown(index), { execution_status: 'running' });
    assert.equal((await findIn(1)).changed.length, 3);
    const working = shown(150);
    working.execution_status = 'waiting_for_confirmation';
    assert.deepEqual((await findIn(1)).changed, [working.id]);
    working.execution_status = 'finished';
    assert.deepEqual((await findIn(1)).changed, [working.id]);
  });

  it('finds deletions among 400 shown rows at once', async () => {
    await serve(500, 400);
    await findIn(2);
    const removed = [shown(0), shown(211), shown(399)].map(({ id }) => id);
    for (const id of removed)
      stub.remove(stub.records.find((record) => record.id === id));
    removed.forEach(() => stub.add());
    assert.deepEqual((await findIn(1)).gone.toSorted(), removed.toSorted());
  });

  it('does not mistake newly seen rows for deletions, and looks up IDs only once', async () => {
    await serve(500, 200);
    await findIn(2);
    for (let i = 0; i < 5; i++) stub.change(stub.records.at(-1 - i), {});
    stub.add();
    stub.asked.length = 0;
    await findIn(1);
    assert.equal(stub.asked.filter((line) => line.includes('ids=')).length, 1);
  });

  it('gives up after four requests when too much has changed', async () => {
    await serve(200);
    await find();
    for (const record of stub.records) stub.change(record, {});
    stub.asked.length = 0;
    assert.equal(await find(), undefined);
    assert.equal(stub.asked.length, 4);
    await list(20);
    assert.deepEqual(await findIn(2), { changed: [], gone: [] });
  });

  it('keeps a change for the next call when a call fails', async () => {
    await serve(30);
    await find();
    const renamed = shown(2);
    stub.change(renamed, { title: 'Renamed' });
    stub.answer = (request) =>
      request.url?.includes('ids=') ? [500, { detail: 'no' }] : undefined;
    await assert.rejects(find(), /Could not look up conversations/);
    stub.answer = () => undefined;
    assert.deepEqual((await findIn(1)).changed, [renamed.id]);
  });

  for (const [held, rows] of [
    [60, 20],
    [10_000, 20],
    [10_000, 1_000],
  ] as const) {
    it(`sends few requests and bytes when nothing changed, with ${rows} of ${held} rows shown`, async () => {
      await serve(held, rows);
      const calls = 4;
      await findIn(calls);
      const size = JSON.stringify(stub.records[0]).length;
      // The newest changed one, and a part of those shown; where they are more
      // than a hundred, their number.
      assert.equal(stub.asked.length, calls * (rows > 100 ? 3 : 2));
      const looked = Math.min(rows / 2, 50) + 1;
      assert.ok(
        stub.bytes < calls * looked * size * 1.05,
        `${stub.bytes} bytes for ${calls} calls`,
      );
      assert.ok(stub.asked.every((line) => line.length < 4_000));
    });
  }
});
