import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/event.ts';
import { EntryFeed } from '../../../../../src/editor/conversations/page/entryFeed.ts';
import type { ToPage } from '../../../../../src/protocol/pageMessages.ts';
import type {
  TranscriptEntry,
  TranscriptChange,
} from '../../../../../src/state/transcript/transcriptEntry.ts';
import { SteppedClock } from '../../../../support/steppedClock.ts';

type Entries = Extract<ToPage, { type: 'entries' }>;

/** A page that applies all messages. */
class Shown {
  ids: string[] = [];
  texts = new Map<string, string>();
  readonly messages: ToPage[] = [];

  take(message: ToPage): void {
    this.messages.push(message);
    if (message.type !== 'entries') return;
    const { isReset, before, added, changed, removed } = message;
    if (isReset) this.ids = [];
    this.ids = this.ids.filter((id) => !removed.includes(id));
    this.ids = [
      ...before.map(({ id }) => id),
      ...this.ids,
      ...added.map(({ id }) => id),
    ];
    for (const drawn of [...before, ...added, ...changed])
      if (drawn.kind === 'message') this.texts.set(drawn.id, drawn.text);
  }

  get last(): Entries {
    const last = this.messages.findLast(
      (message) => message.type === 'entries',
    );
    assert.ok(last);
    return last;
  }
}

const says = (id: string, text = id): TranscriptEntry => ({
  id,
  at: 0,
  kind: 'message',
  role: 'assistant',
  text,
  reasoning: undefined,
  images: [],
});

const many = (count: number, prefix = 'e') =>
  Array.from({ length: count }, (_, index) => says(`${prefix}${index}`));

