/** What people have noted about the changes of agents and not sent yet, kept in the workspace and nowhere else. */
import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/event.ts';
import type { ChangesSince } from '../../service/fileChanges.ts';
import type { Store } from '../../base/store.ts';

/** Where a comment is. */
export interface CommentPlace {
  /** The key of the conversation. */
  readonly key: string;
  readonly since: ChangesSince;
  readonly side: 'before' | 'after';
  readonly path: string;
  /** From 1; undefined where it is about the whole file. */
  readonly lines: CommentLines | undefined;
  /** What stood there; perhaps only its beginning. */
  readonly quote: string;
}

interface CommentLines {
  readonly first: number;
  readonly last: number;
}

export interface ReviewComment extends CommentPlace {
  readonly id: string;
  readonly text: string;
  /** What it is about is no longer there. */
  readonly outdated: boolean;
}

const storeKey = 'reviews';
/** Of all conversations; the oldest are given up. */
const most = 500;
/** In characters. */
const longestText = 20_000;
const longestQuote = 10_000;

export class Reviews {
  readonly #store: Store;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  /** Fires with the keys of the conversations whose comments are others. */
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

  /** Of one conversation, in the order in which they were made. */
  of(key: string): readonly ReviewComment[] {
    return this.#all.filter((comment) => comment.key === key);
  }

  get(id: string): ReviewComment | undefined {
    return this.#all.find((comment) => comment.id === id);
  }

  async add(place: CommentPlace, text: string): Promise<ReviewComment> {
    const quote = place.quote.slice(0, longestQuote);
    const comment = { ...place, quote, id: randomUUID(), text: text.slice(0, longestText), outdated: false };
    await this.#set([...this.#all, comment].slice(-most), [place.key]);
    return comment;
  }

  async edit(id: string, text: string): Promise<void> {
    await this.#replace(id, { text: text.slice(0, longestText) });
  }

  /** Says what the file is now: whether what the comment is about is still there, and where. */
  async place(id: string, text: string | undefined): Promise<void> {
    const comment = this.get(id);
    if (comment) await this.#replace(id, placeIn(comment, text));
  }

  /** Returns what brings them back. */
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
      const added = this.#all.filter(({ id }) => !before.some((one) => one.id === id));
      const left = before.flatMap((one) => (back.has(one.id) ? one : (this.get(one.id) ?? [])));
      await this.#set([...left, ...added], keys);
    };
  }

  async #replace(id: string, change: Partial<ReviewComment>): Promise<void> {
    const comment = this.get(id);
    if (!comment) return;
    const changed = { ...comment, ...change };
    if (JSON.stringify(changed) === JSON.stringify(comment)) return;
    await this.#set(
      this.#all.map((each) => (each.id === id ? changed : each)),
      [comment.key],
    );
  }

  async #set(all: readonly ReviewComment[], keys: readonly string[]): Promise<void> {
    this.#all = all;
    this.#changed.fire(new Set(keys));
    await this.#store.update(storeKey, all);
  }
}

/** Undefined as the text means that there is no such file any more. */
function placeIn(
  { lines, quote }: CommentPlace,
  text: string | undefined,
): Pick<ReviewComment, 'lines' | 'outdated'> {
  if (text === undefined || !lines) return { lines, outdated: text === undefined };
  const there = text.split(/\r?\n/);
  const wanted = quote.split(/\r?\n/);
  const isAt = (at: number) =>
    wanted.every((line, index) =>
      // The last one may be cut off.
      index === wanted.length - 1 && quote.length >= longestQuote
        ? there[at + index]?.startsWith(line)
        : there[at + index] === line,
    );
  if (isAt(lines.first - 1)) return { lines, outdated: false };
  const places = there.flatMap((_, at) => (isAt(at) ? at : []));
  const [only] = places;
  // Where it occurs several times, nobody knows which is meant.
  if (only === undefined || places.length > 1 || quote.trim() === '') return { lines, outdated: true };
  return { lines: { first: only + 1, last: only + 1 + lines.last - lines.first }, outdated: false };
}

function isComment(value: unknown): value is ReviewComment {
  const { id, key, path, side, quote, text, since, lines } = (value ?? {}) as Partial<ReviewComment>;
  const isText = [id, key, path, quote, text].every((part) => typeof part === 'string');
  const isSince = since === 'start' || since === 'lastCommit' || typeof since?.commit === 'string';
  const isLines = lines === undefined || (Number.isInteger(lines.first) && Number.isInteger(lines.last));
  return isText && (side === 'before' || side === 'after') && isSince && isLines;
}
