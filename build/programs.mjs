// Builds the editor's part and the command-line program together, because they share much code. The test of the
// command-line program builds them in the same way.
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { smallerClient } from './smallerClient.mjs';

/**
 * Makes CommonJS of the modules, which are what esbuild can split: the editor and Node load it sooner, and its `require`
 * gives `ws` the editor's proxy and certificates. For a build with `write: false`.
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
  // That of the terminal; the editor's own Node is newer.
  target: 'node20',
  define: { 'import.meta.dirname': '__dirname' },
  // The "main" of jsonc-parser is UMD, which does not bundle.
  mainFields: ['module', 'main'],
  inject: [join(import.meta.dirname, 'common.mjs')],
  alias: { entities: unusedByMarkdown, 'linkify-it': unusedByMarkdown },
  // The official MCP client has "jose" for a way of signing in that we do not use.
  external: ['vscode', 'jose'],
  logLevel: 'warning',
  metafile: true,
  write: false,
  plugins: [...smallerClient, asCommonJs],
};
