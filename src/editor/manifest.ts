/**
 * The ids and settings that package.json declares, with their types. A test compares the two, which is why this imports
 * no editor.
 */
import type { Interface } from '../service/agentService.ts';
import type { Authentication } from '../service/transport.ts';

export const extensionId = 'agent-switchboard.agent-switchboard';

export const container = 'switchboard';

export const views = {
  conversations: 'switchboard.conversations',
  sandboxes: 'switchboard.sandboxes',
  servers: 'switchboard.servers',
} as const;

/**
 * The arguments that each command takes: plain ids, as the service spells them; keys, where several services may have the
 * same id; addresses of services. All are optional, because the palette gives none.
 */
export interface Commands {
  'switchboard.connect': [];
  'switchboard.disconnect': [address?: string];
  'switchboard.findServices': [];
  'switchboard.manageServices': [address?: string];
  'switchboard.setApiKey': [address?: string];
  'switchboard.clearApiKey': [address?: string];
  'switchboard.startDemo': [];
  'switchboard.stopDemo': [];
  'switchboard.showLog': [];
  'switchboard.conversations.refresh': [];
  /** With the id of a conversation that could not be created: tries again. */
  'switchboard.conversations.new': [pendingId?: string];
  'switchboard.conversations.cancelNew': [pendingId?: string];
  'switchboard.conversations.open': [id?: string];
  'switchboard.conversations.showDetails': [id?: string];
  'switchboard.conversations.resume': [id?: string];
  'switchboard.conversations.accept': [id?: string];
  'switchboard.conversations.reject': [id?: string];
  'switchboard.conversations.send': [id?: string];
  'switchboard.conversations.stop': [...ids: string[]];
  'switchboard.conversations.rename': [id?: string];
  'switchboard.conversations.fork': [id?: string];
  'switchboard.conversations.delete': [...ids: string[]];
  'switchboard.conversations.filter': [];
  'switchboard.conversations.clearFilters': [];
  'switchboard.conversations.groupBy': [];
  'switchboard.conversations.sortBy': [];
  'switchboard.conversations.loadMore': [];
  'switchboard.conversations.copyId': [id?: string];
  'switchboard.conversations.openAgentEditor': [id?: string];
  'switchboard.conversations.copyUrl': [id?: string];
  'switchboard.conversations.openPullRequest': [id?: string];
  'switchboard.sandboxes.refresh': [];
  'switchboard.sandboxes.start': [];
  'switchboard.sandboxes.pause': [id?: string];
  'switchboard.sandboxes.resume': [id?: string];
  'switchboard.sandboxes.delete': [id?: string];
  'switchboard.sandboxes.openUrl': [id?: string, index?: number];
  'switchboard.sandboxes.copyId': [id?: string];
  'switchboard.mcp.add': [];
  'switchboard.mcp.addFromText': [];
  'switchboard.mcp.enable': [...names: string[]];
  'switchboard.mcp.disable': [...names: string[]];
  'switchboard.mcp.remove': [...names: string[]];
  'switchboard.mcp.get': [name?: string];
  'switchboard.mcp.list': [];
  'switchboard.mcp.status': [];
  'switchboard.mcp.openConfig': [];
  'switchboard.mcp.reveal': [name?: string];
  'switchboard.mcp.copyAsCommand': [name?: string];
  'switchboard.mcp.copyJson': [name?: string];
  /** Moves servers from the root of the file into `mcpServers`. */
  'switchboard.mcp.wrap': [];
  'switchboard.mcp.makePrivate': [];
}

export type CommandId = keyof Commands;

/** What a key gives a command instead of ids: the rows on which it was pressed are meant. */
export const rowsOfTheKey = 'rowsOfTheKey';

/** The kind of the pages of conversations, under which the editor keeps them when it is closed. */
export const conversationPage = 'switchboard.conversation';

/** A service in the settings. */
export interface ServiceSetting {
  readonly name?: string | undefined;
  readonly url: string;
  readonly authentication?: Authentication | undefined;
  readonly interface?: Interface | 'auto' | undefined;
  readonly enabled?: boolean | undefined;
}

/** Each setting without its prefix `switchboard.`, and its default. */
export const settings = {
  services: [] as readonly ServiceSetting[],
  'conversations.pageSize': 20,
  'conversations.enterSends': true,
  refreshInterval: 30,
  notifications: 'attention' as 'all' | 'attention' | 'off',
  cliDirectory: '',
  'mcp.file': '',
};

export type Settings = Readonly<typeof settings>;

/** Keys in the `when` clauses of package.json and in the steps of the walkthrough. */
export const contextKeys = {
  connected: 'switchboard.connected',
  demo: 'switchboard.demo',
  /** It is known that no connected service has sandboxes. */
  lacksSandboxes: 'switchboard.lacksSandboxes',
  /** It is known that no connected service can create conversations. */
  lacksCreation: 'switchboard.lacksCreation',
  filtered: 'switchboard.filtered',
  conversationsLoaded: 'switchboard.conversationsLoaded',
  sandboxesLoaded: 'switchboard.sandboxesLoaded',
  /** The configuration file has a server, which completes a step of the walkthrough. */
  hasServers: 'switchboard.hasServers',
  /** The active editor is for a message to an agent. */
  writing: 'switchboard.writing',
} as const;
