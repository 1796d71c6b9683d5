/** Limits the kept texts of events to bound memory. */
import type { EventPicture } from '../../service/model/events.ts';

/** Characters kept of one text. Users can load the rest. */
const maxTextLength = 50_000;
const maxPictureLength = 3_000_000;
/** Total characters, above which less is kept of each further text. */
const maxKeptLength = 60_000_000;
const maxLengthWhenFull = 2_000;

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
    const kept = beginning(
      text,
      this.#kept < maxKeptLength ? this.#longest : maxLengthWhenFull,
    );
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

/** Copies the beginning: a slice would keep the whole text in memory. */
function beginning(text: string, length: number): string {
  return text.length <= length
    ? text
    : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}
