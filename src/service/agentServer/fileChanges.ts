/**
 * Changed files of an agent, from a patch of its Agent Server, or else from
 * lists and texts.
 */
import { posix, win32 } from 'node:path';
import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import {
  type ChangedFile,
  type ChangedFiles,
  type CommitList,
  type FileChanges,
  type ChangesSince,
  type FileSide,
  type FileSides,
  refBefore,
} from '../abilities/fileChanges.ts';
import {
  applyPatch,
  isAfter,
  maxSideSize,
  undoPatch,
  wholeSide,
} from '../git/backwards.ts';
import {
  changedFileOf,
  type FilePatch,
  filesOfPatch,
  gitModes,
  readPatch,
} from '../git/patch.ts';
import {
  isNotFound,
  isTooLarge,
  isUnknownId,
  Requests,
  type Wire,
} from '../http/requests.ts';
import { startCommit } from '../git/startCommit.ts';
import { ServiceError } from '../http/serviceError.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  enumValue,
  identifier,
  isObject,
  shownLine,
  time,
} from '../http/wireValues.ts';

const couldNot = words({
  findFolder: 'Could not find the folder of the conversation',
  listChangedFiles: 'Could not list the changed files',
  readChangedFile: 'Could not read the changed file',
  listCommits: 'Could not list the commits',
});

/** All changes together, in bytes. */
const maxPatchSize = 60_000_000;

/** Milliseconds for a repository with many files. */
const deadline = 120_000;

const maxCommits = 200;
const maxFiles = 100_000;

interface Place {
  readonly id: string;
  readonly folder: string;
  readonly createdAt?: number | undefined;
  readonly call: CallOptions;
}

/** Stands for the commit before the very first one. */
const emptyTree = 'empty';

const none: FileSide = { kind: 'none' };
const unknown: FileSide = { kind: 'unknown' };

/** Parsed patches, shared by the files of each. */
const readPatches = new WeakMap<
  Uint8Array,
  ReadonlyMap<string, readonly FilePatch[]>
>();

export class AgentServerFileChanges implements FileChanges {
  readonly #requests: Requests<keyof typeof couldNot>;
  readonly #log: Wire['log'];
  readonly #clock: Wire['clock'];
  readonly #folders = new Map<string, Pick<Place, 'folder' | 'createdAt'>>();
  /** The commits at which conversations began. */
  readonly #starts = new Map<string, string>();
  /** The roots in which files of conversations were found. */
  readonly #roots = new Map<string, string>();
  /** True for older services, which list no commits. */
  #lacksCommits = false;
  /**
   * True for older services, which have these requests only without a
   * conversation.
   */
  #lacksConversations = false;

  constructor(wire: Wire) {
    this.#requests = new Requests(wire, couldNot);
    this.#log = wire.log;
    this.#clock = wire.clock;
  }

  async list(
    id: string,
    since: ChangesSince,
    call: CallOptions = {},
  ): Promise<ChangedFiles> {
    const place = await this.#placeOf(id, call);
    if (typeof since !== 'object') {
      const base = refBefore(since) ?? (await this.#startOf(place));
      const changes = await this.#patchSince(
        place,
        base === emptyTree ? undefined : base,
      );
      // Every file would be new if there is no commit to compare with.
      const { patch } = changes ?? {};
      const isAll =
        base === undefined &&
        patch?.base === undefined &&
        patch?.head !== undefined;
      if (changes && !isAll) return { ...changes, since };
    }
    return {
      since,
      files: await this.#listedFiles(place, since),
      root: place.folder,
      patch: undefined,
    };
  }

  /**
   * Reads them from the patch and proven by its hashes, or else from the texts
   * of the service.
   */
  async contents(
    id: string,
    files: ChangedFiles,
    file: ChangedFile,
    call: CallOptions = {},
  ): Promise<FileSides> {
    const { modes, status } = file;
    const { root, since } = files;
    const [patch, otherPatch] = filePatches(files, file);
    const patchedSides = patch && sidesOfPatch(patch, otherPatch, file);
    if (patchedSides) return patchedSides;
    const place = { id, folder: root, call };
    const isCurrent = status !== 'deleted' && typeof since !== 'object';
    const { path, after } = await this.#current(place, files, file, isCurrent);
    if (patch && after?.kind === 'bytes') {
      const before = undoPatch(patch, after.bytes);
      // A copy has a file before, which is another one.
      if (before && status === 'added') return { before: none, after };
      if (before) return { before: sideOf(before, modes.before), after };
    }
    const ref = refBefore(since) ?? files.patch?.base;
    const query = {
      path,
      ...(typeof since === 'object' ? { commit: since.commit } : { ref }),
    };
    const texts = await this.#texts(place, query, after);
    const proven = patch && sidesOfText(patch, file, texts.before);
    if (proven) return proven;
    if (status === 'deleted') return { before: texts.before, after: none };
    return {
      before: status === 'added' ? none : texts.before,
      after: after?.kind === 'bytes' ? unlessOther(after, patch) : texts.after,
    };
  }

