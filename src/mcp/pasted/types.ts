/** What is found in a text that somebody pasted: servers, as far as they can be told, and what is left to ask. */
import { UserError } from '../../base/errors.ts';
import type { Fields, Server } from '../server.ts';

export interface Pasted {
  /** At least one. Two of them can have the same name. */
  readonly servers: readonly PastedServer[];
  /** Sentences about parts of the text that look like servers and could not be read. */
  readonly problems: readonly string[];
}

export interface PastedServer {
  /** Undefined where the text has none, and it must be asked for. */
  readonly name: string | undefined;
  /** The name, or one made from the package or the host. */
  readonly suggestedName: string;
  readonly server: Server;
  readonly enabled: boolean;
  /**
   * What our format has besides, in its own units: `cwd`, `timeout`, `description`, `icon`, `sse_read_timeout`. It is
   * in no note, because it is written with the server.
   */
  readonly extra: Fields;
  /** What has to be asked for before the server can work. */
  readonly placeholders: readonly Placeholder[];
  /** Sentences about what is not as it was in the text. */
  readonly notes: readonly string[];
}

/** A part of a value that stands for a real one. */
export interface Placeholder {
  readonly place: Place;
  /** What is to be replaced, as `YOUR_KEY` in `Bearer YOUR_KEY`. It is no secret. */
  readonly text: string;
  /** What it stands for, where the text tells. */
  readonly description: string | undefined;
}

export type Place =
  | { readonly in: 'env' | 'header'; readonly name: string }
  | { readonly in: 'argument'; readonly index: number }
  | { readonly in: 'command' | 'url' | 'auth' };

export type PasteRefusalKind = 'empty' | 'tooBig' | 'nothing' | 'unreadable';

/** Why no server is found in a text. The message is a sentence, and repeats nothing that may be secret. */
export class PasteRefusal extends UserError {
  readonly kind: PasteRefusalKind;

  constructor(kind: PasteRefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A server as the text has it, with the words of whichever program it was written for. */
export interface Found {
  readonly name: string | undefined;
  readonly entry: Fields;
  /** What is said about the inputs of VS Code, by their ids. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** Where servers and problems come together while a text is read. */
export interface Findings {
  readonly found: Found[];
  readonly problems: string[];
}
