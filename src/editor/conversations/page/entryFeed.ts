/**
 * Sends the entries of a conversation to its page: the newest at once, older
 * ones in portions, changes in batches.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Subscription } from '../../../base/event.ts';
import { Throttle } from '../../../base/throttle.ts';
import type { DrawnEntry } from '../../../protocol/drawn.ts';
import type { ToPage } from '../../../protocol/pageMessages.ts';
import type { ConversationSnapshot } from '../../../state/conversation/conversationModel.ts';
import type { FollowedConversation } from '../../../state/conversation/followedConversation.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import {
  type DrawingContext,
  detailsOf,
  drawnEntries,
  drawnIds,
  openingId,
  searchableText,
} from '../../words/conversations/eventWords.ts';

type Followed = Pick<
  FollowedConversation,
  'entries' | 'isEmpty' | 'onEntries'
> & {
  readonly snapshot: Pick<ConversationSnapshot, 'hasOlder'>;
};

interface FeedOptions {
  readonly followed: Followed;
  readonly send: (message: ToPage) => void;
  readonly clock: Clock;
  readonly circumstances: () => DrawingContext;
  /** The text of an empty list. */
  readonly empty: () => string | undefined;
  /** Shown while there are no entries. */
  readonly placeholder?: TranscriptEntry | undefined;
  /** Called when entries have been sent. */
  readonly onSent?: (() => void) | undefined;
}

/**
 * Batch sizes: the first message fills a screen, later ones carry older
 * entries.
 */
const firstBatchSize = 25;
const batchSize = 500;
/** Entries before the one that the page returns to. */
const entriesBeforeAnchor = 20;
/**
 * Older entries are sent by themselves until the page has this many, and then
 * as the user asks for them.
 */
const maxSentUnasked = 2_000;
/**
 * Starts the page again from its newest entries when it has this many more than
 * were sent or asked for.
 */
const maxAddedLive = 2_000;
/** Changes within one or two frames are sent together. */
const batchMs = 40;

