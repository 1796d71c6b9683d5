import { readOpenFile } from './disk.ts';
import type { Machine } from './machine.ts';
import { maxConfigSize, readUntilStable, type Snapshot } from './read.ts';

/**
 * Finds writes of another program into the file that we replace. A program that does not lock can open the file just before
 * that, and write into what is then no longer the file. If we keep it open, we can see what would be lost.
 *
 * Call it before replacing. Undefined on Windows, where an open file cannot be replaced.
 */
export async function openLateWrites(target: string, read: Snapshot, machine: Machine) {
  if (machine.platform === 'win32') return undefined;
  const file = await machine.disk.open(target, 'r');
  // Something too large could not be put back.
  const bytesNow = async () => (await readOpenFile(file, maxConfigSize)).bytes ?? Buffer.alloc(0);
  return {
    /** The contents, if they were written since the file was read and are whole. */
    find: async (isWhole: (text: string) => boolean): Promise<Buffer | undefined> => {
      try {
        if (read.bytes.equals(await bytesNow())) return undefined;
        const acceptable = (bytes: Buffer) => isWhole(bytes.toString());
        const bytes = await readUntilStable(bytesNow, acceptable, machine.clock);
        return acceptable(bytes) ? bytes : undefined;
      } catch {
        // Our change is written, so this must not fail.
        return undefined;
      }
    },
    close: () => file.close().catch(() => undefined),
  };
}