  async commits(id: string, call: CallOptions = {}): Promise<CommitList> {
    const place = await this.#placeOf(id, call);
    return await resultOr(this.#commits(place), isMissing, {
      commits: [],
      more: false,
    });
  }

  async #placeOf(id: string, call: CallOptions): Promise<Place> {
    const cachedPlace = this.#folders.get(id);
    if (cachedPlace) return { ...cachedPlace, id, call };
    const record = await this.#requests.send(
      'findFolder',
      { path: ['api', 'conversations', id] },
      call,
    );
    const { workspace, created_at } = isObject(record) ? record : {};
    const folder = isObject(workspace)
      ? identifier(workspace.working_dir)
      : undefined;
    if (folder === undefined)
      throw this.#requests.error('findFolder', { kind: 'notFound' });
    const workspacePlace = { folder, createdAt: time(created_at) };
    this.#folders.set(id, workspacePlace);
    return { ...workspacePlace, id, call };
  }

  /**
   * Newer services limit a request below the conversation to its folder, and
   * then refuse relative paths.
   */
  async #atFolder<T>(
    { id, folder, call }: Place,
    send: (path: readonly string[]) => Promise<T>,
  ): Promise<T> {
    if (this.#lacksConversations || !win32.isAbsolute(folder))
      return await send(['api']);
    try {
      return await send(['api', 'conversations', id]);
    } catch (error) {
      if (!isNotFound(error) || call.signal?.aborted) throw error;
      const answer = await send(['api']);
      this.#lacksConversations = true;
      return answer;
    }
  }

  async #commits(place: Place): Promise<CommitList> {
    // The root of the repository may be in a folder below.
    const folder =
      (await this.#patchSince(place, 'HEAD'))?.root ?? place.folder;
    const query = { path: folder, limit: maxCommits };
    const answer = await this.#atFolder({ ...place, folder }, (path) =>
      this.#requests.send(
        'listCommits',
        { path: [...path, 'git', 'commits'], query },
        place.call,
      ),
    );
    const { commits: records, has_more } = isObject(answer) ? answer : {};
    const listed = Array.isArray(records) ? (records as unknown[]) : [];
    const commits = listed.slice(0, maxCommits).flatMap((record) => {
      const { sha, subject, author, timestamp } = isObject(record)
        ? record
        : {};
      if (typeof sha !== 'string' || !/^[0-9a-f]{40,64}$/.test(sha)) return [];
      return {
        sha,
        subject: shownLine(subject) ?? '',
        author: shownLine(author),
        at: time(timestamp),
      };
    });
    return { commits, more: has_more === true };
  }

  /** The commit at which the conversation began; undefined if not known. */
  async #startOf(place: Place): Promise<string | undefined> {
    const { id, createdAt } = place;
    const start = this.#starts.get(id);
    if (start !== undefined || createdAt === undefined || this.#lacksCommits)
      return start;
    try {
      const { commits: all, more } = await this.#commits(place);
      const start = startCommit(all, createdAt, this.#clock.now());
      if (start) this.#starts.set(id, start.sha);
      // The conversation made all commits if none is older.
      return start?.sha ?? (more || all.length === 0 ? undefined : emptyTree);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const { failure } = error;
      this.#lacksCommits =
        failure.kind === 'notFound' && failure.detail === 'Not Found';
      return undefined;
    }
  }

  async #patchSince(
    place: Place,
    base: string | undefined,
  ): Promise<Omit<ChangedFiles, 'since'> | undefined> {
    const query = {
      path: absolutePath(place.folder),
      format: 'git-delta',
      base_ref: base,
      use_default_excludes: 'false',
    };
    try {
      const { bytes, headers } = await this.#atFolder(place, (path) => {
        const sent = {
          path: [...path, 'file', 'archive'],
          query,
          deadline,
          bodyLimit: maxPatchSize,
        };
        return this.#requests.download('listChangedFiles', sent, place.call);
      });
      return filesOfPatch(bytes, headers, place.folder);
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#log.debug(`The service gives no patch: ${error.message}`);
      return undefined;
    }
  }

  /**
   * The list of the service, in which a moved file is deleted in one place and
   * added in another.
   */
  async #listedFiles(
    place: Place,
    since: ChangesSince,
  ): Promise<readonly ChangedFile[]> {
    const below =
      typeof since === 'object'
        ? ['commits', since.commit, 'changes']
        : ['changes'];
    const query = { path: place.folder, ref: refBefore(since) };
    const answer = await this.#atFolder(place, (path) => {
      const sent = {
        path: [...path, 'git', ...below],
        query,
        deadline: 60_000,
        bodyLimit: 30_000_000,
      };
      return this.#requests.send('listChangedFiles', sent, place.call);
    });
    if (!Array.isArray(answer)) {
      const why = t('it does not contain a list');
      throw this.#requests.error('listChangedFiles', {
        kind: 'notUnderstood',
        why,
      });
    }
    return (answer as unknown[])
      .slice(0, maxFiles)
      .flatMap((record): ChangedFile[] => {
        const path = isObject(record) ? identifier(record.path) : undefined;
        const status = isObject(record)
          ? enumValue(statuses, record.status)
          : undefined;
        if (path === undefined || status === undefined) return [];
        const modes = { before: undefined, after: undefined };
        return [
          {
            path: pathOnDisk(path),
            status,
            from: undefined,
            version: undefined,
            modes,
            binary: false,
          },
        ];
      });
  }

  /** Reads a file as it is now, if that is wanted. Finds its path. */
  async #current(
    place: Place,
    { root, files }: ChangedFiles,
    file: ChangedFile,
    isWanted: boolean,
  ): Promise<{ readonly path: string; readonly after: FileSide | undefined }> {
    const below = (folder: string) =>
      `${folder.replace(/\/$/, '')}/${file.path}`;
    const above = rootAbove(root, [file, ...files]);
    const known = this.#roots.get(place.id) ?? root;
    let after: FileSide | undefined;
    for (const folder of isWanted ? new Set([known, root, above]) : []) {
      after = await this.#download(place, below(folder));
      if (after.kind === 'unknown') continue;
      this.#roots.set(place.id, folder);
      return { path: below(folder), after };
    }
    return { path: below(known), after };
  }

  async #download(place: Place, file: string): Promise<FileSide> {
    const query = { path: absolutePath(file) };
    try {
      const { bytes } = await this.#atFolder(place, (path) => {
        const sent = {
          path: [...path, 'file', 'download'],
          query,
          bodyLimit: maxSideSize,
        };
        return this.#requests.download('readChangedFile', sent, place.call);
      });
      return { kind: 'bytes', bytes, exact: true };
    } catch (error) {
      if (isTooLarge(error)) return { kind: 'tooLarge' };
      // The path leads outside the folder, or the file is gone.
      if (isUnknownId(error)) return unknown;
      throw error;
    }
  }

  async #texts(
    place: Place,
    query: Readonly<Record<string, string | undefined>>,
    after: FileSide | undefined,
  ): Promise<FileSides> {
    try {
      const answer = await this.#atFolder(place, (path) => {
        const sent = {
          path: [...path, 'git', 'diff'],
          query,
          bodyLimit: 10_000_000,
        };
        return this.#requests.send('readChangedFile', sent, place.call);
      });
      const { original, modified } = isObject(answer) ? answer : {};
      return {
        before: textSide(original, after),
        after: textSide(modified, undefined),
      };
    } catch (error) {
      if (!isUnknownId(error)) throw error;
      const { failure } = error;
      const isTooLong =
        failure.kind === 'rejected' && /too large/i.test(failure.detail ?? '');
      const side: FileSide = isTooLong ? { kind: 'tooLarge' } : unknown;
      return { before: side, after: side };
    }
  }
}

