import type { ConversationKey } from '../../service/model/entities.ts';
import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/event.ts';
import type { Store } from '../../base/store.ts';
import { type ChangesScope, readScope } from './changesScope.ts';

export interface CommentPlace {
  readonly key: ConversationKey;
  readonly since: ChangesScope;
  readonly side: 'before' | 'after';
  readonly path: string;
  /** Counted from 1; undefined for a comment on the whole file. */
  readonly lines: { readonly first: number; readonly last: number } | undefined;
  /** The commented text, possibly truncated. */
  readonly quote: string;
}

export interface ReviewComment extends CommentPlace {
  readonly id: string;
  readonly text: string;
  /** True if the commented text is gone. */
  readonly outdated: boolean;
}

const storeKey = 'reviews';
/** Limit for all conversations; the oldest comments are dropped. */
const maxComments = 500;
const maxTextLength = 20_000;
const maxQuoteLength = 10_000;

export class Reviews {
  readonly #store: Store;
  readonly #changed = new Emitter<ReadonlySet<ConversationKey>>();
  /** Fires with the keys of conversations whose comments changed. */
  readonly onChange = this.#changed.on;
  #all: readonly ReviewComment[];

  constructor(store: Store) {
    this.#store = store;
    const stored = store.get(storeKey);
    this.#all = Array.isArray(stored) ? stored.filter(isComment) : [];
  }

  get all(): readonly ReviewComment[] {
    return this.#all;
  }

  /** Returns comments in the order of creation. */
  of(key: ConversationKey): readonly ReviewComment[] {
    return this.#all.filter((comment) => comment.key === key);
  }

  get(id: string): ReviewComment | undefined {
    return this.#all.find((comment) => comment.id === id);
  }

  async add(place: CommentPlace, text: string): Promise<ReviewComment> {
    const quote = place.quote.slice(0, maxQuoteLength);
    const comment = {
      ...place,
      quote,
      id: randomUUID(),
      text: text.slice(0, maxTextLength),
      outdated: false,
    };
    await this.#set([...this.#all, comment].slice(-maxComments), [place.key]);
    return comment;
  }

  async edit(id: string, text: string): Promise<void> {
    await this.#replace(id, { text: text.slice(0, maxTextLength) });
  }

  /**
   * Moves or outdates a comment according to the text of its file; undefined if
   * the file is gone.
   */
  async place(id: string, text: string | undefined): Promise<void> {
    const comment = this.get(id);
    if (comment) await this.#replace(id, placeIn(comment, text));
  }

  /** Resolves with a function that restores them. */
  async remove(ids: readonly string[]): Promise<() => Promise<void>> {
    const before = this.#all;
    const gone = before.filter(({ id }) => ids.includes(id));
    const keys = gone.map(({ key }) => key);
    await this.#set(
      before.filter(({ id }) => !ids.includes(id)),
      keys,
    );
    return async () => {
      const back = new Set(gone.map(({ id }) => id));
      const added = this.#all.filter(
        ({ id }) => !before.some((one) => one.id === id),
      );
      const left = before.flatMap((one) =>
        back.has(one.id) ? one : (this.get(one.id) ?? []),
      );
      await this.#set([...left, ...added], keys);
    };
  }

  async #replace(id: string, change: Partial<ReviewComment>): Promise<void> {
    const comment = this.get(id);
    if (!comment) return;
    const changed = { ...comment, ...change };
    if (JSON.stringify(changed) === JSON.stringify(comment)) return;
    await this.#set(
      this.#all.map((item) => (item.id === id ? changed : item)),
      [comment.key],
    );
  }

  async #set(
    all: readonly ReviewComment[],
    keys: readonly ConversationKey[],
  ): Promise<void> {
    this.#all = all;
    this.#changed.fire(new Set(keys));
    await this.#store.update(storeKey, all);
  }
}

function placeIn(
  { lines, quote }: CommentPlace,
  text: string | undefined,
): Pick<ReviewComment, 'lines' | 'outdated'> {
  if (text === undefined || !lines)
    return { lines, outdated: text === undefined };
  const there = text.split(/\r?\n/);
  const quotedLines = quote.split(/\r?\n/);
  const isAt = (at: number) =>
    quotedLines.every((line, index) =>
      // The last line may be truncated.
      index === quotedLines.length - 1 && quote.length >= maxQuoteLength
        ? there[at + index]?.startsWith(line)
        : there[at + index] === line,
    );
  if (isAt(lines.first - 1)) return { lines, outdated: false };
  const places = there.flatMap((_, at) => (isAt(at) ? at : []));
  const [only] = places;
  // Several matches are ambiguous.
  if (only === undefined || places.length > 1 || quote.trim() === '')
    return { lines, outdated: true };
  return {
    lines: { first: only + 1, last: only + 1 + lines.last - lines.first },
    outdated: false,
  };
}

function isComment(value: unknown): value is ReviewComment {
  const { id, key, path, side, quote, text, since, lines } = (value ??
    {}) as Partial<ReviewComment>;
  const isText = [id, key, path, quote, text].every(
    (part) => typeof part === 'string',
  );
  const isLines =
    lines === undefined ||
    (Number.isInteger(lines.first) && Number.isInteger(lines.last));
  return (
    isText &&
    (side === 'before' || side === 'after') &&
    readScope(since) !== undefined &&
    isLines
  );
}
