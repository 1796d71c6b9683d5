import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { root } from '../host/paths.ts';

const sources = {
  'start.ts': `
    import { join as put, sep } from 'node:path';
    import { basename } from 'node:path';
    import 'node:os';
    import { shared } from './shared.ts';
    export { shared as again } from './shared.ts';
    export const text = 'import { x } from "y"; export { z }';
    export default basename(put('a', 'b')) + sep.length;
    export const late = async () => (await import('./late.ts')).late();
    const own = shared;
    export { own as mine };
    export function fail() { throw new Error('It failed.'); }
  `,
  'late.ts': `
    import one, { shared } from './shared.ts';
    export const late = () => ({ ...shared, one });
  `,
  'shared.ts': `export const shared = { made: 'once' }; export default 1;`,
};

describe('a script that the build makes from a module', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-build-'));
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function build(options: esbuild.BuildOptions): Promise<string> {
    const { asScripts } = (await import(pathToFileURL(join(root, 'build/scripts.mjs')).href)) as {
      readonly asScripts: esbuild.Plugin;
    };
    const outdir = await mkdtemp(join(folder, 'out-'));
    const { outputFiles } = await esbuild.build({
      entryPoints: [join(folder, 'start.ts'), join(folder, 'late.ts')],
      outdir,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      plugins: [asScripts],
      ...options,
      write: false,
    });
    for (const { path, contents } of outputFiles) await writeFile(path, contents);
    return outdir;
  }

  const load = createRequire(import.meta.url);

  for (const minify of [false, true]) {
    it(`behaves like the module${minify ? ' when minified' : ''}`, async () => {
      const built = load(join(await build({ minify }), 'start.cjs')) as Record<string, unknown>;
      assert.deepEqual(
        { ...built, late: await (built.late as () => Promise<unknown>)(), fail: undefined },
        {
          again: { made: 'once' },
          mine: { made: 'once' },
          default: 'b1',
          text: 'import { x } from "y"; export { z }',
          late: { made: 'once', one: 1 },
          fail: undefined,
        },
      );
      assert.equal(built.again, built.mine);
    });
  }

  it('keeps lines at their numbers, for source maps', async () => {
    const plain = await build({ plugins: [] });
    const scripts = await build({});
    for (const name of await readdir(plain)) {
      const lines = async (folder: string) => (await readFile(join(folder, name), 'utf8')).split('\n');
      const [before, after] = [await lines(plain), await lines(scripts)];
      assert.ok(after.length >= before.length);
      const text = before.findIndex((line) => line.includes('It failed.'));
      assert.equal(after[text], before[text]);
    }
  });

  it('begins with a comment that identifies its content', async () => {
    const beginning = async (file: string) => (await readFile(file, 'utf8')).slice(0, 20);
    const before = await beginning(join(await build({}), 'late.cjs'));
    assert.match(before, /^\/\*[\w-]{16}\*\/$/);
    assert.equal(await beginning(join(await build({}), 'late.cjs')), before);
    await writeFile(join(folder, 'late.ts'), `${sources['late.ts']}\nexport const more = 1;`);
    assert.notEqual(await beginning(join(await build({}), 'late.cjs')), before);
  });

  it('fails to build from an export that no script can express', async () => {
    await writeFile(join(folder, 'late.ts'), `export * as all from 'node:path'; export const late = 1;`);
    await assert.rejects(build({}), /No script can be made of .*late\.cjs\. /);
  });
});