describe('the feed of a conversation page', () => {
  let changes: Emitter<TranscriptChange>;
  let followed: {
    entries: readonly TranscriptEntry[];
    readonly isEmpty: boolean;
    snapshot: { hasOlder: boolean };
    onEntries: Emitter<TranscriptChange>['on'];
  };
  let shown: Shown;
  let clock: SteppedClock;
  let feed: EntryFeed;

  beforeEach(() => {
    changes = new Emitter();
    followed = {
      entries: [],
      get isEmpty() {
        return followed.entries.length === 0;
      },
      snapshot: { hasOlder: false },
      onEntries: changes.on,
    };
    shown = new Shown();
    clock = new SteppedClock();
    feed = make();
  });

  function make(placeholder?: TranscriptEntry): EntryFeed {
    return new EntryFeed({
      followed,
      send: (message) => {
        shown.take(message);
      },
      clock,
      circumstances: () => ({ now: 0, confirmation: undefined }),
      empty: () => 'Nothing',
      placeholder,
    });
  }

  afterEach(() => {
    feed.release();
    assert.equal(changes.size, 0);
  });

  const change = (partial: Partial<TranscriptChange>) => {
    changes.fire({
      added: [],
      before: [],
      changed: [],
      removed: [],
      isReset: false,
      ...partial,
    });
  };
  const add = (...entries: TranscriptEntry[]) => {
    followed.entries = [...followed.entries, ...entries];
    change({ added: entries });
  };
  /** Until nothing is on its way any more. */
  const wait = () => {
    for (let moments = 0; clock.pending > 0; moments++) {
      assert.ok(moments < 100, 'It never ends.');
      clock.advance(10);
    }
  };

  it('shows a message as queued while an action before it waits for an answer', () => {
    const action = (isWaiting: boolean): TranscriptEntry => ({
      id: 'action',
      at: 0,
      kind: 'action',
      isWaiting,
      action: {
        ...{
          id: 'action',
          at: 0,
          stamp: undefined,
          source: 'agent',
          kind: 'action',
          toolName: 'terminal',
        },
        ...{
          toolCallId: 'c',
          stepId: 's',
          actionKind: undefined,
          summary: undefined,
          thought: '',
        },
        ...{
          reasoning: undefined,
          arguments: '{"command":"npm test"}',
          risk: 'low',
        },
      },
    });
    const message: TranscriptEntry = {
      ...says('mine'),
      kind: 'message',
      role: 'user',
    } as TranscriptEntry;
    const timeOf = (drawn: Entries['added']) =>
      drawn.find(({ id }) => id === 'mine')?.time;
    followed.entries = [says('a'), action(true)];
    feed.begin(undefined);
    add(message);
    wait();
    assert.equal(timeOf(shown.last.added), 'Queued until you answer');
    feed.begin(undefined);
    assert.equal(timeOf(shown.last.added), 'Queued until you answer');
    followed.entries = [says('a'), action(false), message];
    change({ changed: [action(false)] });
    wait();
    const time = timeOf(shown.last.changed);
    assert.ok(time !== undefined && time !== 'Queued until you answer');
  });

  it('keeps the message of a new conversation until what happened takes its place', () => {
    feed.release();
    feed = make(says('asked'));
    feed.begin(undefined);
    assert.deepEqual([shown.ids, shown.last.empty], [['asked'], undefined]);
    feed.renew();
    assert.equal(shown.last.empty, undefined);
    add(says('a'), says('b'));
    wait();
    assert.deepEqual(shown.ids, ['a', 'b']);
    feed.begin(undefined);
    assert.deepEqual(shown.ids, ['a', 'b']);
  });

  it('sends the last 25 entries at once, and all others in portions', () => {
    followed.entries = many(1_500);
    feed.begin(undefined);
    assert.equal(shown.last.added.length, 25);
    assert.equal(shown.ids.at(-1), 'e1499');
    assert.equal(shown.last.hasOlder, true);
    wait();
    assert.equal(shown.ids.length, 1_500);
    assert.deepEqual(
      shown.ids,
      followed.entries.map(({ id }) => id),
    );
    assert.equal(shown.last.hasOlder, false);
  });

  it('sends the last 25 entries of the newest page at once, then its others', () => {
    feed.begin(undefined);
    followed.entries = many(50);
    change({ before: followed.entries });
    assert.equal(shown.last.before.length, 25);
    assert.equal(shown.ids.at(-1), 'e49');
    assert.equal(shown.last.hasOlder, true);
    wait();
    assert.equal(shown.ids.length, 50);
    assert.deepEqual(
      shown.ids,
      followed.entries.map(({ id }) => id),
    );
    assert.equal(shown.last.hasOlder, false);
  });

  it('sends 2,000 entries unasked, finds only in them, and sends 500 more as often as asked', () => {
    followed.entries = many(2_700);
    feed.begin(undefined);
    wait();
    assert.equal(shown.ids.length, 2_000);
    assert.deepEqual([feed.hasMore, shown.last.hasOlder], [false, true]);
    feed.find('e');
    const found = shown.messages.findLast(
      (message) => message.type === 'found',
    );
    assert.equal(found?.ids.length, 2_000);
    assert.equal(feed.sendOlder(), true);
    wait();
    assert.equal(shown.ids.length, 2_500);
    assert.equal(feed.sendOlder(), true);
    wait();
    assert.deepEqual(
      shown.ids,
      followed.entries.map(({ id }) => id),
    );
    assert.deepEqual([feed.sendOlder(), shown.last.hasOlder], [false, false]);
  });

  it('shows at most 4,500 entries during a flood, and the newest at its end', () => {
    feed.begin(undefined);
    let most = 0;
    for (let count = 0; count < 20_000; count += 500) {
      add(...many(500, `${count}-`));
      clock.advance(100);
      most = Math.max(most, shown.ids.length);
    }
    wait();
    assert.ok(most <= 4_500, String(most));
    assert.equal(shown.ids.at(-1), followed.entries.at(-1)?.id);
    assert.deepEqual(
      shown.ids,
      followed.entries.slice(-shown.ids.length).map(({ id }) => id),
    );
  });

  it('starts shortly before the entry that the page returns to', () => {
    followed.entries = many(1_500);
    feed.begin('e700');
    assert.ok(shown.ids.includes('e700') && shown.ids.includes('e690'));
    assert.ok(!shown.ids.includes('e600'));
  });

  it('sends the first entry at once, then batches changes and sends each entry in its latest state', () => {
    feed.begin(undefined);
    assert.equal(shown.last.empty, 'Nothing');
    add(says('n'));
    assert.deepEqual(shown.ids, ['n']);
    const before = shown.messages.length;
    for (let index = 0; index < 1_000; index++) add(says(`n${index}`));
    change({ changed: [says('n1', 'changed')] });
    change({ removed: ['n2'] });
    wait();
    assert.equal(shown.ids.length, 1_000);
    assert.equal(shown.messages.length, before + 1);
    assert.equal(shown.texts.get('n1'), 'changed');
    assert.equal(shown.ids.includes('n2'), false);
    assert.equal(shown.last.empty, undefined);
  });

  it('sends an entry at once after a quiet moment, and batches those that follow', () => {
    feed.begin(undefined);
    add(says('first'));
    clock.advance(50);
    add(says('second'));
    assert.deepEqual(shown.ids, ['first', 'second']);
    const before = shown.messages.length;
    add(says('third'));
    clock.advance(30);
    add(says('fourth'));
    assert.deepEqual(shown.ids, ['first', 'second']);
    clock.advance(10);
    assert.deepEqual(shown.ids, ['first', 'second', 'third', 'fourth']);
    assert.equal(shown.messages.length, before + 1);
  });

  it('sends older entries before the others, even while some are still queued', () => {
    followed.entries = many(900);
    feed.begin(undefined);
    const older = many(300, 'o');
    followed.entries = [...older, ...followed.entries];
    change({ before: older });
    wait();
    assert.equal(shown.ids.length, 1_200);
    assert.deepEqual(
      shown.ids,
      followed.entries.map(({ id }) => id),
    );
  });

  it('replaces all entries after a reset', () => {
    followed.entries = many(3);
    feed.begin(undefined);
    followed.entries = many(5, 'x');
    change({ isReset: true });
    wait();
    assert.deepEqual(shown.ids, ['x0', 'x1', 'x2', 'x3', 'x4']);
  });

  it('sends nothing while no page is open, and everything to the next page', () => {
    feed.begin(undefined);
    feed.end();
    const before = shown.messages.length;
    add(...many(3));
    assert.equal(shown.messages.length, before);
    feed.begin(undefined);
    assert.deepEqual(shown.ids, ['e0', 'e1', 'e2']);
  });

  it('sends the current details of an entry, and finds text in them', () => {
    const action = (outcome: boolean): TranscriptEntry => ({
      id: 'a',
      at: 0,
      kind: 'action',
      isWaiting: false,
      action: {
        id: 'a',
        at: 0,
        stamp: undefined,
        source: 'agent',
        kind: 'action',
        toolName: 'terminal',
        toolCallId: 'c',
        stepId: 's',
        actionKind: 'TerminalAction',
        summary: undefined,
        thought: 'I look.',
        reasoning: undefined,
        arguments: '{"command": "ls"}',
        risk: 'low',
      },
      ...(outcome
        ? {
            outcome: {
              kind: 'result',
              id: 'o',
              at: 0,
              text: 'a file',
              isError: false,
              images: [],
            },
          }
        : {}),
    });
    followed.entries = [action(false)];
    feed.begin(undefined);
    assert.deepEqual(shown.ids, ['a#thought', 'a']);
    feed.open('a');
    const details = () =>
      shown.messages.flatMap((message) =>
        message.type === 'details' ? [JSON.stringify(message.blocks)] : [],
      );
    assert.match(details()[0] ?? '', /No result yet/);
    followed.entries = [action(true)];
    change({ changed: followed.entries });
    wait();
    feed.open('a');
    assert.match(details()[1] ?? '', /a file/);
    feed.find('i look');
    assert.deepEqual(shown.messages.at(-1), {
      type: 'found',
      query: 'i look',
      ids: ['a#thought'],
      inDetails: [],
    });
    feed.find('A FILE');
    assert.deepEqual(shown.messages.at(-1), {
      type: 'found',
      query: 'A FILE',
      ids: ['a'],
      inDetails: ['a'],
    });
    feed.find('nowhere');
    assert.deepEqual(shown.messages.at(-1), {
      type: 'found',
      query: 'nowhere',
      ids: [],
      inDetails: [],
    });
  });
});
