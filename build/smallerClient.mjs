// Leaves out the unused parts of the official MCP client.
import { readFile } from 'node:fs/promises';

/**
 * Leaves out the check of tool results: no tool is called.
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
 * Leaves out the conversion of zod's schemas to JSON Schema: it is for servers, and for questions to a person.
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

export const smallerClient = [leaveTheValidator, leaveTheSchemas];
