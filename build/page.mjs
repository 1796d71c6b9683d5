// How the page of a conversation is built: one script and one style, for a browser. Its tests build it in the same way.

/** @type {import('esbuild').BuildOptions} */
export const page = {
  entryPoints: ['src/webview/page.ts'],
  outdir: 'dist/webview',
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'chrome134',
  mainFields: ['module', 'main'],
  tsconfig: 'src/webview/tsconfig.json',
  // The browser knows what this package has a table of.
  alias: { entities: './src/webview/htmlEntities.ts' },
  logLevel: 'warning',
  metafile: true,
};
