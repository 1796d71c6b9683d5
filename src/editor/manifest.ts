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

type Id = [id?: string];
type Ids = [...ids: string[]];
type Name = [name?: string];
type Names = [...names: string[]];
type Address = [address?: string];

/**
 * The arguments that each command takes: plain ids, as the service spells them;
 * keys, where several services may have the same id; addresses of services. All
 * are optional, because the palette gives none.
 */
export interface Commands {
  'switchboard.connect': [];
  'switchboard.disconnect': Address;
  'switchboard.findServices': [];
  'switchboard.manageModels': Address;
  'switchboard.manageServices': Address;
  'switchboard.setApiKey': Address;
  'switchboard.clearApiKey': Address;
  'switchboard.cleanUpWorktrees': Address;
  'switchboard.startServer': [];
  'switchboard.startDemo': [];
  'switchboard.stopDemo': [];
  'switchboard.sendTestNotification': [];
  'switchboard.showCosts': [as?: 'copy' | 'save'];
  'switchboard.showLog': [];
  'switchboard.conversations.refresh': [];
  'switchboard.retry': [];
  /** Opens the draft, or the failed request, with this id. */
  'switchboard.conversations.new': Id;
  /** Starts from the active editor if no starting point is given. */
  'switchboard.conversations.newFromEditor': [point?: StartingPoint];
  'switchboard.conversations.cancelNew': Id;
  'switchboard.conversations.open': Id;
  /**
   * Also with the key of a conversation that is being created. A click on a row
   * uses the tab of the click before.
   */
  'switchboard.conversations.showDetails': [id?: string, by?: typeof aClick];
  'switchboard.conversations.keepOpen': [];
  'switchboard.conversations.resume': Id;
  /**
   * Shows the pending action of the active page, or of the chosen conversation,
   * to be answered there.
   */
  'switchboard.conversations.answer': [];
  'switchboard.conversations.accept': Id;
  'switchboard.conversations.reviewAndAccept': Id;
  'switchboard.conversations.reject': Id;
  'switchboard.conversations.send': Id;
  'switchboard.conversations.stop': Ids;
  'switchboard.conversations.approvalRules': [];
  'switchboard.conversations.attachSelection': [];
  /** The addresses of the files; without them, the person chooses some. */
  'switchboard.conversations.attachFiles': [...addresses: string[]];
  'switchboard.conversations.showChanges': Id;
  'switchboard.conversations.showChangesSince': Id;
  /**
   * The address of a document of a diff; or ids of rows of files, perhaps after
   * one of `boxStates`. Otherwise toggles.
   */
  'switchboard.conversations.markReviewed': [...idsOrAddress: string[]];
  'switchboard.conversations.markAllReviewed': Id;
  /** The address of a document of a diff, or the id of the row of a file. */
  'switchboard.conversations.showWholeChange': [idOrAddress?: string];
  'switchboard.conversations.takeOver': Id;
  /** Into the folder that is open. */
  'switchboard.conversations.undoTakeOver': [];
  'switchboard.conversations.askForPullRequest': Id;
  /** Comments on the selected lines of a diff. */
  'switchboard.conversations.commentToAgent': [];
  'switchboard.conversations.sendReview': Id;
  'switchboard.conversations.discardReview': Id;
  'switchboard.review.addComment': [written?: WrittenComment];
  'switchboard.review.sendComment': [written?: WrittenComment];
  'switchboard.review.editComment': Id;
  'switchboard.review.saveComment': Id;
  'switchboard.review.cancelEditing': Id;
  'switchboard.review.discardComment': Id;
  /** `rowId` is that of the row of the file. */
  'switchboard.conversations.openChangedFile': Id;
  'switchboard.conversations.rename': Id;
  'switchboard.conversations.setLimit': Id;
  /** Forks from the event, or before its message, to edit that. */
  'switchboard.conversations.fork': [
    id?: string,
    eventId?: string,
    isBefore?: boolean,
  ];
  'switchboard.conversations.compact': Id;
  'switchboard.conversations.switchModel': Id;
  'switchboard.conversations.delete': Ids;
  'switchboard.conversations.pin': Ids;
  'switchboard.conversations.unpin': Ids;
  'switchboard.conversations.archive': Ids;
  'switchboard.conversations.unarchive': Ids;
  'switchboard.conversations.markRead': Ids;
  'switchboard.conversations.markUnread': Ids;
  'switchboard.conversations.filter': [shown?: 'archived'];
  'switchboard.conversations.clearFilters': [];
  'switchboard.conversations.groupBy': [];
  'switchboard.conversations.sortBy': [];
  'switchboard.conversations.loadMore': [];
  'switchboard.conversations.copyId': Id;
  'switchboard.conversations.openAgentEditor': Id;
  'switchboard.conversations.copyUrl': Id;
  'switchboard.conversations.openPullRequest': Id;
  /** The key of an automation. */
  'switchboard.automations.runNow': Id;
  'switchboard.automations.turnOff': Id;
  'switchboard.automations.turnOn': Id;
  'switchboard.automations.openLastRun': Id;
  'switchboard.sandboxes.refresh': [];
  'switchboard.sandboxes.start': [];
  'switchboard.sandboxes.pause': Id;
  'switchboard.sandboxes.resume': Id;
  'switchboard.sandboxes.delete': Id;
  'switchboard.sandboxes.openUrl': [id?: string, index?: number];
  'switchboard.sandboxes.copyId': Id;
  'switchboard.mcp.add': [];
  'switchboard.mcp.addFromText': [];
  'switchboard.mcp.enable': Names;
  'switchboard.mcp.disable': Names;
  'switchboard.mcp.remove': Names;
  'switchboard.mcp.check': Names;
  'switchboard.mcp.checkAll': [];
  /** Takes the tools to switch on and off if they are known already. */
  'switchboard.mcp.chooseTools': [
    name?: string,
    on?: readonly string[],
    off?: readonly string[],
  ];
  'switchboard.mcp.get': Name;
  'switchboard.mcp.list': [];
  'switchboard.mcp.status': [];
  'switchboard.mcp.openConfig': [];
  /** Shows the first of these places that is there, as named by `placeIn`. */
  'switchboard.mcp.reveal': [name?: string, ...places: string[]];
  'switchboard.mcp.changeUrl': [name?: string, url?: string];
  'switchboard.mcp.copyAsCommand': Name;
  'switchboard.mcp.copyJson': Name;
  'switchboard.mcp.copyToService': Name;
  'switchboard.mcp.checkAtService': Name;
  'switchboard.serviceServers.add': Address;
  'switchboard.serviceServers.addFromText': Address;
  /** `ids` are made by `idAtService`. */
  'switchboard.serviceServers.enable': Ids;
  'switchboard.serviceServers.disable': Ids;
  'switchboard.serviceServers.edit': Id;
  'switchboard.serviceServers.remove': Id;
  'switchboard.serviceServers.check': Id;
  'switchboard.serviceServers.copyToFile': Id;
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
