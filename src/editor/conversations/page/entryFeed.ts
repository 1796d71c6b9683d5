/** Brings the entries of a conversation to its page: the newest at once, the older ones in portions, changes as they come. */
import type { Clock } from '../../../base/clock.ts';
import { Throttle } from '../../../base/throttle.ts';
import type { DrawnEntry } from '../../../protocol/drawn.ts';
import type { ToPage } from '../../../protocol/pageMessages.ts';
import type { FollowedConversation } from '../../../state/conversation/followedConversation.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import {
  type DrawingContext,
  detailsOf,
  drawnEntries,
  drawnIds,
  openingId,
} from '../../words/conversations/eventWords.ts';
import { textsOf } from '../../words/conversations/foundTexts.ts';
import type { Subscription } from '../../../base/event.ts';

type Followed = Pick<FollowedConversation, 'entries' | 'isEmpty' | 'hasOlder' | 'onChange'>;

interface FeedOptions {
  readonly followed: Followed;
  readonly send: (message: ToPage) => void;
  readonly clock: Clock;
  readonly circumstances: () => DrawingContext;
  /** The sentence where there is nothing. */
  readonly empty: () => string | undefined;
  /** Drawn until there is something. */
  readonly placeholder?: TranscriptEntry | undefined;
  /** Called when entries have been sent. */
  readonly onSent?: (() => void) | undefined;
}

/** So many are drawn by the first message, about what is seen at once, and by each of those with older ones. */
const first = 25;
const portion = 500;
/** So many come with the one that the page wants to show. */
const before = 20;
/** In milliseconds: what comes within one frame or two after a message is one message. */
const together = 40;

