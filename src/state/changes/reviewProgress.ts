/**
 * The files of conversations that are left to review: since each was reviewed,
 * or since the user's last message.
 */
import { Emitter } from '../../base/event.ts';
import { inParallel } from '../../base/inParallel.ts';
import { RecentValues } from '../../base/recentValues.ts';
import type { Store } from '../../base/store.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import type {
  ChangedFile,
  ChangedFiles,
  FileSides,
} from '../../service/abilities/fileChanges.ts';
import {
  type AgentLocations,
  sourceOf,
} from '../conversation/agentLocations.ts';
import { readEvents } from '../conversation/eventReading.ts';
import {
  type Baseline,
  baselineOf,
  type BaselineStore,
  contentsOf,
  hashOf,
  type KeptBaselines,
  sideOf,
  versionOf,
} from './baselines.ts';
import type { ChangesCall, ConversationChanges } from './changedFiles.ts';
import {
  type ChangesScope,
  isReviewScope,
  readScope,
  type ReviewScope,
  sinceOf,
} from './changesScope.ts';
import type { FileReview } from './fileReviews.ts';

const maxReadsAtOnce = 6;
const maxScopes = 200;

export class ReviewProgress {
  readonly #changes: ConversationChanges;
  readonly #store: BaselineStore;
  readonly #locationsAt: (address: string) => AgentLocations | undefined;
  readonly #scopes: RecentValues;
  readonly #changed = new Emitter<string>();
  /**
   * Fires with the key of a conversation whose reviews differ, except when its
   * changes do.
   */
  readonly onChange = this.#changed.on;
  readonly #kept = new Map<string, KeptBaselines>();
  readonly #contents = new WeakMap<
    ChangedFiles,
    Map<string, string | undefined>
  >();
  readonly #last = new WeakMap<ChangedFiles, Map<ReviewScope, Reviewed>>();
  /** Hashes of the reviews that were announced last. */
  readonly #announced = new Map<string, string | undefined>();
  /** Marks that this window made, by conversation and path. */
  readonly #ownMarks = new Map<string, Map<string, OwnMark>>();

  constructor(
    changes: ConversationChanges,
    store: BaselineStore,
    locationsAt: (address: string) => AgentLocations | undefined,
    scopes: Store,
  ) {
    this.#changes = changes;
    this.#store = store;
    this.#locationsAt = locationsAt;
    this.#scopes = new RecentValues(scopes, 'changesScopes', maxScopes);
  }

  /**
   * The user's last choice if it still applies; else `reviewed` if a file was
   * reviewed, or `start`.
   */
  async scopeOf(
    conversation: Conversation,
    call: ChangesCall,
  ): Promise<ChangesScope> {
    const key = keyOf(conversation);
    const chosen = readScope(this.#scopes.get(key));
    const isOutdated =
      chosen === 'message' &&
      !(await this.knowsLastMessage(conversation, call).catch(() => false));
    if (chosen && !isOutdated) return chosen;
    return (await this.#read(key)).reviewed.size > 0 ? 'reviewed' : 'start';
  }

  async chooseScope(key: string, scope: ChangesScope): Promise<void> {
    await this.#scopes.set(key, scope);
  }

  /** The last known reviews, without a request; `undefined` before `look`. */
  of(
    key: string,
    scope: ReviewScope = 'reviewed',
  ): readonly FileReview[] | undefined {
    const files = this.#changes.known(key);
    const kept = this.#kept.get(key);
    if (!files || !kept) return undefined;
    const contents = this.#contentsIn(files);
    const lastReviews =
      this.#last.get(files) ?? new Map<ReviewScope, Reviewed>();
    this.#last.set(files, lastReviews);
    const last = lastReviews.get(scope);
    if (last?.kept === kept && last.read === contents.size) return last.reviews;
    const sent = new Map(
      kept.message?.files.map((file) => [file.path, file] as const),
    );
    const baselines = scope === 'reviewed' ? kept.reviewed : sent;
    const reviews = reviewsOf(files, baselines, (path) => contents.get(path));
    lastReviews.set(scope, { kept, read: contents.size, reviews });
    return reviews;
  }

  /** The last known reviews, loaded if there are none. */
  async reviews(
    conversation: Conversation,
    call: ChangesCall,
    scope: ReviewScope = 'reviewed',
  ): Promise<readonly FileReview[]> {
    const key = keyOf(conversation);
    if (!this.#kept.has(key)) await this.#read(key);
    return this.of(key, scope) ?? (await this.look(conversation, call, scope));
  }

  /**
   * Lists the changes. Reads contents only of marked files for which the
   * service reports no version.
   */
  async look(
    conversation: Conversation,
    call: ChangesCall,
    scope: ReviewScope = 'reviewed',
  ): Promise<readonly FileReview[]> {
    const key = keyOf(conversation);
    const [files] = await Promise.all([
      this.#changes.load(conversation, 'start', call),
      this.#read(key),
    ]);
    const unsure = (this.of(key, scope) ?? []).filter(
      ({ file, state, baseline }) =>
        state === 'changedAgain' &&
        (baseline?.version === undefined ||
          versionOf(files, file) === undefined),
    );
    await inParallel(unsure, maxReadsAtOnce, async ({ file }) => {
      await this.#sides(conversation, scope, file.path, call).catch(
        () => undefined,
      );
    });
    this.#announce(key);
    return this.of(key, scope) ?? [];
  }

  /** The file as last shown, or else as listed. */
  asShown(key: string, file: ChangedFile): ChangedFile {
    return this.#changes.lastShown(key, file.path) ?? file;
  }

  /** Both sides of a file, for display. */
  async sides(
    conversation: Conversation,
    scope: ChangesScope,
    path: string,
    call: ChangesCall,
  ): Promise<FileSides | undefined> {
    const key = keyOf(conversation);
    const listed = this.#changes.file(key, path);
    const sides = await this.#sides(conversation, scope, path, call);
    if (sides && sinceOf(scope) === 'start')
      this.#changes.noteShown(key, path, sides, listed);
    return sides;
  }

  async #sides(
    conversation: Conversation,
    scope: ChangesScope,
    path: string,
    call: ChangesCall,
  ): Promise<FileSides | undefined> {
    if (!isReviewScope(scope))
      return await this.#changes.sides(conversation, scope, path, call);
    const key = keyOf(conversation);
    const reviews = await this.reviews(conversation, call, scope);
    const review = reviews.find(({ file }) => file.path === path);
    const { baseline, state, file } = review ?? {};
    const kept = baseline && sideOf(baseline);
    if (
      state === 'changedBack' &&
      (baseline?.status === 'added' || baseline?.status === 'moved')
    )
      return { before: kept ?? { kind: 'none' }, after: { kind: 'none' } };
    const files = this.#changes.known(key);
    const sides = await this.#changes.sides(
      conversation,
      'start',
      path,
      call,
      file,
    );
    if (!sides) return undefined;
    if (files && review) await this.#note(key, files, review, sides);
    return { before: kept ?? sides.before, after: sides.after };
  }

