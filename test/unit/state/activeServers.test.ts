import assert from 'node:assert/strict';
import type { AgentToolServers } from '../../../src/service/abilities/agentService.ts';
import { readServiceServers } from '../../../src/service/records/serviceServer.ts';
import {
  ActiveServers,
  changesBetween,
  maxAsked,
} from '../../../src/state/activeServers.ts';
import type { ConnectedService } from '../../../src/state/connectedService.ts';
import type { Switchboard } from '../../../src/state/switchboard.ts';
import type { Conversation } from '../../../src/service/model/entities.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { conversation } from './support.ts';

const serversOf = (records: Readonly<Record<string, object>>) =>
  readServiceServers(records, true);
const command = { command: 'x' };

/** A service whose conversations answer what they are told to. */
function serviceWith(
  rows: readonly Conversation[],
  answer: (id: string) => AgentToolServers,
  settings: Readonly<Record<string, object>> = {},
  more: { readonly sandboxes?: object; readonly error?: object } = {},
) {
  const asked: string[] = [];
  let settingsReads = 0;
  const steering = {
    toolServers: (id: string) => {
      asked.push(id);
      return Promise.resolve(answer(id));
    },
  };
  const service = {
    client: { service: { sandboxes: more.sandboxes } },
    conversations: { rows: new Map(rows.map((row) => [row.id, row])) },
    locations: {
      useReady: (
        row: Conversation,
        _call: object,
        work: (location: object) => Promise<unknown>,
      ) =>
        row.status === 'running'
          ? Promise.resolve().then(() => work({ steering }))
          : Promise.reject(new Error('Its sandbox is starting.')),
    },
    toolServers: {
      ability: {},
      asOf: 1,
      error: more.error,
      rows: serversOf(settings),
      refresh: () => {
        settingsReads++;
        return Promise.resolve();
      },
    },
  } as unknown as ConnectedService;
  const active = new ActiveServers(
    { services: [service] } as unknown as Switchboard,
    new SteppedClock(),
  );
  return { active, asked, settingsReads: () => settingsReads };
}

const row = (id: string, more: Partial<Conversation> = {}) =>
  conversation({ id, status: 'running', updatedAt: 1, ...more });

describe('the MCP status of running conversations', () => {
  it('reads the conversation, and not the settings of its service', async () => {
    const answer = {
      servers: serversOf({ a: command, off: { ...command, enabled: false } }),
      tools: ['echo'],
    };
    const { active } = serviceWith([row('one')], () => answer, { b: command });
    await active.refresh();
    const [first] = active.conversations;
    assert.deepEqual(first?.kind === 'known' && first.servers, [
      { name: 'a', tools: ['echo'] },
    ]);
    assert.deepEqual(first?.kind === 'known' && first.changes, [
      { name: 'b', kind: 'added' },
      { name: 'a', kind: 'removed' },
    ]);
  });

  it('gives each server the tools that begin with its name, and none if no tool arrived', async () => {
    const answer = {
      servers: serversOf({ git: command, git_hub: command, broken: command }),
      tools: ['git_log', 'git_hub_issues', 'other'],
    };
    const { active } = serviceWith([row('one')], () => answer);
    await active.refresh();
    const [first] = active.conversations;
    assert.deepEqual(first?.kind === 'known' && first.servers, [
      { name: 'git', tools: ['git_log'] },
      { name: 'git_hub', tools: ['git_hub_issues'] },
      { name: 'broken', tools: [] },
    ]);
  });

  it('leaves tools unknown before the agent was given its prompt', async () => {
    const { active } = serviceWith([row('one')], () => ({
      servers: serversOf({ a: command }),
      tools: undefined,
    }));
    await active.refresh();
    const [first] = active.conversations;
    assert.deepEqual(first?.kind === 'known' && first.servers, [
      { name: 'a', tools: undefined },
    ]);
  });

  it('says why it is unknown if the agent cannot be reached', async () => {
    const { active, asked } = serviceWith(
      [row('one', { status: 'starting' })],
      () => assert.fail(),
    );
    await active.refresh();
    assert.deepEqual(
      active.conversations.map((each) => each.kind === 'unknown' && each.why),
      ['Its sandbox is starting.'],
    );
    assert.deepEqual(asked, []);
  });

  it('compares nothing with settings that are unknown, or to which the service adds servers', async () => {
    const answer = { servers: serversOf({ a: command }), tools: [] };
    for (const more of [{ sandboxes: {} }, { error: new Error('No.') }]) {
      const { active } = serviceWith([row('one')], () => answer, {}, more);
      await active.refresh();
      const [first] = active.conversations;
      assert.equal(first?.kind === 'known' && first.changes, undefined);
    }
  });

  it('asks only the last active conversations, each once, and none that has stopped', async () => {
    const rows = Array.from({ length: maxAsked + 3 }, (_, i) =>
      row(`c${i}`, { updatedAt: i }),
    );
    const stopped = row('stopped', { status: 'stopped', updatedAt: 99 });
    const { active, asked, settingsReads } = serviceWith(
      [...rows, stopped],
      () => ({
        servers: [],
        tools: [],
      }),
    );
    await Promise.all([active.refresh(), active.refresh()]);
    assert.deepEqual(
      asked,
      rows
        .slice(3)
        .reverse()
        .map(({ id }) => id),
    );
    assert.equal(active.notAsked, 3);
    assert.equal(settingsReads(), 1);
  });
});

describe('the difference between a conversation and the settings', () => {
  const changes = (
    before: Readonly<Record<string, object>>,
    now: Readonly<Record<string, object>>,
  ) =>
    changesBetween(serversOf(before), serversOf(now)).map(
      ({ name, kind }) => `${name} ${kind}`,
    );
  const off = { ...command, enabled: false };

  it('lists what was added, removed, enabled, disabled and changed', () => {
    assert.deepEqual(
      changes(
        {
          same: command,
          gone: command,
          on: off,
          off: command,
          new: command,
          wasOff: off,
        },
        {
          same: command,
          added: command,
          addedOff: off,
          on: command,
          off,
          new: { command: 'y' },
        },
      ),
      [
        'added added',
        'on enabled',
        'off disabled',
        'new changed',
        'gone removed',
      ],
    );
  });

  it('notices every field but secrets, which records lack', () => {
    const remote = { url: 'https://a.example/mcp' };
    assert.deepEqual(
      changes(
        { a: remote },
        { a: { ...remote, headers: { Authorization: 'x' } } },
      ),
      [],
    );
    assert.deepEqual(
      changes({ a: command }, { a: { ...command, env: { A: 'x' } } }),
      [],
    );
    assert.deepEqual(
      changes({ a: command }, { a: { ...command, cwd: '/x' } }),
      ['a changed'],
    );
    assert.deepEqual(
      changes({ a: remote }, { a: { url: 'https://b.example/mcp' } }),
      ['a changed'],
    );
  });
});
