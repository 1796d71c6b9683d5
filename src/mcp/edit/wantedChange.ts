import type { WrittenServer } from '../format/server.ts';

export type NamedServer = WrittenServer & { readonly name: string };

export type Change =
  | (NamedServer & { readonly do: 'add' })
  | { readonly do: 'enable' | 'disable'; readonly name: string }
  | { readonly do: 'remove'; readonly name: string }
  | SwitchTools
  | { readonly do: 'url'; readonly name: string; readonly url: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  /** Replaces the whole entry. */
  | (NamedServer & { readonly do: 'replace' })
  /** Moves servers at the root into `mcpServers`. */
  | { readonly do: 'wrap' };

/** Enables and disables tools of a server. A tool in both lists is disabled. */
export interface SwitchTools {
  readonly do: 'tools';
  readonly name: string;
  readonly on: readonly string[];
  readonly off: readonly string[];
}
