#!/usr/bin/env node
/** The program of the terminal: loads the rest of itself. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { homeFolder } from './files/homeFolder.ts';
import { cacheFolder } from './terminal/cacheFolder.ts';
import { CompiledScripts } from './terminal/compiledScripts.ts';
import type * as program from './terminal/runOnNode.ts';

const { argv, env, platform } = process;
const user = { env, home: homeFolder(), platform };
const scripts = new CompiledScripts({
  folder: cacheFolder({ ...user, uid: process.getuid?.() }),
  // Others are mistakes, or options before the command.
  command: /^[a-z]+$/.exec(argv[3] ?? '')?.[0] ?? 'other',
});

// From source, it is a module, which Node itself loads.
const { runOnNode } = import.meta.url.endsWith('.ts')
  ? await import('./terminal/runOnNode.ts')
  : (scripts.load(fileURLToPath(new URL('runOnNode.cjs', import.meta.url))) as typeof program);
await runOnNode({ ...user, version });
scripts.keep();

function version(): string {
  const path = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
