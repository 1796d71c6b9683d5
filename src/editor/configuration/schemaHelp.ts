/** What the JSON Schema says about a place in a text: what stands there, and what could. Imports no editor. */
import { findNodeAtLocation, getLocation, type JSONPath, type Node, parseTree, visit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { skipTrivia, type Span } from '../../mcp/reader.ts';

/** As much of a schema as ours has. */
export interface Schema {
  readonly title?: string;
  readonly type?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly defaultSnippets?: readonly Snippet[];
  readonly required?: readonly string[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

interface Snippet {
  readonly label: string;
  readonly description?: string;
  readonly body: unknown;
}

export interface Completion {
  readonly kind: 'key' | 'value' | 'snippet';
  readonly label: string;
  readonly detail?: string;
  /** In Markdown. */
  readonly explanation: string;
  /** As a snippet of the editor, in place of `span`. */
  readonly insert: string;
  readonly span: Span;
  /** What is typed to find it. */
  readonly filter: string;
}

/** What explains the key or the value at this place, in Markdown, and where that is. */
export function explain(
  schema: Schema,
  text: string,
  offset: number,
): (Span & { readonly text: string }) | undefined {
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  if (!previousNode || !isIn(previousNode, offset)) return undefined;
  const schemas = schemasAt(schema, treeOf(text), path);
  const value: unknown = isAtPropertyKey ? undefined : previousNode.value;
  const said = markdownOf(schemas, value);
  const { offset: start, length } = previousNode;
  return said === '' ? undefined : { start, end: start + length, text: said };
}

/** What can be written at this place. With `onlyServers`, no more than whole servers where their names stand. */
export function complete(schema: Schema, text: string, offset: number, onlyServers = false): Completion[] {
  const root = treeOf(text);
  if (root?.type === 'object' && isOutside(root, offset)) return [];
  if (isInComment(text, offset)) return [];
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  const span = spanAt(text, offset, previousNode);
  const place: Place = { text, offset, span, isQuoted: text[span.start] === '"' };
  if (isAtPropertyKey) {
    const container = path.slice(0, -1);
    const schemas = schemasAt(schema, root, container);
    const node = root && findNodeAtLocation(root, container);
    return [
      ...(onlyServers ? [] : keys(schemas, node, place)),
      ...schemas.flatMap((each) => newMembers(each, place)),
    ];
  }
  return onlyServers ? [] : values(schemasAt(schema, root, path), place);
}

interface Place {
  readonly text: string;
  readonly offset: number;
  readonly span: Span;
  readonly isQuoted: boolean;
}

function treeOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

function isIn({ offset: start, length }: Node, offset: number): boolean {
  return start <= offset && offset <= start + length;
}

function isInComment(text: string, offset: number): boolean {
  let found = false;
  visit(text, {
    onComment: (start, length) => {
      const end = start + length;
      const isClosed = text.startsWith('/*', start) && text.slice(start + 2, end).endsWith('*/');
      found ||= start < offset && (isClosed ? offset < end : offset <= end);
    },
  });
  return found;
}

/** One that is not closed yet has no length. */
function isOutside({ offset: start, length }: Node, offset: number): boolean {
  return offset <= start || (length > 0 && offset >= start + length);
}

/** The schemas of the value at the path, the more special behind the more general. */
export function schemasAt(schema: Schema, root: Node | undefined, path: JSONPath): Schema[] {
  return path.reduce<Schema[]>(
    (schemas, part, i) => {
      const node = root && findNodeAtLocation(root, path.slice(0, i + 1));
      return schemas.flatMap((each) => inner(each, part)).flatMap((each) => applying(each, node));
    },
    applying(schema, root),
  );
}

function inner({ properties = {}, additionalProperties, items }: Schema, part: string | number): Schema[] {
  if (typeof part === 'number') return items ? [items] : [];
  const own = Object.hasOwn(properties, part) ? properties[part] : undefined;
  if (own) return [own];
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}

/** With what its conditions lead to for this value. */
function applying(schema: Schema, node: Node | undefined): Schema[] {
  if (!schema.if) return [schema];
  const present = new Set(namesIn(node));
  const holds = schema.if.required?.every((name) => present.has(name)) === true;
  const next = holds ? schema.then : schema.else;
  return [schema, ...(next ? applying(next, node) : [])];
}

function namesIn(node: Node | undefined): string[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).map(({ children }) => children?.[0]?.value as string);
}

/** What is replaced: the string, number or word that is here. */
function spanAt(text: string, offset: number, node: Node | undefined): Span {
  if (node && isIn(node, offset)) return { start: node.offset, end: node.offset + node.length };
  const word = /"?[\w.-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0] ?? '';
  return { start: offset - word.length, end: offset };
}

function keys(schemas: readonly Schema[], node: Node | undefined, place: Place): Completion[] {
  const { text, span } = place;
  const typed = node?.children?.find(({ offset }) => offset === span.start)?.children?.[0];
  const taken = new Set(namesIn(node).filter((name) => name !== typed?.value));
  return schemas
    .flatMap(({ properties }) => Object.entries(properties ?? {}))
    .filter(([name]) => !taken.has(name))
    .map(([name, schema]) => {
      const key = JSON.stringify(name);
      const hasValue = text[skipTrivia(text, span.end)] === ':';
      return completion(place, 'key', name, {
        explanation: markdownOf([schema]),
        insert: hasValue ? key : `${key}: ${valueSnippet(schema)}${commaBehind(place)}`,
      });
    });
}

const firstName = '"${1:name}"';

/** Whole members, where names are free: a server with its name. */
function newMembers({ additionalProperties }: Schema, place: Place): Completion[] {
  const { text, span } = place;
  if (typeof additionalProperties !== 'object' || text[skipTrivia(text, span.end)] === ':') return [];
  return (additionalProperties.defaultSnippets ?? []).map(({ label, description, body }) => {
    // The name is filled in first.
    const shifted = bodyText(body).replace(
      /\$(\{?)(\d+)/g,
      (_, brace: string, n: string) => `$${brace}${Number(n) + 1}`,
    );
    const insert = `${firstName}: ${shifted}${commaBehind(place)}`;
    return completion(place, 'snippet', label, { explanation: description ?? '', insert });
  });
}

function values(schemas: readonly Schema[], place: Place): Completion[] {
  const found = new Map<string, Completion>();
  for (const schema of schemas) {
    for (const { label, description, body } of schema.defaultSnippets ?? []) {
      const insert = bodyText(body) + commaBehind(place);
      found.set(label, completion(place, 'snippet', label, { explanation: description ?? '', insert }));
    }
    for (const value of literals(schema)) {
      const label = JSON.stringify(value);
      const insert = escaped(label) + commaBehind(place);
      const explanation = markdownOf([schema], value);
      if (!found.has(label)) found.set(label, completion(place, 'value', label, { explanation, insert }));
    }
  }
  return [...found.values()];
}

function literals(schema: Schema): unknown[] {
  return [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === 'boolean' ? [true, false] : []),
    ...(schema.examples ?? []),
    ...(schema.default === undefined ? [] : [schema.default]),
  ];
}

function completion(
  { span, isQuoted }: Place,
  kind: Completion['kind'],
  label: string,
  rest: Pick<Completion, 'explanation' | 'insert'>,
): Completion {
  const filter = isQuoted && !label.startsWith('"') ? `"${label}"` : label;
  return { kind, label, span, filter, ...rest };
}

/** A comma, where another member follows. */
function commaBehind({ text, span }: Place): string {
  const next = text[skipTrivia(text, span.end)];
  return next === undefined || /[,}\]]/.test(next) ? '' : ',';
}

