import assert from 'node:assert/strict';
import { Outbox } from '../../../../../src/editor/conversations/page/outbox.ts';
import type { TranscriptEntry } from '../../../../../src/state/transcript/transcriptEntry.ts';

describe('messages on their way to an agent', () => {
  let entries: TranscriptEntry[];
  let outbox: Outbox;

  beforeEach(() => {
    entries = [];
    outbox = new Outbox(() => entries);
  });

  let last = 0;
  const entry = (
    text: string,
    role: 'user' | 'assistant' = 'user',
    leftOut?: number,
  ): TranscriptEntry => ({
    id: `entry ${++last}`,
    at: 0,
    kind: 'message',
    role,
    text,
    reasoning: undefined,
    images: [],
    ...(leftOut === undefined ? {} : { leftOut }),
  });
  const drawn = () => {
    outbox.forgetArrived();
    return outbox.drawn.map(
      (each) => each.kind === 'message' && [each.text, each.time],
    );
  };

  it('shows a message at once, with what happens to it', () => {
    const sent = outbox.add(
      { text: 'Go on', attached: [{ id: 1, name: 'a.ts:1', text: 'one' }] },
      'Sending…',
    );
    assert.deepEqual(drawn(), [['Go on\n\na.ts:1', 'Sending…']]);
    sent.state = 'The sandbox is starting.';
    assert.deepEqual(drawn(), [
      ['Go on\n\na.ts:1', 'The sandbox is starting.'],
    ]);
    assert.equal(outbox.isSending, true);
    outbox.drop(sent);
    assert.deepEqual([drawn(), outbox.isSending], [[], false]);
  });

  it('never shows a message twice, whether its event or the reply comes first', () => {
    entries.push(entry('Go on'));
    const first = outbox.add({ text: 'Go on' }, 'Sending…');
    assert.equal(drawn().length, 1);
    entries.push(entry('Go on'));
    assert.deepEqual(drawn(), []);
    outbox.sent(first);
    assert.deepEqual(drawn(), []);
    const second = outbox.add({ text: 'And then' }, 'Sending…');
    outbox.sent(second);
    assert.deepEqual(drawn(), [['And then', '']]);
    assert.equal(outbox.isSending, false);
    entries.push(entry('And then'));
    assert.deepEqual(drawn(), []);
  });

  it('keeps the second of two equal messages until it has arrived as well', () => {
    outbox.add({ text: 'Go on' }, 'Sending…');
    outbox.add({ text: 'Go on' }, 'Sending…');
    entries.push(entry('Go on'));
    assert.equal(drawn().length, 1);
    entries.push(entry('Go on'));
    assert.equal(drawn().length, 0);
  });

  it('recognises a message of which only the beginning is kept', () => {
    outbox.add({ text: 'x'.repeat(100) }, 'Sending…');
    entries.push(entry('x'.repeat(10), 'user', 90));
    assert.deepEqual(drawn(), []);
  });

  it('forgets a message that the service has changed, once something happened after it', () => {
    const sent = outbox.add({ text: 'Go on' }, 'Sending…');
    entries.push(entry('Working.', 'assistant'));
    outbox.sent(sent);
    assert.equal(drawn().length, 1);
    entries.push(entry('GO ON'));
    assert.deepEqual(drawn(), []);
  });
});
