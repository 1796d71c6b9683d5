/** Conversations that have begun to need the user since the last look. */
import { type Clock, systemClock } from '../base/clock.ts';
import {
  type ConversationKey,
  type Conversation,
  type Execution,
  keyOf,
  type Time,
} from '../service/model/entities.ts';
import type { ConversationList } from './conversation/conversationList.ts';
import type { ConversationSnapshot } from './conversation/conversationModel.ts';
import { type Activity, activityOf } from './lists/activity.ts';
import type { KeyedRows } from './lists/unlistedChanges.ts';
import {
  actionsOf,
  areSame,
  type WaitingAction,
} from './transcript/waiting.ts';

export type Occasion = 'waits' | 'failed' | 'finished' | 'limit';

/** The part of a conversation that notices are about. */
type Noticed = Pick<
  Conversation,
  | 'id'
  | 'service'
  | 'title'
  | 'status'
  | 'runtime'
  | 'execution'
  | 'tokens'
  | 'lastMessageId'
>;

export interface Notice {
  readonly occasion: Occasion;
  readonly conversation: Noticed;
  readonly actions?: readonly WaitingAction[] | undefined;
  /**
   * The automation whose run this is about. The same as the key of the
   * conversation if the run has none.
   */
  readonly automation?: ConversationKey | undefined;
}

/** A conversation as the service last reported it. */
export interface Sight {
  readonly key: ConversationKey;
  readonly conversation: Noticed;
  readonly actions: readonly WaitingAction[] | undefined;
  readonly automation?: ConversationKey;
  /** Time of the request: later events are not included. */
  readonly at: Time;
}

/** The stored part of a sight, without any text of users or agents. */
export interface RememberedSight {
  readonly activity: Activity;
  readonly execution: Execution | undefined;
  readonly waitsFor: string | undefined;
  /** The id of the user's last message that the agent has worked on. */
  readonly lastMessageId: string | undefined;
  readonly written: number;
  /**
   * True if a notice was given since the conversation was last marked as read.
   */
  readonly isUnread: boolean;
  readonly at: Time;
}

/**
 * Remembers sights and reports news in them. Each notice is given once and
 * marks its conversation as unread.
 */
export interface Memory {
  add(sights: readonly Sight[]): Promise<readonly Notice[]>;
  mark(keys: readonly ConversationKey[], isUnread: boolean): Promise<void>;
  isUnread(key: ConversationKey): boolean;
}

/**
 * Returns the current sights of a service, without rows that may still be
 * wrong.
 */
export function sightsOf(conversations: ConversationList): Sight[] {
  const { rows, askedAt } = conversations;
  if (askedAt === undefined) return [];
  const sights: Sight[] = [];
  for (const [key, conversation] of rows) {
    const {
      isCertain = true,
      reportedAt,
      waiting,
    } = conversations.snapshot(key) ?? {};
    if (isCertain)
      sights.push({
        key,
        conversation,
        actions: actionsOf(waiting),
        at: reportedAt ?? askedAt,
      });
  }
  return sights;
}

/** Leaves out runs of automations whose conversations have notified already. */
export function withoutRepeats(
  notices: readonly Notice[],
  rows: KeyedRows<Conversation>,
  memory: Pick<Memory, 'isUnread'>,
): readonly Notice[] {
  return notices.filter(({ automation, conversation }) => {
    const key = keyOf(conversation);
    const row = rows.get(key);
    const hasFailed = row !== undefined && activityOf(row) === 'error';
    return automation === undefined || !hasFailed || !memory.isUnread(key);
  });
}

/**
 * The current state of the conversations of a service that decides whether a
 * notice is still true.
 */
interface NoticedConversations {
  readonly rows: KeyedRows<Conversation>;
  snapshot(
    key: ConversationKey,
  ): Pick<ConversationSnapshot, 'isCertain' | 'waiting'> | undefined;
}

/**
 * `unknown` while the agent's record has changed and its events have not been
 * read yet, or while a busy sandbox does not say what its agent does.
 */
export function currentTruthOf(
  { occasion, conversation, actions }: Notice,
  conversations: NoticedConversations | undefined,
): 'true' | 'false' | 'unknown' {
  if (!conversations) return 'false';
  if (occasion !== 'waits') return 'true';
  const key = keyOf(conversation);
  const row = conversations.rows.get(key);
  if (!row) return 'false';
  const { isCertain = true, waiting } = conversations.snapshot(key) ?? {};
  const isSilent =
    row.execution === undefined &&
    (row.status === 'running' || row.status === 'unknown');
  if (!isCertain || isSilent) return 'unknown';
  if (row.execution !== 'waitingForConfirmation') return 'false';
  const waits = actionsOf(waiting);
  return !actions || !waits || areSame(actions, waits) ? 'true' : 'false';
}

