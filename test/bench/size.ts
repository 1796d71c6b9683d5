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

/** The size of what the editor waits for, and of what is loaded next, with all that this requires at once. */
async function loadedAtActivation(): Promise<number> {
  const first = ['dist/extension.cjs', 'dist/withService.cjs'];
  const next = 'dist/running.cjs';
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(root, next)],
    bundle: true,
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
    const imported = input.imports.filter(({ kind }) => kind === 'require-call');
    return imported.reduce((sum, { path }) => sum + visit(path), input.bytes);
  };
  const sizes = await Promise.all(first.map(async (file) => (await stat(join(root, file))).size));
  return sizes.reduce((sum, size) => sum + size, visit(next));
}
