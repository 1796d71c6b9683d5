// Builds dist/: the extension, the command-line program and the JSON Schema. Unless --production, also the integration tests.
//   node esbuild.mjs [--production | --watch]
import { chmod, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { lazyBuiltins, terminal } from './esbuild.terminal.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // The "main" of jsonc-parser is UMD, which does not bundle.
  mainFields: ['module', 'main'],
  logLevel: 'warning',
  metafile: true,
};

let building = 0;

/**
 * Prints when the first build begins and the last one ends, in the words that .vscode/tasks.json waits for.
 * @type {esbuild.Plugin}
 */
const announce = {
  name: 'announce',
  setup(build) {
    if (!watch) return;
    build.onStart(() => {
      if (building++ === 0) console.log('Building');
    });
    build.onEnd(() => {
      if (--building === 0) console.log('Built');
    });
  },
};

/**
 * Keeps running.ts, which loads later, out of the bundle that the editor waits for.
 * @type {esbuild.Plugin}
 */
const leaveTheRest = {
  name: 'leave-the-rest',
  setup(build) {
    build.onResolve({ filter: /\/running\.ts$/ }, () => ({ path: './running.js', external: true }));
  },
};

/**
 * Has the package ws require modules of Node as an extension does: the editor then gives it the http and the tls that know
 * its proxy and its certificates. A chunk could not require them at all.
 * @type {esbuild.Plugin}
 */
const requireAsAnExtension = {
  name: 'require-as-an-extension',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/ws\/lib\/[\w-]+\.js$/ }, async ({ path }) => ({
      loader: 'js',
      contents: (await readFile(path, 'utf8')).replace(/require\('([a-z]+)'\)/g, (all, name) =>
        isBuiltin(name) ? `require('extension:${name}').default` : all,
      ),
    }));
    build.onResolve({ filter: /^extension:/ }, ({ path }) => ({
      path: path.slice('extension:'.length),
      namespace: 'extension',
    }));
    build.onLoad({ filter: /./, namespace: 'extension' }, ({ path }) => ({
      contents: `import { createRequire } from 'node:module'; export default createRequire(import.meta.url)('${path}');`,
    }));
  },
};

/**
 * What the editor waits for during activation. A script, because importing `vscode` into a module takes 3 ms.
 * @type {esbuild.BuildOptions}
 */
const activation = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  format: 'cjs',
  external: ['vscode'],
  minify: production,
  sourcemap: !production,
  plugins: [announce, leaveTheRest],
};

/** @type {esbuild.BuildOptions} */
const extension = {
  ...common,
  entryPoints: ['src/editor/running.ts'],
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  // What the package has for Node requires modules of Node, which a chunk cannot.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  minify: production,
  sourcemap: !production,
  plugins: [announce, lazyBuiltins, requireAsAnExtension],
};

/**
 * What runs in the page of a conversation: one script and one style, in a browser.
 * @type {esbuild.BuildOptions}
 */
const page = {
  ...common,
  entryPoints: ['src/webview/page.ts'],
  outdir: 'dist/webview',
  format: 'iife',
  platform: 'browser',
  target: 'chrome134',
  tsconfig: 'src/webview/tsconfig.json',
  minify: production,
  sourcemap: production ? false : 'inline',
  plugins: [announce],
};

/**
 * Go on the PATH of the editor's terminals. They run the program on the editor's own Node, whatever else is installed.
 * @type {Readonly<Record<string, string>>}
 */
const launchers = {
  switchboard: `#!/bin/sh
ELECTRON_RUN_AS_NODE=1 exec "\${SWITCHBOARD_NODE:-node}" "$(dirname "$0")/../cli.js" "$@"
`,
  'switchboard.cmd': `@echo off\r
setlocal\r
set ELECTRON_RUN_AS_NODE=1\r
if "%SWITCHBOARD_NODE%"=="" set SWITCHBOARD_NODE=node\r
"%SWITCHBOARD_NODE%" "%~dp0..\\cli.js" %*\r
`,
};

/** @type {esbuild.BuildOptions} */
const schema = {
  ...common,
  entryPoints: ['src/mcp/jsonSchema.ts'],
  write: false,
  plugins: [announce, writeSchemas()],
};

/** @returns {Promise<esbuild.BuildOptions>} */
async function integrationTests() {
  return {
    ...common,
    entryPoints: await Array.fromAsync(glob('test/integration/**/*.ts')),
    outdir: '.vscode-test/integration',
    splitting: true,
    packages: 'external',
    sourcemap: true,
    plugins: [announce],
  };
}

/** Writes one schema for English and one for each translation. */
function writeSchemas() {
  return {
    name: 'write-schemas',
    setup(build) {
      build.onEnd(async ({ outputFiles, errors }) => {
        if (errors.length > 0) return;
        const code = Buffer.from(outputFiles[0].contents).toString('base64');
        const { jsonSchema } = await import(`data:text/javascript;base64,${code}`);
        const write = (name, translate) =>
          writeFile(`dist/${name}`, JSON.stringify(jsonSchema(translate), null, production ? 0 : 2));
        await write('mcp.schema.json');
        for await (const path of glob('l10n/bundle.l10n.*.json')) {
          const bundle = JSON.parse(await readFile(path, 'utf8'));
          const [, language] = /(\w+)\.json$/.exec(path);
          await write(`mcp.schema.${language}.json`, (text) => bundle[text] ?? text);
        }
      });
    },
  };
}

/** Removes the files of earlier builds from dist/. Runs after the build, because an open window may be using dist/. */
async function sweep(results) {
  const made = results.flatMap(({ metafile }) => Object.keys(metafile?.outputs ?? {}));
  const others = ['dist/bin/switchboard.cmd', 'dist/agent-switchboard.vsix'];
  const kept = new Set([...made, ...others].map((path) => resolve(path)));
  for await (const path of glob('dist/**/*.*')) {
    if (!kept.has(resolve(path)) && !/mcp\.schema[\w.]*\.json$/.test(path)) await rm(path, { force: true });
  }
}

await mkdir('dist/bin', { recursive: true });
for (const [name, text] of Object.entries(launchers)) {
  await writeFile(`dist/bin/${name}`, text);
  await chmod(`dist/bin/${name}`, 0o755);
}
const program = {
  ...terminal,
  minify: production,
  sourcemap: !production,
  plugins: [announce, ...terminal.plugins],
};
const builds = [extension, activation, page, program, schema];
if (!production) builds.push(await integrationTests());
if (watch) {
  const contexts = await Promise.all(builds.map((build) => esbuild.context(build)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const results = await Promise.allSettled(builds.map((build) => esbuild.build(build)));
  // esbuild has already printed the errors.
  if (results.some(({ status }) => status === 'rejected')) process.exitCode = 1;
  else {
    await chmod('dist/cli.js', 0o755);
    await sweep(results.map(({ value }) => value));
  }
}