/**
 * Finds changed sights, to remember by key, and the news among them. A new
 * conversation is no news.
 */
export function newsIn(
  sights: readonly Sight[],
  before: (key: ConversationKey) => RememberedSight | undefined,
  now: Time,
) {
  const notices: Notice[] = [];
  const changed = new Map<ConversationKey, RememberedSight>();
  for (const sight of sights) {
    const { key, conversation, actions, automation } = sight;
    const old = before(key);
    // Another window has a later sight. A time in the future is ignored: the
    // clock was ahead.
    if (old && old.at > sight.at && old.at <= now) continue;
    const current = seen(sight, old);
    if (old && isAsBefore(old, current)) continue;
    const occasion = old && occasionBetween(old, current, conversation);
    changed.set(key, occasion ? { ...current, isUnread: true } : current);
    if (occasion) notices.push({ occasion, conversation, actions, automation });
  }
  return { notices, changed };
}

/**
 * Returns the memory of these conversations with another mark. An unseen
 * conversation has only the mark.
 */
export function marked(
  keys: readonly ConversationKey[],
  isUnread: boolean,
  before: (key: ConversationKey) => RememberedSight | undefined,
): ReadonlyMap<ConversationKey, RememberedSight> {
  return new Map(
    keys.map((key) => [key, { ...(before(key) ?? unseen), isUnread }]),
  );
}

const unseen: RememberedSight = {
  activity: 'idle',
  execution: undefined,
  waitsFor: undefined,
  lastMessageId: undefined,
  written: 0,
  isUnread: false,
  at: 0,
};

/**
 * Creates the stored part. Facts that the service omits keep their last value.
 */
function seen(
  { conversation, actions, at }: Sight,
  before = unseen,
): RememberedSight {
  const { execution = before.execution } = conversation;
  const written = conversation.tokens?.written ?? 0;
  // A message reaches the service before the agent begins to work on it.
  const isAnswered = written === 0 || written > before.written;
  const lastMessageId =
    (isAnswered ? conversation.lastMessageId : undefined) ??
    before.lastMessageId;
  const waitsFor =
    actions?.at(-1)?.id ??
    (execution === before.execution ? before.waitsFor : undefined);
  return {
    activity: activityOf({ ...conversation, execution }),
    execution,
    waitsFor,
    lastMessageId,
    written,
    isUnread: before.isUnread,
    at,
  };
}

function isAsBefore(a: RememberedSight, b: RememberedSight): boolean {
  const parts = ['activity', 'execution', 'waitsFor', 'lastMessageId'] as const;
  return parts.every((part) => a[part] === b[part]);
}

function occasionBetween(
  before: RememberedSight,
  now: RememberedSight,
  conversation: Noticed,
): Occasion | undefined {
  const { execution } = conversation;
  const is = activityOf(conversation);
  const hasBrokenDown =
    activityOf({ ...conversation, execution: undefined }) === 'error';
  // An unknown earlier state may have been the same for long.
  const isNews = before.execution !== undefined || execution === undefined;
  const waitsForAnother =
    before.waitsFor !== undefined && before.waitsFor !== now.waitsFor;
  // The agent answered a message in the meantime, although it was not seen at
  // work.
  const isAnother =
    before.lastMessageId !== undefined &&
    before.lastMessageId !== now.lastMessageId;
  if (
    is === 'waiting' &&
    (before.execution !== execution || waitsForAnother) &&
    isNews
  )
    return 'waits';
  if (
    is === 'error' &&
    (before.activity !== 'error' || isAnother) &&
    (isNews || hasBrokenDown)
  )
    return 'failed';
  if (
    execution === 'finished' &&
    (before.execution !== 'finished' || isAnother) &&
    is === 'idle' &&
    isNews
  )
    return 'finished';
  return undefined;
}

/** The memory of an open window. */
export class OwnMemory implements Memory {
  readonly #seen = new Map<ConversationKey, RememberedSight>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  add(sights: readonly Sight[]): Promise<readonly Notice[]> {
    const { notices, changed } = newsIn(
      sights,
      (key) => this.#seen.get(key),
      this.#clock.now(),
    );
    for (const [key, seen] of changed) this.#seen.set(key, seen);
    return Promise.resolve(notices);
  }

  mark(keys: readonly ConversationKey[], isUnread: boolean): Promise<void> {
    for (const [key, seen] of marked(keys, isUnread, (key) =>
      this.#seen.get(key),
    ))
      this.#seen.set(key, seen);
    return Promise.resolve();
  }

  isUnread(key: ConversationKey): boolean {
    return this.#seen.get(key)?.isUnread === true;
  }
}