const statuses = {
  ADDED: 'added',
  UPDATED: 'updated',
  DELETED: 'deleted',
  MOVED: 'moved',
} as const;

/**
 * True if a service or a repository has no such thing, or more than can be
 * read.
 */
function isMissing(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { failure } = error;
  return (
    ['notFound', 'rejected', 'notThisService'].includes(failure.kind) ||
    (failure.kind === 'serverFailed' && failure.status === 500) ||
    isTooLarge(error)
  );
}

/**
 * Undoes the quotation marks of Git around unusual names, in which the service
 * takes each backslash for a slash.
 */
function pathOnDisk(wirePath: string): string {
  const inside = /^"(.*)"$/s.exec(wirePath)?.[1];
  if (inside === undefined) return wirePath;
  const bytes = Buffer.from(inside, 'utf8').toString('latin1');
  const path = bytes.replace(/[/\\]([2-3][0-7]{2})/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 8)),
  );
  return Buffer.from(path, 'latin1').toString('utf8').replaceAll('/"', '"');
}

/**
 * Resolves `.`, the folder of a sandbox that is a process. Only Linux has such
 * sandboxes.
 */
function absolutePath(path: string): string {
  // True for absolute Linux paths too.
  return win32.isAbsolute(path) ? path : posix.join('/proc/self/cwd', path);
}

/**
 * The patches of a file: two (a deletion and an addition) if its type changed.
 */
