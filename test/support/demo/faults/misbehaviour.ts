import type { RepositoryFile } from '../patches.ts';

/**
 * Answers of a missing interface: a status, or the fallback page of a web app
 * at status 200.
 */
export const absences = ['404', '410', '405', 'html'] as const;

export type Absence = (typeof absences)[number];

export const errorBodies = [
  /** `{"detail": "..."}` */
  'detail',
  /** `{"detail": [{loc, msg, type}]}`, about `limit` */
  'validation',
  /** `{"status": "error", "message": "...", "msg_id": "..."}` */
  'msgId',
  /** `{"error": "..."}` */
  'error',
  /** `{"message": "..."}` */
  'message',
  /** A bare JSON string. */
  'string',
  /** text/plain */
  'text',
  /** text/html */
  'html',
  'empty',
  /**
   * A detail that an editor could mistake for a link to a command and for an
   * icon.
   */
  'hostile',
] as const;

export type ErrorBody = (typeof errorBodies)[number];

export const redirectStatuses = [301, 302, 303, 307, 308] as const;

export interface FaultRefusal {
  /** The header Retry-After; undefined leaves it out. */
  readonly retryAfter: string | undefined;
  /** The number of requests that are refused before others are answered. */
  readonly times: number;
}

/**
 * Everything that can be wrong with a service, each as a switch. Missing
 * switches and false are off.
 */
export interface Switches {
  // Missing interfaces and other versions

  readonly noV0: Absence;
  readonly noV1: Absence;
  /** An Agent Server cannot cancel what an agent does. */
  readonly noInterrupt: Absence;
  /** An Agent Server is of version 1.56, and refuses `worktree_options`. */
  readonly noWorktreeOptions: boolean;
  /** An Agent Server is of version 1.16, and refuses to rate actions. */
  readonly noRatings: boolean;
  /** Every answer is the fallback page of a web app, at status 200. */
  readonly htmlAt200: boolean;
  /**
   * The plain list of V1 requires `ids`: without them it is a 422 that names
   * them.
   */
  readonly idsRequired: boolean;
  /**
   * Creating a conversation returns the conversation, ready to use, and not a
   * start task.
   */
  readonly contractOnlyCreate: boolean;
  /** More than 99 rows or ids at a time are a 500. */
  readonly strictLimit: boolean;
  /**
   * A `page_id` that is none is a 422, and not the first page or, in V0, a 500.
   */
  readonly unknownCursorIs422: boolean;
  /**
   * Every change is done, and answered with this status (204, or any other of
   * success) and nothing else.
   */
  readonly emptyAnswers: number;

  // Observed in real services

  /**
   * The links of conversations are addresses of the interface: relative in V0,
   * of a port of its own in V1.
   */
  readonly interfaceLinks: boolean;
  /** The cursors of V0 are base64 of JSON, with one part for each version. */
  readonly twoPartCursors: boolean;
  /** A starting sandbox is called ERROR until it runs. */
  readonly errorWhileStarting: boolean;
  /**
   * The agent server of each running sandbox is too busy to answer: the sandbox
   * is called ERROR, without a reason.
   */
  readonly busySandboxes: boolean;
  /**
   * V1 does not know what the agent does in the running sandbox of every third
   * conversation.
   */
  readonly forgottenConversations: boolean;
  /** The provider of sandboxes cannot be reached: each is UNKNOWN. */
  readonly unknownSandboxes: boolean;
  /** Titles are `Conversation 224e6`, with the first digits of the id. */
  readonly placeholderTitles: boolean;
  /** There is one spec, and every sandbox comes from it. */
  readonly oneSpec: boolean;
  /** No conversation has a title yet. */
  readonly nullTitles: boolean;

  // Lists

  /** Each page begins with the last three rows of the one before it. */
  readonly duplicates: boolean;
  /**
   * Number of pages without rows, but with a cursor, before each page except
   * the first.
   */
  readonly emptyPages: number;
  /** V0 applies its filters after paging, to the rows of each page. */
  readonly filterAfterPaging: boolean;
  /** The cursor of every page except the first leads to the same page again. */
  readonly repeatedCursor: boolean;
  /**
   * A list never ends: it starts again with other cursors and, for `fresh`,
   * with other ids.
   */
  readonly endlessPages: boolean | 'fresh';
  /**
   * Number of good pages of a list; the ones after them are a 500, until the
   * first page is requested again.
   */
  readonly failAfterPages: number;
  /** Cursors look like addresses: of another origin and of another path. */
  readonly hostileCursor: boolean;
  /**
   * The app server has not received the newest events from a sandbox, as many
   * as this.
   */
  readonly lateEvents: number;

