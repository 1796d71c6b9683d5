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

/** Other fields of a server, by the names of the service. */
export interface ServerExtras {
  readonly cwd?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly timeout?: number;
  readonly sse_read_timeout?: number;
  readonly keep_alive?: boolean;
}

/** The sign-in of a server, as a service reports it. */
export interface ServiceAuth {
  /** `none`, `api_key`, `bearer`, `basic`, `header`, `oauth2`, or one that is not known yet. */
  readonly strategy: string;
  /** Open parts, such as `username`. */
  readonly told: ReadonlyMap<string, string>;
  /** Named by their path, such as `value`, `password` and `headers.X-Key`. */
  readonly secrets: ReadonlyMap<string, MaskedValue>;
}

interface Listed {
  readonly name: string;
  /** True if agents get it. */
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
        /** Undefined if the service does not say. */
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

/** Changes of a server. Fields that are missing stay as they are, secrets included; null takes a field away. */
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

/** The result of starting or reaching a server from the machine of the service. */
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