  /**
   * Returns the files left unmarked because they changed since they were shown
   * or cannot be read.
   */
  async mark(
    conversation: Conversation,
    visibleFiles: readonly ChangedFile[],
    call: ChangesCall,
  ): Promise<readonly ChangedFile[]> {
    const key = keyOf(conversation);
    const before = (await this.#read(key)).reviewed;
    const reviews = await this.reviews(conversation, call);
    const notMarked: ChangedFile[] = [];
    const baselines: Baseline[] = [];
    const gone: string[] = [];
    await inParallel(visibleFiles, maxReadsAtOnce, async (file) => {
      const review = reviews.find((item) => item.file.path === file.path);
      // The agent may have changed it since the marks were read.
      const files = this.#changes.known(key);
      const now = files?.files.find(({ path }) => path === file.path);
      if (review?.state === 'reviewed') return;
      if (review?.state === 'changedBack' && !now) gone.push(file.path);
      else if (!files || !now || !isAsShown(now, file)) notMarked.push(file);
      else {
        const sides = await this.#changes.sides(
          conversation,
          'start',
          file.path,
          call,
        );
        const baseline = baselineOf(files, file, sides);
        if (baseline) baselines.push(baseline);
        else notMarked.push(file);
      }
    });
    const ownMarks = this.#ownMarks.get(key) ?? new Map<string, OwnMark>();
    this.#ownMarks.set(key, ownMarks);
    for (const mark of baselines)
      ownMarks.set(mark.path, {
        hash: hashOf(JSON.stringify(mark)),
        replaced: before.get(mark.path),
      });
    for (const path of gone)
      ownMarks.set(path, { hash: undefined, replaced: before.get(path) });
    await this.#store.add(key, baselines);
    await this.#store.remove(key, gone);
    await this.#read(key);
    this.#announce(key);
    return notMarked;
  }

  /**
   * Undoes the marks of this window, unless another window has replaced them.
   */
  async undoMark(key: string, paths: readonly string[]): Promise<void> {
    const { reviewed } = await this.#read(key);
    const isOwn = (path: string) => {
      const ownMark = this.#ownMarks.get(key)?.get(path);
      const mark = reviewed.get(path);
      return (
        ownMark !== undefined &&
        ownMark.hash === (mark && hashOf(JSON.stringify(mark)))
      );
    };
    await this.unmark(key, paths.filter(isOwn));
  }

  /** Removes marks and restores the ones that this window replaced. */
  async unmark(key: string, paths: readonly string[]): Promise<void> {
    const ownMarks = this.#ownMarks.get(key);
    const back = paths.flatMap((path) => ownMarks?.get(path)?.replaced ?? []);
    for (const path of paths) ownMarks?.delete(path);
    await this.#store.remove(key, paths);
    await this.#store.add(key, back);
    await this.#read(key);
    this.#announce(key);
  }

  async forget(key: string): Promise<void> {
    this.#kept.delete(key);
    this.#announced.delete(key);
    this.#ownMarks.delete(key);
    await this.#store.forget(key);
  }

