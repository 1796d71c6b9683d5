import assert from 'node:assert/strict';
import { afternoon } from '../../../src/demo/world/afternoon.ts';
import { World } from '../../../src/demo/world/world.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { start, stopAll } from './support.ts';

function world(
  conversations: number,
  seed = 1,
  clock = new SteppedClock(),
): World {
  return new World({ seed, conversations, clock });
}

describe('the world of the demo service', () => {
  afterEach(stopAll);

  it('repeats itself for the same seed, and differs for another', async () => {
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
      return JSON.stringify([...all, await demo.rows('?limit=61')]).replaceAll(
        demo.service.url,
        '',
      );
    };
    assert.equal(await answers(7), await answers(7));
    assert.notEqual(await answers(7), await answers(8));
  });

  it('finds a conversation by its ID', () => {
    const big = world(100_000);
    const { id } = big.first.at(77_777);
    assert.equal(big.conversation(id)?.position, 77_777);
    assert.equal(world(77_777).conversation(id), undefined);
    assert.equal(world(100_000, 2).conversation(id), undefined);
  });

  it('has the requested number of unique conversations, each older than the one before', () => {
    const { first } = world(20_000);
    const ids = new Set<string>();
    for (let position = 0; position < 20_000; position++) {
      const { id, createdAt } = first.at(position);
      ids.add(id);
      assert.ok(
        position === 0 || createdAt < first.createdAt(position - 1),
        `at ${position}`,
      );
    }
    assert.equal(ids.size, 20_000);
    const { first: start, end } = world(0).conversations();
    assert.equal(end - start, 0);
  });

  it('repeats few titles, and words each as a task or a placeholder', () => {
    const { first } = world(60);
    const titles = Array.from({ length: 60 }, (_, position) =>
      first.title(position),
    );
    assert.ok(new Set(titles).size > 55);
    for (const title of titles)
      assert.match(title, /^([A-Z][a-z]+ .{4,}|Conversation [0-9a-f]{32})$/);
  });

  it('shows no placeholder, and no title or text twice, on the first page', () => {
    const place = world(60);
    const all = Array.from({ length: 20 }, (_, position) =>
      place.first.at(position),
    );
    assert.equal(new Set(all.map(({ title }) => title)).size, 20);
    assert.ok(all.every(({ title }) => !title.startsWith('Conversation ')));
    const stories = afternoon.map(({ story }) => story);
    const said = stories.flatMap(({ message, steps, wants, done }) => [
      message,
      done,
      ...[...steps, ...wants]
        .map(({ thought }) => thought)
        .filter((thought) => thought !== ''),
    ]);
    assert.equal(new Set(said).size, said.length);
    assert.equal(stories.length, all.length);
    for (const [position, { message }] of stories.entries())
      assert.equal(place.first.story(position).message, message);
  });
});

describe('a lively conversation of the demo service', () => {
  const second = 1_000;

  it('goes through the states of its opening, and stays in the last one', () => {
    const clock = new SteppedClock();
    const place = world(60, 1, clock);
    const conversations = Array.from({ length: 12 }, (_, position) =>
      place.first.at(position),
    );
    const seen = conversations.map((): (string | undefined)[] => []);
    for (let time = 0; time < 3_600; time += 5) {
      for (const [index, conversation] of conversations.entries()) {
        const { execution, updatedAt } = place.condition(conversation);
        const states = seen[index] ?? assert.fail();
        if (states.at(-1) === execution) continue;
        if (states.length > 0)
          assert.ok(
            clock.now() - updatedAt < 5 * second,
            'it is updated when it changes',
          );
        states.push(execution);
      }
      clock.advance(5 * second);
    }
    assert.deepEqual(
      seen,
      afternoon
        .slice(0, 12)
        .map(({ opening }) => opening.map(([state]) => state)),
    );
  });

  for (const spoken of ['v1', 'agentServer'] as const) {
    it(`changes three times in the first 4 minutes of ${spoken}: one asks, one finishes, one fails`, async () => {
      const demo = await start({ interface: spoken });
      const path =
        spoken === 'v1'
          ? '/api/v1/app-conversations/search'
          : '/api/conversations/search';
      const state = async () =>
        (
          await demo.page<{ id: string; execution_status: string }>(
            `${path}?limit=20`,
          )
        ).rows
          .toSorted((one, other) => one.id.localeCompare(other.id))
          .map(({ execution_status }) => execution_status);
      const changes: [number, string][] = [];
      let last = await state();
      assert.equal(
        last.filter((each) => each === 'waiting_for_confirmation').length,
        3,
      );
      for (let time = 2; time <= 240; time += 2) {
        demo.clock.advance(2 * second);
        const now = await state();
        for (const [index, execution] of now.entries())
          if (execution !== last[index]) changes.push([time, execution]);
        last = now;
      }
      assert.deepEqual(changes, [
        [20, 'waiting_for_confirmation'],
        [50, 'finished'],
        [100, 'error'],
      ]);
    });
  }

  it('has messages from the start, and keeps its state when its events are read', async () => {
    const demo = await start({ interface: 'v1' });
    demo.clock.advance(10 * second);
    const path = '/api/v1/app-conversations/search?limit=20';
    interface Row {
      readonly id: string;
      readonly execution_status: string;
    }
    const all = async () =>
      (await demo.page<Row>(path)).rows.map((row) => row.execution_status);
    const before = await all();
    for (const { id } of (await demo.page<Row>(path)).rows) {
      const events = await demo.get<{ items: { kind: string }[] }>(
        `/api/v1/conversation/${id}/events/search`,
      );
      assert.ok(
        events.items.filter(({ kind }) => kind === 'MessageEvent').length > 0,
      );
    }
    assert.deepEqual(await all(), before);
    demo.clock.advance(10 * second);
    assert.deepEqual(
      (await all()).filter((each) => each === 'waiting_for_confirmation')
        .length,
      before.filter((each) => each === 'waiting_for_confirmation').length + 1,
    );
  });

  it('starts at a different point of its cycle than others', () => {
    const place = world(60);
    const doing = new Set<unknown>();
    for (let position = 0; position < 12; position++) {
      doing.add(place.condition(place.first.at(position)).execution);
    }
    assert.ok(doing.size >= 4);
  });
});
