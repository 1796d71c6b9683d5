import * as z from 'zod';
import { mcpFile, server } from './schema.ts';
import { inWords } from './schemaWords.ts';

/** The JSON Schema that the editor checks mcp.json with; the build writes it to dist/, a file for each language. */
export function jsonSchema(translate: (english: string) => string = (english) => english): object {
  const schema = z.toJSONSchema(mcpFile, {
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      putInMarkdown(jsonSchema);
      if ((zodSchema as unknown) === server) decide(jsonSchema);
    },
  });
  return inWords(schema, translate);
}

/** Editors show plain descriptions as they are, and those in Markdown as they are meant. */
function putInMarkdown(schema: z.core.JSONSchema.BaseSchema): void {
  const { description, enumDescriptions } = schema;
  if (description?.includes('`')) {
    schema.markdownDescription = description;
    schema.description = description.replaceAll('`', '"');
  }
  if (Array.isArray(enumDescriptions)) {
    const markdown = enumDescriptions as readonly string[];
    schema.markdownEnumDescriptions = markdown;
    schema.enumDescriptions = markdown.map((text) => text.replaceAll('`', '"'));
  }
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
