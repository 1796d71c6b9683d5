import { createHmac, timingSafeEqual } from 'node:crypto';

/** The lists that have pages. A cursor is valid for one of them only. */
const lists = ['v0', 'conversations', 'sandboxes', 'specs', 'held'] as const;

export type ListName = (typeof lists)[number];

/** The beginning of a page. */
export interface ListPosition {
  readonly position: number;
  /** The number of pages without rows that come first, in tests. */
  readonly empty: number;
  /** The number of times that the list has started again, in tests. */
  readonly lap: number;
}

/**
 * Three bytes that are `+/+/` in base64. The length leaves one `=` at the end. A client that does not encode cursors in a
 * URL therefore always fails, and not just occasionally.
 */
const prefix = Buffer.from('+/+/', 'base64');
const macLength = 5;
const length = prefix.length + 9 + macLength;

/** Turns places into text that means nothing to a caller and that a caller cannot forge. */
export class Cursors {
  readonly #key: string;

  constructor(seed: number) {
    this.#key = `cursors of ${seed}`;
  }

  write(list: ListName, { position, empty, lap }: ListPosition): string {
    const content = Buffer.alloc(length - macLength);
    prefix.copy(content);
    content.writeUInt8(lists.indexOf(list), 3);
    content.writeUInt16BE(empty % 0x10000, 4);
    content.writeUInt16BE(lap % 0x10000, 6);
    content.writeInt32BE(position, 8);
    return Buffer.concat([content, this.#mac(content)]).toString('base64');
  }

  /** Undefined if this service did not write the text for this list. */
  read(list: ListName, text: string): ListPosition | undefined {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== length || bytes.toString('base64') !== text) return undefined;
    const content = bytes.subarray(0, length - macLength);
    if (!timingSafeEqual(this.#mac(content), bytes.subarray(length - macLength))) return undefined;
    if (lists[content.readUInt8(3)] !== list) return undefined;
    return { empty: content.readUInt16BE(4), lap: content.readUInt16BE(6), position: content.readInt32BE(8) };
  }

  #mac(content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(content).digest().subarray(0, macLength);
  }
}
