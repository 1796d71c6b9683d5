import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root, vsix } from '../host/paths.ts';
import { npm } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { kilobytes, type Row } from './table.ts';

/** Builds the package, and measures its size and that of the code that an activation loads. */
export async function size(): Promise<Row[]> {
  await step('Making the package', () => npm(['run', 'package'], root, 'Run "npm run package".'));
  const none = { reference: '', ratio: '' };
  return [
    {
      what: 'code loaded at activation',
      ours: kilobytes(await loadedAtActivation()),
      ...none,
      goal: 'at most 120 KB',
    },
    { what: 'the .vsix', ours: kilobytes((await stat(vsix)).size), ...none, goal: 'at most 500 KB' },
  ];
}

/** The size of what the editor waits for, of what is loaded next, and of everything that these import statically. */
async function loadedAtActivation(): Promise<number> {
  const entries = ['dist/extension.cjs', 'dist/withService.cjs', 'dist/running.js'];
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => join(root, entry)),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    outdir: 'unused',
    write: false,
    metafile: true,
  });
  const seen = new Set<string>();
  const visit = (path: string): number => {
    const input = metafile.inputs[path];
    if (!input || seen.has(path)) return 0;
    seen.add(path);
    const imported = input.imports.filter(({ kind }) => kind === 'import-statement');
    return imported.reduce((sum, { path }) => sum + visit(path), input.bytes);
  };
  return entries.reduce((sum, entry) => sum + visit(entry), 0);
}