function filePatches(
  { patch }: ChangedFiles,
  { path }: ChangedFile,
): readonly FilePatch[] {
  if (!patch) return [];
  const patchesByPath =
    readPatches.get(patch.bytes) ??
    Map.groupBy(
      readPatch(patch.bytes),
      (filePatch) => changedFileOf(filePatch).path,
    );
  readPatches.set(patch.bytes, patchesByPath);
  return patchesByPath.get(path) ?? [];
}

/**
 * The root of the repository if it may be above a folder of the agent. The
 * service does not name it, and lists only files below the folder.
 */
function rootAbove(folder: string, files: readonly ChangedFile[]): string {
  const names = folder.split(/[/\\]/);
  const below = names
    .map((_, index) => `${names.slice(index).join('/')}/`)
    .find((prefix) => files.every(({ path }) => path.startsWith(prefix)));
  return below === undefined ? folder : folder.slice(0, -below.length);
}

/** Undefined if the patch does not tell them alone. */
function sidesOfPatch(
  patch: FilePatch,
  otherPatch: FilePatch | undefined,
  file: ChangedFile,
): FileSides | undefined {
  if (otherPatch) return sidesOfBoth([patch, otherPatch], file);
  const { before, after } = file.modes;
  const whole = wholeSide(patch);
  if (whole) {
    const side = sideOf(whole, before ?? after);
    return patch.before
      ? { before: side, after: none }
      : { before: none, after: side };
  }
  const isSpecial = [before, after].some(
    (mode) => mode === gitModes.link || mode === gitModes.repository,
  );
  return isSpecial ? specialSides(patch, file) : undefined;
}

/** The sides of a file that became a link, or of a link that became a file. */
function sidesOfBoth(
  patches: readonly FilePatch[],
  { modes }: ChangedFile,
): FileSides {
  const side = (
    patch: FilePatch | undefined,
    mode: string | undefined,
  ): FileSide => {
    const bytes = patch && wholeSide(patch);
    return bytes ? sideOf(bytes, mode) : unknown;
  };
  return {
    before: side(
      patches.find(({ before }) => before),
      modes.before,
    ),
    after: side(
      patches.find(({ after }) => after),
      modes.after,
    ),
  };
}

/**
 * A text of the service, which drops the last line break: copies it from the
 * other side.
 */
function textSide(text: unknown, other: FileSide | undefined): FileSide {
  if (typeof text !== 'string') return unknown;
  // Replacements of bytes that are not text.
  if (text.includes('\u0000') || text.includes('\uFFFD')) return unknown;
  const ends =
    text !== '' && other?.kind === 'bytes' && other.bytes.at(-1) === 10;
  return {
    kind: 'bytes',
    bytes: Buffer.from(ends ? `${text}\n` : text, 'utf8'),
    exact: false,
  };
}

function sideOf(bytes: Uint8Array, mode: string | undefined): FileSide {
  const text = () => Buffer.from(bytes).toString('utf8');
  if (mode === gitModes.link) return { kind: 'link', target: text() };
  if (mode === gitModes.repository)
    return {
      kind: 'repository',
      commit: text().replace(/^Subproject commit |\s+$/g, ''),
    };
  return { kind: 'bytes', bytes, exact: true };
}

/**
 * The sides of a file that was changed or converted after the patch was made,
 * from the text before.
 */
function sidesOfText(
  patch: FilePatch,
  { modes }: ChangedFile,
  before: FileSide,
): FileSides | undefined {
  if (before.kind !== 'bytes') return undefined;
  const text = Buffer.from(before.bytes).toString('utf8');
  // The last line break is a guess.
  for (const oldText of [text, `${text}\n`, text.replace(/\n$/, '')]) {
    const oldBytes = Buffer.from(oldText, 'utf8');
    const newBytes = applyPatch(patch, oldBytes);
    if (newBytes)
      return {
        before: sideOf(oldBytes, modes.before),
        after: sideOf(newBytes, modes.after),
      };
  }
  return undefined;
}

/** The side, marked as inexact if the patch has another version. */
function unlessOther(
  side: Extract<FileSide, { kind: 'bytes' }>,
  patch: FilePatch | undefined,
): FileSide {
  return {
    ...side,
    exact: side.exact && (!patch || isAfter(patch, side.bytes)),
  };
}

/**
 * A link or a repository on both sides: the patch has the whole of both, which
 * are a line each.
 */
function specialSides({ body }: FilePatch, { modes }: ChangedFile): FileSides {
  const lines =
    body.kind === 'text' ? body.hunks.flatMap((hunk) => hunk.lines) : [];
  const side = (sign: string, mode: string | undefined): FileSide => {
    const line = lines.find((text) => text.startsWith(sign));
    return line === undefined
      ? unknown
      : sideOf(Buffer.from(line.slice(1), 'latin1'), mode);
  };
  return { before: side('-', modes.before), after: side('+', modes.after) };
}
