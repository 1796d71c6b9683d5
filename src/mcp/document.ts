import type { Fields, Server } from './server.ts';

/** A server in the file. Of a name that is there twice this is the last, which is the one that counts. */
export interface Entry {
  readonly name: string;
  readonly enabled: boolean;
  /** Undefined where the entry names neither a command nor a URL. */
  readonly server: Server | undefined;
  /** Undefined where the entry is not an object. */
  readonly fields: Fields | undefined;
  /** Offsets in the text: of the quote before the name, of the value, and behind the value. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Something about the file that its owner should know. The message is a sentence. */
export interface Remark {
  readonly kind: 'comment' | 'trailingComma' | 'byteOrderMark' | 'duplicate' | 'serversAtRoot';
  readonly message: string;
  readonly offset: number;
}

export interface Document {
  readonly entries: readonly Entry[];
  readonly remarks: readonly Remark[];
}
