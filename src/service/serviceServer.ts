/** The MCP servers in the settings of a service: what it tells about them, and what is sent to it. */
import { mask, type Secret } from '../base/secret.ts';

/** The value of `inspect.custom`. */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A secret that a service has and does not tell. It holds nothing that could be written: it is not text, and becomes no
 * JSON.
 */
export class MaskedValue {
  toString(): string {
    return mask;
  }

  toJSON(): never {
    throw new Error('A secret that the service does not tell cannot be sent or written.');
  }

  [inspectCustom](): string {
    return mask;
  }
}

/** What a service can keep with a server, by the names that it has for them. */
export interface ServerExtras {
  readonly cwd?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly timeout?: number;
  readonly sse_read_timeout?: number;
  readonly keep_alive?: boolean;
}

/** How a server is signed in to, as a service tells it. */
export interface ServiceAuth {
  /** `none`, `api_key`, `bearer`, `basic`, `header`, `oauth2`, or one that is not known yet. */
  readonly strategy: string;
  /** What is not secret, such as `username`. */
  readonly told: ReadonlyMap<string, string>;
  /** By where they are, such as `value`, `password` and `headers.X-Key`. */
  readonly secrets: ReadonlyMap<string, MaskedValue>;
}

interface Listed {
  readonly name: string;
  /** Whether agents get it. */
  readonly enabled: boolean;
  readonly extras: ServerExtras;
}

/** A server as a service tells it. Arguments and addresses can contain secrets: they come as they are. */
export type ServiceServer = Listed &
  (
    | {
        readonly transport: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        /** Undefined where the service does not tell whether there are any. */
        readonly env: ReadonlyMap<string, MaskedValue> | undefined;
      }
    | {
        readonly transport: 'http' | 'sse';
        readonly url: string;
        /** Undefined where the service does not tell whether there are any. */
        readonly headers: ReadonlyMap<string, MaskedValue> | undefined;
        readonly auth: ServiceAuth | undefined;
      }
    /** It has neither a command nor an address, so agents cannot use it. */
    | { readonly transport: undefined }
  );

/** With every secret that it has. */
export type SentAuth =
  { readonly strategy: 'bearer'; readonly value: Secret } | { readonly strategy: 'oauth2' };

/** A server as it is sent to a service. */
export type SentServer =
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: ReadonlyMap<string, Secret>;
      readonly extras: ServerExtras;
    }
  | {
      readonly transport: 'http' | 'sse';
      readonly url: string;
      readonly headers: ReadonlyMap<string, Secret>;
      readonly auth?: SentAuth | undefined;
      readonly extras: ServerExtras;
    };

/** What changes of a server. What is not named stays as it is, secrets included; what is null is taken away. */
export interface ServerChange {
  readonly enabled?: boolean;
  readonly command?: string | null;
  readonly args?: readonly string[] | null;
  readonly env?: ReadonlyMap<string, Secret | null> | null;
  readonly url?: string | null;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly headers?: ReadonlyMap<string, Secret | null> | null;
  readonly auth?: SentAuth | null;
}

/** What came of starting or reaching a server from where the service runs. */
export type ServiceCheck =
  | { readonly works: true; readonly tools: readonly string[]; readonly milliseconds: number }
  | {
      readonly works: false;
      /** `unknown`: the service says no more than `why`. */
      readonly reason: 'timedOut' | 'noConnection' | 'unknown';
      /** In the words of the service: one line, without secrets. */
      readonly why: string;
      readonly milliseconds: number;
    };
