/**
 * Reads servers in TOML: of Codex, and of our CLI before 1.0.0. A table that
 * cannot be read costs no other server.
 */
import { parse, TomlError } from 'smol-toml';
import { t } from '../../base/l10n.ts';
import { containerOf, formerLists } from '../dialects/dialects.ts';
import { Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';
import { findEntries, mapOf } from './findEntries.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { readParts } from './sentences.ts';

const deepest = 20;

/** A table of servers, or a list of our former CLI. */
const start =
  /^[ \t]*(?:\[\[?[ \t]*(?:mcp(?:[_-]?servers)?|context_servers)[ \t]*[.\]]|(?:sse|shttp|stdio)_servers[ \t]*=)/gim;
const header = /^[ \t]*\[[^\n]*\][ \t]*(?:#.*)?$/gm;
const assignment = /^[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*[.=]/;
/** The documentation of our former CLI has JSON within braces. */
const jsonMembers = /^([ \t]*"[^"\n]*"[ \t]*):/gm;
const otherFormat = /```|"[^"\n]*"\s*:/g;

/** Returns the text with blanks in place of the tables. */
export function readTomlIn(
  text: string,
  { entries, problems }: PasteFindings,
): string {
  return readParts(text, start, problems, ({ 0: opener, index }, left) => {
    const { root, broken, end, failures } = readToml(text.slice(index), left);
    for (const { table, offset } of failures) {
      if (isOurs(table))
        problems.push(
          new Refusal(
            'syntax',
            t('this is not valid TOML.'),
            text,
            index + offset,
          ).message,
        );
    }
    for (const entry of entriesIn(root, broken)) entries.push(entry);
    return [index + Math.max(end, opener.length), 1 + failures.length];
  });
}

function isOurs(table: string): boolean {
  return (
    formerLists.has(table) ||
    (containerOf(table) !== undefined && /mcp|context/i.test(table))
  );
}

/**
 * Leaves out partly unreadable servers: half a server would be a different one.
 */
function entriesIn(root: Fields, broken: ReadonlySet<Fields>): PastedEntry[] {
  const ours: Fields = new Map(
    [...root].filter(([table]) => isOurs(table) && !formerLists.has(table)),
  );
  const entries = findEntries(ours).filter(({ fields }) => !broken.has(fields));
  return [
    ...entries,
    ...formerEntries(root, broken),
    ...formerEntries(mapOf(root.get('mcp')), broken),
  ];
}

function formerEntries(mcp: Fields, broken: ReadonlySet<Value>): PastedEntry[] {
  return [...formerLists].flatMap(([key, transport]) => {
    const list = mcp.get(key);
    const items = (
      Array.isArray(list) ? (list as readonly Value[]) : []
    ).filter((item) => !broken.has(item));
    return items.map((item): PastedEntry => {
      const own: Fields =
        typeof item === 'string' ? new Map([['url', item]]) : mapOf(item);
      const name = own.get('name');
      const [timeout, notes] = inMilliseconds(own.get('timeout'));
      const fields = new Map([
        ...own,
        ...timeout,
        ['transport', transport] as const,
      ]);
      return {
        name: typeof name === 'string' ? name : undefined,
        fields,
        notes,
      };
    });
  });
}

/** Our former CLI allowed at most an hour, in seconds. */
function inMilliseconds(
  seconds: Value | undefined,
): [fields: Fields, notes: string[]] {
  if (typeof seconds !== 'number' || seconds < 1 || seconds > 3600)
    return [new Map(), []];
  const note = t(
    'The timeout was in seconds, and is converted to milliseconds.',
  );
  return [new Map([['timeout', seconds * 1000]]), [note]];
}

interface Failure {
  /** The first name of the path to it. */
  readonly table: string;
  readonly offset: number;
}

interface Toml {
  readonly root: Fields;
  /** The tables on the paths to the failures. */
  readonly broken: ReadonlySet<Fields>;
  readonly failures: readonly Failure[];
  readonly end: number;
}

/** Reads tables up to other text, or up to `most` failures. */
function readToml(text: string, most: number): Toml {
  const whole = tomlIn(text);
  if (!(whole instanceof TomlError)) {
    return { root: whole, broken: new Set(), failures: [], end: text.length };
  }
  const root = new Map<string, Value>();
  const broken = new Set<Fields>();
  const failures: Failure[] = [];
  let end = 0;
  while (end < text.length && failures.length < most) {
    header.lastIndex = end + 1;
    const next = header.exec(text)?.index;
    const table = readTable(text.slice(end, next));
    merge(root, table.fields);
    if (table.failure) {
      for (const passed of tablesOn(root, table.failure.path))
        broken.add(passed);
      failures.push({
        table: table.failure.path.slice(0, 1).join(''),
        offset: end + table.failure.offset,
      });
    }
    end += table.end;
    if (end !== next) break;
  }
  return { root, broken, failures, end };
}

interface Table {
  readonly fields: Fields;
  readonly failure?: {
    readonly path: readonly string[];
    readonly offset: number;
  };
  /** The end of the text, or the start of other text. */
  readonly end: number;
}

/** Reads one table, from its header to the next one. */
function readTable(text: string): Table {
  const whole = tomlIn(text);
  if (!(whole instanceof TomlError)) return { fields: whole, end: text.length };
  const offset = offsetOf(text, whole);
  // A value without an end fails after the last line.
  const lineStart =
    text.lastIndexOf('\n', Math.min(offset, text.trimEnd().length) - 1) + 1;
  const before = tomlIn(text.slice(0, lineStart));
  if (before instanceof TomlError) {
    const repaired = text.replace(jsonMembers, '$1=');
    if (repaired !== text) return readTable(repaired);
  } else if (!assignment.test(text.slice(lineStart))) {
    return { fields: before, end: lineStart };
  }
  const head = tomlIn(text.split('\n', 1).join(''));
  const fields: Fields = head instanceof TomlError ? new Map() : head;
  const path = pathOf(fields) ?? [text.split('=', 1).join('').trim()];
  otherFormat.lastIndex = offset;
  return {
    fields,
    failure: { path, offset },
    end: otherFormat.exec(text)?.index ?? text.length,
  };
}

function pathOf(fields: Fields): string[] | undefined {
  const [entry] = fields;
  if (!entry) return undefined;
  const [name, value] = entry;
  return [name, ...(pathOf(mapOf(lastOf(value))) ?? [])];
}

/** The tables at a path and on the way to it. */
function tablesOn(
  root: Fields,
  [name = '', ...rest]: readonly string[],
): Fields[] {
  const table = lastOf(root.get(name));
  return table instanceof Map
    ? [table as Fields, ...tablesOn(table as Fields, rest)]
    : [];
}

/** Adds tables as if they stood in one text. */
function merge(root: Map<string, Value>, added: Fields): void {
  for (const [name, value] of added) {
    const present = root.get(name);
    const table = lastOf(present);
    if (Array.isArray(present) && Array.isArray(value))
      root.set(name, present.concat(value) as Value[]);
    else if (table instanceof Map && value instanceof Map)
      merge(table as Map<string, Value>, value as Fields);
    else root.set(name, value);
  }
}

/**
 * The last item of a list, which the tables below it belong to; any other value
 * itself.
 */
function lastOf(value: Value | undefined): Value | undefined {
  return Array.isArray(value) ? (value as readonly Value[]).at(-1) : value;
}

function tomlIn(text: string): Fields | TomlError {
  try {
    return fieldsOf(parse(text, { maxDepth: deepest }));
  } catch (error) {
    return error as TomlError;
  }
}

function offsetOf(text: string, { line, column }: TomlError): number {
  const before = text.split('\n', line - 1);
  return before.join('').length + before.length + column - 1;
}

function fieldsOf(table: object): Fields {
  return new Map(
    Object.entries(table).map(([name, value]) => [name, valueOf(value)]),
  );
}

function valueOf(value: unknown): Value {
  if (Array.isArray(value)) return value.map(valueOf);
  if (value instanceof Date) return String(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : String(value);
  return typeof value === 'string' || typeof value === 'boolean'
    ? value
    : fieldsOf(value as object);
}
