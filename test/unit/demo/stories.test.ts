import assert from 'node:assert/strict';
import { afternoon } from '../../../src/demo/world/afternoon.ts';
import { AgentServerConversations } from '../../../src/demo/agentServer/conversations.ts';
import { scriptOfDemo } from '../../../src/demo/agentServer/script.ts';
import type { Work } from '../../../src/demo/agentServer/work.ts';
import { demoServices } from '../../../src/demo/world/demoServices.ts';
import { FirstConversations } from '../../../src/demo/world/firstConversations.ts';
import type { Story } from '../../../src/demo/world/stories.ts';
import { World } from '../../../src/demo/world/world.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

const sampleMs = 50;
const minute = 60_000;

/**
 * Commands that delete, publish, replace or load what others use, or run what
 * is not known.
 */
const risky =
  /\bgit push\b|\bgit rm\b|\brm -rf\b|\bsudo\b|\binstall\b|publish|deploy|staging|emails|vat:report/;

function callsOf({ steps, wants }: Story) {
  return [...steps, ...wants].flatMap(({ calls }) => calls);
}

function generatedStories(): readonly {
  readonly repository: string | undefined;
  readonly story: Story;
}[] {
  const first = new FirstConversations(1, 2_000, 0, []);
  return Array.from({ length: 2_000 }, (_, position) => position)
    .slice(afternoon.length)
    .filter((position) => !first.title(position).startsWith('Conversation '))
    .map((position) => ({
      repository: first.repository(position)?.name,
      story: first.story(position),
    }));
}

describe('each story of the demo', () => {
  it('keeps its part of the software in one repository', () => {
    const repositories = new Map<string, string>();
    for (const { repository, story } of generatedStories()) {
      for (const { input } of callsOf(story)) {
        const [, part] = /^src\/([^/]+)\//.exec(String(input.path)) ?? [];
        if (part === undefined) continue;
        assert.ok(repository !== undefined, story.message);
        assert.equal(repositories.get(part) ?? repository, repository, part);
        repositories.set(part, repository);
      }
    }
    assert.ok(repositories.size > 35, String(repositories.size));
  });

  it('leaves no placeholder in a text', () => {
    for (const { story } of generatedStories())
      assert.doesNotMatch(
        JSON.stringify(story),
        /\{(part|name|folder)\}|the \{\}/,
        story.message,
      );
  });

  it('calls only risky actions risky, and asks before these alone', () => {
    for (const story of [
      ...afternoon.map((written) => written.story),
      ...generatedStories().map((one) => one.story),
    ]) {
      for (const { tool, input, risk } of callsOf(story)) {
        const command = String(input.command);
        const isRisky =
          tool === 'terminal' &&
          risky.test(command) &&
          !command.includes('--dry-run');
        assert.equal(risk, isRisky ? 'HIGH' : 'LOW', command);
      }
      const [asked] = story.wants;
      assert.ok(
        !asked || asked.calls.some(({ risk }) => risk === 'HIGH'),
        story.message,
      );
      assert.ok(
        story.steps.every(({ calls }) =>
          calls.every(({ risk }) => risk === 'LOW'),
        ),
        story.message,
      );
    }
  });

  it('repeats a command at the end if its agent is stuck', () => {
    for (const { story } of afternoon.filter(
      ({ ended }) => ended === 'stuck',
    )) {
      const commands = story.steps
        .slice(-4)
        .map(({ calls }) => calls[0]?.input.command);
      assert.equal(new Set(commands).size, 1);
    }
  });
});

describe('the pace of the agents of the demo', () => {
  /** The lively agents of a service, at its start. */
  function agents({
    seed,
    conversations,
    written,
    interface: kind,
  }: (typeof demoServices)[number]) {
    const clock = new SteppedClock();
    const world = new World({ seed, conversations, clock, written });
    const held = new AgentServerConversations(
      world,
      kind !== 'agentServer',
      scriptOfDemo,
    );
    const positions = written.flatMap(({ opening }, position) =>
      opening.length > 0 ? [position] : [],
    );
    return {
      clock,
      works: positions.map((position) => held.work(held.at(position))),
    };
  }

  const isMoving = (work: Work, before: Snapshot) =>
    work.events.length > before.count ||
    work.open.length > 0 ||
    work.writing !== before.writing;

  interface Snapshot {
    readonly count: number;
    readonly writing: string;
  }

  for (const service of demoServices)
    it(`writes text of ${service.name} at 30 words a second, without a pause within a sentence`, () => {
      const { clock, works } = agents(service);
      let samples = 0;
      let before = works.map(({ writing }) => writing);
      for (let time = 0; time < 15 * minute; time += sampleMs) {
        clock.advance(sampleMs);
        for (const work of works) work.advance(clock.now());
        for (const [index, { writing }] of works.entries()) {
          const last = before[index] ?? '';
          if (last === '' || writing === '') continue;
          const letters = writing.length - last.length;
          assert.ok(
            letters >= 8 && letters <= 12,
            `${writing}: ${letters} letters in ${sampleMs} ms`,
          );
          samples++;
        }
        before = works.map(({ writing }) => writing);
      }
      assert.ok(samples > 3, String(samples));
    });

  it('moves within a second, from an acceptance to the end', () => {
    for (const service of demoServices) {
      const { clock, works } = agents(service);
      clock.advance(20_000);
      for (const work of works) work.advance(clock.now());
      const waiting = works.filter(
        ({ status }) => status === 'waiting_for_confirmation',
      );
      assert.ok(waiting.length > 0);
      for (const work of waiting) {
        work.answer(true, '', 'test');
        for (let stillMs = 0; work.isRunning;) {
          const before = { count: work.events.length, writing: work.writing };
          clock.advance(sampleMs);
          work.advance(clock.now());
          stillMs = isMoving(work, before) ? 0 : stillMs + sampleMs;
          assert.ok(stillMs <= 1_000, `nothing moves for ${stillMs} ms`);
        }
      }
    }
  });
});
