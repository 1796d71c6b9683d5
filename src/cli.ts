#!/usr/bin/env node
/** The program of the terminal: has Node keep the compiled code of what it loads next. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { homeFolder } from './files/homeFolder.ts';
import { cacheFolder } from './terminal/cacheFolder.ts';

const { env, platform } = process;
const user = { env, home: homeFolder(), platform };

// Node 20 has none.
const { enableCompileCache } = module as Partial<typeof module>;
if (enableCompileCache) {
  const folder = cacheFolder({ ...user, uid: process.getuid?.() });
  if (folder !== undefined) enableCompileCache(folder);
}

const { runOnNode } = await import('./terminal/runOnNode.ts');
await runOnNode({ ...user, version });

function version(): string {
  const path = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
