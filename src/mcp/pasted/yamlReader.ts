/** YAML as a value. The only file that loads the reader of YAML. */
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import { t } from '../../base/l10n.ts';
import { Refusal } from '../text/refusal.ts';
import type { Value } from '../text/values.ts';

/** More references than any configuration has. What one stands for can have others in it, or itself. */
const mostReferences = 100;

/** What a text says, or why it cannot be read. */
export function readYaml(text: string): Value | Refusal {
  try {
    return new EventReader(text, parseEvents(text, {})).first();
  } catch (error) {
    // Nothing else is thrown for a text.
    const { position } = (error as Required<YAMLException>).mark;
    return new Refusal('syntax', t('this is not valid YAML.'), text, Math.min(position, text.length));
  }
}

interface Named {
  /** Undefined while it is being read. */
  value: Value | undefined;
  /** How many references were followed for it. */
  references: number;
}

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

/** Documents and closing tokens are not nodes. */
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

  /** The first document. */
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

  /** For what refers to it by its name. */
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
    // It may be in a part that is not here.
    if (!named) return null;
    this.#references += 1 + named.references;
    if (this.#references > mostReferences) return null;
    // What refers to itself stays as it is written.
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
    // What is merged in does not count where a key is here as well.
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
    // Only the place is told.
    return YAMLException.throwAt(this.#text, event.start, '');
  }

  /** A number that would be written otherwise, as a version, is text here. */
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

  /** There is one wherever `#isOver` says no, and after each key. */
  #node(): NodeEvent {
    return this.#events[this.#next++] as NodeEvent;
  }

  #isOver(): boolean {
    return this.#events[this.#next]?.type === EVENT_ID.POP;
  }
}
