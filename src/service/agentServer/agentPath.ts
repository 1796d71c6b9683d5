/** Paths on the machine of an Agent Server. The folder of a sandbox that is a process is `.`: the one the process runs in. */
import { posix, win32 } from 'node:path';

/** True also for an absolute path of Windows. */
export function isAbsolute(path: string): boolean {
  return win32.isAbsolute(path);
}

/** An absolute spelling of a path, which exists only on Linux if the path is relative. */
export function absolutePath(path: string): string {
  return isAbsolute(path) ? path : posix.join('/proc/self/cwd', path);
}
