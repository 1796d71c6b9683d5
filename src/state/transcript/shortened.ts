/** Limits the kept texts of events to bound memory. */
import { parseExactly } from '../../service/http/exactJson.ts';
import type { AgentEvent, EventPicture } from '../../service/model/events.ts';
import { escaped } from '../../service/records/escaped.ts';

/** Characters kept of one text. Users can load the rest. */
const maxTextLength = 50_000;
const maxPictureLength = 3_000_000;
/** Total characters, above which less is kept of each further text. */
const maxKeptLength = 60_000_000;
const maxLengthWhenFull = 2_000;
/** JSON may be this many times as long as its texts. */
const maxEscapedFactor = 3;

export class Keeper {
  readonly #longest: number;
  #kept = 0;
  #leftOut = 0;

  /** `longest`: maximum length of one text. */
  constructor(longest = maxTextLength) {
    this.#longest = longest;
  }

  /**
   * Returns the number of characters that were left out since the last call.
   */
  takeLeftOut(): number {
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }

  text(text: string): string {
    return this.#count(text, beginning(text, this.#maxLength));
  }

  /** Shortens the texts in the input of an action, which stays valid JSON. */
  input(json: string): string {
    const length = this.#maxLength;
    if (json.length <= length) return this.text(json);
    const shortened = shortenedInput(json, length);
    return shortened === undefined
      ? this.text(json)
      : this.#count(json, shortened);
  }

  get #maxLength(): number {
    return this.#kept < maxKeptLength ? this.#longest : maxLengthWhenFull;
  }

  #count(text: string, kept: string): string {
    this.#leftOut += text.length - kept.length;
    this.#kept += kept.length;
    return kept;
  }

  pictures(pictures: readonly EventPicture[]): readonly EventPicture[] {
    const kept = pictures.filter((picture) => {
      if ('address' in picture) return true;
      const isKept =
        this.#kept < maxKeptLength && picture.base64.length <= maxPictureLength;
      if (isKept) this.#kept += picture.base64.length;
      else this.#leftOut += picture.base64.length;
      return isKept;
    });
    return kept.length === pictures.length ? pictures : kept;
  }
}

/** Removes the texts that the entry keeps from its event. */
export function withoutTexts(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case 'message':
      return { ...event, text: '', reasoning: undefined, images: [] };
    case 'observation':
      return {
        ...event,
        text: '',
        images: [],
        change: undefined,
        tasks: undefined,
      };
    case 'condensation':
      return { ...event, summary: undefined };
    case 'call': {
      const { action, result } = event;
      return {
        ...event,
        action: { ...action, arguments: '' },
        result: { ...result, text: '', images: [], change: undefined },
      };
    }
    case 'hook':
      return { ...event, text: '' };
    case 'other':
      return { ...event, json: '' };
    case 'action':
    case 'rejection':
    case 'error':
    case 'state':
    case 'stop':
    case 'piece':
    case 'rating':
    case 'untold':
      return event;
  }
}

/** Returns `undefined` if the texts are not what makes the input long. */
function shortenedInput(json: string, length: number): string | undefined {
  try {
    const input = parseExactly(json) as Record<string, unknown>;
    const texts = Object.entries(input)
      .filter(
        (member): member is [string, string] => typeof member[1] === 'string',
      )
      .sort(([, a], [, b]) => a.length - b.length);
    let left = length;
    for (const [name, text] of texts) {
      const kept = beginning(text, left);
      input[name] = kept;
      left -= kept.length;
    }
    const kept = escaped(input);
    return kept.length <= maxEscapedFactor * length ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Copies the beginning: a slice would keep the whole text in memory. */
function beginning(text: string, length: number): string {
  return text.length <= length
    ? text
    : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}
