/** The process that runs a command: its outputs, questions and signals. */
import { fstatSync, writeSync } from 'node:fs';
import { type TerminalOutput, OutputError, unwrittenExitCode } from './host.ts';

/**
 * Uses a stream only for a terminal, because loading Node's streams takes
 * longer than a list.
 */
export function standardOutput(fd: 1 | 2): TerminalOutput {
  const stream = isDevice(fd) ? standardStream(fd) : undefined;
  if (!stream?.isTTY) {
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
  return {
    write: (text) => void stream.write(text),
    isTTY: true,
    columns: stream.columns,
  };
}

function standardStream(fd: 1 | 2): NodeJS.WriteStream {
  return fd === 1 ? process.stdout : process.stderr;
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
      // Standard error is the last output for an error.
      if (fd === 2) return;
      // The reader may stop, as `head` does.
      if (code === 'EPIPE') process.exit(0);
      throw new OutputError(error);
    }
  }
}

/**
 * Resolves to `undefined` without a terminal, and to '' if the user ends the
 * program.
 */
export async function askUser(question: string): Promise<string | undefined> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return undefined;
  // Loaded for a question only, because it needs Node's streams.
  const { createInterface } = await import('node:readline');
  const reading = createInterface({ input, output });
  return await new Promise((resolve) => {
    reading.once('close', () => {
      resolve('');
    });
    reading.question(question, (answer) => {
      resolve(answer);
      reading.close();
    });
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls back when the user ends the program; the second time ends it. Returns a
 * function that stops listening.
 */
export function onInterrupt(callback: () => void): () => void {
  let times = 0;
  const onSignal = () => {
    if (++times > 1) process.exit(1);
    callback();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
