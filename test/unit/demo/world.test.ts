import assert from 'node:assert/strict';
import { page } from '../../../src/demo/paging.ts';
import { World } from '../../../src/demo/world.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { start, stopAll } from './support.ts';

function world(conversations: number, seed = 1, clock = new SteppedClock()): World {
  return new World({ seed, conversations, clock });
}

describe('the world of the demo service', () => {
  afterEach(stopAll);

  it('is the same for the same seed, and different for another', async () => {
    const answers = async (seed: number) => {
      const demo = await start({ seed });
      const all = [
        await demo.rows('?limit=60'),
        await demo.conversations(),
        await demo.sandboxes(),
        await demo.specs(),
      ];
      await demo.create('Anything');
      demo.clock.advance(100_000);
      return JSON.stringify([...all, await demo.rows('?limit=61')]).replaceAll(demo.service.url, '');
    };
    assert.equal(await answers(7), await answers(7));
    assert.notEqual(await answers(7), await answers(8));
  });

  it('computes only the conversations of the requested page', () => {
    const big = world(100_000);
    assert.equal(big.first.computed, 0);
    const listing = big.conversations();
    for (const position of [0, 50_000, 99_900]) {
      const before: number = big.first.computed;
      const { items, next } = page(listing, { position, empty: 0, lap: 0 }, 20);
      assert.equal(items.length, 20);
      assert.equal(big.first.computed - before, 20);
      assert.equal(next?.position, position + 20);
    }
    const before = big.first.computed;
    const { items } = page(
      big.conversations({ repository: 'meridian/forecast', trigger: 'gui' }),
      undefined,
      20,
    );
    assert.deepEqual([items.length, big.first.computed - before], [20, 20]);
  });

  it('does not search for a repository that no conversation has', () => {
    const { first, end } = world(100_000).conversations({ repository: 'nowhere/nothing' });
    assert.equal(end - first, 0);
  });

  it('finds a conversation by its id without computing others', () => {
    const big = world(100_000);
    const { id } = big.first.at(77_777);
    const before = big.first.computed;
    assert.equal(big.conversation(id)?.position, 77_777);
    assert.equal(big.first.computed, before + 1);
    assert.equal(world(77_777).conversation(id), undefined);
    assert.equal(world(100_000, 2).conversation(id), undefined);
  });

  it('has the requested number of different conversations, each older than the one before', () => {
    const { first } = world(20_000);
    const ids = new Set<string>();
    for (let position = 0; position < 20_000; position++) {
      const { id, createdAt } = first.at(position);
      ids.add(id);
      assert.ok(position === 0 || createdAt < first.createdAt(position - 1), `at ${position}`);
    }
    assert.equal(ids.size, 20_000);
    assert.equal(page(world(0).conversations(), undefined, 20).items.length, 0);
  });

  it('has few titles twice, and all of them read as an engineer’s task', () => {
    const { first } = world(60);
    const titles = Array.from({ length: 60 }, (_, position) => first.title(position));
    assert.ok(new Set(titles).size > 55);
    for (const title of titles) assert.match(title, /^([A-Z][a-z]+ .{4,}|Conversation [0-9a-f]{32})$/);
  });
});

describe('a lively conversation of the demo service', () => {
  const second = 1_000;

  it('is idle, runs, waits, runs, and finishes or fails, each for 20 to 90 seconds', () => {
    const clock = new SteppedClock();
    const place = world(60, 1, clock);
    const rounds = new Map<string, number>();
    const conversations = Array.from({ length: 12 }, (_, position) => place.first.at(position));
    const seen = conversations.map((): { execution: string | undefined; at: number }[] => []);
    for (let time = 0; time < 10_800; time++) {
      for (const [index, conversation] of conversations.entries()) {
        const { execution, updatedAt, sandbox } = place.condition(conversation);
        assert.equal(sandbox.status, 'RUNNING');
        const last = seen[index]?.at(-1);
        if (last?.execution === execution) continue;
        if (last) assert.ok(clock.now() - updatedAt < second, 'it is updated when it changes');
        seen[index]?.push({ execution, at: clock.now() });
      }
      clock.advance(second);
    }
    for (const states of seen) {
      for (const [index, { execution, at }] of states.entries()) {
        const next = states[index + 1];
        if (!next) continue;
        const step = `${execution ?? ''} → ${next.execution ?? ''}`;
        rounds.set(step, (rounds.get(step) ?? 0) + 1);
        if (index > 0) assert.ok(next.at - at >= 20 * second && next.at - at <= 90 * second, step);
      }
    }
    assert.deepEqual([...rounds.keys()].sort(), [
      'error → idle',
      'finished → idle',
      'idle → running',
      'running → error',
      'running → finished',
      'running → waiting_for_confirmation',
      'waiting_for_confirmation → running',
    ]);
    const failed = rounds.get('running → error') ?? 0;
    const finished = rounds.get('running → finished') ?? 0;
    assert.ok(failed > 0 && failed < finished / 2);
  });

  it('is at a different point in its round than others', () => {
    const place = world(60);
    const doing = new Set<unknown>();
    for (let position = 0; position < 12; position++) {
      doing.add(place.condition(place.first.at(position)).execution);
    }
    assert.ok(doing.size >= 4);
  });
});
