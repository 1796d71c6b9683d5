import * as z from 'zod';
import { mcpFile } from './schema.ts';

/** The JSON Schema that the editor checks mcp.json with; the build writes it to dist/mcp.schema.json. */
export function jsonSchema(): object {
  return z.toJSONSchema(mcpFile, { target: 'draft-7' });
}
