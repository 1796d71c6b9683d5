// Builds the editor's runtime and the command-line program together, because
// they share much code. The tests of the command-line program use the same
// options.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * Converts ES modules, which esbuild can split, to CommonJS, which loads
 * faster; its `require` gives `ws` the editor's proxy and certificates. For a
 * build with `write: false`.
 * @type {import('esbuild').Plugin}
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    const { minify, sourcemap, target, logLevel } = build.initialOptions;
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const file of outputFiles) {
        const { code } = await esbuild.transform(file.text, {
          format: 'cjs',
          supported: { 'dynamic-import': false },
          ...{ minify, sourcemap, target, logLevel },
        });
        file.contents = Buffer.from(code);
      }
    });
  },
};

/**
 * Leaves the check of tool results out of the official MCP client: no tool is
 * called.
 * @type {import('esbuild').Plugin}
 */
const leaveTheValidator = {
  name: 'leave-the-validator',
  setup(build) {
    build.onResolve(
      { filter: /^@modelcontextprotocol\/client\/_shims$/ },
      () => ({
        path: 'shims',
        namespace: 'no-validator',
      }),
    );
    build.onLoad({ filter: /./, namespace: 'no-validator' }, () => ({
      contents:
        'export const CORS_IS_POSSIBLE = false; export const DefaultJsonSchemaValidator = undefined;',
    }));
  },
};

/**
 * Leaves out the conversion of zod's schemas to JSON Schema: it is for servers,
 * and for questions to a person.
 * @type {import('esbuild').Plugin}
 */
const leaveTheSchemas = {
  name: 'leave-the-schemas',
  setup(build) {
    const filter =
      /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors|json-schema-generator)\.js$/;
    build.onLoad({ filter }, async ({ path }) => {
      const exported = (await readFile(path, 'utf8')).matchAll(
        /^export (?:const|function|class) (\w+)/gm,
      );
      return {
        contents: Array.from(
          exported,
          ([, name]) => `export const ${name} = () => undefined;`,
        ).join('\n'),
      };
    });
  },
};

const unusedByMarkdown = join(import.meta.dirname, 'unusedByMarkdown.mjs');

/** @satisfies {import('esbuild').BuildOptions} */
export const programs = {
  entryPoints: { runtime: 'src/editor/start/runtime.ts', cli: 'src/cli.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // The oldest Node of the terminal; the editor's own is newer.
  target: 'node20',
  define: { 'import.meta.dirname': '__dirname' },
  // The "main" of jsonc-parser is UMD, which does not bundle.
  mainFields: ['module', 'main'],
  inject: [join(import.meta.dirname, 'common.mjs')],
  alias: { entities: unusedByMarkdown, 'linkify-it': unusedByMarkdown },
  // The official MCP client needs "jose" only for a sign-in that we do not use.
  external: ['vscode', 'jose'],
  logLevel: 'warning',
  metafile: true,
  write: false,
  plugins: [leaveTheValidator, leaveTheSchemas, asCommonJs],
};
