import type { Stats } from 'node:fs';
import { disk, type Disk, type OpenFile } from '../../../src/files/disk.ts';

/** The error that Node throws when a system call fails. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${syscall}`), {
    code,
    errno: -1,
    syscall,
  });
}

type Method = (...parameters: never[]) => unknown;

/**
 * The real disk, which calls `before` with the name of each call. `before` may
 * throw. Calls on an open file have names like `file.write`. A file is closed
 * even if its close fails, so no file stays open.
 */
export function watchedDisk(
  before: (call: string, parameters: readonly unknown[]) => void,
  on: Disk = disk,
): Disk {
  const watched = <T extends object>(object: T, prefix: string): T =>
    new Proxy(object, {
      get: (target, key) => {
        const method = Reflect.get(target, key) as Method | undefined;
        // For example `then`, which `await` looks up.
        if (!method) return undefined;
        const call = `${prefix}${String(key)}`;
        if (call.endsWith('Sync')) {
          return (...parameters: never[]) => {
            before(call, parameters);
            return method.apply(target, parameters);
          };
        }
        return async (...parameters: never[]) => {
          if (key !== 'close') before(call, parameters);
          const result = await method.apply(target, parameters);
          if (key === 'close') before(call, parameters);
          return call === 'open'
            ? watched(result as OpenFile, 'file.')
            : result;
        };
      },
    });
  return watched(on, '');
}

/**
 * The real disk, on which some files have been there for longer than they have,
 * or will only be there later: no call can set the time that the file system
 * keeps.
 */
export function agedDisk(
  milliseconds: number,
  isOld: (path: string) => boolean,
): Disk {
  const aged = <T extends Stats>(path: string, stats: T): T => {
    if (isOld(path)) stats.ctimeMs -= milliseconds;
    return stats;
  };
  return {
    ...disk,
    lstat: async (path) => aged(path, await disk.lstat(path)),
    readFile: async (path, most) => {
      const read = await disk.readFile(path, most);
      return { ...read, stats: aged(path, read.stats) };
    },
  };
}

/**
 * The real disk, on which the named calls fail: always, or the given number of
 * times.
 */
export function failingDisk(
  code: string,
  names: readonly string[],
  times = Infinity,
): Disk {
  let left = times;
  return watchedDisk((call) => {
    if (names.includes(call) && left-- > 0) throw systemError(code, call);
  });
}
