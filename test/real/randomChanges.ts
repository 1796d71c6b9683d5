/** Random changes of a file, and what the program should read afterwards, going by what it read before. */
import { Secret } from '../../src/base/secret.ts';
import type { Change, Written } from '../../src/mcp/change.ts';
import type { Server } from '../../src/mcp/server.ts';
import type { Tape } from '../support/configTexts.ts';
import { type Meaning, ourMeaning } from './meaning.ts';
import type { ReadServer } from './program.ts';

type Servers = Readonly<Record<string, ReadServer>>;

const words = ['x', '-y', '', 'a "b"', 'é\n😀', '${HOME}', '\\', 'null'] as const;

function drawSecrets(tape: Tape): ReadonlyMap<string, Secret> {
  const names = ['A', 'API_KEY', 'X-A', '__proto__'] as const;
  return new Map(
    Array.from({ length: tape.below(3) }, () => [tape.pick(names), new Secret(tape.pick(words))]),
  );
}

function drawServer(tape: Tape): Server {
  const transport = tape.pick(['stdio', 'http', 'sse'] as const);
  if (transport === 'stdio') {
    const args = Array.from({ length: tape.below(4) }, () => tape.pick(words));
    return { transport, command: tape.pick(['npx', '/a b/c', 'é']), args, env: drawSecrets(tape) };
  }
  const url = tape.pick(['https://h.example/mcp', 'http://127.0.0.1:1/sse?a=b#c']);
  const headers = drawSecrets(tape);
  return {
    transport,
    url,
    headers,
    ...(tape.once(3) && { auth: new Secret(tape.pick(['oauth', 'token'])) }),
  };
}

/** A change of a file with servers of these names, though it may be refused. */
export function drawChange(tape: Tape, names: readonly string[]): Change {
  const [first, ...others] = names;
  const free = (): string => tape.pick(['new', '', '__proto__', 'a "b"', 'mcpServers', 'Ünï']);
  const written = (name: string): Written => ({
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
  const kind = tape.below(8);
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
    default:
      return tape.once(2) ? { do: 'wrap' } : { do: 'rename', name, to: free() };
  }
}

/** What the program reads, comparable: for a server that the change writes, what it means; for others, all that it says. */
export function expectedAfter(before: Servers, change: Change): Record<string, Meaning | ReadServer> {
  const all = new Map<string, Meaning | ReadServer>(Object.entries(before));
  switch (change.do) {
    case 'add':
    case 'replace':
      all.set(change.name, ourMeaning(change.server, change.enabled ?? true, change.extra));
      break;
    case 'enable':
    case 'disable': {
      const server = before[change.name];
      if (server) all.set(change.name, { ...server, enabled: change.do === 'enable' });
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
    case 'wrap':
      break;
  }
  return Object.fromEntries(all);
}
