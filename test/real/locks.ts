/**
 * Packages from the Python package index are pinned in locks/ with all their
 * dependencies, and with hashes. The files NAME.in there say what is wanted,
 * the files NAME.txt what that is in the end.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const lockNames = [
  'uv',
  'program',
  'reader',
  'agentServer',
  'olderAgentServer',
  'automations',
  'appServer',
  'serviceWithV0',
] as const;

export type LockName = (typeof lockNames)[number];

/**
 * Dependencies of an old release have moved on without it: these are pinned as
 * of a day on which it worked.
 */
export const asOf: Readonly<Partial<Record<LockName, string>>> = {
  olderAgentServer: '2026-07-15',
  serviceWithV0: '2025-11-20',
};

export function lockFile(name: LockName): string {
  return join(import.meta.dirname, 'locks', `${name}.txt`);
}

export function wantedFile(name: LockName): string {
  return join(import.meta.dirname, 'locks', `${name}.in`);
}

/** A folder of this name holds what is in the lock as it is now. */
export function nameWithLock(name: LockName): string {
  const hash = createHash('sha256')
    .update(readFileSync(lockFile(name)))
    .digest('hex');
  return `${name}-${hash.slice(0, 12)}`;
}
