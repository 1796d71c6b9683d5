import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { root } from '../../host/paths.ts';

describe('the extension', () => {
  it('bundles the demo service without its faults', async () => {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/extension.ts', 'src/editor/running.ts', 'src/cli.ts'],
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
    const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const demo = bundled.filter((path) => path.startsWith('src/demo/'));
    assert.ok(demo.includes('src/demo/demoService.ts'));
    assert.deepEqual(
      demo.filter((path) => /\/faults\/|\/(main|arguments)\.ts$/.test(path)),
      [],
    );
  });
});
