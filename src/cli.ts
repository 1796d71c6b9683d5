#!/usr/bin/env node
/** The terminal's composition root. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { cacheFolder } from './terminal/cacheFolder.ts';
import type { Output } from './terminal/host.ts';

const { env, platform } = process;
const home = homedir();

// Node 20 has none.
const { enableCompileCache } = module as Partial<typeof module>;
enableCompileCache?.(cacheFolder({ env, home, platform }));

function output(stream: NodeJS.WriteStream): Output {
  // Whoever reads it may stop reading, as `head` does.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY,
    columns: stream.isTTY ? stream.columns : undefined,
  };
}

const { run } = await import('./terminal/run.ts');
process.exitCode = await run({
  args: process.argv.slice(2),
  env,
  home,
  platform,
  workingFolder: process.cwd(),
  version: () => {
    const path = new URL('../package.json', import.meta.url);
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  },
  stdout: output(process.stdout),
  stderr: output(process.stderr),
});
