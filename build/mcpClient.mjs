// How the official MCP client is built: into one file, which the editor and the terminal load when a server is checked.
import { readFile } from 'node:fs/promises';

/** Where the chunks of both find it. */
const file = '../mcpClient.cjs';

/**
 * Keeps the client out of the chunks.
 * @type {import('esbuild').Plugin}
 */
export const leaveTheClient = {
  name: 'leave-the-client',
  setup(build) {
    build.onResolve({ filter: /\/officialClient\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: file, external: true } : undefined,
    );
  },
};

/**
 * Leaves out what checks the results of tools: no tool is called.
 * @type {import('esbuild').Plugin}
 */
const leaveTheValidator = {
  name: 'leave-the-validator',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'no-validator',
    }));
    build.onLoad({ filter: /./, namespace: 'no-validator' }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false; export const DefaultJsonSchemaValidator = undefined;',
    }));
  },
};

/**
 * Leaves out what makes JSON Schemas of zod's: that is for servers, and for questions to a person.
 * @type {import('esbuild').Plugin}
 */
const leaveTheSchemas = {
  name: 'leave-the-schemas',
  setup(build) {
    const filter = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors|json-schema-generator)\.js$/;
    build.onLoad({ filter }, async ({ path }) => {
      const exported = (await readFile(path, 'utf8')).matchAll(/^export (?:const|function|class) (\w+)/gm);
      return {
        contents: Array.from(exported, ([, name]) => `export const ${name} = () => undefined;`).join('\n'),
      };
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
export const mcpClient = {
  entryPoints: { mcpClient: 'src/probe/officialClient.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  plugins: [leaveTheValidator, leaveTheSchemas],
};
