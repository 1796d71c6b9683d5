import * as z from 'zod';
import { mcpFile, server } from './schema.ts';
import { inWords } from './schemaWords.ts';

/** The JSON Schema that the editor checks mcp.json with; the build writes it to dist/, a file for each language. */
export function jsonSchema(translate: (english: string) => string = (english) => english): object {
  const schema = z.toJSONSchema(mcpFile, {
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      joinTypes(jsonSchema);
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

/** Turns "a string, or null" into one type that is either, which editors explain better. */
function joinTypes(schema: z.core.JSONSchema.BaseSchema): void {
  const parts = schema.anyOf as readonly z.core.JSONSchema.BaseSchema[] | undefined;
  if (!parts?.every(({ type }) => type !== undefined && type !== 'object' && type !== 'array')) return;
  delete schema.anyOf;
  const type = [...new Set(parts.flatMap((part) => part.type as string))];
  Object.assign(schema, ...parts, { type });
  if (schema.enum) schema.enum = [...schema.enum, null];
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
    if: { required: ['command'] },
    then: { if: { required: ['url'] }, then: { anyOf: [local, remote] }, else: local },
    else: {
      if: { required: ['url'] },
      then: remote,
      else: {
        properties: { command: local.properties?.command, url: remote.properties?.url },
        anyOf: [{ required: ['command'] }, { required: ['url'] }],
      },
    },
  });
}
