import { UserError } from '../../base/errors.ts';
import type { Fields } from '../text/values.ts';
import type { Server } from '../format/server.ts';

export interface PastedServers {
  /** Never empty. Names may repeat. */
  readonly servers: readonly PastedServer[];
  /** Sentences about unreadable parts that look like servers. */
  readonly problems: readonly string[];
}

export interface PastedServer {
  /** `undefined` if the text has none, so the user must enter it. */
  readonly name: string | undefined;
  /** The name, or one made from the package or host. */
  readonly suggestedName: string;
  readonly server: Server;
  readonly enabled: boolean;
  /** True for a bare command or URL, without a word about MCP. */
  readonly isGuess: boolean;
  /**
   * Further fields of mcp.json, such as `cwd`, `timeout` and
   * `max_sse_event_size`. They are written with the server, so no note mentions
   * them.
   */
  readonly extra: Fields;
  /** Values to ask for before the server can work. */
  readonly placeholders: readonly PastedPlaceholder[];
  /** Sentences about differences from the text. */
  readonly notes: readonly string[];
}

export interface PastedPlaceholder {
  readonly place: PlaceInServer;
  /**
   * The part to replace: `YOUR_KEY` in `Bearer YOUR_KEY`. It is not a secret.
   */
  readonly text: string;
  /** The meaning, if the text has it. */
  readonly description: string | undefined;
}

export type PlaceInServer =
  | { readonly in: 'env' | 'header'; readonly name: string }
  | { readonly in: 'argument'; readonly index: number }
  | { readonly in: 'command' | 'url' | 'auth' };

type PasteRefusalKind = 'empty' | 'tooBig' | 'nothing' | 'unreadable';

/** The message is a sentence without any possible secret. */
export class PasteRefusal extends UserError {
  readonly kind: PasteRefusalKind;

  constructor(kind: PasteRefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A server in the words of any program. */
export interface PastedEntry {
  readonly name: string | undefined;
  readonly fields: Fields;
  /** Descriptions of the values that an editor asks for. */
  readonly inputs?: ReadonlyMap<string, string>;
  readonly notes?: readonly string[];
  readonly isGuess?: true;
}

export interface PasteFindings {
  readonly entries: PastedEntry[];
  readonly problems: string[];
}
