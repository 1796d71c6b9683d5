// Builds dist/: the extension, the command-line program and the JSON Schema.
// Unless --production, also the integration tests.
//   node esbuild.mjs [--production | --watch]
import {
  chmod,
  glob,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { page } from './build/page.mjs';
import { programs } from './build/programs.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/**
 * Writes only changed files, and each in one step, so that an open window never
 * reads half a file.
 * @type {esbuild.Plugin}
 */
const writeChanged = {
  name: 'write-changed',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], errors }) => {
      if (errors.length > 0) return;
      await Promise.all(
        outputFiles.map(({ path, contents }) => write(path, contents)),
      );
    });
  },
};

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
  write: false,
};

let building = 0;

/**
 * Prints when the first build begins and the last one ends, in the words that
 * .vscode/tasks.json waits for.
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
 * Keeps runtime.ts, which is loaded on first use, out of the bundle that the
 * editor waits for.
 * @type {esbuild.Plugin}
 */
const leaveRuntime = {
  name: 'leave-runtime',
  setup(build) {
    build.onResolve({ filter: /\/runtime\.ts$/ }, () => ({
      path: './runtime.cjs',
      external: true,
    }));
  },
};

/**
 * The code that the editor waits for during activation: one file, because each
 * takes longer to find than to read.
 * @type {esbuild.BuildOptions}
 */
const activation = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false },
  external: ['vscode'],
  minify: production,
  sourcemap: !production,
  plugins: [writeChanged, announce, leaveRuntime],
};

/** @type {esbuild.BuildOptions} */
const extensionAndTerminal = {
  ...programs,
  ...(production && { chunkNames: 'chunks/[hash]' }),
  minify: production,
  sourcemap: production ? false : 'inline',
  plugins: [...programs.plugins, writeChanged, announce],
};

/**
 * Launchers for the PATH of the editor's terminals. They run the program on the
 * editor's own Node.
 * @type {Readonly<Record<string, string>>}
 */
const launchers = {
  switchboard: `#!/bin/sh
ELECTRON_RUN_AS_NODE=1 exec "\${SWITCHBOARD_NODE:-node}" "$(dirname "$0")/../cli.cjs" "$@"
`,
  'switchboard.cmd': `@echo off\r
setlocal\r
set ELECTRON_RUN_AS_NODE=1\r
if "%SWITCHBOARD_NODE%"=="" set SWITCHBOARD_NODE=node\r
"%SWITCHBOARD_NODE%" "%~dp0..\\cli.cjs" %*\r
`,
};

/**
 * Writes one schema for English and one for each translation.
 * @type {esbuild.Plugin}
 */
const writeSchemas = {
  name: 'write-schemas',
  setup(build) {
    build.onEnd(async ({ outputFiles, errors }) => {
      if (errors.length > 0) return;
      const code = Buffer.from(outputFiles[0].contents).toString('base64');
      const { jsonSchema } = await import(
        `data:text/javascript;base64,${code}`
      );
      const writeSchema = (name, translate) =>
        write(
          `dist/${name}`,
          JSON.stringify(jsonSchema(translate), null, production ? 0 : 2),
        );
      await writeSchema('mcp.schema.json');
      for await (const path of glob('l10n/bundle.l10n.*.json')) {
        const bundle = JSON.parse(await readFile(path, 'utf8'));
        const [, language] = /(\w+)\.json$/.exec(path);
        await writeSchema(
          `mcp.schema.${language}.json`,
          (text) => bundle[text] ?? text,
        );
      }
    });
  },
};

/** @type {esbuild.BuildOptions} */
const schema = {
  ...common,
  entryPoints: ['src/mcp/format/jsonSchema.ts'],
  plugins: [writeSchemas, announce],
};

/**
 * Makes the tests `require` the editor's API, as the extension does. In older
 * editors, an import is another object, and replacing a function in it does not
 * affect the extension.
 * @type {esbuild.Plugin}
 */
const requireTheApi = {
  name: 'require-the-api',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'api'
        ? { path, external: true }
        : { path, namespace: 'api' },
    );
    build.onLoad({ filter: /./, namespace: 'api' }, () => ({
      contents: "module.exports = require('vscode');",
    }));
  },
};

/** @type {esbuild.BuildOptions} */
const integrationTests = {
  ...common,
  entryPoints: await Array.fromAsync(glob('test/integration/**/*.ts')),
  outdir: '.vscode-test/integration',
  splitting: true,
  packages: 'external',
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  plugins: [requireTheApi, writeChanged, announce],
};

/**
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
async function write(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(Buffer.from(contents))) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, contents);
  await rename(`${path}.new`, path);
}

/** The folder of a package below node_modules, nested ones included. */
const inPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The notices that licences ask for: each bundled package with the text of its
 * licence.
 * @param {readonly esbuild.Metafile[]} metafiles
 */
async function notices(metafiles) {
  const bundled = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? (inPackage.exec(path) ?? []) : [],
      ),
    ),
  );
  const all = await Promise.all(
    [...new Set(bundled)].map((folder) =>
      noticeOf(join(import.meta.dirname, folder)),
    ),
  );
  const sorted = [...new Set(all)].sort();
  return `Agent Switchboard contains code of these packages, under their own licences.\n\n${sorted.join('\n')}`;
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(folder)).find((each) =>
    /^(licen[cs]e|copying)\b/i.test(each),
  );
  if (!file)
    throw new Error(
      `The package ${name} is bundled, and has no file with its licence.`,
    );
  const text = (await readFile(join(folder, file), 'utf8'))
    .replaceAll('\r\n', '\n')
    .trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text}\n`;
}

const noticesFile = 'dist/ThirdPartyNotices.txt';

/**
 * Removes the files of earlier builds from dist/. Runs after the build, because
 * an open window may be using dist/.
 */
async function sweep(results) {
  const made = results.flatMap(({ metafile }) =>
    Object.keys(metafile?.outputs ?? {}),
  );
  const others = [
    'dist/bin/switchboard.cmd',
    'dist/agent-switchboard.vsix',
    noticesFile,
  ];
  const kept = new Set([...made, ...others].map((path) => resolve(path)));
  for await (const path of glob('dist/**/*.*')) {
    if (!kept.has(resolve(path)) && !/mcp\.schema[\w.]*\.json$/.test(path))
      await rm(path, { force: true });
  }
}

for (const [name, text] of Object.entries(launchers)) {
  await write(`dist/bin/${name}`, text);
  await chmod(`dist/bin/${name}`, 0o755);
}
const webview = {
  ...page,
  minify: production,
  sourcemap: production ? false : 'inline',
  write: false,
  plugins: [writeChanged, announce],
};
const builds = [extensionAndTerminal, activation, webview, schema];
if (!production) builds.push(integrationTests);
if (watch) {
  const contexts = await Promise.all(
    builds.map((build) => esbuild.context(build)),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const results = await Promise.allSettled(
    builds.map((build) => esbuild.build(build)),
  );
  // esbuild has already printed the errors.
  if (results.some(({ status }) => status === 'rejected')) process.exitCode = 1;
  else {
    await chmod('dist/cli.cjs', 0o755);
    const metafiles = results.flatMap(({ value }) => value.metafile ?? []);
    await write(noticesFile, Buffer.from(await notices(metafiles)));
    await sweep(results.map(({ value }) => value));
  }
}
