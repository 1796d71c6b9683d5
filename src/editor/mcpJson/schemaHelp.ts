/**
 * Explains and completes a place in a text by the JSON Schema. Does not import
 * vscode.
 */
import { getLocation, type JSONPath } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import {
  skipTrivia,
  readUnfinished,
  type Tree,
} from '../../mcp/text/reader.ts';
import {
  lastOf,
  type Node,
  objectOf,
  type Span,
} from '../../mcp/text/nodes.ts';

/** The part of JSON Schema that ours uses. */
export interface JsonSchema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly defaultSnippets?: readonly Snippet[];
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
}

interface Snippet {
  readonly label: string;
  readonly description?: string;
  readonly body: unknown;
}

export interface SchemaCompletion {
  readonly kind: 'key' | 'value' | 'snippet';
  readonly label: string;
  /** Markdown. */
  readonly explanation: string;
  /** A VS Code snippet that replaces `span`. */
  readonly insert: string;
  readonly span: Span;
  readonly filter: string;
}

/** Markdown about the key or value at a place. */
export function explainAt(
  schema: JsonSchema,
  text: string,
  offset: number,
): (Span & { readonly text: string }) | undefined {
  const cursor = cursorAt(text, offset);
  if (!cursor?.at) return undefined;
  const markdown = markdownOf(schemasAt(schema, cursor), cursor.value);
  return markdown === '' ? undefined : { ...cursor.at, text: markdown };
}

/** `onlyServers`: nothing but whole servers, at places for their names. */
export function completeAt(
  schema: JsonSchema,
  text: string,
  offset: number,
  onlyServers = false,
): SchemaCompletion[] {
  const cursor = cursorAt(text, offset);
  if (!cursor) return [];
  const { path, values, isKey, at } = cursor;
  const span = at ?? wordBefore(text, offset);
  const gap: Gap = { text, span, isQuoted: text[span.start] === '"' };
  if (!isKey)
    return onlyServers ? [] : valuesOf(schemasAt(schema, cursor), gap);
  const schemas = schemasAt(schema, { path: path.slice(0, -1), values });
  return [
    ...(onlyServers ? [] : keys(schemas, values.at(-2), gap)),
    ...schemas.flatMap((subschema) => newMembers(subschema, gap)),
  ];
}

/** The text that a completion replaces. */
interface Gap {
  readonly text: string;
  readonly span: Span;
  readonly isQuoted: boolean;
}

/** The schemas that apply to a value, general ones first. */
function schemasAt(
  schema: JsonSchema,
  { path, values }: Pick<Cursor, 'path' | 'values'>,
): JsonSchema[] {
  return path.reduce<JsonSchema[]>(
    (schemas, key, i) =>
      schemas
        .flatMap((subschema) => inner(subschema, key))
        .flatMap((subschema) => applying(subschema, values[i + 1])),
    applying(schema, values[0]),
  );
}

function inner(
  { properties = {}, additionalProperties, items }: JsonSchema,
  part: string | number,
): JsonSchema[] {
  if (typeof part === 'number') return items ? [items] : [];
  const own = Object.hasOwn(properties, part) ? properties[part] : undefined;
  if (own) return [own];
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}

/** Resolves conditions for this value. */
function applying(schema: JsonSchema, node: Node | undefined): JsonSchema[] {
  if (!schema.if) return [schema, ...(schema.anyOf ?? [])];
  const holds =
    schema.if.required?.every((name) => lastOf(objectOf(node), name)) === true;
  const next = holds ? schema.then : schema.else;
  return [schema, ...(next ? applying(next, node) : [])];
}

function wordBefore(text: string, offset: number): Span {
  const word =
    /"?[\w.-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0] ?? '';
  return { start: offset - word.length, end: offset };
}

function keys(
  schemas: readonly JsonSchema[],
  object: Node | undefined,
  gap: Gap,
): SchemaCompletion[] {
  const { text, span } = gap;
  const otherMembers = objectOf(object)?.members.filter(
    ({ start }) => start !== span.start,
  );
  const taken = new Set(otherMembers?.map(({ name }) => name));
  const properties = new Map(
    schemas.flatMap((schema) => Object.entries(schema.properties ?? {})),
  );
  return [...properties]
    .filter(([name]) => !taken.has(name))
    .map(([name, schema]) => {
      const key = JSON.stringify(name);
      const hasValue = text[skipTrivia(text, span.end)] === ':';
      return completion(gap, 'key', name, {
        explanation: markdownOf([schema]),
        insert: hasValue
          ? key
          : `${key}: ${valueSnippet(schema)}${commaAfter(gap)}`,
      });
    });
}

const firstName = '"${1:name}"';

