import type { OpenFile } from './disk.ts';
import type { Machine } from './machine.ts';
import { settled, type Snapshot } from './read.ts';

/**
 * What another program writes into the file that we replace. A program that does not lock can open the file just before
 * that, and write into what is then no longer the file. If we keep it open, we can see what would be lost.
 */
export interface LateWrites {
  /** What the file says now, if it was written since it was read and says something whole. */
  find(isWhole: (text: string) => boolean): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/** Call it before replacing. Undefined on Windows, where an open file cannot be replaced. */
export async function openLateWrites(
  target: string,
  read: Snapshot,
  machine: Machine,
): Promise<LateWrites | undefined> {
  if (machine.platform === 'win32') return undefined;
  const file = await machine.disk.open(target, 'r');
  return {
    find: async (isWhole) => {
      try {
        if (read.bytes.equals(await bytesOf(file))) return undefined;
        const acceptable = (bytes: Buffer) => isWhole(bytes.toString());
        const bytes = await settled(() => bytesOf(file), acceptable, machine.clock);
        return acceptable(bytes) ? bytes : undefined;
      } catch {
        // Our change is written, so this must not fail.
        return undefined;
      }
    },
    close: () => file.close().catch(() => undefined),
  };
}

async function bytesOf(file: OpenFile): Promise<Buffer> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}
