/**
 * The part of the table in dialects.ts about how a server is reached. It is here because each command of the terminal
 * needs it, and the rest of the table takes half a millisecond to load.
 */
import type { ForeignKey } from './dialects.ts';

export const foreignTargets: ReadonlyMap<string, ForeignKey> = new Map<string, ForeignKey>([
  ['httpUrl', { of: ['gemini-cli'], is: 'url', transport: 'http' }],
  ['serverUrl', { of: ['windsurf'], is: 'url' }],
  ['cmd', { of: ['goose'], is: 'command' }],
]);

/** Whether a key of a server says how it is reached, here or in another program. */
export function isTargetKey(key: string): boolean {
  return key === 'url' || key === 'command' || foreignTargets.has(key);
}
