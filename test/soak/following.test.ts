import { FollowedConversation } from '../../src/state/conversation/followedConversation.ts';
import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import { countDone } from '../support/done.ts';
import {
  type FollowDesk,
  followDesk,
  hasAll,
  Shown,
  until,
} from '../unit/state/conversation/followSupport.ts';
import { inWords, times } from './times.ts';

describe('a followed conversation', () => {
  const events = times(10_000);
  const breaks = times(200);
  let desk: FollowDesk;

  afterEach(async () => {
    await desk.stop();
  });

  it(`shows each of ${inWords(events)} events once and in order despite ${breaks} socket disconnects`, async () => {
    desk = await followDesk({ clock: systemClock });
    const conversation = await desk.begin('say: One.');
    const sockets = () =>
      desk.demo.requests.filter(({ path }) => path.startsWith('/sockets/'))
        .length;
    const followed = desk.service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    const shown = new Shown(followed);
    desk.demo.misbehave({
      socketBreaks: Math.ceil((2 * events) / breaks),
      socketRepeats: true,
      socketDisorder: true,
      only: '/sockets/',
    });
    followed.setVisible(true);
    await until(followed, () => followed.snapshot.connection.how === 'live');
    // Each command is four events, with the states in between; the last is a
    // message.
    await desk.say(
      conversation,
      `flood: ${Math.ceil(events / 3)}\nsay: The end.`,
    );
    await until(followed, () =>
      followed.entries.some(
        (entry) => entry.kind === 'message' && entry.text === 'The end.',
      ),
    );
    // Reading on makes up for the breaks.
    while (sockets() <= breaks) {
      followed.setVisible(false);
      followed.setVisible(true);
      await until(followed, () => followed.snapshot.connection.how === 'live');
    }
    const all = await desk.events(conversation);
    assert.ok(all.length >= events, String(all.length));
    const kinds = ['ConversationStateUpdateEvent', 'ObservationEvent'];
    const wanted = all
      .filter(({ kind }) => !kinds.includes(kind))
      .map(({ id }) => id);
    await until(followed, hasAll(followed, wanted));
    assert.deepEqual(
      followed.entries.map(({ id }) => id),
      wanted,
    );
    assert.deepEqual(
      shown.entries.map(({ id }) => id),
      wanted,
    );
    for (const entry of followed.entries)
      if (entry.kind === 'action') assert.ok(entry.outcome, entry.id);
    countDone(all.length, 'events, each shown once, in order');
    countDone(sockets() - 1, 'breaks of the socket');
  });
});