/** Completions that insert a server with its name. */
function newMembers(
  { additionalProperties }: JsonSchema,
  gap: Gap,
): SchemaCompletion[] {
  const { text, span } = gap;
  if (
    typeof additionalProperties !== 'object' ||
    text[skipTrivia(text, span.end)] === ':'
  )
    return [];
  return (additionalProperties.defaultSnippets ?? []).map(
    ({ label, description, body }) => {
      // Shifts the placeholders: the name comes first.
      const shifted = bodyText(body).replace(
        /\$(\{?)(\d+)/g,
        (_, brace: string, n: string) => `$${brace}${Number(n) + 1}`,
      );
      const insert = `${firstName}: ${shifted}${commaAfter(gap)}`;
      return completion(gap, 'snippet', label, {
        explanation: description ?? '',
        insert,
      });
    },
  );
}

function valuesOf(
  schemas: readonly JsonSchema[],
  gap: Gap,
): SchemaCompletion[] {
  const completions = new Map<string, SchemaCompletion>();
  for (const schema of schemas) {
    for (const { label, description, body } of schema.defaultSnippets ?? []) {
      const insert = bodyText(body) + commaAfter(gap);
      completions.set(
        label,
        completion(gap, 'snippet', label, {
          explanation: description ?? '',
          insert,
        }),
      );
    }
    for (const value of literals(schema)) {
      const label = JSON.stringify(value);
      const insert = escaped(label) + commaAfter(gap);
      const explanation = markdownOf([schema], value);
      if (!completions.has(label))
        completions.set(
          label,
          completion(gap, 'value', label, { explanation, insert }),
        );
    }
  }
  return [...completions.values()];
}

function literals(schema: JsonSchema): unknown[] {
  return [
    ...(schema.enum ?? []).filter((value) => value !== null),
    ...(schema.examples ?? []),
    ...(schema.default === undefined ? [] : [schema.default]),
  ];
}

function completion(
  { span, isQuoted }: Gap,
  kind: SchemaCompletion['kind'],
  label: string,
  rest: Pick<SchemaCompletion, 'explanation' | 'insert'>,
): SchemaCompletion {
  const filter = isQuoted && !label.startsWith('"') ? `"${label}"` : label;
  return { kind, label, span, filter, ...rest };
}

function commaAfter({ text, span }: Gap): string {
  const next = text[skipTrivia(text, span.end)];
  return next === undefined || /[,}\]]/.test(next) ? '' : ',';
}

function valueSnippet(schema: JsonSchema): string {
  const { examples = [] } = schema;
  const [example] = examples;
  const choices = schema.enum ?? (typeof example === 'boolean' ? examples : []);
  const [first, ...restChoices] = choices.filter((choice) => choice !== null);
  if (first !== undefined && restChoices.length === 0)
    return escaped(JSON.stringify(first));
  if (first !== undefined) {
    const all = [first, ...restChoices].map((choice) =>
      JSON.stringify(choice).replace(/[,|\\]/g, '\\$&'),
    );
    return `\${1|${all.join()}|}`;
  }
  const [type] = [schema.type ?? []].flat();
  if (type === 'string')
    return typeof example === 'string' ? `"\${1:${escaped(example)}}"` : '"$1"';
  if (type === 'number')
    return `\${1:${typeof example === 'number' ? example : 0}}`;
  return Array.isArray(example) ? '["$1"]' : '{$1}';
}

function bodyText(body: unknown): string {
  return JSON.stringify(body, null, '\t');
}

function escaped(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

function markdownOf(schemas: readonly JsonSchema[], value?: unknown): string {
  const parts = schemas.flatMap((schema) => {
    const meanings =
      schema.markdownEnumDescriptions ?? schema.enumDescriptions ?? [];
    const all = (schema.enum ?? [])
      .filter((choice) => choice !== null)
      .map((choice, i) => ({ choice, meaning: meanings[i] ?? '' }));
    const chosen = all.find(({ choice }) => choice === value)?.meaning;
    const list = all
      .map(
        ({ choice, meaning }) => `- \`${JSON.stringify(choice)}\`: ${meaning}`,
      )
      .join('\n');
    return [
      schema.title && `**${schema.title}**`,
      schema.markdownDescription ?? schema.description,
      chosen ?? list,
      schema.default !== undefined &&
        t('Default: {0}', `\`${JSON.stringify(schema.default)}\``),
    ];
  });
  // Local and remote entries share keys.
  return joinParts('\n\n', ...new Set(parts));
}

interface Cursor {
  readonly path: JSONPath;
  /** The values on the path, from the root on. */
  readonly values: readonly (Node | undefined)[];
  readonly isKey: boolean;
  /** The existing name or value. */
  readonly at: Span | undefined;
  /** Undefined at a key. */
  readonly value: unknown;
}

/** Undefined outside the root and in comments. */
function cursorAt(text: string, offset: number): Cursor | undefined {
  const tree = readUnfinished(text);
  const {
    path,
    isAtPropertyKey: isKey,
    previousNode: node,
  } = getLocation(text, offset);
  if (isInComment(tree, offset) || (path.length === 0 && !tree.blank))
    return undefined;
  const values: (Node | undefined)[] = [tree.root];
  for (const key of path)
    values.push(lastOf(objectOf(values.at(-1)), String(key))?.value);
  const at = node && { start: node.offset, end: node.offset + node.length };
  if (!at || at.end < offset)
    return { path, values, isKey, at: undefined, value: undefined };
  return { path, values, isKey, at, value: isKey ? undefined : node.value };
}

function isInComment({ text, comments }: Tree, offset: number): boolean {
  return comments.some(({ start, end }) => {
    const isClosed =
      text.startsWith('/*', start) && text.slice(start + 2, end).endsWith('*/');
    return start < offset && (isClosed ? offset < end : offset <= end);
  });
}
