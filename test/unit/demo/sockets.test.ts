import assert from 'node:assert/strict';
import { until } from '../../support/eventually.ts';
import { type Frame, SocketDemo } from './socketClient.ts';

describe('a WebSocket of the demo Agent Server', () => {
  let demo: SocketDemo;

  beforeEach(async () => {
    demo = await SocketDemo.start();
  });

  afterEach(async () => {
    await demo.stop();
  });

  const say = () => demo.say('say: This is written piece by piece.');
  const kept = (frames: readonly Frame[]) =>
    frames.filter(
      ({ key, kind }) => key !== 'full_state' && kind !== 'StreamingDeltaEvent',
    );
  const finished = (frames: readonly Frame[]) => () =>
    frames.some(
      ({ key, value }) => key === 'execution_status' && value === 'finished',
    );

  it('sends the whole state first, then events, and the state again after a run', async () => {
    const { frames } = demo.open();
    await until(() => frames.length > 0);
    await say();
    await until(finished(frames));
    await until(
      () => frames.filter(({ key }) => key === 'full_state').length === 2,
    );
    assert.equal(frames[0]?.key, 'full_state');
    const all = (await demo.events()).map(({ id }) => id);
    const sent = kept(frames).map(({ id }) => id);
    assert.deepEqual(sent, all.slice(-sent.length));
  });

  it('streams text in pieces that the event log omits', async () => {
    const { frames } = demo.open();
    await until(() => frames.length > 0);
    await say();
    await until(finished(frames));
    const pieces = frames.filter(({ kind }) => kind === 'StreamingDeltaEvent');
    assert.ok(pieces.length > 1);
    assert.ok(
      'This is written piece by piece.'.startsWith(
        pieces.map(({ content }) => content).join(''),
      ),
    );
    assert.ok(
      (await demo.events()).every(({ kind }) => kind !== 'StreamingDeltaEvent'),
    );
  });

  it('goes on with a message while other events come', async () => {
    const { frames } = demo.open();
    await until(() => frames.length > 0);
    const text = 'This is written piece by piece. '.repeat(20).trim();
    await demo.say(`say: ${text}`);
    const pieces = () =>
      frames.filter(({ kind }) => kind === 'StreamingDeltaEvent');
    await until(() => pieces().length > 0);
    await demo.ask(
      `/api/conversations/${demo.id}`,
      { tags: { pin: '1' } },
      'PATCH',
    );
    await until(finished(frames));
    const firstPiece = frames.findIndex(
      ({ kind }) => kind === 'StreamingDeltaEvent',
    );
    assert.notEqual(
      frames.findIndex(({ key }) => key === 'tags') + 1,
      firstPiece,
    );
    const written = pieces().map(({ content }) => content);
    assert.ok(text.startsWith(written.join('')), written.join('|'));
  });

  it('resends all events, or those since a timestamp', async () => {
    const first = demo.open();
    await until(() => first.frames.length > 0);
    await say();
    await until(finished(first.frames));
    const all = await demo.events();
    const everything = demo.open('?after_timestamp=');
    await until(() => kept(everything.frames).length === all.length);
    const since = demo.open(`?after_timestamp=${all.at(-2)?.timestamp ?? ''}`);
    await until(() => kept(since.frames).length >= 2);
    assert.deepEqual(
      kept(since.frames).map(({ id }) => id),
      all.slice(-2).map(({ id }) => id),
    );
  });

  it('closes with 4001 for a wrong key, and with 4004 for an unknown conversation', async () => {
    assert.equal(await demo.open('', demo.id, 'wrong').closed, 4001);
    assert.equal(await demo.open('', crypto.randomUUID()).closed, 4004);
  });

  it('gives every event a later timestamp than the one before', async () => {
    const { frames } = demo.open();
    await until(() => frames.length > 0);
    await say();
    await until(finished(frames));
    const times = (await demo.events()).map(({ timestamp }) => timestamp);
    assert.deepEqual([...new Set(times)].sort(), times);
  });
});
