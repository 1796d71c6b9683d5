/** What is found in a text that somebody pasted: servers, as far as the text tells, and what is left to ask. */
import { UserError } from '../../base/errors.ts';
import type { Fields } from '../text/values.ts';
import type { Server } from '../format/server.ts';
import type { OtherThing } from './otherThings.ts';

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
  /** Whether the text is no more than a command or an address, and says nothing of a server. */
  readonly isGuess: boolean;
  /**
   * Fields of mcp.json that `server` lacks, in its own units, such as `cwd`, `timeout` and `max_sse_event_size`. No note
   * mentions them, because they are written with the server.
   */
  readonly extra: Fields;
  /** What must be asked for before the server can work. */
  readonly placeholders: readonly PastedPlaceholder[];
  /** Sentences about what differs from the text. */
  readonly notes: readonly string[];
}

/** A part of a value that stands for a real one. */
export interface PastedPlaceholder {
  readonly place: PlaceInServer;
  /** The part to replace, as `YOUR_KEY` in `Bearer YOUR_KEY`. It is not a secret. */
  readonly text: string;
  /** What it stands for, where the text tells. */
  readonly description: string | undefined;
}

export type PlaceInServer =
  | { readonly in: 'env' | 'header'; readonly name: string }
  | { readonly in: 'argument'; readonly index: number }
  | { readonly in: 'command' | 'url' | 'auth' };

type PasteRefusalKind = 'empty' | 'tooBig' | 'nothing' | 'unreadable';

/** Why no server is found in a text. The message is a sentence, and repeats nothing that may be secret. */
export class PasteRefusal extends UserError {
  readonly kind: PasteRefusalKind;

  constructor(kind: PasteRefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A server as the text has it, with the words of whichever program it was written for. */
export interface PastedEntry {
  readonly name: string | undefined;
  readonly fields: Fields;
  /** What is said about the inputs of VS Code, by their ids. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  readonly isGuess?: true;
}

/** Where the readers of the several kinds of text put what they find. */
export interface PasteFindings {
  readonly entries: PastedEntry[];
  readonly problems: string[];
  /** What is there that looks like a server and is none. It matters where there is nothing else. */
  readonly others: Set<OtherThing>;
}
