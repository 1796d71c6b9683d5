import { spawnSync } from 'node:child_process';

/** True if a process runs. A zombie does not. POSIX only. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const state = stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
