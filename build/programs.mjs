// Builds the editor's runtime and the command-line program together, because they share much code. The tests of the
// command-line program use the same options.
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { smallerClient } from './smallerClient.mjs';

/**
 * Converts ES modules, which esbuild can split, to CommonJS, which loads faster; its `require` gives `ws` the editor's proxy
 * and certificates. For a build with `write: false`.
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
  plugins: [...smallerClient, asCommonJs],
};
