#!/usr/bin/env node
/** The terminal's composition root. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockingDisk } from './files/disk.ts';
import { homeFolder } from './files/homeFolder.ts';
import { askUser, onInterrupt, standardOutput } from './terminal/process.ts';
import { runCommand } from './terminal/runCommand.ts';

const { argv, env, platform } = process;
void runCommand({
  args: argv.slice(2),
  env,
  home: homeFolder(),
  platform,
  workingFolder: () => process.cwd(),
  version,
  disk: blockingDisk,
  stdout: standardOutput(1),
  stderr: standardOutput(2),
  ask: askUser,
  onInterrupt,
}).then((code) => {
  process.exitCode = code;
});

function version(): string {
  const path = join(import.meta.dirname, '../package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string })
    .version;
}
