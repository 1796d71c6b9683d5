/**
 * Events that an Agent Server 1.58.0 has sent, the newest first; without most
 * of its statistics and its system prompts.
 */
import { readFileSync } from 'node:fs';
import type { AgentEvent } from '../../../../src/service/model/events.ts';
import { readEvent } from '../../../../src/service/records/readEvent.ts';

const lines = readFileSync(
  new URL('recorded/events.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n');
const all = lines.map(
  (line) =>
    JSON.parse(line) as { stream: string; event: Record<string, unknown> },
);

type Stream =
  | 'oneAction'
  | 'nextStep'
  | 'acceptedAndRuns'
  | 'interrupted'
  | 'severalActions'
  | 'rejected'
  | 'interruptedWhileItWaits'
  | 'afterAnError'
  | 'oneCannotRun';

export const streams: ReadonlySet<string> = new Set(
  all.map(({ stream }) => stream),
);

export function recorded(name: Stream): Record<string, unknown>[] {
  return all.filter(({ stream }) => stream === name).map(({ event }) => event);
}

export const readAll = (events: readonly unknown[]): AgentEvent[] =>
  events.map((event) => readEvent(event, () => undefined));
