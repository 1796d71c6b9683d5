import * as z from 'zod';
import { mcpFile, server } from './schema.ts';

/** The JSON Schema that the editor checks mcp.json with; the build writes it to dist/mcp.schema.json. */
export function jsonSchema(): object {
  return z.toJSONSchema(mcpFile, {
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === server) decide(jsonSchema);
    },
  });
}

/**
 * Turns "one of the two kinds" into "the kind that its keys say". An editor can only guess which of two kinds was
 * meant, and then complains about what the other one lacks.
 */
function decide(schema: z.core.JSONSchema.BaseSchema): void {
  const [local, remote] = schema.anyOf as [z.core.JSONSchema.BaseSchema, z.core.JSONSchema.BaseSchema];
  delete schema.anyOf;
  Object.assign(schema, {
    type: 'object',
    if: { required: ['url'] },
    then: remote,
    else: {
      if: { required: ['command'] },
      then: local,
      else: {
        properties: { command: local.properties?.command, url: remote.properties?.url },
        anyOf: [{ required: ['command'] }, { required: ['url'] }],
      },
    },
  });
}
