/** Reads servers in YAML: of Continue, Goose, Hermes, LibreChat and others, also in front matter of Markdown. */
import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import { t } from '../../base/l10n.ts';
import { containerOf, namedTransport, ownName } from '../dialects/dialects.ts';
import { whatIsAt } from './addresses.ts';
import { findEntries, mapOf } from './findEntries.ts';
import { inPlace, type PlacedRefusal } from './json.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { maxParts } from './sentences.ts';
import { whatStarts } from './startCommands.ts';
import { Refusal } from '../text/refusal.ts';
import type { Fields, Value } from '../text/values.ts';

/** Characters read as YAML in all blocks, because reading it is slow. */
const longest = 50_000;

const key = /^([ \t]*)([A-Za-z][\w.-]*):[ \t]*(?:#.*)?\n/gm;
const line = /([ \t]*)([^\n]*)(?:\n|$)/y;

/** Returns the text with blanks in place of the blocks. */
export function readYamlIn(text: string, { entries, problems, others }: PasteFindings): string {
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
    left = { characters: left.characters - block.length, blocks: left.blocks - 1 };
    if (left.characters < 0 || left.blocks < 0) {
      problems.push(t('This is too much YAML. Paste only the part with the MCP server.'));
      break;
    }
    const root = readYaml(block);
    const found = root instanceof Map ? findEntries(root as Fields, others) : [];
    if (found.length === 0) {
      // `mcp` and `extensions` are common names.
      if (!(root instanceof Refusal) || container.isMixed || container.holds !== 'servers') continue;
      problems.push(inPlace(root as PlacedRefusal, text, start));
    }
    for (const entry of found) entries.push(entry);
    rest.push(text.slice(from, start), block.replace(/[^\n]/g, ' '));
    from = key.lastIndex = end;
  }
  return rest.join('') + text.slice(from);
}

/** The end of the value of a key: indented lines, or a list right below. */
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

/** Reads servers without their list, as `command: npx` with `args:` below. Call it only if nothing else was found. */
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

/** Other things have a command or URL too. */
function isCertain({ fields }: PastedEntry): boolean {
  const said = new Map([...fields].map(([name, value]) => [ownName(name), value]));
  const [command, url, transport] = [said.get('command'), said.get('url'), said.get('transport')];
  if (Array.isArray(said.get('args')) || (typeof transport === 'string' && namedTransport(transport)))
    return true;
  if (typeof url === 'string') return whatIsAt(url) === 'server';
  return typeof command === 'string' && whatStarts(command.split(/\s+/)) === 'server';
}

/** References can nest, even in themselves. */
const maxReferences = 100;

function readYaml(text: string): Value | Refusal {
  try {
    return new EventReader(text, parseEvents(text, {})).first();
  } catch (error) {
    // The parser throws nothing else.
    const { position } = (error as Required<YAMLException>).mark;
    return new Refusal('syntax', t('this is not valid YAML.'), text, Math.min(position, text.length));
  }
}

interface Named {
  value: Value | undefined;
  /** Number of references in it, nested ones included. */
  references: number;
}

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

type NodeEvent = Extract<Event, { readonly anchorStart: number }>;

class EventReader {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #named = new Map<string, Named>();
  #next = 0;
  #references = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  first(): Value {
    this.#next = 1;
    return this.#events.length === 0 || this.#isOver() ? null : this.#value();
  }

  #value(event = this.#node()): Value {
    switch (event.type) {
      case EVENT_ID.ALIAS:
        return this.#referred(event.anchorStart, event.anchorEnd);
      case EVENT_ID.SCALAR:
        return this.#keep(event, () => this.#scalar(event));
      case EVENT_ID.SEQUENCE:
        return this.#keep(event, () => this.#list());
      case EVENT_ID.MAPPING:
        return this.#keep(event, () => this.#map());
    }
  }

  #keep(event: NodeEvent, read: () => Value): Value {
    if (event.anchorStart < 0) return read();
    const named: Named = { value: undefined, references: 0 };
    this.#named.set(this.#text.slice(event.anchorStart, event.anchorEnd), named);
    const before = this.#references;
    named.value = read();
    named.references = this.#references - before;
    return named.value;
  }

  #referred(start: number, end: number): Value {
    const name = this.#text.slice(start, end);
    const named = this.#named.get(name);
    // It may be outside the pasted part.
    if (!named) return null;
    this.#references += 1 + named.references;
    if (this.#references > maxReferences) return null;
    // A reference to itself stays text.
    return named.value === undefined ? `*${name}` : named.value;
  }

  #list(): Value[] {
    const items: Value[] = [];
    while (!this.#isOver()) items.push(this.#value());
    this.#next++;
    return items;
  }

  #map(): Map<string, Value> {
    const members: [string, Value][] = [];
    while (!this.#isOver()) members.push([this.#key(), this.#value()]);
    this.#next++;
    // Own keys win over merged ones.
    const isMerge = ([key, value]: [string, Value]) => key === '<<' && value instanceof Map;
    const merged = members.filter(isMerge).flatMap(([, value]) => [...(value as ReadonlyMap<string, Value>)]);
    return new Map([...merged, ...members.filter((member) => !isMerge(member))]);
  }

  #key(): string {
    const event = this.#node();
    const value = this.#value(event);
    if (event.type === EVENT_ID.SCALAR) return getScalarValue(this.#text, event);
    if (typeof value === 'string') return value;
    if (event.type === EVENT_ID.ALIAS) return this.#text.slice(event.anchorStart - 1, event.anchorEnd);
    // Only its position is used.
    return YAMLException.throwAt(this.#text, event.start, '');
  }

  /** A number with another spelling, such as a version, stays text. */
  #scalar(event: ScalarEvent): Value {
    const text = getScalarValue(this.#text, event);
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd);
    if (event.style !== SCALAR_STYLE.PLAIN || !/^(?:!!(?:int|float|bool|null))?$/.test(tag)) return text;
    if (/^(?:~|null|Null|NULL)?$/.test(text)) return null;
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    if (/^(?:false|False|FALSE)$/.test(text)) return false;
    const number = Number(text);
    return Number.isFinite(number) && String(number) === text ? number : text;
  }

  /** Call it if `#isOver` is false, or after a key. */
  #node(): NodeEvent {
    return this.#events[this.#next++] as NodeEvent;
  }

  #isOver(): boolean {
    return this.#events[this.#next]?.type === EVENT_ID.POP;
  }
}