export class EntryFeed {
  readonly #options: FeedOptions;
  readonly #subscription: Subscription;
  /**
   * Changes that have not been sent yet, with the newest version of each entry.
   */
  readonly #added = new Map<string, TranscriptEntry>();
  readonly #changed = new Map<string, TranscriptEntry>();
  readonly #removed = new Set<string>();
  #isReset = false;
  /** True while the page shows no entry. */
  #isBlank = false;
  /** The number of oldest entries that have not been sent. */
  #unsent = 0;
  /** The number of entries up to which older ones are sent. */
  #limit = maxSentUnasked;
  readonly #throttle: Throttle;
  /** True while the script of a page runs. */
  #begun = false;
  /** The user's messages that the agent reads only after an answer, by id. */
  #queued: ReadonlyMap<string, TranscriptEntry> = new Map();
  /** Entries that were loaded again without limits, by id. */
  readonly #whole = new Map<string, TranscriptEntry>();
  /** Entries are replaced when they change, so their texts stay valid. */
  readonly #texts = new WeakMap<
    TranscriptEntry,
    ReturnType<typeof searchableText>
  >();

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#throttle = new Throttle(options.clock, batchMs, () => {
      this.#flush();
    });
    this.#subscription = options.followed.onEntries(
      ({ added, before, changed, removed, isReset }) => {
        if (isReset) this.#isReset = true;
        this.#unsent += before.length;
        for (const entry of added) this.#added.set(entry.id, entry);
        for (const entry of changed) {
          (this.#added.has(entry.id) ? this.#added : this.#changed).set(
            entry.id,
            entry,
          );
          this.#whole.delete(entry.id);
        }
        for (const id of removed) {
          this.#changed.delete(id);
          if (!this.#added.delete(id)) this.#removed.add(id);
        }
        this.#soon();
      },
    );
  }

  /** Serves a new page, which returns to the entry `anchor`. */
  begin(anchor: string | undefined): void {
    this.#begun = true;
    this.#reset(anchor);
  }

  /** Stops until the next page begins. */
  end(): void {
    this.#begun = false;
    this.#throttle.cancel();
    this.#forget();
  }

  release(): void {
    this.end();
    this.#subscription.dispose();
  }

  /** True while loaded entries are on their way to the page. */
  get hasMore(): boolean {
    return this.#unsent > 0 && this.#sent < this.#limit;
  }

  /**
   * Sends a portion of the loaded entries that were held back. Returns false if
   * none is left.
   */
  sendOlder(): boolean {
    if (this.#unsent === 0) return false;
    this.#limit = Math.max(this.#limit, this.#sent + batchSize);
    this.#soon();
    return true;
  }

  /** The number of entries that the page has, or is about to get. */
  get #sent(): number {
    return this.#options.followed.entries.length - this.#unsent;
  }

  /** Finds an entry by the id of any of its parts on the page. */
  entry(id: string): TranscriptEntry | undefined {
    return (
      this.#whole.get(id) ??
      this.#options.followed.entries.findLast((entry) =>
        drawnIds(entry.id).includes(id),
      )
    );
  }

  /**
   * Sends the details of an entry. The page asks again when the entry changes.
   */
  open(id: string): void {
    const entry = this.entry(id);
    if (entry)
      this.#options.send({ type: 'details', id, blocks: detailsOf(entry) });
  }

  setWhole(entry: TranscriptEntry): void {
    this.#whole.set(entry.id, entry);
    this.#send({ changed: this.#draw([entry]) });
  }

  /**
   * Sends the state of the list again, after something other than the entries
   * has changed.
   */
  renew(): void {
    if (this.#begun) this.#send({});
  }

  find(query: string): void {
    const needle = query.toLocaleLowerCase();
    const ids: string[] = [];
    const inDetails: string[] = [];
    const heldBack = Math.max(
      0,
      this.#unsent - Math.max(0, this.#limit - this.#sent),
    );
    for (const entry of needle === ''
      ? []
      : this.#options.followed.entries.slice(heldBack)) {
      const texts = this.#texts.get(entry) ?? searchableText(entry);
      this.#texts.set(entry, texts);
      const { parts, details } = texts;
      const matches = parts.filter(({ text }) => text.includes(needle));
      if (matches.length > 0) ids.push(...matches.map(({ id }) => id));
      else if (details.includes(needle)) {
        ids.push(openingId(entry));
        inDetails.push(openingId(entry));
      }
    }
    this.#options.send({ type: 'found', query, ids, inDetails });
  }

  #soon() {
    if (!this.#begun) return;
    // The first entries are sent without delay.
    if (this.#isBlank && !this.#options.followed.isEmpty) {
      this.#isBlank = false;
      if (this.#options.placeholder) this.#reset(undefined);
      else this.#flush(firstBatchSize);
      return;
    }
    this.#throttle.request();
  }

  #flush(most = batchSize) {
    const isFull =
      this.#added.size > 0 && this.#sent > this.#limit + maxAddedLive;
    if (this.#isReset || isFull) {
      this.#reset(undefined);
      return;
    }
    this.#findQueued();
    const added = [...this.#added.values()];
    const changed = [...this.#changed.values()];
    const removed = [...this.#removed];
    this.#forget();
    this.#send({
      added: this.#draw(added),
      changed: this.#draw(changed),
      removed: removed.flatMap(drawnIds),
      before: this.#takeNewest(Math.min(most, this.#limit - this.#sent)),
    });
    if (this.hasMore) this.#soon();
  }

  /** Draws the messages again that are no longer queued. */
  #findQueued() {
    const queued = queuedMessages(this.#options.followed.entries);
    const lists = [this.#added, this.#changed, this.#removed, queued];
    for (const [id, entry] of this.#queued)
      if (!lists.some((list) => list.has(id))) this.#changed.set(id, entry);
    this.#queued = queued;
  }

  #reset(anchor: string | undefined) {
    const { entries } = this.#options.followed;
    this.#queued = queuedMessages(entries);
    this.#forget();
    this.#isBlank = entries.length === 0;
    const anchorIndex =
      anchor === undefined
        ? -1
        : entries.findIndex(({ id }) => drawnIds(id).includes(anchor));
    this.#unsent =
      anchorIndex === -1
        ? entries.length
        : Math.max(0, anchorIndex - entriesBeforeAnchor);
    this.#limit = Math.max(maxSentUnasked, this.#sent);
    this.#send({ isReset: true, added: this.#drawFirst(anchorIndex !== -1) });
    if (this.hasMore) this.#soon();
  }

  #drawFirst(hasAnchor: boolean): readonly DrawnEntry[] {
    const { followed, placeholder } = this.#options;
    if (this.#isBlank && placeholder) return this.#draw([placeholder]);
    return hasAnchor
      ? this.#draw(followed.entries.slice(this.#unsent))
      : this.#takeNewest(firstBatchSize);
  }

  #forget() {
    this.#added.clear();
    this.#changed.clear();
    this.#removed.clear();
    this.#isReset = false;
  }

  /**
   * Draws the newest unsent entries until they fill `most` entries on the page.
   */
  #takeNewest(most: number): readonly DrawnEntry[] {
    if (this.#unsent === 0) return [];
    const { entries } = this.#options.followed;
    const drawn: (readonly DrawnEntry[])[] = [];
    for (
      let count = 0;
      this.#unsent > 0 && count < most;
      count += drawn.at(-1)?.length ?? 0
    ) {
      this.#unsent -= 1;
      drawn.push(this.#draw(entries.slice(this.#unsent, this.#unsent + 1)));
    }
    return drawn.reverse().flat();
  }

  #draw(entries: readonly TranscriptEntry[]): readonly DrawnEntry[] {
    const circumstances = this.#options.circumstances();
    return entries.flatMap((entry) => {
      return drawnEntries(this.#whole.get(entry.id) ?? entry, {
        ...circumstances,
        isQueued: this.#queued.has(entry.id),
      });
    });
  }

  #send(change: Partial<Extract<ToPage, { type: 'entries' }>>) {
    const { followed, send, empty, placeholder, onSent } = this.#options;
    this.#throttle.done();
    send({
      type: 'entries',
      isReset: false,
      before: [],
      added: [],
      changed: [],
      removed: [],
      hasOlder: followed.snapshot.hasOlder || this.#unsent > 0,
      empty: followed.isEmpty && !placeholder ? empty() : undefined,
      ...change,
    });
    onSent?.();
  }
}

function isOfUser(entry: TranscriptEntry): boolean {
  return entry.kind === 'message' && entry.role === 'user';
}

/** The user's messages after an action that waits for an answer. */
function queuedMessages(
  entries: readonly TranscriptEntry[],
): ReadonlyMap<string, TranscriptEntry> {
  const action = entries.findLastIndex(({ kind }) => kind === 'action');
  const last = entries[action];
  const isWaiting = last?.kind === 'action' && last.isWaiting;
  const queued = isWaiting ? entries.slice(action).filter(isOfUser) : [];
  return new Map(queued.map((entry) => [entry.id, entry]));
}