  /**
   * Captures the known files before a message is sent. The returned function
   * keeps them once it was sent.
   */
  beforeMessage(
    conversation: Conversation,
  ): ((messageId: string) => Promise<void>) | undefined {
    const key = keyOf(conversation);
    const changes = this.#changes.current(conversation);
    if (!changes) return undefined;
    const { files } = changes;
    const sides = new Map(changes.sides);
    const keep = async (id: string) => {
      const all = files.files.map(async (file) => {
        const read = await sides.get(file.path)?.catch(() => undefined);
        // A file that cannot be compared later counts as new.
        return baselineOf(files, file, read) ?? [];
      });
      await this.#store.setMessage(key, {
        id,
        files: (await Promise.all(all)).flat(),
      });
      await this.#read(key);
    };
    // A failure only hides the scope.
    return (id) => keep(id).catch(() => undefined);
  }

  /** True if this machine sent the last message and recorded the files. */
  async knowsLastMessage(
    conversation: Conversation,
    call: ChangesCall,
  ): Promise<boolean> {
    const { message } = await this.#read(keyOf(conversation));
    const locations = this.#locationsAt(conversation.service);
    if (!message || !locations) return false;
    const { verdict: messageId } = await locations.use(
      conversation,
      call,
      (location, agents) =>
        readEvents(
          conversation,
          sourceOf(location, agents),
          call.signal,
          lastMessageId,
          call,
        ),
    );
    return messageId === message.id;
  }

  async #read(key: string): Promise<KeptBaselines> {
    const kept = await this.#store.read(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #contentsIn(files: ChangedFiles): Map<string, string | undefined> {
    const contents =
      this.#contents.get(files) ?? new Map<string, string | undefined>();
    this.#contents.set(files, contents);
    return contents;
  }

  /**
   * Renews the version of a mark whose contents are the same, as after a branch
   * was rewritten.
   */
  async #note(
    key: string,
    files: ChangedFiles,
    { file, baseline, state }: FileReview,
    sides: FileSides,
  ) {
    const contents = contentsOf(file, sides);
    this.#contentsIn(files).set(file.path, contents);
    if (
      state !== 'changedAgain' ||
      contents === undefined ||
      baseline?.contents !== contents
    )
      return;
    const renewed = baselineOf(files, file, sides);
    const marks = this.#kept.get(key)?.reviewed;
    if (renewed && marks?.get(file.path) === baseline) {
      await this.#store.add(key, [renewed]);
      await this.#read(key);
    }
    this.#announce(key);
  }

  /**
   * Announces only differences, because redrawing the list loses a key press on
   * one of its check boxes.
   */
  #announce(key: string): void {
    const marked = (this.of(key) ?? []).filter(({ baseline }) => baseline);
    const states = JSON.stringify(
      marked.map(({ file, state }) => [file.path, state]),
    );
    const hash = marked.length === 0 ? undefined : hashOf(states);
    if (hash === this.#announced.get(key)) return;
    this.#announced.set(key, hash);
    this.#changed.fire(key);
  }
}

interface OwnMark {
  /** Undefined for a file that is no longer changed. */
  readonly hash: string | undefined;
  /** The previous mark, restored when the file is unmarked. */
  readonly replaced: Baseline | undefined;
}

interface Reviewed {
  readonly kept: KeptBaselines;
  readonly read: number;
  readonly reviews: readonly FileReview[];
}

function isAsShown(one: ChangedFile, other: ChangedFile): boolean {
  return (
    one.version === other.version &&
    one.status === other.status &&
    one.from === other.from
  );
}

/** The id of the user's last message; '' without one. */
function lastMessageId(
  events: readonly AgentEvent[],
  isAll: boolean,
): string | undefined {
  const message = events.find(
    (event) => event.kind === 'message' && event.source === 'user',
  );
  return message?.id ?? (isAll ? '' : undefined);
}

/**
 * `contents` returns the hash of both sides once read. A file without proof
 * counts as not reviewed.
 */
function reviewsOf(
  files: ChangedFiles,
  baselines: ReadonlyMap<string, Baseline>,
  contents: (path: string) => string | undefined,
): readonly FileReview[] {
  const explained = new Set(
    files.files.flatMap(({ path, from }) => [path, from]),
  );
  const changed = files.files.map((file): FileReview => {
    const { path, from } = file;
    const baseline = baselines.get(path) ?? baselines.get(from ?? path);
    if (!baseline) return { file, state: 'new', baseline };
    // Moving a file changes both hashes.
    const isSame =
      (baseline.version !== undefined &&
        baseline.version === versionOf(files, file)) ||
      (baseline.contents !== undefined && baseline.contents === contents(path));
    return { file, state: isSame ? 'reviewed' : 'changedAgain', baseline };
  });
  const back = [...baselines.values()]
    .filter(({ path }) => !explained.has(path))
    .map((baseline): FileReview => ({
      file: unlisted(baseline),
      state: 'changedBack',
      baseline,
    }));
  return [...changed, ...back];
}

function unlisted({ path }: Baseline): ChangedFile {
  return {
    path,
    status: 'changedBack',
    from: undefined,
    version: undefined,
    binary: false,
    modes: { before: undefined, after: undefined },
  };
}
