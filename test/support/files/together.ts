import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment, ended } from './scratch.ts';

const updater = join(import.meta.dirname, 'updater.ts');

/**
 * Several processes change the file, each counting up under its own name; if
 * they are apart, on clocks of their own.
 */
export async function updateTogether(
  file: string,
  processes: number,
  times: number,
  where: 'here' | 'apart' = 'here',
): Promise<void> {
  const children = Array.from({ length: processes }, (_, i) =>
    spawn(
      process.execPath,
      [
        updater,
        file,
        `p${i}`,
        String(times),
        ...(where === 'apart' ? [String(i)] : []),
      ],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: childEnvironment,
      },
    ),
  );
  assert.deepEqual(
    await Promise.all(children.map(ended)),
    children.map(() => 0),
  );
}

/** The content of the file if no update was lost. */
export function allOf(
  processes: number,
  times: number,
): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: processes }, (_, i) => [`p${i}`, times]),
  );
}
