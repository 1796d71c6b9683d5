/**
 * Random values that depend only on a seed, an index and a purpose: row 70,000
 * needs no row before it, and a new purpose changes no existing value.
 */
export class Dice {
  readonly #base: number;

  constructor(seed: number, index: number) {
    this.#base = scramble(scramble(seed ^ 0x9e3779b9) ^ index);
  }

  /** 32 bits. */
  bits(purpose: string): number {
    let state = this.#base ^ 0x811c9dc5;
    for (let at = 0; at < purpose.length; at++) {
      state = Math.imul(state ^ purpose.charCodeAt(at), 0x01000193);
    }
    return scramble(state);
  }

  /** A whole number from 0 to `end`, excluding `end`. */
  below(purpose: string, end: number): number {
    return Math.floor((this.bits(purpose) / 2 ** 32) * end);
  }

  /** A whole number from `low` to `high`, including both. */
  between(purpose: string, low: number, high: number): number {
    return low + this.below(purpose, high - low + 1);
  }

  pick<Item>(purpose: string, items: readonly Item[]): Item {
    return items[this.below(purpose, items.length)] as Item;
  }

  hex(purpose: string, digits: number): string {
    let text = '';
    while (text.length < digits) {
      text += this.bits(`${purpose}${text.length}`)
        .toString(16)
        .padStart(8, '0');
    }
    return text.slice(0, digits);
  }
}

/**
 * The card for `index` when a pack is shuffled and dealt repeatedly: every full
 * round gets each card once. The size of the pack must be prime, so that every
 * stride reaches all cards.
 */
export function deal<Card>(
  seed: number,
  index: number,
  purpose: string,
  pack: readonly Card[],
): Card {
  const size = pack.length;
  const round = Math.floor(index / size);
  const dice = new Dice(seed, round);
  const stride = dice.between(`${purpose} stride`, 1, size - 1);
  const place =
    (dice.below(purpose, size) + stride * (index - round * size)) % size;
  return pack[place] as Card;
}

/** The finaliser of MurmurHash3. */
function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
