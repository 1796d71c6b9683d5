import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { root, vsix } from '../host/paths.ts';
import { npm } from '../host/processes.ts';
import { step } from '../host/steps.ts';
import { isShort } from './rounds.ts';
import { kilobytes, type Row } from './table.ts';

/**
 * Builds the package, unless in a short run, and measures its size and that of
 * the code that an activation loads.
 */
export async function size(): Promise<Row[]> {
  if (!isShort)
    await step('Making the package', () =>
      npm(['run', 'package'], root, 'Run "npm run package".'),
    );
  const none = { reference: '', ratio: '' };
  return [
    {
      what: 'code loaded at activation',
      ours: kilobytes(await loadedAtActivation()),
      ...none,
      goal: 'at most 180 KB',
    },
    {
      what: 'the .vsix',
      ours: kilobytes((await stat(vsix)).size),
      ...none,
      goal: 'at most 750 KB',
    },
  ];
}

/**
 * The size of what the editor waits for, and of what is loaded when a view
 * opens, with all that this imports at once.
 */
async function loadedAtActivation(): Promise<number> {
  const { programs } = (await import(
    pathToFileURL(join(root, 'build/programs.mjs')).href
  )) as Programs;
  const { metafile, outputFiles } = await esbuild.build({
    ...programs,
    absWorkingDir: root,
    minify: true,
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [
      relative(root, path),
      contents.length,
    ]),
  );
  const seen = new Set<string>();
  const visit = (path: string): number => {
    if (seen.has(path)) return 0;
    seen.add(path);
    const imported = (metafile.outputs[path]?.imports ?? []).filter(
      ({ kind, external }) => kind === 'import-statement' && external !== true,
    );
    return imported.reduce(
      (sum, { path }) => sum + visit(path),
      sizes.get(path) ?? 0,
    );
  };
  const { size } = await stat(join(root, 'dist/extension.cjs'));
  return size + visit(join('dist', 'runtime.cjs'));
}

interface Programs {
  readonly programs: esbuild.BuildOptions & {
    readonly metafile: true;
    readonly write: false;
  };
}
