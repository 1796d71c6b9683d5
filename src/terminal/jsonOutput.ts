/** Output for programs. */
import type { Entry } from '../mcp/format/entry.ts';
import { showServer } from '../mcp/format/mask.ts';
import type { Host } from './host.ts';

/** Prints one document. Control characters and invisible characters are escaped in its strings. */
export function printJson({ stdout }: Pick<Host, 'stdout'>, value: object): void {
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007F-\u009F\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
      ).join(''),
  );
  stdout.write(`${text}\n`);
}

/** A server; `transport` is null if its entry has neither a command nor a URL. */
export function serverJson({ name, enabled, server, tools }: Entry, reveal = false): object {
  const off = toolsOff(tools);
  return {
    name,
    enabled,
    ...(server ? showServer(server, reveal) : { transport: null }),
    ...(off.length > 0 && { toolsOff: off }),
  };
}

/** The names of the tools that agents do not get. */
export function toolsOff(tools: Entry['tools']): string[] {
  return [...tools].flatMap(([tool, enabled]) => (enabled ? [] : [tool]));
}
