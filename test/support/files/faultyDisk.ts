import { disk, type Disk, type OpenFile } from '../../../src/files/disk.ts';

/** A failed system call, as Node throws it. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${syscall}`), { code, errno: -1, syscall });
}

type Method = (...parameters: never[]) => unknown;

/**
 * The real disk, except that before each call `before` is told its name, and may throw. The calls on an open file are
 * named `file.write` and the like. A close is done before it fails, so that no file stays open.
 */
export function watchedDisk(before: (call: string, parameters: readonly unknown[]) => void): Disk {
  const watched = <T extends object>(object: T, prefix: string): T =>
    new Proxy(object, {
      get: (target, key) => {
        const method = Reflect.get(target, key) as Method | undefined;
        // Such as `then`, which is asked of all that is awaited.
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
          return call === 'open' ? watched(result as OpenFile, 'file.') : result;
        };
      },
    });
  return watched(disk, '');
}

/** The real disk, except that the calls of these names fail, each time, or as often as is said. */
export function failingDisk(code: string, names: readonly string[], times = Infinity): Disk {
  let left = times;
  return watchedDisk((call) => {
    if (names.includes(call) && left-- > 0) throw systemError(code, call);
  });
}
