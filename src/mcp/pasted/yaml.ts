/**
 * Reads servers in YAML: of Continue, Goose, Hermes, LibreChat and others, also
 * in front matter of Markdown.
 */
import {
  type Document,
  isAlias,
  isScalar,
  parseDocument,
  type ParsedNode,
  visit,
} from 'yaml';
import { t } from '../../base/l10n.ts';
import {
  containerOf,
  namedTransport,
  withOwnNames,
} from '../dialects/dialects.ts';
import { guessUrl } from './addresses.ts';
import { findEntries, mapOf } from './findEntries.ts';
import { inPlace, type PlacedRefusal } from './json.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { maxParts } from './sentences.ts';
import { guessCommand } from './startCommands.ts';
import { Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';

/** Characters read as YAML in all blocks, because reading it is slow. */
const longest = 50_000;

const key = /^([ \t]*)([A-Za-z][\w.-]*):[ \t]*(?:#.*)?\n/gm;
const line = /([ \t]*)([^\n]*)(?:\n|$)/y;

/** Returns the text with blanks in place of the blocks. */
export function readYamlIn(
  text: string,
  { entries, problems }: PasteFindings,
): string {
  const rest: string[] = [];
  let from = 0;
  let left = { characters: longest, blocks: maxParts };
  key.lastIndex = 0;
  for (let match = key.exec(text); match; match = key.exec(text)) {
    const [{ length }, indent = '', name = ''] = match;
    const container = containerOf(name);
    if (!container || (container.isVague && !container.isMixed)) continue;
    const start = match.index;
    const end = blockEnd(text, start + length, indent.length);
    const block = text.slice(start, end);
    left = {
      characters: left.characters - block.length,
      blocks: left.blocks - 1,
    };
    if (left.characters < 0 || left.blocks < 0) {
      problems.push(
        t('This is too much YAML. Paste only the part with the MCP server.'),
      );
      break;
    }
    const root = readYaml(block);
    const blockEntries = root instanceof Map ? findEntries(root as Fields) : [];
    if (blockEntries.length === 0) {
      // `mcp` and `extensions` are common names.
      if (
        !(root instanceof Refusal) ||
        container.isMixed ||
        container.holds !== 'servers'
      )
        continue;
      problems.push(inPlace(root as PlacedRefusal, text, start));
    }
    for (const entry of blockEntries) entries.push(entry);
    rest.push(text.slice(from, start), block.replace(/[^\n]/g, ' '));
    from = key.lastIndex = end;
  }
  return rest.join('') + text.slice(from);
}

/** The end of the value of a key: indented lines, or a list right below. */
function blockEnd(text: string, from: number, indent: number): number {
  let end = from;
  line.lastIndex = from;
  for (
    let match = line.exec(text);
    match && match[0] !== '';
    match = line.exec(text)
  ) {
    const [, blanks = '', rest = ''] = match;
    const isInside =
      blanks.length > indent ||
      (blanks.length === indent && rest.startsWith('- '));
    if (
      /^(?:```|~~~)/.test(rest) ||
      (rest !== '' && !rest.startsWith('#') && !isInside)
    )
      break;
    end = line.lastIndex;
  }
  return end;
}

/**
 * Reads servers without their list, as `command: npx` with `args:` below. Call
 * it only if nothing else was found.
 */
export function readYamlParts(text: string, { entries }: PasteFindings): void {
  if (
    text.length > longest ||
    !/^[ \t]*(?:- )?(?:cmd|command|ur[il]|serverUrl|httpUrl):[ \t]+\S/m.test(
      text,
    )
  )
    return;
  for (const part of text.split(/^[ \t]*(?:```|~~~).*$|^---[ \t]*$/m)) {
    const value = readYaml(part);
    const roots = Array.isArray(value)
      ? (value as readonly Value[])
      : [value instanceof Refusal ? null : value];
    const partEntries = roots.flatMap((root) => findEntries(mapOf(root)));
    for (const entry of partEntries.filter(isCertain)) entries.push(entry);
  }
}

/** Other things have a command or URL too. */
function isCertain({ fields }: PastedEntry): boolean {
  const ownFields = withOwnNames(fields);
  const command = ownFields.get('command');
  const url = ownFields.get('url');
  const transport = ownFields.get('transport');
  if (
    Array.isArray(ownFields.get('args')) ||
    (typeof transport === 'string' && namedTransport(transport))
  )
    return true;
  if (typeof url === 'string') return guessUrl(url) === 'server';
  return (
    typeof command === 'string' &&
    guessCommand(command.split(/\s+/)) === 'server'
  );
}

/** References can nest. */
const maxReferences = 100;

function readYaml(text: string): Value | Refusal {
  const refusal = (position: number) =>
    new Refusal(
      'syntax',
      t('this is not valid YAML.'),
      text,
      Math.min(position, text.length),
    );
  const document = parseDocument(text, {
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error) return refusal(error.pos[0]);
  const badKey = keepTexts(document);
  if (badKey) return refusal(badKey.range[0]);
  try {
    return document.toJS({
      mapAsMap: true,
      maxAliasCount: 10 * maxReferences,
    }) as Value;
  } catch {
    // The references nest too often.
    return null;
  }
}

/**
 * Makes text of keys, of circular references, and of numbers such as a version.
 * Returns a key that is a list or a map.
 */
function keepTexts(document: Document.Parsed): ParsedNode | undefined {
  let references = 0;
  let badKey: ParsedNode | undefined;
  visit(document, {
    Pair: (_, pair) => {
      const key = isAlias(pair.key)
        ? (pair.key.resolve(document) ?? pair.key)
        : pair.key;
      if (isAlias(key)) pair.key = document.createNode(`*${key.source}`);
      else if (!isScalar(key)) badKey = key as ParsedNode;
      else if (typeof key.value !== 'symbol')
        pair.key = document.createNode(key.source);
      return badKey && visit.BREAK;
    },
    Alias: (_, alias, parents) => {
      const target = alias.resolve(document);
      // The anchor may be outside the pasted part.
      if (!target || ++references > maxReferences)
        return document.createNode(null);
      return parents.includes(target)
        ? document.createNode(`*${alias.source}`)
        : undefined;
    },
    Scalar: (_, scalar) => {
      if (
        typeof scalar.value === 'number' &&
        String(scalar.value) !== scalar.source
      )
        scalar.value = scalar.source;
    },
  });
  return badKey;
}
