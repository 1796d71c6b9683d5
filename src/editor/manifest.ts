/**
 * The ids and settings that package.json declares, with their types. A test
 * compares the two, which is why this imports no editor.
 */
import type { ServiceInterface } from '../service/abilities/agentService.ts';
import type { Authentication } from '../service/http/transport.ts';
import { defaultAskRules } from './defaultAskRules.ts';
import type { AcceptRule } from '../state/approvalRules/acceptRules.ts';
import type { StartingPoint } from '../state/newConversation/firstMessage.ts';

export const extensionId = 'agent-switchboard.agent-switchboard';

export const container = 'switchboard';

export const views = {
  conversations: 'switchboard.conversations',
  sandboxes: 'switchboard.sandboxes',
  servers: 'switchboard.servers',
} as const;

/**
 * The arguments that each command takes: plain ids, as the service spells them;
 * keys, where several services may have the same id; addresses of services. All
 * are optional, because the palette gives none.
 */
export interface Commands {
  'switchboard.connect': [];
  'switchboard.disconnect': [address?: string];
  'switchboard.findServices': [];
  'switchboard.manageModels': [address?: string];
  'switchboard.manageServices': [address?: string];
  'switchboard.setApiKey': [address?: string];
  'switchboard.clearApiKey': [address?: string];
  'switchboard.cleanUpWorktrees': [address?: string];
  'switchboard.startServer': [];
  'switchboard.startDemo': [];
  'switchboard.stopDemo': [];
  'switchboard.sendTestNotification': [];
  'switchboard.showCosts': [as?: 'copy' | 'save'];
  'switchboard.showLog': [];
  'switchboard.conversations.refresh': [];
  'switchboard.retry': [];
  /** Opens the draft, or the failed request, with this id. */
  'switchboard.conversations.new': [id?: string];
  /** Starts from the active editor if no starting point is given. */
  'switchboard.conversations.newFromEditor': [point?: StartingPoint];
  'switchboard.conversations.cancelNew': [pendingId?: string];
  'switchboard.conversations.open': [id?: string];
  /**
   * Also with the key of a conversation that is being created. A click on a row
   * uses the tab of the click before.
   */
  'switchboard.conversations.showDetails': [id?: string, by?: typeof aClick];
  'switchboard.conversations.keepOpen': [];
  'switchboard.conversations.resume': [id?: string];
  /**
   * Shows the pending action of the active page, or of the chosen conversation,
   * to be answered there.
   */
  'switchboard.conversations.answer': [];
  'switchboard.conversations.accept': [id?: string];
  'switchboard.conversations.reviewAndAccept': [id?: string];
  'switchboard.conversations.reject': [id?: string];
  'switchboard.conversations.send': [id?: string];
  'switchboard.conversations.stop': [...ids: string[]];
  'switchboard.conversations.approvalRules': [];
  'switchboard.conversations.attachSelection': [];
  /** The addresses of the files; without them, the person chooses some. */
  'switchboard.conversations.attachFiles': [...addresses: string[]];
  'switchboard.conversations.showChanges': [id?: string];
  'switchboard.conversations.showChangesSince': [id?: string];
  /**
   * The address of a document of a diff; or ids of rows of files, perhaps after
   * one of `boxStates`. Otherwise toggles.
   */
  'switchboard.conversations.markReviewed': [...idsOrAddress: string[]];
  'switchboard.conversations.markAllReviewed': [id?: string];
  /** The address of a document of a diff, or the id of the row of a file. */
  'switchboard.conversations.showWholeChange': [idOrAddress?: string];
  'switchboard.conversations.takeOver': [id?: string];
  /** Into the folder that is open. */
  'switchboard.conversations.undoTakeOver': [];
  'switchboard.conversations.askForPullRequest': [id?: string];
  /** Comments on the selected lines of a diff. */
  'switchboard.conversations.commentToAgent': [];
  'switchboard.conversations.sendReview': [id?: string];
  'switchboard.conversations.discardReview': [id?: string];
  'switchboard.review.addComment': [written?: WrittenComment];
  'switchboard.review.sendComment': [written?: WrittenComment];
  'switchboard.review.editComment': [id?: string];
  'switchboard.review.saveComment': [id?: string];
  'switchboard.review.cancelEditing': [id?: string];
  'switchboard.review.discardComment': [id?: string];
  /** `rowId` is that of the row of the file. */
  'switchboard.conversations.openChangedFile': [rowId?: string];
  'switchboard.conversations.rename': [id?: string];
  'switchboard.conversations.setLimit': [id?: string];
  /** Forks from the event, or before its message, to edit that. */
  'switchboard.conversations.fork': [
    id?: string,
    eventId?: string,
    isBefore?: boolean,
  ];
  'switchboard.conversations.compact': [id?: string];
  'switchboard.conversations.switchModel': [id?: string];
  'switchboard.conversations.delete': [...ids: string[]];
  'switchboard.conversations.pin': [...ids: string[]];
  'switchboard.conversations.unpin': [...ids: string[]];
  'switchboard.conversations.archive': [...ids: string[]];
  'switchboard.conversations.unarchive': [...ids: string[]];
  'switchboard.conversations.markRead': [...ids: string[]];
  'switchboard.conversations.markUnread': [...ids: string[]];
  'switchboard.conversations.filter': [shown?: 'archived'];
  'switchboard.conversations.clearFilters': [];
  'switchboard.conversations.groupBy': [];
  'switchboard.conversations.sortBy': [];
  'switchboard.conversations.loadMore': [];
  'switchboard.conversations.copyId': [id?: string];
  'switchboard.conversations.openAgentEditor': [id?: string];
  'switchboard.conversations.copyUrl': [id?: string];
  'switchboard.conversations.openPullRequest': [id?: string];
  /** The key of an automation. */
  'switchboard.automations.runNow': [key?: string];
  'switchboard.automations.turnOff': [key?: string];
  'switchboard.automations.turnOn': [key?: string];
  'switchboard.automations.openLastRun': [key?: string];
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
  'switchboard.mcp.check': [...names: string[]];
  'switchboard.mcp.checkAll': [];
  /** Takes the tools to switch on and off if they are known already. */
  'switchboard.mcp.chooseTools': [
    name?: string,
    on?: readonly string[],
    off?: readonly string[],
  ];
  'switchboard.mcp.get': [name?: string];
  'switchboard.mcp.list': [];
  'switchboard.mcp.status': [];
  'switchboard.mcp.openConfig': [];
  /** Shows the first of these places that is there, as named by `placeIn`. */
  'switchboard.mcp.reveal': [name?: string, ...places: string[]];
  'switchboard.mcp.changeUrl': [name?: string, url?: string];
  'switchboard.mcp.copyAsCommand': [name?: string];
  'switchboard.mcp.copyJson': [name?: string];
  'switchboard.mcp.copyToService': [name?: string];
  'switchboard.mcp.checkAtService': [name?: string];
  'switchboard.serviceServers.add': [address?: string];
  'switchboard.serviceServers.addFromText': [address?: string];
  /** `ids` are made by `idAtService`. */
  'switchboard.serviceServers.enable': [...ids: string[]];
  'switchboard.serviceServers.disable': [...ids: string[]];
  'switchboard.serviceServers.edit': [id?: string];
  'switchboard.serviceServers.remove': [id?: string];
  'switchboard.serviceServers.check': [id?: string];
  'switchboard.serviceServers.copyToFile': [id?: string];
  /** Moves servers from the root of the file into `mcpServers`. */
  'switchboard.mcp.wrap': [];
  'switchboard.mcp.makePrivate': [];
}

