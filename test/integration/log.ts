/** What the extension logs, on every level. This is loaded before the extension is. */
import { inspect } from 'node:util';
import { type LogOutputChannel, window } from 'vscode';
import { replace } from './person.ts';

export const logged: string[] = [];

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error']);
const create = window.createOutputChannel.bind(window);

replace(window, 'createOutputChannel', (name) => recorded(create(String(name), { log: true })));

function recorded(channel: LogOutputChannel): LogOutputChannel {
  return new Proxy(channel, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        if (levels.has(String(name))) logged.push(args.map((arg) => text(arg)).join(' '));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: 10 });
}
