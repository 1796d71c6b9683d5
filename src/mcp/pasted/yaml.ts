/** Servers in YAML: of Continue, Goose, Hermes, LibreChat and others, and in the front matter of Markdown. */
import { t } from '../../base/l10n.ts';
import { containerOf, namedTransport, ownName } from '../dialects/dialects.ts';
import { Refusal } from '../text/refusal.ts';
import type { Fields } from '../format/server.ts';
import type { Value } from '../text/values.ts';
import { whatIsAt } from './addresses.ts';
import { findEntries, mapOf } from './findEntries.ts';
import { inPlace, type PlacedRefusal } from './json.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { mostParts } from './sentences.ts';
import { whatStarts } from './startCommands.ts';
import { readYaml } from './yamlReader.ts';

/** No more than this is read as YAML, in all blocks together: it takes long, and is more than any configuration. */
const longest = 50_000;

/** A key with its value on the lines below it. */
const key = /^([ \t]*)([A-Za-z][\w.-]*):[ \t]*(?:#.*)?\n/gm;
const line = /([ \t]*)([^\n]*)(?:\n|$)/y;

/** Returns the text with blanks where the blocks were. */
export function readYamlIn(text: string, { entries, problems, others }: PasteFindings): string {
  const rest: string[] = [];
  let from = 0;
  let left = { characters: longest, blocks: mostParts };
  key.lastIndex = 0;
  for (let match = key.exec(text); match; match = key.exec(text)) {
    const [{ length }, indent = '', name = ''] = match;
    const container = containerOf(name);
    if (!container || (container.isVague && !container.isMixed)) continue;
    const start = match.index;
    const end = blockEnd(text, start + length, indent.length);
    const block = text.slice(start, end);
    left = { characters: left.characters - block.length, blocks: left.blocks - 1 };
    if (left.characters < 0 || left.blocks < 0) {
      problems.push(t('This is too much YAML. Paste only the part with the MCP server.'));
      break;
    }
    const root = readYaml(block);
    const found = root instanceof Map ? findEntries(root as Fields, others) : [];
    if (found.length === 0) {
      // Other things are called `mcp` and `extensions` too.
      if (!(root instanceof Refusal) || container.isMixed || container.holds !== 'servers') continue;
      problems.push(inPlace(root as PlacedRefusal, text, start));
    }
    for (const entry of found) entries.push(entry);
    rest.push(text.slice(from, start), block.replace(/[^\n]/g, ' '));
    from = key.lastIndex = end;
  }
  return rest.join('') + text.slice(from);
}

/** Where what belongs to a key ends: it is further in, or a list, which may begin right below. */
function blockEnd(text: string, from: number, indent: number): number {
  let end = from;
  line.lastIndex = from;
  for (let match = line.exec(text); match && match[0] !== ''; match = line.exec(text)) {
    const [, blanks = '', rest = ''] = match;
    const isInside = blanks.length > indent || (blanks.length === indent && rest.startsWith('- '));
    if (/^(?:```|~~~)/.test(rest) || (rest !== '' && !rest.startsWith('#') && !isInside)) break;
    end = line.lastIndex;
  }
  return end;
}

/** Servers whose list is not there, as `command: npx` with `args:` below it. To be called where nothing else was found. */
export function readYamlParts(text: string, { entries, others }: PasteFindings): void {
  if (text.length > longest || !/^[ \t]*(?:- )?(?:cmd|command|ur[il]|serverUrl|httpUrl):[ \t]+\S/m.test(text))
    return;
  for (const part of text.split(/^[ \t]*(?:```|~~~).*$|^---[ \t]*$/m)) {
    const value = readYaml(part);
    const roots = Array.isArray(value)
      ? (value as readonly Value[])
      : [value instanceof Refusal ? null : value];
    const found = roots.flatMap((root) => findEntries(mapOf(root), others));
    for (const entry of found.filter(isCertain)) entries.push(entry);
  }
}

/** Many things have a command or a URL. */
function isCertain({ fields }: PastedEntry): boolean {
  const said = new Map([...fields].map(([name, value]) => [ownName(name), value]));
  const [command, url, transport] = [said.get('command'), said.get('url'), said.get('transport')];
  if (Array.isArray(said.get('args')) || (typeof transport === 'string' && namedTransport(transport)))
    return true;
  if (typeof url === 'string') return whatIsAt(url) === 'server';
  return typeof command === 'string' && whatStarts(command.split(/\s+/)) === 'server';
}
