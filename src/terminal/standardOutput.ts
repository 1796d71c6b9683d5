import { fstatSync, writeSync } from 'node:fs';
import { type TerminalOutput, OutputError, unwrittenExitCode } from './host.ts';

/** Uses a stream only for a terminal, because loading Node's streams takes longer than a list. */
export function standardOutput(fd: 1 | 2): TerminalOutput {
  const stream = isDevice(fd) ? (fd === 1 ? process.stdout : process.stderr) : undefined;
  if (stream?.isTTY !== true) {
    return {
      write: (text) => {
        writeAll(fd, text);
      },
      isTTY: false,
      columns: undefined,
    };
  }
  // The terminal may close.
  stream.on('error', () => {
    if (fd === 1) process.exit(unwrittenExitCode);
  });
  return { write: (text) => void stream.write(text), isTTY: true, columns: stream.columns };
}

function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

function writeAll(fd: number, text: string): void {
  let rest: Uint8Array = new TextEncoder().encode(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') {
        // Wait for a slow reader.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        continue;
      }
      // There is no other output for the error.
      if (fd === 2) return;
      // The reader may stop, as `head` does.
      if (code === 'EPIPE') process.exit(0);
      throw new OutputError(error);
    }
  }
}
