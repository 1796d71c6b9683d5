/**
 * Every id and setting that package.json declares, with its types. A test holds the two against each other.
 * Imports nothing, so that the test needs no editor.
 */

export const extensionId = 'agent-switchboard.agent-switchboard';

export const container = 'switchboard';

export const views = {
  conversations: 'switchboard.conversations',
  sandboxes: 'switchboard.sandboxes',
  servers: 'switchboard.servers',
} as const;

/** The arguments that each command takes; all are optional, because the palette gives none. */
export interface Commands {
  'switchboard.showLog': [];
  'switchboard.mcp.openConfig': [];
}

export type CommandId = keyof Commands;

export const commandIds = [
  'switchboard.showLog',
  'switchboard.mcp.openConfig',
] as const satisfies readonly CommandId[];

/** Each setting without its prefix `switchboard.`, and its default. */
export const settings = {
  cliDirectory: '',
  'mcp.file': '',
} as const;

/** The type of a setting is that of its default, not its value. */
type Widen<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

export type Settings = { readonly [Key in keyof typeof settings]: Widen<(typeof settings)[Key]> };
