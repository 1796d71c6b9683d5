import { spawnSync } from 'node:child_process';

/** Whether a process runs. One that has ended and whose exit code nobody has asked for does not. POSIX only. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  const state = stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
