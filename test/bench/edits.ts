import { editText } from '../../src/mcp/edit/editText.ts';
import { median, milliseconds, type Row } from './table.ts';

const servers = 10_000;
const runs = 60;

/** Changes to a large file in memory, proof included, compared with parsing and stringifying it without any checks. */
export function edits(): Promise<Row[]> {
  const text = largeFile();
  const toggle = (i: number) => {
    editText(text, { do: 'disable', name: `server-${(i * 7919) % servers}` });
  };
  const reference = () => {
    JSON.stringify(JSON.parse(text), null, 2);
  };
  for (let i = 0; i < 10; i++) {
    toggle(i);
    reference();
  }
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let i = 0; i < runs; i++) {
    theirs.push(time(reference));
    ours.push(
      time(() => {
        toggle(i);
      }),
    );
  }
  const [one, other] = [median(ours), median(theirs)];
  return Promise.resolve([
    {
      what: `toggling 1 of ${servers} servers (${(text.length / 1e6).toFixed(1)} MB), with its proof`,
      ours: milliseconds(one),
      reference: `${milliseconds(other)} (JSON.parse and JSON.stringify)`,
      ratio: `${(one / other).toFixed(2)}x`,
      goal: 'at most 2x',
    },
  ]);
}

function largeFile(): string {
  const entries = Array.from({ length: servers }, (_, i) => [
    `server-${i}`,
    i % 3 === 0
      ? {
          url: `https://example.com/mcp/${i}`,
          transport: 'http',
          headers: { Authorization: 'Bearer 0123456789' },
        }
      : { command: 'npx', args: ['-y', `@scope/package-${i}`], env: { API_TOKEN: `0123456789abcdef${i}` } },
  ]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) as unknown }, null, 2);
}

function time(action: () => void): number {
  const begin = performance.now();
  action();
  return performance.now() - begin;
}
