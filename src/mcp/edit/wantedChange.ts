import type { Fields } from '../text/values.ts';
import { type Server, writeServer } from '../format/server.ts';

export type Change =
  | (WrittenServer & { readonly do: 'add' })
  | { readonly do: 'enable' | 'disable'; readonly name: string }
  | { readonly do: 'remove'; readonly name: string }
  | SwitchTools
  | { readonly do: 'url'; readonly name: string; readonly url: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  /** Replaces the whole entry. */
  | (WrittenServer & { readonly do: 'replace' })
  /** Moves servers at the root into `mcpServers`. */
  | { readonly do: 'wrap' };

/** Enables and disables tools of a server. A tool in both lists is disabled. */
export interface SwitchTools {
  readonly do: 'tools';
  readonly name: string;
  readonly on: readonly string[];
  readonly off: readonly string[];
}

export interface WrittenServer {
  readonly name: string;
  readonly server: Server;
  readonly enabled?: boolean;
  readonly extra?: Fields;
}

export function fieldsOf({
  server,
  enabled = true,
  extra,
}: WrittenServer): Fields {
  return writeServer(server, enabled, extra);
}