/** A value to begin with. */
function valueSnippet(schema: Schema): string {
  const { type, enum: choices = type === 'boolean' ? [true, false] : [], examples = [] } = schema;
  if (schema.const !== undefined) return escaped(JSON.stringify(schema.const));
  if (choices.length > 0) {
    return `\${1|${choices.map((choice) => JSON.stringify(choice).replace(/[,|\\]/g, '\\$&')).join()}|}`;
  }
  const [example] = examples;
  if (type === 'string') return typeof example === 'string' ? `"\${1:${escaped(example)}}"` : '"$1"';
  if (type === 'number') return `\${1:${typeof example === 'number' ? example : 0}}`;
  return type === 'array' ? '["$1"]' : '{$1}';
}

function bodyText(body: unknown): string {
  return JSON.stringify(body, null, '\t');
}

function escaped(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** Title, description, the meaning of the value or of all that it can have, and the default. */
function markdownOf(schemas: readonly Schema[], value?: unknown): string {
  const parts = schemas.flatMap((schema) => {
    const meanings = schema.markdownEnumDescriptions ?? schema.enumDescriptions ?? [];
    const all = (schema.enum ?? []).map((each, i) => ({ each, meaning: meanings[i] ?? '' }));
    const chosen = all.find(({ each }) => each === value)?.meaning;
    const list = all.map(({ each, meaning }) => `- \`${JSON.stringify(each)}\`: ${meaning}`).join('\n');
    return [
      schema.title && `**${schema.title}**`,
      schema.markdownDescription ?? schema.description,
      chosen ?? list,
      schema.default !== undefined && t('Default: {0}', `\`${JSON.stringify(schema.default)}\``),
    ];
  });
  return parts.filter(Boolean).join('\n\n');
}
