// Builds the page of a conversation: one script and one style, for a browser.
// Its tests use the same options.

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
  // The browser decodes entities itself, without the table in this package.
  alias: { entities: './src/webview/htmlEntities.ts' },
  logLevel: 'warning',
  metafile: true,
};
