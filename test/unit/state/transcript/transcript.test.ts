import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { AgentEvent } from '../../../../src/service/model/events.ts';
import { readEvent } from '../../../../src/service/records/readEvent.ts';
import {
  entryOfWhole,
  eventsLeftOut,
} from '../../../../src/state/transcript/entryOfEvent.ts';
import type {
  TranscriptEntry,
  TranscriptChange,
} from '../../../../src/state/transcript/transcriptEntry.ts';
import { Transcript } from '../../../../src/state/transcript/transcript.ts';
import { waitingOf } from '../../../../src/state/transcript/waiting.ts';
import { recorded, streams } from '../../service/records/recordedEvents.ts';

/**
 * Events that an Agent Server 1.58.0 has sent by WebSocket, in order; without
 * most of its states and its system prompts.
 */
const live = readFileSync(
  new URL('../../service/records/recorded/live.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map(
    (line) =>
      JSON.parse(line) as { stream: string; event: Record<string, unknown> },
  );

const read = (event: unknown): AgentEvent => readEvent(event, () => undefined);
const stream = (name: string) =>
  live.filter((one) => one.stream === name).map(({ event }) => read(event));

/** A page that only follows the changes. */
class Page {
  entries: readonly TranscriptEntry[] = [];
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  take(change: TranscriptChange | undefined): void {
    if (!change) return;
    if (change.isReset) {
      this.entries = this.#transcript.entries;
      return;
    }
    const gone = new Set(change.removed);
    const now = new Map(change.changed.map((entry) => [entry.id, entry]));
    const rest = this.entries
      .filter(({ id }) => !gone.has(id))
      .map((entry) => now.get(entry.id) ?? entry);
    this.entries = [...change.before, ...rest, ...change.added];
  }
}

function all(events: readonly AgentEvent[]): Transcript {
  const transcript = new Transcript();
  transcript.addOlder(
    events.filter(({ kind }) => kind !== 'piece').toReversed(),
    true,
  );
  return transcript;
}

const action = (number: number, change: object = {}) => ({
  id: `action ${number}`,
  kind: 'ActionEvent',
  timestamp: stamp(number),
  action: { kind: 'TerminalAction', command: `echo ${number}` },
  tool_name: 'terminal',
  tool_call_id: `call ${number}`,
  llm_response_id: `step ${number}`,
  ...change,
});

const observation = (number: number, text: string) => ({
  id: `observation ${number}`,
  kind: 'ObservationEvent',
  timestamp: `${stamp(number)}5`,
  action_id: `action ${number}`,
  observation: {
    content: [{ type: 'text', text }],
    is_error: false,
    exit_code: 0,
  },
});

const stamp = (number: number) =>
  `2026-11-22T12:00:00.${String(number).padStart(6, '0')}`;

describe('a transcript', () => {
  it('shows everything that happened in a recorded conversation', () => {
    const { entries } = all(stream('steered'));
    const told = entries.map((entry) => {
      if (entry.kind === 'message') return `${entry.role ?? ''}: ${entry.text}`;
      if (entry.kind === 'action')
        return `${entry.action.toolName ?? ''} → ${entry.outcome?.kind ?? ''}`;
      return entry.kind === 'line'
        ? entry.what
        : entry.kind === 'other'
          ? entry.eventKind
          : entry.text;
    });
    assert.deepEqual(told, [
      'SystemPromptEvent',
      'user: run: echo one\nrun: echo two\nrun: sleep 20',
      'terminal → result',
      'terminal → rejection',
      'terminal → error',
      'interrupted',
      'user: Never mind',
    ]);
    const [, , first, second] = entries;
    assert.ok(first?.kind === 'action' && first.outcome?.kind === 'result');
    assert.deepEqual(
      [first.outcome.text.split('\n')[0], first.outcome.exitCode],
      ['one', 0],
    );
    assert.ok(
      second?.kind === 'action' && second.outcome?.kind === 'rejection',
    );
    assert.equal(second.outcome.reason, 'Not now');
  });

  it('shows a message while it is written, and then the whole message', () => {
    const transcript = new Transcript();
    const page = new Page(transcript);
    const seen: string[] = [];
    for (const event of stream('written')) {
      page.take(transcript.add([event]));
      assert.deepEqual(page.entries, transcript.entries);
      const last = page.entries.at(-1);
      if (last?.kind === 'message' && last.isStreaming) seen.push(last.text);
    }
    const whole = page.entries.at(-1);
    assert.ok(whole?.kind === 'message' && !whole.isStreaming);
    assert.ok(
      seen.length >= 5 && seen.every((piece) => whole.text.startsWith(piece)),
    );
    assert.equal(seen.at(-1), whole.text);
  });

  it('shows the same entries when events come in parts, twice, late or in any order', () => {
    for (const name of ['written', 'steered']) {
      const events = stream(name).filter(({ kind }) => kind !== 'piece');
      const wanted = all(events).entries;
      const [first] = events.filter((event) => event.kind === 'other');
      const order = fc.shuffledSubarray([...events.keys(), ...events.keys()], {
        minLength: 2 * events.length,
      });
      fc.assert(
        fc.property(
          order,
          fc.array(fc.nat(events.length), { maxLength: 5 }),
          (indexes, cuts) => {
            const transcript = new Transcript();
            const page = new Page(transcript);
            page.take(transcript.addOlder(first ? [first] : [], true));
            const bounds = [
              0,
              ...cuts.toSorted((a, b) => a - b),
              indexes.length,
            ];
            for (const [index, end] of bounds.entries()) {
              const some = indexes.slice(bounds[index - 1] ?? 0, end);
              page.take(transcript.add(some.flatMap((at) => events[at] ?? [])));
            }
            assert.deepEqual(page.entries, transcript.entries);
            assert.deepEqual(transcript.entries, wanted);
          },
        ),
        { numRuns: 100 },
      );
    }
  });

  it('shows the same entries when events are read page by page or all at once', () => {
    for (const name of streams) {
      const events = recorded(name as 'rejected').map(read);
      for (const size of [1, 2, 7]) {
        const transcript = new Transcript();
        const page = new Page(transcript);
        for (let start = 0; start < events.length; start += size) {
          const some = events.slice(start, start + size);
          page.take(transcript.addOlder(some, start + size >= events.length));
          assert.deepEqual(page.entries, transcript.entries);
        }
        assert.deepEqual(
          transcript.entries,
          all(events.toReversed()).entries,
          name,
        );
      }
    }
  });

  it('finds the same waiting actions after each event as from all events together', () => {
    for (const name of streams) {
      const events = recorded(name as 'rejected')
        .map(read)
        .toReversed();
      const transcript = new Transcript();
      transcript.addOlder(events.slice(0, 1), true);
      for (const [index, event] of events.entries()) {
        transcript.add([event]);
        const soFar = events.slice(0, index + 1).toReversed();
        assert.deepEqual(
          transcript.waiting,
          waitingOf(soFar, true),
          `${name} ${index}`,
        );
        const shown = transcript.entries.flatMap((entry) =>
          entry.kind === 'action' && entry.isWaiting ? entry.id : [],
        );
        const { waiting } = transcript;
        assert.deepEqual(
          shown,
          waiting.status === 'waits' ? waiting.actions.map(({ id }) => id) : [],
        );
      }
    }
  });

  it('keeps the beginning of a text of 5 MB, and reports how much it leaves out', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    transcript.add(
      [action(1), observation(1, 'x'.repeat(5_000_000))].map(read),
    );
    const [entry] = transcript.entries;
    assert.ok(entry?.kind === 'action' && entry.outcome?.kind === 'result');
    assert.equal(
      entry.outcome.text.length + (entry.outcome.leftOut ?? 0),
      5_000_000,
    );
    assert.ok(entry.outcome.text.length < 100_000);
  });

  it('keeps the whole of a long action until the action has a result', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    const command = 'x'.repeat(1_000_000);
    const waits = {
      id: 's',
      kind: 'ConversationStateUpdateEvent',
      key: 'execution_status',
      timestamp: stamp(2),
    };
    transcript.add(
      [
        action(1, { action: { kind: 'TerminalAction', command } }),
        { ...waits, value: 'waiting_for_confirmation' },
      ].map(read),
    );
    const { waiting } = transcript;
    assert.ok(
      waiting.status === 'waits' &&
        waiting.actions[0]?.arguments.includes(command),
    );
    transcript.add([read(observation(1, 'done'))]);
    const [entry] = transcript.entries;
    assert.ok(entry?.kind === 'action');
    assert.ok(
      entry.action.arguments.length < 100_000 && (entry.leftOut ?? 0) > 900_000,
    );
  });

  it('keeps the path of a long file that was created, and valid input', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    const input = {
      command: 'create',
      file_text: '\u0001line\n'.repeat(20_000),
      path: '/srv/shop/data.txt',
    };
    transcript.add(
      [
        action(1, { action: { kind: 'FileEditorAction', ...input } }),
        observation(1, 'done'),
      ].map(read),
    );
    const [entry] = transcript.entries;
    assert.ok(entry?.kind === 'action' && entry.leftOut);
    const kept = JSON.parse(entry.action.arguments) as typeof input;
    assert.equal(kept.path, input.path);
    assert.equal(kept.command, input.command);
    assert.ok(input.file_text.startsWith(kept.file_text));
    assert.ok(kept.file_text.length > 40_000);
  });

  it('counts what is left out for the event whose text is long', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    const long = 'x'.repeat(60_000);
    transcript.add(
      [
        { id: 'e', kind: 'ServerErrorEvent', code: 'a', detail: long },
        { id: 'c', kind: 'Condensation', summary: long },
        {
          id: 'm',
          kind: 'MessageEvent',
          llm_message: {
            role: 'user',
            content: [{ type: 'text', text: 'Hi' }],
          },
        },
      ].map((event, index) => read({ ...event, timestamp: stamp(index) })),
    );
    assert.deepEqual(
      transcript.entries.map(({ id, leftOut = 0 }) => [id, leftOut >= 10_000]),
      [
        ['e', true],
        ['c', true],
        ['m', false],
      ],
    );
  });

  it('bounds an input that is long without long texts', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    const many = Array.from({ length: 100_000 }, (_, index) => [index]);
    transcript.add(
      [
        action(1, { action: { kind: 'MCPToolAction', many } }),
        observation(1, 'done'),
      ].map(read),
    );
    const [entry] = transcript.entries;
    assert.ok(entry?.kind === 'action' && (entry.leftOut ?? 0) > 500_000);
    assert.ok(entry.action.arguments.length <= 50_000);
  });

  it('keeps less than 80 million characters of results, however many events there are', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    for (let number = 0; number < 4_000; number++) {
      transcript.add(
        [
          action(number),
          observation(number, `${number} ${'x'.repeat(49_000)}`),
        ].map(read),
      );
    }
    const kept = transcript.entries.reduce((sum, entry) => {
      const outcome =
        entry.kind === 'action' && entry.outcome?.kind === 'result'
          ? entry.outcome.text.length
          : 0;
      return sum + outcome;
    }, 0);
    assert.ok(kept < 80_000_000, String(kept));
  });

  it('shows unknown events as JSON, and known events by their kind', () => {
    const transcript = new Transcript();
    transcript.addOlder([], true);
    const odd = [
      { id: 'a', kind: 'WhatComesNextEvent', secretPlan: 'x\u202e' },
      {
        id: 'b',
        kind: 'ObservationEvent',
        action_id: 'nobody',
        observation: null,
      },
      {
        id: 'c',
        kind: 'AgentErrorEvent',
        tool_call_id: 'nobody',
        error: 'Broken',
      },
      {
        id: 'd',
        kind: 'ConversationStateUpdateEvent',
        key: 'execution_status',
        value: 'stuck',
      },
      {
        id: 'e',
        kind: 'Condensation',
        forgotten_event_ids: ['1', '2'],
        summary: 'Before',
      },
      { id: 'f', kind: 'PauseEvent' },
      null,
      7,
    ];
    transcript.add(odd.map(read));
    assert.deepEqual(
      transcript.entries.map((entry) =>
        entry.kind === 'line' ? entry.what : entry.kind,
      ),
      [
        'other',
        'other',
        'error',
        'state',
        'condensed',
        'paused',
        'other',
        'other',
      ],
    );
    const [unknown, orphan] = transcript.entries;
    assert.ok(unknown?.kind === 'other' && orphan?.kind === 'other');
    assert.match(unknown.json, /"secretPlan": "x\\u202e"/);
    assert.equal(orphan.eventKind, 'ObservationEvent');
  });

  it('shows the result of an action that is read before the action', () => {
    const transcript = new Transcript();
    transcript.addOlder(
      [observation(2, 'two'), action(2), observation(1, 'one')].map(read),
      false,
    );
    assert.deepEqual(
      transcript.entries.map(({ id }) => id),
      ['action 2'],
    );
    const change = transcript.addOlder([read(action(1))], true);
    assert.deepEqual(
      change?.before.map(({ id }) => id),
      ['action 1'],
    );
    const [first] = transcript.entries;
    assert.ok(first?.kind === 'action' && first.outcome?.kind === 'result');
    assert.equal(first.outcome.text, 'one');
  });

  it('adds an event in the same number of steps after 100 events as after 20,000', () => {
    const cost = (count: number) => {
      const transcript = new Transcript();
      const events = Array.from({ length: count }, (_, index) =>
        read(action(index, { id: `before ${index}` })),
      );
      transcript.addOlder(events.toReversed(), true);
      transcript.add([
        read({
          id: 's',
          kind: 'ConversationStateUpdateEvent',
          key: 'execution_status',
          value: 'running',
          timestamp: stamp(count),
        }),
      ]);
      let steps = 0;
      const counted = (event: AgentEvent) =>
        new Proxy(event, {
          get: (target, name) => (
            steps++,
            Reflect.get(target, name) as unknown
          ),
        });
      const change = transcript.add([
        counted(
          read({ id: 'm', kind: 'MessageEvent', timestamp: stamp(count + 1) }),
        ),
      ]);
      assert.deepEqual(
        change?.added.map(({ id }) => id),
        ['m'],
      );
      return steps;
    };
    assert.equal(cost(20_000), cost(100));
  });

  describe('of an agent at work', () => {
    const at = (second: number) =>
      `2026-11-22T12:00:${String(second).padStart(2, '0')}.5`;
    const timed = (event: object) =>
      readEvent(event, (stamp) => Date.parse(`${String(stamp)}Z`));
    const status = (second: number, value: string) =>
      timed({
        id: `status-${second}`,
        kind: 'ConversationStateUpdateEvent',
        key: 'execution_status',
        value,
        timestamp: at(second),
      });
    const begun = timed({ ...action(1), timestamp: at(1) });
    const events = [
      status(0, 'running'),
      begun,
      status(2, 'waiting_for_confirmation'),
      status(40, 'running'),
    ];
    const result = timed({ ...observation(1, 'done'), timestamp: at(44) });
    const secondsOf = ({ entries }: Transcript) =>
      entries.flatMap((entry) =>
        entry.kind === 'action' &&
        entry.outcome?.at !== undefined &&
        entry.startedAt !== undefined
          ? (entry.outcome.at - entry.startedAt) / 1_000
          : [],
      );

    const hasWork = ({ work }: Transcript) => work !== undefined;

    it('counts the duration of an action from its acceptance, in whatever order its events are read', () => {
      assert.deepEqual(secondsOf(all([...events, result])), [4]);
      const older = new Transcript();
      older.add([result]);
      older.addOlder(events.toReversed(), true);
      assert.deepEqual(secondsOf(older), [4]);
      const unasked = [status(0, 'running'), begun, result];
      assert.deepEqual(secondsOf(all(unasked)), [43]);
    });

    it('tells since when it works, and on which action', () => {
      const transcript = all(events.slice(0, 2));
      assert.deepEqual(
        [transcript.work?.since, transcript.work?.action?.id],
        [events[0]?.at, begun.id],
      );
      transcript.add([status(2, 'waiting_for_confirmation')]);
      assert.ok(!hasWork(transcript));
      transcript.add([status(40, 'running')]);
      assert.deepEqual(
        [transcript.work?.since, transcript.work?.action?.id],
        [events[3]?.at, begun.id],
      );
      transcript.add([result]);
      assert.deepEqual(transcript.work, {
        since: events[3]?.at,
        action: undefined,
      });
      transcript.add([status(45, 'finished')]);
      assert.ok(!hasWork(transcript));
    });

    it('leaves out an action of an earlier step that never ended', () => {
      const transcript = all(events.slice(0, 2));
      transcript.add([timed({ ...action(9), timestamp: at(50) })]);
      transcript.add([timed({ ...observation(9, 'done'), timestamp: at(51) })]);
      assert.deepEqual(transcript.work, {
        since: events[0]?.at,
        action: undefined,
      });
    });
  });

  describe('of a service whose clock is set back', () => {
    const status = (id: string, value: string, timestamp: string) =>
      read({
        id,
        kind: 'ConversationStateUpdateEvent',
        key: 'execution_status',
        value,
        timestamp,
      });
    const runs = status('runs', 'running', stamp(500));
    const waits = status('waits', 'waiting_for_confirmation', stamp(300));
    const actionOfThen = read(action(299));
    const waitingIds = ({ waiting }: Transcript) =>
      waiting.status === 'waits'
        ? waiting.actions.map(({ id }) => id)
        : waiting;
    let transcript: Transcript;

    beforeEach(() => {
      transcript = new Transcript();
      transcript.addOlder(
        [runs, ...[4, 3, 2, 1].map((number) => read(action(number)))],
        true,
      );
      transcript.add(
        [1, 2, 3, 4].map((number) => read(observation(number, 'done'))),
      );
    });

    it('waits for the action that came last, whether one by one, together or by reading', () => {
      transcript.add([actionOfThen]);
      transcript.add([waits]);
      assert.deepEqual(waitingIds(transcript), ['action 299']);
      transcript.clear();
      transcript.addOlder([runs, read(action(1))], true);
      transcript.add([runs, actionOfThen, waits]);
      assert.deepEqual(waitingIds(transcript), ['action 1', 'action 299']);
    });

    it('shows no entry once it is cleared', () => {
      transcript.add([actionOfThen]);
      assert.equal(transcript.entries.at(-1)?.id, actionOfThen.id);
      transcript.clear();
      assert.deepEqual(transcript.entries, []);
    });

    it('goes on waiting when known events come again, and stops with the next state', () => {
      transcript.add([actionOfThen, waits]);
      transcript.add([runs]);
      transcript.add([waits, runs]);
      assert.deepEqual(waitingIds(transcript), ['action 299']);
      transcript.add([status('goes on', 'running', stamp(301))]);
      assert.deepEqual(transcript.waiting, {
        status: 'doesNotWait',
        execution: 'running',
      });
    });

    it('waits with an action whose time is before all that is loaded, and puts it last', () => {
      transcript = new Transcript();
      transcript.addOlder(
        [
          status('runs', 'running', stamp(900)),
          read(action(800)),
          read(action(799)),
        ],
        false,
      );
      transcript.add(
        [800, 799].map((number) => read(observation(number, 'done'))),
      );
      transcript.add([actionOfThen, waits]);
      assert.deepEqual(waitingIds(transcript), ['action 299']);
      assert.equal(transcript.entries.at(-1)?.id, 'action 299');
      assert.equal(transcript.oldestId, 'action 799');
    });

    it('keeps a state that came while an older one was read', () => {
      const { lastState } = transcript;
      transcript.add([
        actionOfThen,
        status('waits now', 'waiting_for_confirmation', stamp(600)),
      ]);
      transcript.add([status('missed', 'running', stamp(550))], lastState);
      assert.deepEqual(waitingIds(transcript), ['action 299']);
    });

    it('takes a new state between known ones that come again', () => {
      transcript.add([
        actionOfThen,
        status('waits now', 'waiting_for_confirmation', stamp(600)),
        runs,
      ]);
      assert.deepEqual(waitingIds(transcript), ['action 299']);
    });
  });

  describe('with 20,000 events', () => {
    let reads: string[];
    let transcript: Transcript;
    const message = (id: string, at: string) =>
      read({ id, kind: 'MessageEvent', timestamp: at });
    const status = (number: number, value: string) =>
      read({
        id: `status ${number}`,
        kind: 'ConversationStateUpdateEvent',
        key: 'execution_status',
        value,
        timestamp: stamp(number),
      });

    function hold(newest: readonly AgentEvent[] = []): void {
      const held = Array.from({ length: 20_000 }, (_, index) =>
        read(action(10 * index)),
      );
      const counted = [...held, ...newest].map(
        (event) =>
          new Proxy(event, {
            get: (target, name) => {
              reads.push(String(name));
              return Reflect.get(target, name) as unknown;
            },
          }),
      );
      transcript.addOlder(counted.toReversed(), false);
      reads = [];
    }

    beforeEach(() => {
      reads = [];
      transcript = new Transcript();
    });

    it('compares a late event with few of them, and one before all of them with the first', () => {
      hold([status(200_000, 'running')]);
      transcript.add([message('late', `${stamp(10)}5`)]);
      assert.equal(transcript.entries[2]?.id, 'late');
      assert.ok(reads.length <= 40, String(reads.length));
      reads = [];
      const oldest = message('action 0', stamp(0));
      transcript.add([message('before', '2026-11-21'), oldest]);
      assert.equal(transcript.has('before'), false);
      assert.ok(reads.length <= 2, String(reads.length));
    });

    it('keeps the newest status when older ones arrive late, without a search', () => {
      hold([status(199_995, 'running')]);
      const resent = status(199_995, 'running');
      transcript.add([status(5, 'paused'), status(15, 'finished'), resent]);
      assert.deepEqual(transcript.waiting, {
        status: 'doesNotWait',
        execution: 'running',
      });
      assert.ok(reads.length <= 80, String(reads.length));
      transcript.add([status(199_996, 'paused')]);
      assert.deepEqual(transcript.waiting, {
        status: 'doesNotWait',
        execution: 'paused',
      });
    });

    it('reads none of them again for a message, whether a status is known or an action waits', () => {
      hold();
      transcript.add([message('m', stamp(300_000))]);
      assert.equal(transcript.waiting.status, 'unknown');
      assert.ok(reads.length <= 2, String(reads.length));
      transcript = new Transcript();
      hold([status(200_000, 'waiting_for_confirmation')]);
      transcript.add([message('m', stamp(300_000))]);
      assert.equal(transcript.waiting.status, 'waits');
      assert.ok(reads.length <= 2, String(reads.length));
    });
  });

  describe('a tool call with events at its start and at its end', () => {
    const call = (number: number, id: string, status: string, output = '') =>
      read({
        id: `call ${number}`,
        kind: 'ACPToolCallEvent',
        timestamp: stamp(number),
        tool_call_id: id,
        title: 'npm test',
        status,
        content: [{ type: 'content', content: { type: 'text', text: output } }],
      });
    const told = (transcript: Transcript) =>
      transcript.entries.map((entry) =>
        entry.kind === 'action' &&
        (entry.outcome === undefined || entry.outcome.kind === 'result')
          ? `${entry.id}: ${entry.outcome?.text ?? 'runs'}`
          : assert.fail(),
      );
    const events = [
      call(1, 'exec_1', 'in_progress'),
      call(2, 'exec_2', 'in_progress'),
      call(3, 'exec_1', 'completed', 'one'),
      call(4, 'exec_2', 'failed', 'two'),
      call(5, 'exec_1', 'pending'),
      call(6, 'exec_1', 'completed', 'three'),
    ];
    const whole = ['call 1: one', 'call 2: two', 'call 5: three'];

    it('shows one entry for each call, at its start, even when an ID is reused', () => {
      const transcript = new Transcript();
      const page = new Page(transcript);
      for (const event of events) page.take(transcript.add([event]));
      assert.deepEqual(told(transcript), whole);
      assert.deepEqual(page.entries, transcript.entries);
      assert.deepEqual(told(all(events)), whole);
    });

    it('shows the same calls wherever the pages of events begin', () => {
      for (let first = 1; first < events.length; first++) {
        const transcript = new Transcript();
        const page = new Page(transcript);
        page.take(transcript.addOlder(events.slice(first).toReversed(), false));
        page.take(
          transcript.addOlder(events.slice(0, first).toReversed(), true),
        );
        assert.deepEqual(
          told(transcript)
            .map((text) => text.replace(/.*: /, ''))
            .sort(),
          ['one', 'three', 'two'],
          String(first),
        );
        assert.deepEqual(page.entries, transcript.entries);
      }
    });

    it('keeps the result of a call when its start arrives late', () => {
      const [begin, , end] = events;
      const transcript = new Transcript();
      assert.ok(begin && end);
      transcript.addOlder([call(0, 'exec_0', 'completed', 'zero')], true);
      transcript.add([end]);
      transcript.add([begin]);
      assert.deepEqual(told(transcript), ['call 0: zero', 'call 3: one']);
    });

    it('reads what it leaves out from the last event of the call', () => {
      const end = call(3, 'exec_1', 'completed', 'x'.repeat(60_000));
      const [entry] = all([call(1, 'exec_1', 'in_progress'), end]).entries;
      assert.ok(entry);
      assert.deepEqual([...eventsLeftOut(entry)], ['call 3']);
      const whole = entryOfWhole(end, entry);
      assert.ok(whole.kind === 'action' && whole.outcome?.kind === 'result');
      assert.equal(whole.id, 'call 1');
      assert.equal(whole.outcome.text.length, 60_000);
      assert.equal(whole.outcome.leftOut, undefined);
    });
  });
});
