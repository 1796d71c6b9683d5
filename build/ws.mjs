// How the package ws is built: into one file, which is loaded when somebody follows an agent.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

/**
 * Keeps ws out of the chunks: with a script among them, each would load what scripts need.
 * @type {import('esbuild').Plugin}
 */
export const leaveWs = {
  name: 'leave-ws',
  setup(build) {
    build.onResolve({ filter: /^ws$/ }, () => ({ path: '../ws.js', external: true }));
  },
};

/**
 * Has it require modules of Node as an extension does: the editor then gives it the http and the tls that know its proxy
 * and its certificates. An import would not.
 * @type {import('esbuild').Plugin}
 */
const requireAsAnExtension = {
  name: 'require-as-an-extension',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]ws[\\/]lib[\\/][\w-]+\.js$/ }, async ({ path }) => ({
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

/** @type {import('esbuild').BuildOptions} */
export const ws = {
  entryPoints: { ws: 'node_modules/ws/wrapper.mjs' },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  plugins: [requireAsAnExtension],
};
