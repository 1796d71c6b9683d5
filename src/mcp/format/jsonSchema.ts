import * as z from 'zod';
import { mcpFile, server } from './schema.ts';

/** The build writes the result to dist/, one file per language. */
export function jsonSchema(
  translate: (english: string) => string = (english) => english,
): object {
  const schema = z.toJSONSchema(mcpFile, {
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      joinTypes(jsonSchema);
      if ((zodSchema as unknown) === server) decide(jsonSchema);
    },
  });
  return localize(schema, translate) as object;
}

function localize(
  value: unknown,
  translate: (english: string) => string,
): unknown {
  if (Array.isArray(value))
    return value.map((item) => localize(item, translate));
  if (!(value instanceof Object)) return value;
  const members = Object.entries(value).flatMap(
    ([key, inner]: [string, unknown]): [string, unknown][] => {
      if (key === 'body' || key === 'examples') return [[key, inner]];
      if (key === 'enumDescriptions') {
        const texts = (inner as readonly string[]).map(translate);
        return [
          [key, texts.map(withoutMarkdown)],
          ['markdownEnumDescriptions', texts],
        ];
      }
      if (
        typeof inner !== 'string' ||
        !/^(?:title|description|label)$/.test(key)
      ) {
        return [[key, localize(inner, translate)]];
      }
      const text = translate(inner);
      const plain = withoutMarkdown(text);
      return plain === text
        ? [[key, text]]
        : [
            [key, plain],
            ['markdownDescription', text],
          ];
    },
  );
  return Object.fromEntries(members);
}

/** Editors show a plain description literally. */
function withoutMarkdown(text: string): string {
  return text.replaceAll('`', '"');
}

/** Joins "a string" and "null" into one type, which editors explain better. */
function joinTypes(schema: z.core.JSONSchema.BaseSchema): void {
  const parts = schema.anyOf as
    readonly z.core.JSONSchema.BaseSchema[] | undefined;
  if (
    !parts?.every(
      ({ type }) => type !== undefined && type !== 'object' && type !== 'array',
    )
  )
    return;
  delete schema.anyOf;
  const type = [...new Set(parts.flatMap((part) => part.type as string))];
  Object.assign(schema, ...parts, { type });
  if (schema.enum) schema.enum = [...schema.enum, null];
}

/**
 * Chooses the kind by its keys: an editor can only guess at a union, and
 * complains about the other kind.
 */
function decide(schema: z.core.JSONSchema.BaseSchema): void {
  const [local, remote] = schema.anyOf as [
    z.core.JSONSchema.BaseSchema,
    z.core.JSONSchema.BaseSchema,
  ];
  delete schema.anyOf;
  Object.assign(schema, {
    type: 'object',
    if: { required: ['command'] },
    then: {
      if: { required: ['url'] },
      then: { anyOf: [local, remote] },
      else: local,
    },
    else: {
      if: { required: ['url'] },
      then: remote,
      else: {
        properties: {
          command: local.properties?.command,
          url: remote.properties?.url,
        },
        anyOf: [{ required: ['command'] }, { required: ['url'] }],
      },
    },
  });
}
