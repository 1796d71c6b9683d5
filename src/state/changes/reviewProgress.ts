/**
 * The files of conversations that are left to review: since each was reviewed,
 * or since the user's last message.
 */
import { Emitter } from '../../base/event.ts';
import { inParallel } from '../../base/inParallel.ts';
import { RecentValues } from '../../base/recentValues.ts';
import { isEqual } from '../../base/same.ts';
import type { Store } from '../../base/store.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
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
import { asListed, type FileReview, type ShownFile } from './fileReviews.ts';
import {
  emptyReview,
  markStates,
  type ReviewSnapshot,
  shownFile,
  withReviews,
} from './reviewSnapshot.ts';

const maxReadsAtOnce = 6;
const maxScopes = 200;

export class ReviewProgress {
  readonly #changes: ConversationChanges;
  readonly #store: BaselineStore;
  readonly #locationsAt: (address: string) => AgentLocations | undefined;
  readonly #scopes: RecentValues;
  readonly #changed = new Emitter<ConversationKey>();
  /**
   * Fires with the key of a conversation whose marked files have other states,
   * because redrawing the list loses a key press on one of its check boxes.
   */
  readonly onChange = this.#changed.on;
  readonly #snapshots = new Map<string, ReviewSnapshot>();

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
    changes.onLook((key) => {
      // The contents read so far prove nothing about the new list.
      this.#publish(key, { contents: new Map() });
    });
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
    return (await this.#readMarks(key)).reviewed.size > 0
      ? 'reviewed'
      : 'start';
  }

  async chooseScope(key: ConversationKey, scope: ChangesScope): Promise<void> {
    await this.#scopes.set(key, scope);
  }

  /**
   * `undefined` until the marks are read, and while the changes are not loaded.
   */
  snapshot(key: ConversationKey): ReviewSnapshot | undefined {
    const review = this.#reviewOf(key);
    return review.kept && this.#changes.known(key) ? review : undefined;
  }

  /** Reads the reviews unless they are known. */
  async readReviewsOnce(
    conversation: Conversation,
    call: ChangesCall,
    scope: ReviewScope = 'reviewed',
  ): Promise<readonly FileReview[]> {
    const key = keyOf(conversation);
    if (!this.#reviewOf(key).kept) await this.#readMarks(key);
    return (
      this.snapshot(key)?.[scope] ??
      (await this.readReviews(conversation, call, scope))
    );
  }

  /**
   * Lists the changes. Reads contents only of marked files for which the
   * service reports no version.
   */
  async readReviews(
    conversation: Conversation,
    call: ChangesCall,
    scope: ReviewScope = 'reviewed',
  ): Promise<readonly FileReview[]> {
    const key = keyOf(conversation);
    const [files] = await Promise.all([
      this.#changes.load(conversation, 'start', call),
      this.#readMarks(key),
    ]);
    const unsure = (this.snapshot(key)?.[scope] ?? []).filter(
      ({ file, state, baseline }) =>
        state === 'changedAgain' &&
        (baseline.version === undefined ||
          versionOf(files, file) === undefined),
    );
    await inParallel(unsure, maxReadsAtOnce, async ({ file }) => {
      await this.#readSides(conversation, scope, file.path, call).catch(
        () => undefined,
      );
    });
    return this.snapshot(key)?.[scope] ?? [];
  }

  /** The file as last shown, or else as listed. */
  asShown(key: ConversationKey, file: ChangedFile): ShownFile {
    return this.#reviewOf(key).shown.get(file.path) ?? asListed(file);
  }

