import { Emitter } from '../../base/event.ts';
import { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
import {
  type ChangedFile,
  type ChangedFiles,
  type ChangesSince,
  type CommitList,
  type FileChanges,
  type FileSide,
  type FileSides,
  isOfVersion,
} from '../../service/abilities/fileChanges.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { activityOf } from '../lists/activity.ts';
import {
  type AgentLocations,
  whyNotReady,
} from '../conversation/agentLocations.ts';

/** The difference between two loads of the changes of a conversation. */
export interface ChangedAgain {
  readonly key: ConversationKey;
  readonly since: ChangesSince;
  /** Files with new contents and files that are no longer changed. */
  readonly different: ReadonlySet<string>;
  readonly more: readonly ChangedFile[];
}

export class SandboxPaused extends UserError {
  readonly sandboxId: string | undefined;

  constructor(sandboxId: string | undefined) {
    super(
      t(
        'The sandbox of this conversation is paused. Resume it to see the changes.',
      ),
    );
    this.sandboxId = sandboxId;
  }
}

/** `priority` defaults to a user's click. */
export type ChangesCall = CallOptions & { readonly signal: AbortSignal };

interface ChangesRecord {
  readonly files: ChangedFiles;
  readonly conversation: Conversation;
  readonly since: ChangesSince;
  /** The number of times the agent was seen at work before the load. */
  readonly timesWorked: number;
  readonly byPath: ReadonlyMap<string, ChangedFile>;
  /** The contents loaded so far, by path. */
  readonly sides: Map<string, Promise<FileSides>>;
  /** Paths of files that were last read with contents of another version. */
  readonly unproven: Set<string>;
}

const maxKnown = 50;
/** Limits the patches and contents of all conversations. */
const maxKnownBytes = 200_000_000;

export class ConversationChanges {
  readonly #locationsAt: (address: string) => AgentLocations | undefined;
  readonly #changed = new Emitter<ChangedAgain>();
  /** Fires when a load differs from the one before. */
  readonly onChange = this.#changed.on;
  readonly #looked = new Emitter<ConversationKey>();
  /**
   * Fires with the key of a conversation when its changes since the start are
   * loaded, before `onChange`.
   */
  readonly onLook = this.#looked.on;
  /**
   * The number of times each agent was seen at work, by the key of its
   * conversation.
   */
  readonly #timesWorked = new Map<string, number>();
  /** Keyed by conversation and base. */
  readonly #known = new Map<string, ChangesRecord>();
  readonly #underWay = new Map<string, Promise<ChangesRecord>>();
  readonly #sizes = new WeakMap<Promise<FileSides>, number>();
  readonly #maxBytes: number;
  readonly #whyNoFolder: (conversation: Conversation) => string | undefined;

  /**
   * `locationsAt` returns the locations of the agents of a service that is
   * connected, and `whyNoFolder` a sentence if an agent has no folder to ask
   * for.
   */
  constructor(
    locationsAt: (address: string) => AgentLocations | undefined,
    maxBytes = maxKnownBytes,
    whyNoFolder: (conversation: Conversation) => string | undefined = () =>
      undefined,
  ) {
    this.#locationsAt = locationsAt;
    this.#maxBytes = maxBytes;
    this.#whyNoFolder = whyNoFolder;
  }

  /** The last load, without a request. */
  known(
    key: ConversationKey,
    since: ChangesSince = 'start',
  ): ChangedFiles | undefined {
    return this.#known.get(idOf(key, since))?.files;
  }

  /**
   * The loaded changes since the start, unless the agent has worked since the
   * load.
   */
  current(
    conversation: Conversation,
  ): Pick<ChangesRecord, 'files' | 'sides'> | undefined {
    const record = this.#known.get(idOf(keyOf(conversation), 'start'));
    const isIdle = [conversation, record?.conversation].every(
      (version) => version && activityOf(version) !== 'working',
    );
    const isSameRun =
      record?.timesWorked === this.#timesWorkedBy(keyOf(conversation));
    const isUnchanged =
      isSameRun && record.conversation.updatedAt === conversation.updatedAt;
    return isIdle && isUnchanged ? record : undefined;
  }

  /** True if the agent has worked since its changes were loaded. */
  isStale(conversation: Conversation): boolean {
    return (
      this.known(keyOf(conversation)) !== undefined &&
      this.current(conversation) === undefined
    );
  }

  file(key: ConversationKey, path: string): ChangedFile | undefined {
    return this.#known.get(idOf(key, 'start'))?.byPath.get(path);
  }

  noteWork(conversation: Conversation): void {
    const key = keyOf(conversation);
    this.#timesWorked.set(key, this.#timesWorkedBy(key) + 1);
  }

  /** Keys of the conversations whose changes since the start are loaded. */
  get keys(): readonly ConversationKey[] {
    return [...this.#known.values()].flatMap(({ since, conversation }) =>
      since === 'start' ? keyOf(conversation) : [],
    );
  }

  async load(
    conversation: Conversation,
    since: ChangesSince,
    call: ChangesCall,
  ): Promise<ChangedFiles> {
    return (await this.#load(conversation, since, call)).files;
  }

  /**
   * Reads both sides of a file; `undefined` if the file is not among the changed
   * ones and not given as `unlisted`.
   */
  async readSides(
    conversation: Conversation,
    since: ChangesSince,
    path: string,
    call: ChangesCall,
    unlisted?: ChangedFile,
  ): Promise<FileSides | undefined> {
    const id = idOf(keyOf(conversation), since);
    const record =
      this.#known.get(id) ?? (await this.#load(conversation, since, call));
    const file = record.byPath.get(path) ?? unlisted;
    if (!file) return undefined;
    const { sides } = record;
    const before = sides.get(path);
    if (before) return await before;
    const asked = this.#ask(conversation, call, (changes) =>
      changes.contents(conversation.id, record.files, file, call),
    );
    sides.set(path, asked);
    const forgetSides = () => sides.delete(path);
    asked.then((read) => {
      this.#sizes.set(asked, bytesOf(read.before) + bytesOf(read.after));
      this.#dropOldest();
      if (isOfVersion(file, read)) return;
      forgetSides();
      record.unproven.add(path);
    }, forgetSides);
    return await asked;
  }

  async readCommits(
    conversation: Conversation,
    call: ChangesCall,
  ): Promise<CommitList | undefined> {
    return await this.#ask(conversation, call, async (changes) =>
      changes.commits?.(conversation.id, call),
    );
  }

  async #load(
    conversation: Conversation,
    since: ChangesSince,
    call: ChangesCall,
  ): Promise<ChangesRecord> {
    const key = keyOf(conversation);
    const id = idOf(key, since);
    const pending = this.#underWay.get(id);
    if (pending) {
      try {
        return await pending;
      } catch (error) {
        // The failure of another caller, such as its cancellation, does not
        // answer this one.
        if (call.signal.aborted || !(error instanceof UserError)) throw error;
      }
    }
    const loading = this.#list(conversation, since, call);
    this.#underWay.set(id, loading);
    try {
      const record = await loading;
      const before = this.#known.get(id);
      this.#known.delete(id);
      this.#known.set(id, record);
      this.#dropOldest();
      if (since === 'start') this.#looked.fire(key);
      this.#fireChanges(key, since, before, record);
      return record;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #list(
    conversation: Conversation,
    since: ChangesSince,
    call: ChangesCall,
  ): Promise<ChangesRecord> {
    const timesWorked = this.#timesWorkedBy(keyOf(conversation));
    const files = await this.#ask(conversation, call, (changes) =>
      changes.list(conversation.id, since, call),
    );
    const before = this.#known.get(idOf(keyOf(conversation), since));
    const byPath = new Map(files.files.map((file) => [file.path, file]));
    const sides = new Map(
      [...(before?.sides ?? [])].filter(([path]) =>
        isSame(before?.byPath.get(path), byPath.get(path)),
      ),
    );
    return {
      files,
      conversation,
      since,
      timesWorked,
      byPath,
      sides,
      unproven: new Set(),
    };
  }

  /**
   * Keeps the most recently loaded changes, and contents up to the size limit.
   */
  #dropOldest(): void {
    let bytes = 0;
    for (const [index, [id, { files, sides }]] of [...this.#known]
      .toReversed()
      .entries()) {
      bytes += files.patch?.bytes.byteLength ?? 0;
      if (index > 0 && (index >= maxKnown || bytes > this.#maxBytes))
        this.#known.delete(id);
      for (const [path, side] of [...sides].toReversed()) {
        bytes += this.#sizes.get(side) ?? 0;
        if (bytes > this.#maxBytes) sides.delete(path);
      }
    }
  }

  #timesWorkedBy(key: ConversationKey): number {
    return this.#timesWorked.get(key) ?? 0;
  }

  #fireChanges(
    key: ConversationKey,
    since: ChangesSince,
    before: ChangesRecord | undefined,
    now: ChangesRecord,
  ): void {
    const old = [...(before?.byPath ?? [])];
    const isProven = (path: string) => !before?.unproven.has(path);
    const different = new Set(
      old.flatMap(([path, file]) =>
        isSame(file, now.byPath.get(path)) && isProven(path) ? [] : path,
      ),
    );
    const more = before
      ? now.files.files.filter(({ path }) => !before.byPath.has(path))
      : [];
    if (!before || different.size > 0 || more.length > 0)
      this.#changed.fire({ key, since, different, more });
  }

  async #ask<T>(
    conversation: Conversation,
    call: ChangesCall,
    ask: (at: FileChanges) => Promise<T>,
  ): Promise<T> {
    const why = this.#whyNoFolder(conversation);
    if (why !== undefined) throw new UserError(why);
    const locations = this.#locationsAt(conversation.service);
    if (!locations)
      throw userError(
        'The service of this conversation is no longer connected.',
      );
    return await locations.use(conversation, call, (location) => {
      if (location.status === 'ready') return ask(location.changes);
      if (location.status === 'sandboxPaused')
        throw new SandboxPaused(location.sandboxId ?? conversation.sandboxId);
      throw new UserError(whyNotReady(location));
    });
  }
}

function bytesOf(side: FileSide): number {
  return side.kind === 'bytes' ? side.bytes.byteLength : 0;
}

/** Contents without a version may differ. */
function isSame(
  one: ChangedFile | undefined,
  other: ChangedFile | undefined,
): boolean {
  return (
    one !== undefined &&
    other?.version !== undefined &&
    one.version === other.version &&
    one.status === other.status
  );
}

function idOf(key: ConversationKey, since: ChangesSince): string {
  return `${typeof since === 'object' ? since.commit : since} ${key}`;
}
