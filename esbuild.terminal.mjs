// How the command-line program is built, for any Node that users may have. Its test builds it in the same way.
import { readFile } from 'node:fs/promises';

/**
 * Replaces imports of Node modules with `getBuiltinModule`. In the terminal, an import would read every export at once,
 * and for `node:fs` that loads all of its streams, which takes as long as the rest of `mcp list`.
 * @type {import('esbuild').Plugin}
 */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replace(
        /^import (?:\* as )?(\w+|\{[^}]*\}) from ('node:[\w/]+');$/gm,
        (_, names, specifier) => {
          const values = names.replace(/\btype \w+,?/g, '').replace(/ as /g, ': ');
          return `const ${values} = process.getBuiltinModule(${specifier});`;
        },
      ),
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
export const terminal = {
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/cli-[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  plugins: [lazyBuiltins],
};
