import assert from 'node:assert/strict';
import { UserError } from '../../../../../src/base/errors.ts';
import { statusSections } from '../../../../../src/editor/words/mcpServers/statusWords.ts';
import { readServiceServers } from '../../../../../src/service/records/serviceServer.ts';
import type { ConversationServers } from '../../../../../src/state/activeServers.ts';
import type { ConnectedService } from '../../../../../src/state/connectedService.ts';
import { ServerList } from '../../../../../src/state/mcpServers/serverList.ts';
import { conversation } from '../../../state/support.ts';

const address = 'http://localhost:8000';

async function fileWith(
  text: string | undefined,
  saved = true,
): Promise<ServerList> {
  const servers = new ServerList(() =>
    Promise.resolve({ path: '/mcp.json', text, saved }),
  );
  await servers.refresh();
  return servers;
}

function serviceWith(
  records: Readonly<Record<string, object>>,
): ConnectedService {
  const rows = readServiceServers(records, true);
  const toolServers = { ability: {}, asOf: 1, error: undefined, rows };
  return { address, name: 'Desk', toolServers } as unknown as ConnectedService;
}

const row = (title: string) =>
  conversation({ id: title, title, service: address });

async function sectionsOf(
  conversations: readonly ConversationServers[],
  {
    text = '{}',
    notAsked = 0,
  }: { readonly text?: string; readonly notAsked?: number } = {},
) {
  const services = [
    serviceWith({ a: { command: 'x' }, off: { command: 'x', enabled: false } }),
  ];
  return statusSections(
    await fileWith(text),
    { conversations, notAsked, asOf: 0 },
    services,
    60_000,
  );
}

describe('the page of the MCP servers of running conversations', () => {
  it('says of each place who reads it', async () => {
    const sections = await sectionsOf([], {
      text: '{"mcpServers":{"f":{"command":"x"}}}',
    });
    const about = sections.map(({ title, text, facts }) => [
      title,
      text,
      facts?.[0],
    ]);
    assert.deepEqual(about[0], [
      'In the settings of Desk',
      'Read by new conversations at Desk. An agent profile may leave some of them out.',
      ['Enabled', 'a'],
    ]);
    assert.deepEqual(about.at(-1), [
      'In the configuration file',
      'Read by the OpenHands command line here, not by conversations in the list. It uses the servers in the file when a conversation starts or restarts there.',
      ['Enabled', 'f'],
    ]);
  });

  it('never takes a server of the file for one of a conversation', async () => {
    const none = {
      conversation: row('One'),
      kind: 'known',
      servers: [],
      changes: [],
    } as const;
    const sections = await sectionsOf([none], {
      text: '{"mcpServers":{"everything":{"command":"x"}}}',
    });
    const one = sections.find(({ title }) => title === 'One');
    assert.deepEqual(one?.facts, [
      ['Active', 'none'],
      [
        'Changed since',
        'nothing, apart from secrets, which cannot be compared',
      ],
    ]);
  });

  it('lists the tools that the agent was given, servers without any, and later changes', async () => {
    const servers = [
      { name: 'a', tools: ['a_echo', 'a_tell'] },
      { name: 'broken', tools: [] },
      { name: 'early', tools: undefined },
    ];
    const changes = [{ name: 'b', kind: 'added' } as const];
    const sections = await sectionsOf([
      { conversation: row('One'), kind: 'known', servers, changes },
    ]);
    assert.deepEqual(sections.find(({ title }) => title === 'One')?.facts, [
      ['Active', 'a: a_echo, a_tell'],
      ['', 'broken: none of its tools reached the agent'],
      ['', 'early: its tools are unknown until the agent starts'],
      ['Changed since', 'b: added, or left out by its agent profile'],
      ['', 'Only new conversations get these changes.'],
    ]);
  });

  it('says what is unknown, and why', async () => {
    const unknown = {
      conversation: row('One'),
      kind: 'unknown',
      why: 'Its sandbox is paused.',
    } as const;
    const other = {
      conversation: row('Two'),
      kind: 'known',
      servers: [],
      changes: undefined,
    } as const;
    const sections = await sectionsOf([unknown, other], { notAsked: 4 });
    const one = sections.find(({ title }) => title === 'One');
    assert.equal(
      one?.text,
      'Which servers it has is unknown. Its sandbox is paused.',
    );
    const two = sections.find(({ title }) => title === 'Two');
    assert.match(
      two?.facts?.at(-1)?.[1] ?? '',
      /^unknown: the service adds servers of its own/,
    );
    const asked = sections.find(
      ({ title }) => title === 'Running conversations',
    );
    assert.match(
      asked?.text ?? '',
      /^Only the 10 that were active last were asked; 4 more are running\./,
    );
  });

  it('groups conversations with the same servers', async () => {
    const same = {
      kind: 'known',
      servers: [{ name: 'a', tools: ['echo'] }],
      changes: [],
    } as const;
    const sections = await sectionsOf(
      ['A', 'B'].map((title) => ({ conversation: row(title), ...same })),
    );
    const group = sections.find(
      ({ title }) => title === '2 conversations with the same servers',
    );
    assert.deepEqual(group?.facts?.slice(-2), [
      ['Conversations', 'A'],
      ['', 'B'],
    ]);
  });

  it('says that a file is refused, unreadable or not saved', async () => {
    const lastOf = (servers: ServerList) =>
      statusSections(
        servers,
        { conversations: [], notAsked: 0, asOf: undefined },
        [],
        0,
      ).at(-1)?.facts ?? [];
    const refused = lastOf(
      await fileWith('{"mcpServers":{"a":{"command":"x"}}}//'),
    );
    assert.match(refused[0]?.[1] ?? '', /^This file is invalid/);
    assert.match(refused.at(-1)?.[1] ?? '', /^Line 1, column 37: A comment/);
    assert.match(
      JSON.stringify(lastOf(await fileWith('{}', false))),
      /It has unsaved changes/,
    );
    const unreadable = new ServerList(() =>
      Promise.reject(new UserError('It is a folder.')),
    );
    await unreadable.refresh();
    assert.match(
      lastOf(unreadable)[0]?.[1] ?? '',
      /cannot be read\. It is a folder\.$/,
    );
  });
});