/** A comment as the editor passes it when it has just been written. */
export interface WrittenComment {
  readonly text: string;
  readonly thread: {
    readonly uri: {
      readonly scheme: string;
      readonly query: string;
      toString(): string;
    };
    /** Counts from 0; undefined for the whole file. */
    readonly range:
      | { readonly start: LineAndColumn; readonly end: LineAndColumn }
      | undefined;
    dispose(): void;
  };
}

interface LineAndColumn {
  readonly line: number;
  readonly character: number;
}

export type CommandId = keyof Commands;

export type CommandHandlers = {
  readonly [Id in CommandId]: (...args: Commands[Id]) => unknown;
};

/**
 * The argument of a command that a key runs: it is for the rows that were
 * selected.
 */
export const rowsOfTheKey = 'rowsOfTheKey';

/**
 * The argument that a row adds to its command, so that the page opens in the
 * reused tab.
 */
export const aClick = 'click';

/**
 * The argument that a check box adds to its command: the rows get this state.
 */
export const boxStates = { on: 'checked', off: 'unchecked' } as const;

/**
 * The kind of the pages of conversations, under which the editor keeps them
 * when it is closed.
 */
export const conversationPage = 'switchboard.conversation';

/** The scheme of the documents that diffs show. */
export const changesScheme = 'switchboard-changes';