export class EntryFeed {
  readonly #options: FeedOptions;
  readonly #subscription: Subscription;
  /** What has not been told to the page yet, the newest version of each. */
  readonly #added = new Map<string, TranscriptEntry>();
  readonly #changed = new Map<string, TranscriptEntry>();
  readonly #removed = new Set<string>();
  #isReset = false;
  /** Whether the page shows no entry yet. */
  #isBlank = false;
  /** How many of the entries, counted from the oldest, the page does not have. */
  #notYet = 0;
  readonly #throttle: Throttle;
  /** Whether there is a page, which has asked. */
  #begun = false;
  readonly #open = new Set<string>();
  /** Those of which all was asked for. */
  readonly #whole = new Map<string, TranscriptEntry>();

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#throttle = new Throttle(options.clock, together, () => {
      this.#flush();
    });
    this.#subscription = options.followed.onChange(({ added, before, changed, removed, isReset }) => {
      if (isReset) this.#isReset = true;
      this.#notYet += before.length;
      for (const entry of added) this.#added.set(entry.id, entry);
      for (const entry of changed) {
        (this.#added.has(entry.id) ? this.#added : this.#changed).set(entry.id, entry);
        this.#whole.delete(entry.id);
      }
      for (const id of removed) {
        this.#changed.delete(id);
        if (!this.#added.delete(id)) this.#removed.add(id);
      }
      this.#soon();
    });
  }

  /** A page is there that knows nothing, and wants to show this entry, if there is one. */
  begin(anchor: string | undefined): void {
    this.#begun = true;
    this.#open.clear();
    this.#reset(anchor);
  }

  /** The page is no longer there. */
  end(): void {
    this.#begun = false;
    this.#throttle.cancel();
    this.#forget();
  }

  release(): void {
    this.end();
    this.#subscription.dispose();
  }

  /** Whether entries are loaded that the page does not have yet; they are on their way. */
  get hasMore(): boolean {
    return this.#notYet > 0;
  }

  /** The whole of what is drawn, or of what is not loaded any more. */
  entry(id: string): TranscriptEntry | undefined {
    return (
      this.#whole.get(id) ??
      this.#options.followed.entries.findLast((entry) => drawnIds(entry.id).includes(id))
    );
  }

  open(id: string): void {
    this.#open.add(id);
    this.#sendDetails(id);
  }

  close(id: string): void {
    this.#open.delete(id);
  }

  setWhole(entry: TranscriptEntry): void {
    this.#whole.set(entry.id, entry);
    this.#send({ changed: this.#draw([entry]) });
    this.#renewDetails(entry);
  }

  /** Says again what is there, because something beside the entries is different. */
  renew(): void {
    if (this.#begun) this.#send({});
  }

  find(query: string): void {
    const wanted = query.toLocaleLowerCase();
    const ids: string[] = [];
    const inDetails: string[] = [];
    for (const entry of wanted === '' ? [] : this.#options.followed.entries) {
      const { shown, details } = textsOf(entry);
      if (shown.includes(wanted)) ids.push(entry.id);
      else if (details.includes(wanted)) {
        ids.push(openingId(entry));
        inDetails.push(openingId(entry));
      }
    }
    this.#options.send({ type: 'found', query, ids, inDetails });
  }

  #soon(): void {
    if (!this.#begun) return;
    // Nobody waits for the first ones so that more come with them.
    if (this.#isBlank && !this.#options.followed.isEmpty) {
      this.#isBlank = false;
      if (this.#options.placeholder) this.#reset(undefined);
      else this.#flush(first);
      return;
    }
    this.#throttle.request();
  }

  #flush(most = portion): void {
    if (this.#isReset) {
      this.#reset(undefined);
      return;
    }
    const added = [...this.#added.values()];
    const changed = [...this.#changed.values()];
    const removed = [...this.#removed];
    this.#forget();
    this.#send({
      added: this.#draw(added),
      changed: this.#draw(changed),
      removed: removed.flatMap(drawnIds),
      before: this.#takeNewest(most),
    });
    for (const entry of changed) this.#renewDetails(entry);
    if (this.#notYet > 0) this.#soon();
  }

  #reset(anchor: string | undefined): void {
    const { followed, placeholder } = this.#options;
    const { entries } = followed;
    this.#forget();
    this.#isBlank = entries.length === 0;
    const wanted = anchor === undefined ? -1 : entries.findIndex(({ id }) => drawnIds(id).includes(anchor));
    this.#notYet = wanted === -1 ? entries.length : Math.max(0, wanted - before);
    const added =
      this.#isBlank && placeholder
        ? this.#draw([placeholder])
        : wanted === -1
          ? this.#takeNewest(first)
          : this.#draw(entries.slice(this.#notYet));
    this.#send({ isReset: true, added });
    if (this.#notYet > 0) this.#soon();
  }

  #forget(): void {
    this.#added.clear();
    this.#changed.clear();
    this.#removed.clear();
    this.#isReset = false;
  }

  /** Of what the page does not have yet, as many as draw so much. */
  #takeNewest(most: number): readonly DrawnEntry[] {
    if (this.#notYet === 0) return [];
    const { entries } = this.#options.followed;
    const drawn: (readonly DrawnEntry[])[] = [];
    for (let count = 0; this.#notYet > 0 && count < most; count += drawn.at(-1)?.length ?? 0) {
      this.#notYet -= 1;
      drawn.push(this.#draw(entries.slice(this.#notYet, this.#notYet + 1)));
    }
    return drawn.reverse().flat();
  }

  #draw(entries: readonly TranscriptEntry[]): readonly DrawnEntry[] {
    const circumstances = this.#options.circumstances();
    return entries.flatMap((entry) => drawnEntries(this.#whole.get(entry.id) ?? entry, circumstances));
  }

  #send(change: Partial<Extract<ToPage, { type: 'entries' }>>): void {
    const { followed, send, empty, placeholder, onSent } = this.#options;
    this.#throttle.done();
    send({
      type: 'entries',
      isReset: false,
      before: [],
      added: [],
      changed: [],
      removed: [],
      hasOlder: followed.hasOlder || this.#notYet > 0,
      empty: followed.isEmpty && !placeholder ? empty() : undefined,
      ...change,
    });
    onSent?.();
  }

  #renewDetails(entry: TranscriptEntry): void {
    const id = openingId(entry);
    if (this.#open.has(id)) this.#sendDetails(id);
  }

  #sendDetails(id: string): void {
    const entry = this.entry(id);
    if (entry) this.#options.send({ type: 'details', id, blocks: detailsOf(entry) });
  }
}