  /** Reads both sides of a file for display. */
  async readSides(
    conversation: Conversation,
    scope: ChangesScope,
    path: string,
    call: ChangesCall,
  ): Promise<FileSides | undefined> {
    const key = keyOf(conversation);
    const before = this.#changes.file(key, path);
    const read = await this.#readSides(conversation, scope, path, call);
    const file = this.#changes.file(key, path);
    if (read && file && sinceOf(scope) === 'start') {
      const shown = new Map(this.#reviewOf(key).shown);
      shown.set(path, shownFile(file, read.whole, before));
      this.#publish(key, { shown });
    }
    return read?.sides;
  }

  /** Reads the sides in the scope, and of the whole change, which is marked. */
  async #readSides(
    conversation: Conversation,
    scope: ChangesScope,
    path: string,
    call: ChangesCall,
  ): Promise<
    { readonly sides: FileSides; readonly whole: FileSides } | undefined
  > {
    if (!isReviewScope(scope)) {
      const sides = await this.#changes.readSides(
        conversation,
        scope,
        path,
        call,
      );
      return sides && { sides, whole: sides };
    }
    const key = keyOf(conversation);
    const reviews = await this.readReviewsOnce(conversation, call, scope);
    const review = reviews.find(({ file }) => file.path === path);
    const kept = review?.baseline && sideOf(review.baseline);
    if (
      review?.state === 'changedBack' &&
      (review.baseline.status === 'added' || review.baseline.status === 'moved')
    ) {
      const sides: FileSides = {
        before: kept ?? { kind: 'none' },
        after: { kind: 'none' },
      };
      return { sides, whole: sides };
    }
    const files = this.#changes.known(key);
    const whole = await this.#changes.readSides(
      conversation,
      'start',
      path,
      call,
      review?.file,
    );
    if (!whole) return undefined;
    if (files && review) await this.#noteContents(key, files, review, whole);
    return {
      sides: { before: kept ?? whole.before, after: whole.after },
      whole,
    };
  }

  /**
   * Returns the files left unmarked because they changed since they were shown
   * or cannot be read.
   */
  async mark(
    conversation: Conversation,
    visibleFiles: readonly ShownFile[],
    call: ChangesCall,
  ): Promise<readonly ChangedFile[]> {
    const key = keyOf(conversation);
    const before = (await this.#readMarks(key)).reviewed;
    const reviews = await this.readReviewsOnce(conversation, call);
    const notMarked: ChangedFile[] = [];
    const baselines: Baseline[] = [];
    const gone: string[] = [];
    await inParallel(
      visibleFiles,
      maxReadsAtOnce,
      async ({ file, contents }) => {
        const review = reviews.find((item) => item.file.path === file.path);
        // The agent may have changed it since the marks were read.
        const files = this.#changes.known(key);
        const now = this.#changes.file(key, file.path);
        if (review?.state === 'reviewed') return;
        if (review?.state === 'changedBack' && !now) gone.push(file.path);
        else if (!files || !now || !isAsShown(now, file)) notMarked.push(file);
        else {
          const sides = await this.#changes.readSides(
            conversation,
            'start',
            file.path,
            call,
          );
          const isOther =
            contents !== undefined &&
            contents !== (sides && contentsOf(now, sides));
          const baseline = isOther ? undefined : baselineOf(files, file, sides);
          if (baseline) baselines.push(baseline);
          else notMarked.push(file);
        }
      },
    );
    const ownMarks = new Map(this.#reviewOf(key).ownMarks);
    for (const mark of baselines)
      ownMarks.set(mark.path, {
        hash: hashOf(JSON.stringify(mark)),
        replaced: before.get(mark.path),
      });
    for (const path of gone)
      ownMarks.set(path, { hash: undefined, replaced: before.get(path) });
    this.#publish(key, { ownMarks });
    await this.#store.add(key, baselines);
    await this.#store.remove(key, gone);
    await this.#readMarks(key);
    return notMarked;
  }

  /**
   * Undoes the marks of this window, unless another window has replaced them.
   */
  async undoMark(
    key: ConversationKey,
    paths: readonly string[],
  ): Promise<void> {
    const { reviewed } = await this.#readMarks(key);
    const isOwn = (path: string) => {
      const ownMark = this.#reviewOf(key).ownMarks.get(path);
      const mark = reviewed.get(path);
      return (
        ownMark !== undefined &&
        ownMark.hash === (mark && hashOf(JSON.stringify(mark)))
      );
    };
    await this.unmark(key, paths.filter(isOwn));
  }

  /** Removes marks and restores the ones that this window replaced. */
  async unmark(key: ConversationKey, paths: readonly string[]): Promise<void> {
    const ownMarks = new Map(this.#reviewOf(key).ownMarks);
    const back = paths.flatMap((path) => ownMarks.get(path)?.replaced ?? []);
    for (const path of paths) ownMarks.delete(path);
    this.#publish(key, { ownMarks });
    await this.#store.remove(key, paths);
    await this.#store.add(key, back);
    await this.#readMarks(key);
  }

  async forget(key: ConversationKey): Promise<void> {
    this.#snapshots.delete(key);
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
      await this.#readMarks(key);
    };
    // A failure only hides the scope.
    return (id) => keep(id).catch(() => undefined);
  }

  /** True if this machine sent the last message and recorded the files. */
  async knowsLastMessage(
    conversation: Conversation,
    call: ChangesCall,
  ): Promise<boolean> {
    const { message } = await this.#readMarks(keyOf(conversation));
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

  async #readMarks(key: ConversationKey): Promise<KeptBaselines> {
    const kept = await this.#store.read(key);
    this.#publish(key, { kept });
    return kept;
  }

  /**
   * Renews the version of a mark whose contents are the same, as after a branch
   * was rewritten. `files` is the list from before the contents were read.
   */
  async #noteContents(
    key: ConversationKey,
    files: ChangedFiles,
    { file, baseline, state }: FileReview,
    sides: FileSides,
  ) {
    const hash = contentsOf(file, sides);
    const contents = new Map(this.#reviewOf(key).contents);
    if (contents.get(file.path) !== hash && this.#changes.known(key) === files)
      this.#publish(key, { contents: contents.set(file.path, hash) });
    if (
      state !== 'changedAgain' ||
      hash === undefined ||
      baseline.contents !== hash
    )
      return;
    const renewed = baselineOf(files, file, sides);
    const marks = this.#reviewOf(key).kept?.reviewed;
    if (renewed && marks?.get(file.path) === baseline) {
      await this.#store.add(key, [renewed]);
      await this.#readMarks(key);
    }
  }

  #reviewOf(key: ConversationKey): ReviewSnapshot {
    return this.#snapshots.get(key) ?? emptyReview;
  }

  #publish(key: ConversationKey, change: Partial<ReviewSnapshot>): void {
    const before = this.#reviewOf(key);
    const after = { ...before, ...change };
    const snapshot =
      (change.kept ?? change.contents)
        ? withReviews(after, this.#changes.known(key))
        : after;
    this.#snapshots.set(key, snapshot);
    if (!isEqual(markStates(before), markStates(snapshot)))
      this.#changed.fire(key);
  }
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
