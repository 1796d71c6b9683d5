/**
 * Random changes of a file, and what the program should read afterwards, going
 * by what it read before.
 */
import { Secret } from '../../src/base/secret.ts';
import type { Change, WrittenServer } from '../../src/mcp/edit/wantedChange.ts';
import type { Server } from '../../src/mcp/format/server.ts';
import type { Tape } from '../support/configTexts.ts';
import { type Meaning, ourMeaning } from './meaning.ts';
import type { ReadServer } from './program.ts';

/** A server of which tools were switched. */
export interface Switched {
  readonly server: ReadServer;
  /**
   * Tools that agents do not get; `undefined` if the program could not tell
   * before.
   */
  readonly off: readonly string[] | undefined;
}

export type Expected = Meaning | ReadServer | Switched;

type Servers = Readonly<Record<string, ReadServer>>;

const words = [
  'x',
  '-y',
  '',
  'a "b"',
  'é\n😀',
  '${HOME}',
  '\\',
  'null',
] as const;

function drawSecrets(tape: Tape): ReadonlyMap<string, Secret> {
  const names = ['A', 'API_KEY', 'X-A', '__proto__'] as const;
  return new Map(
    Array.from({ length: tape.below(3) }, () => [
      tape.pick(names),
      new Secret(tape.pick(words)),
    ]),
  );
}

function drawServer(tape: Tape): Server {
  const transport = tape.pick(['stdio', 'http', 'sse'] as const);
  if (transport === 'stdio') {
    const args = Array.from({ length: tape.below(4) }, () => tape.pick(words));
    return {
      transport,
      command: tape.pick(['npx', '/a b/c', 'é']),
      args,
      env: drawSecrets(tape),
    };
  }
  const url = tape.pick([
    'https://h.example/mcp',
    'http://127.0.0.1:1/sse?a=b#c',
  ]);
  const headers = drawSecrets(tape);
  return {
    transport,
    url,
    headers,
    ...(tape.once(3) && { auth: new Secret(tape.pick(['oauth', 'token'])) }),
  };
}

/** A change of a file with these servers, though it may be refused. */
export function drawChange(tape: Tape, servers: Servers): Change {
  const [first, ...others] = Object.keys(servers);
  const free = (): string =>
    tape.pick(['new', '', '__proto__', 'a "b"', 'mcpServers', 'Ünï']);
  const written = (name: string): WrittenServer => ({
    name,
    server: drawServer(tape),
    enabled: !tape.once(3),
    ...(tape.once(3) && {
      extra: new Map<string, number | string>([
        ['timeout', 30_000],
        ['description', 'd'],
      ]),
    }),
  });
  const kind = tape.below(11);
  if (first === undefined || kind < 2) return { do: 'add', ...written(free()) };
  const name = tape.pick([first, ...others]);
  switch (kind) {
    case 2:
    case 3:
      return { do: 'disable', name };
    case 4:
      return { do: 'enable', name };
    case 5:
      return { do: 'remove', name };
    case 6:
      return { do: 'replace', ...written(name) };
    case 7:
    case 8: {
      const tools = [
        ...Object.keys(servers[name]?.tools ?? {}),
        tape.pick(['read', '__proto__', 'é "x"']),
      ];
      const some = () => tools.filter(() => tape.once(2));
      return { do: 'tools', name, on: some(), off: some() };
    }
    case 9:
      return {
        do: 'url',
        name,
        url: tape.pick([
          'https://new.example/mcp',
          'http://127.0.0.1:1/é?a="b"',
        ]),
      };
    default:
      return tape.once(3) ? { do: 'wrap' } : { do: 'rename', name, to: free() };
  }
}

/**
 * The comparable reading of the program: the meaning of servers that the change
 * writes, and all fields of others.
 */
export function expectedAfter(
  before: Servers,
  change: Change,
): Record<string, Expected> {
  const all = new Map<string, Expected>(Object.entries(before));
  switch (change.do) {
    case 'add':
    case 'replace':
      all.set(
        change.name,
        ourMeaning(change.server, change.enabled ?? true, change.extra),
      );
      break;
    case 'enable':
    case 'disable': {
      const server = before[change.name];
      if (server)
        all.set(change.name, { ...server, enabled: change.do === 'enable' });
      break;
    }
    case 'remove':
      all.delete(change.name);
      break;
    case 'rename': {
      const server = before[change.name];
      all.delete(change.name);
      if (server) all.set(change.to, server);
      break;
    }
    case 'tools': {
      const server = before[change.name];
      if (server) all.set(change.name, switched(server, change));
      break;
    }
    case 'url': {
      const server = before[change.name];
      if (server) all.set(change.name, moved(server, change.url));
      break;
    }
    case 'wrap':
      break;
  }
  return Object.fromEntries(all);
}

function switched(
  server: ReadServer,
  { on, off }: Extract<Change, { readonly do: 'tools' }>,
): Switched {
  const were = Object.entries(server.tools ?? {}).flatMap(([tool, isOn]) =>
    isOn ? [] : [tool],
  );
  const are = new Set([...were.filter((tool) => !on.includes(tool)), ...off]);
  return { server, off: server.tools === null ? undefined : [...are].sort() };
}

/**
 * The address says which transport it is unless that is named. Nobody asks for
 * the address of a local server.
 */
function moved(server: ReadServer, url: string): ReadServer {
  const fields = { ...server.fields, url };
  if (server.reads.includes('Stdio')) return { ...server, fields };
  const transport =
    server.fields.transport === 'sse'
      ? 'SSETransport'
      : 'StreamableHttpTransport';
  return { ...server, transport, fields };
}