/**
 * The scheme of the rows of changed files, which gives them an icon and a
 * letter. It has no content.
 */
export const changedFileScheme = 'switchboard-changed-file';

/**
 * The scheme of the rows of unread conversations, which gives them a dot. It
 * has no content.
 */
export const unreadScheme = 'switchboard-unread';

/** The id of the comment controller of diffs. */
export const reviewController = 'switchboard.review';

export interface ServiceSetting {
  readonly name?: string | undefined;
  readonly url: string;
  readonly authentication?: Authentication | undefined;
  readonly interface?: ServiceInterface | 'auto' | undefined;
  readonly enabled?: boolean | undefined;
}

/** Each setting without its prefix `switchboard.`, and its default. */
export const settings = {
  services: [] as readonly ServiceSetting[],
  'conversations.pageSize': 20,
  'conversations.enterSends': true,
  refreshInterval: 30,
  notifications: 'attention' as 'all' | 'attention' | 'off',
  /** Read by `attentionTarget`. */
  onAttention: {} as Readonly<Record<string, unknown>>,
  /** US dollars; none by default. */
  'limits.conversation': null as number | null,
  'limits.day': null as number | null,
  'server.startWithWindow': false,
  'server.whenWindowCloses': 'ask' as 'ask' | 'keepRunning' | 'stop',
  cliDirectory: '',
  'mcp.file': '',
  'approval.askFor': defaultAskRules,
  'approval.accept': [] as readonly AcceptRule[],
};

export type Settings = Readonly<typeof settings>;

/**
 * Keys in the `when` clauses of package.json and in the steps of the
 * walkthrough.
 */
export const contextKeys = {
  connected: 'switchboard.connected',
  demo: 'switchboard.demo',
  /**
   * A connected service has sandboxes, or did when the last window was closed.
   */
  hasSandboxes: 'switchboard.hasSandboxes',
  /** True if it is known that no connected service has sandboxes. */
  lacksSandboxes: 'switchboard.lacksSandboxes',
  /** True if it is known that no connected service can create conversations. */
  lacksCreation: 'switchboard.lacksCreation',
  filtered: 'switchboard.filtered',
  conversationsLoaded: 'switchboard.conversationsLoaded',
  sandboxesLoaded: 'switchboard.sandboxesLoaded',
  hasFile: 'switchboard.hasFile',
  /**
   * The configuration file has a server. It also completes a step of the
   * walkthrough.
   */
  hasServers: 'switchboard.hasServers',
  /** The active editor is the page that the next click on a row replaces. */
  pageReused: 'switchboard.pageReused',
  /**
   * The page of a conversation is open, to which things can be attached. It
   * also completes a step of the walkthrough.
   */
  pageOpen: 'switchboard.pageOpen',
  /**
   * The active diff shows only what is left to review, or what changed since a
   * message.
   */
  partShown: 'switchboard.partShown',
  /** A take-over into this workspace can be undone. */
  takenOver: 'switchboard.takenOver',
  /**
   * Only for steps of the walkthrough: what an agent has changed was shown, and
   * a check has found tools.
   */
  changesShown: 'switchboard.changesShown',
  toolsKnown: 'switchboard.toolsKnown',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
