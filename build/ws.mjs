// How the package ws is built: into one file, which is loaded when somebody follows an agent.

/**
 * Keeps ws out of the chunks: with a script among them, each would load what scripts need.
 * @type {import('esbuild').Plugin}
 */
export const leaveWs = {
  name: 'leave-ws',
  setup(build) {
    build.onResolve({ filter: /^ws$/ }, () => ({ path: '../ws.cjs', external: true }));
  },
};

/**
 * A script, because the editor gives the http and the tls that know its proxy and its certificates to what an extension
 * requires, and not to what it imports.
 * @type {import('esbuild').BuildOptions}
 */
export const ws = {
  entryPoints: { ws: 'node_modules/ws/wrapper.mjs' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
};
