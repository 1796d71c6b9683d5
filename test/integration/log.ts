/** Records what the extension logs, at all levels. */
import { inspect } from 'node:util';
import type { LogOutputChannel } from 'vscode';
import { type Anything, replace } from './person.ts';

export const logged: string[] = [];

const listened = new WeakSet<LogOutputChannel>();

export function listenTo(channel: LogOutputChannel): void {
  if (listened.has(channel)) return;
  listened.add(channel);
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) {
    const write = channel[level].bind(channel) as Anything;
    replace(channel, level, (...args) => {
      logged.push(args.map((arg) => text(arg)).join(' '));
      return write(...args);
    });
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: 10 });
}
