#!/usr/bin/env node
/** The terminal's composition root. */
import { fstatSync, readFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { disk } from './files/disk.ts';
import { cacheFolder } from './terminal/cacheFolder.ts';
import type { Output } from './terminal/host.ts';

const { env, platform } = process;
const home = homedir();

// Node 20 has none.
const { enableCompileCache } = module as Partial<typeof module>;
enableCompileCache?.(cacheFolder({ env, home, platform }));

/** Only a terminal is worth a stream: loading streams takes longer than all else that a list does. */
function output(fd: 1 | 2): Output {
  if (!isDevice(fd))
    return {
      write: (text) => {
        writeAll(fd, text);
      },
      isTTY: false,
      columns: undefined,
    };
  const stream = fd === 1 ? process.stdout : process.stderr;
  const { isTTY, columns } = stream;
  return { write: (text) => void stream.write(text), isTTY, columns: isTTY ? columns : undefined };
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
      // Whoever reads it may stop reading, as `head` does.
      if (code !== 'EAGAIN') process.exit(code === 'EPIPE' ? 0 : 1);
      // Whoever reads it is slower.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const { run } = await import('./terminal/run.ts');
process.exitCode = await run({
  args: process.argv.slice(2),
  env,
  home,
  platform,
  workingFolder: () => process.cwd(),
  version: () => {
    const path = new URL('../package.json', import.meta.url);
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  },
  disk,
  stdout: output(1),
  stderr: output(2),
});
