import type { OpenFile } from './disk.ts';
import type { Machine } from './machine.ts';
import { settled, type Snapshot } from './read.ts';

/**
 * A program that does not lock can open a file just before it is replaced, and write into what is no longer the file.
 * Whoever keeps the replaced file open can see that, and what would have been lost.
 */
export interface Late {
  /** What somebody wrote into it since it was read; undefined for nothing, and for what does not become whole. */
  bytes(whole: (text: string) => boolean): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/** To be opened before replacing. Not on Windows, where an open file cannot be replaced. */
export async function openLate(target: string, read: Snapshot, machine: Machine): Promise<Late | undefined> {
  if (machine.platform === 'win32') return undefined;
  const file = await machine.disk.open(target, 'r');
  return {
    bytes: async (whole) => {
      try {
        if (read.bytes.equals(await bytesOf(file))) return undefined;
        const acceptable = (bytes: Buffer) => whole(bytes.toString());
        const bytes = await settled(() => bytesOf(file), acceptable, machine.clock);
        return acceptable(bytes) ? bytes : undefined;
      } catch {
        // The file is replaced, and cannot be said not to be.
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
