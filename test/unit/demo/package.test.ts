import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { root } from '../../host/paths.ts';

describe('the extension', () => {
  it('bundles the demo service without its faults', async () => {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [
        'src/extension.ts',
        'src/editor/start/runtime.ts',
        'src/cli.ts',
      ],
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      external: ['vscode'],
      write: false,
      metafile: true,
      logLevel: 'warning',
    });
    const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs),
    );
    assert.ok(bundled.includes('src/demo/demoService.ts'));
    assert.deepEqual(
      bundled.filter((path) => path.startsWith('test/')),
      [],
    );
  });
});
