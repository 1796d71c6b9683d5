import assert from 'node:assert/strict';
import { headOf } from '../../../../src/editor/words/headWords.ts';
import type { Agents } from '../../../../src/service/agentService.ts';
import { keyOf } from '../../../../src/service/entities.ts';
import { ServiceError } from '../../../../src/service/serviceError.ts';
import type { FollowedState } from '../../../../src/state/eventWatch.ts';
import { conversation } from '../../state/support.ts';

const unsteered = { confirmation: undefined, reach: undefined, execution: undefined, waiting: undefined };

describe('the header of a conversation page', () => {
  it('shows links to the parent and child conversations, even to unlisted ones', () => {
    const parent = conversation({ id: 'parent', title: 'Move the shop' });
    const own = conversation({ id: 'own', parentId: 'parent', childIds: ['child-of-own'] });
    const { related } = headOf(
      { conversation: own, connection: { how: 'live' }, ...unsteered },
      {
        now: 0,
        service: undefined,
        abilities: undefined,
        find: (key) => (key === keyOf(parent) ? parent : undefined),
        changedFiles: undefined,
      },
    );
    assert.deepEqual(related, [
      { id: keyOf(parent), label: 'Started by “Move the shop”' },
      { id: keyOf({ service: own.service, id: 'child-of-own' }), label: 'Started “Untitled child-of”' },
    ]);
  });

  it('offers Show Changes with the known number of files, Take Over, and the rest in a menu', () => {
    const heads = [undefined, 0, 3].map((changedFiles) =>
      headOf(
        { conversation: conversation(), connection: { how: 'live' }, ...unsteered },
        {
          now: 0,
          service: undefined,
          abilities: { steering: {} as Agents },
          find: () => undefined,
          changedFiles,
        },
      ),
    );
    assert.deepEqual(
      heads.map(({ buttons }) => buttons.map(({ label, count }) => [label, count])),
      [undefined, undefined, 3].map((count) => [
        ['Show Changes', count],
        ['Take Over', undefined],
      ]),
    );
    const menu = heads[0]?.menu.map(({ label }) => label) ?? [];
    assert.ok(menu.includes('Copy as Markdown') && !menu.includes('Take Over'), menu.join());
  });

  it('distinguishes a deleted conversation from an unreachable service', () => {
    const connection = (connection: FollowedState) =>
      headOf(
        { conversation: conversation(), connection, ...unsteered },
        { now: 0, service: undefined, abilities: undefined, find: () => undefined, changedFiles: undefined },
      ).connection;
    const failed = (kind: 'notFound' | 'unreachable') => {
      const failure = kind === 'notFound' ? { kind } : { kind, why: 'nobody is there', closed: false };
      const circumstances = { couldNot: 'Could not read', address: 'https://agents.example' };
      return connection({ how: 'unreachable', error: new ServiceError(failure, circumstances) });
    };
    const gone = failed('notFound');
    assert.deepEqual(
      [gone.text, gone.reason],
      ['The service does not have this conversation any more.', undefined],
    );
    const away = failed('unreachable');
    assert.equal(away.text, 'Not reachable.');
    assert.match(away.reason ?? '', /nobody is there/);
  });
});