  // Records

  /** Dates have microseconds and no zone. */
  readonly zonelessDates: boolean;
  /** Every value of an enumeration in every second record is undocumented. */
  readonly unknownValues: boolean;
  /**
   * Every third record has no id, a wrong type in some field, nulls everywhere,
   * or is not even an object.
   */
  readonly brokenRecords: boolean;
  /**
   * Records have only their required fields, and the last page of a list has no
   * `next_page_id`.
   */
  readonly missingFields: boolean;
  /**
   * Records and their envelopes have more fields, some with difficult names.
   */
  readonly extraFields: boolean;
  /**
   * Ids of conversations, sandboxes and tasks have `../` and `?` in them. They
   * work as ids.
   */
  readonly hostileIds: boolean;
  /**
   * Titles are Markdown, HTML, icons, bidirectional text, line breaks or
   * control characters; one on each page has a megabyte.
   */
  readonly hostileTitles: boolean;
  /**
   * Sandboxes and start tasks repeat a secret where they say why: an address
   * with a token, and the key of the caller.
   */
  readonly leakyDetails: boolean;

  // Start tasks

  /**
   * Start tasks wait for their sandbox forever; the conversation is created
   * anyway.
   */
  readonly taskNeverEnds: boolean;
  /** Start tasks end in an error, as for a message that says "fail". */
  readonly taskFails: boolean;

  // Errors

  /** An error with a body of this kind, at `errorStatus`. */
  readonly errorBody: ErrorBody;
  /** The status of `errorBody`, 500 by default; alone, with a `detail`. */
  readonly errorStatus: number;
  /** 429 */
  readonly rateLimit: FaultRefusal;
  /** 503 */
  readonly unavailable: FaultRefusal;
  /** 401, although the key is right. */
  readonly unauthorized: boolean;
  /** 403 */
  readonly forbidden: boolean;
  /**
   * An error that repeats the headers of the caller, the key among them, with
   * status 400 or this one.
   */
  readonly echoKey: boolean | number;

  // Redirects, with status 307

  /** Redirects to the very same address. */
  readonly redirectSelf: boolean;
  /** Redirects to this address. */
  readonly redirectOther: string;
  /** Redirects once within the origin, and then answers. */
  readonly redirectWithin: boolean;
  /** Another status for redirects. */
  readonly redirectStatus: (typeof redirectStatuses)[number];

  // Changed files

  /** These, or so many, where the demo says anything else or nothing. */
  readonly changedFiles: number | readonly RepositoryFile[];

  // Sending of answers

  /** The request reaches the service only when the misbehaviour is replaced. */
  readonly held: boolean;
  /** Real time before the headers, in milliseconds. */
  readonly slowHeaders: number;
  /** Headers and half of the body, and then nothing. */
  readonly stallBody: boolean;
  /**
   * A connection is good for one request: the next one on it finds it closed,
   * and has no effect.
   */
  readonly staleConnections: boolean;
  /** The connection is closed before the answer. */
  readonly reset: boolean;
  /** The connection is closed in the middle of the body. */
  readonly resetBody: boolean;
  /** A complete answer, whose content is half of the JSON. */
  readonly truncatedJson: boolean;
  /** JSON with the content type text/plain, or with this one. */
  readonly wrongContentType: boolean | string;
  /**
   * A small body that decompresses to this many megabytes of JSON, 300 by
   * default.
   */
  readonly gzipBomb: boolean | number;
  /** JSON that does not end. */
  readonly endlessBody: boolean;
  /** Size of the JSON in megabytes, 200 by default. */
  readonly hugeBody: boolean | number;

  // WebSockets

  /** Refuses sockets with this status, as a proxy does that takes none. */
  readonly socketRefused: number;
  /**
   * Closes sockets with this code at once: 4001 is for the key, 4004 for a
   * conversation that is gone.
   */
  readonly socketClosed: number;
  /**
   * The connection is closed after at most this many frames, each time after
   * another number of them.
   */
  readonly socketBreaks: number;
  /**
   * After this many frames nothing comes any more, and the connection stays
   * open.
   */
  readonly socketStalls: number;
  /** One in so many frames never comes. */
  readonly socketLoses: number;
  /** Everything comes twice. */
  readonly socketRepeats: boolean;
  /** Events come late, and in another order. */
  readonly socketDisorder: boolean;
  /** The whole state comes every second. */
  readonly socketStates: boolean;
}

export interface Misbehaviour extends Switches {
  /**
   * Limits it to requests whose `METHOD /path?query` contains this text or
   * matches.
   */
  readonly only: string | RegExp;
  /** Limits it to the first requests that match. */
  readonly times: number;
}
