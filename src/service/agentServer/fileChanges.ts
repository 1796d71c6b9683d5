/** Files that an agent has changed, at its Agent Server: from a patch of Git, or else from lists and texts. */
import { resultOr } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import {
  type ChangedFile,
  type ChangedFiles,
  type CommitList,
  type FileChanges,
  type ChangesSince,
  type FileSides,
  refBefore,
} from '../fileChanges.ts';
import { filesOfPatch } from '../git/patch.ts';
import { isTooLarge, type Wire } from '../requests.ts';
import { ServiceError } from '../serviceError.ts';
import type { CallOptions } from '../transport.ts';
import { enumValue, identifier, isObject, shownLine, time } from '../wireValues.ts';
import { absolutePath, FileRequests } from './fileRequests.ts';
import { SidesReader } from './sidesReader.ts';

/** All changes together, in bytes. */
const maxPatchSize = 60_000_000;

/** Milliseconds for a repository with many files. */
const deadline = 120_000;

const maxCommits = 200;
const maxFiles = 100_000;

interface WorkFolder {
  readonly folder: string;
  readonly createdAt: number | undefined;
}

/** Stands for the commit before the very first one. */
const emptyTree = 'empty';

export class AgentServerFileChanges implements FileChanges {
  readonly #requests: FileRequests;
  readonly #log: Wire['log'];
  readonly #folders = new Map<string, WorkFolder>();
  /** The commits at which conversations began. */
  readonly #starts = new Map<string, string>();
  /** True for older services, which list no commits. */
  #lacksCommits = false;

  constructor(wire: Wire) {
    this.#requests = new FileRequests(wire);
    this.#log = wire.log;
  }

  async list(id: string, since: ChangesSince, call: CallOptions = {}): Promise<ChangedFiles> {
    const place = await this.#folderOf(id, call);
    const { folder } = place;
    if (typeof since !== 'object') {
      const base = refBefore(since) ?? (await this.#startOf(id, place, call));
      const found = await this.#patchSince(id, folder, base === emptyTree ? undefined : base, call);
      // Without a commit to compare with, every file would be new.
      const { patch } = found ?? {};
      const isAll = base === undefined && patch?.base === undefined && patch?.head !== undefined;
      if (found && !isAll) return { ...found, since };
    }
    return { since, files: await this.#listedFiles(id, folder, since, call), root: folder, patch: undefined };
  }

  async contents(
    id: string,
    files: ChangedFiles,
    file: ChangedFile,
    call: CallOptions = {},
  ): Promise<FileSides> {
    return await new SidesReader(this.#requests, id, files, file, call).read();
  }

  async commits(id: string, call: CallOptions = {}): Promise<CommitList> {
    const { folder } = await this.#folderOf(id, call);
    const root = await this.#rootOf(id, folder, call);
    return await resultOr(this.#commits(id, root, call), isMissing, { commits: [], more: false });
  }

  async #folderOf(id: string, call: CallOptions): Promise<WorkFolder> {
    const known = this.#folders.get(id);
    if (known) return known;
    const record = await this.#requests.send('findFolder', { path: ['api', 'conversations', id] }, call);
    const { workspace, created_at } = isObject(record) ? record : {};
    const folder = isObject(workspace) ? identifier(workspace.working_dir) : undefined;
    if (folder === undefined) throw this.#requests.error('findFolder', { kind: 'notFound' });
    const place = { folder, createdAt: time(created_at) };
    this.#folders.set(id, place);
    return place;
  }

  async #commits(id: string, folder: string, call: CallOptions): Promise<CommitList> {
    const query = { path: folder, limit: maxCommits };
    const answer = await this.#requests.atFolder(id, folder, call, (path) =>
      this.#requests.send('listCommits', { path: [...path, 'git', 'commits'], query }, call),
    );
    const { commits: given, has_more } = isObject(answer) ? answer : {};
    const found = (Array.isArray(given) ? (given as unknown[]) : []).slice(0, maxCommits).flatMap((one) => {
      const { sha, subject, author, timestamp } = isObject(one) ? one : {};
      const isSha = typeof sha === 'string' && /^[0-9a-f]{40,64}$/.test(sha);
      return isSha
        ? { sha, subject: shownLine(subject) ?? '', author: shownLine(author), at: time(timestamp) }
        : [];
    });
    return { commits: found, more: has_more === true };
  }

  /** The newest commit that is older than the conversation; undefined if that is not known. */
  async #startOf(
    id: string,
    { folder, createdAt }: WorkFolder,
    call: CallOptions,
  ): Promise<string | undefined> {
    const known = this.#starts.get(id);
    if (known !== undefined || createdAt === undefined || this.#lacksCommits) return known;
    try {
      const root = await this.#rootOf(id, folder, call);
      const { commits: all, more } = await this.#commits(id, root, call);
      const older = all.find(({ at }) => at !== undefined && at <= createdAt);
      if (older) this.#starts.set(id, older.sha);
      // Without an older commit, the conversation has made all of them.
      return older?.sha ?? (more || all.length === 0 ? undefined : emptyTree);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const { failure } = error;
      this.#lacksCommits = failure.kind === 'notFound' && failure.detail === 'Not Found';
      return undefined;
    }
  }

  /** The root of the repository, which may be in a folder below. */
  async #rootOf(id: string, folder: string, call: CallOptions): Promise<string> {
    return (await this.#patchSince(id, folder, 'HEAD', call))?.root ?? folder;
  }

  async #patchSince(
    id: string,
    folder: string,
    base: string | undefined,
    call: CallOptions,
  ): Promise<Omit<ChangedFiles, 'since'> | undefined> {
    const query = {
      path: absolutePath(folder),
      format: 'git-delta',
      base_ref: base,
      use_default_excludes: 'false',
    };
    try {
      const { bytes, headers } = await this.#requests.atFolder(id, folder, call, (path) => {
        const sent = { path: [...path, 'file', 'archive'], query, deadline, bodyLimit: maxPatchSize };
        return this.#requests.download('listChangedFiles', sent, call);
      });
      return filesOfPatch(bytes, headers, folder);
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#log.debug(`The service gives no patch: ${error.message}`);
      return undefined;
    }
  }

  /** The list of the service, in which a moved file is deleted in one place and added in another. */
  async #listedFiles(
    id: string,
    folder: string,
    since: ChangesSince,
    call: CallOptions,
  ): Promise<readonly ChangedFile[]> {
    const below = typeof since === 'object' ? ['commits', since.commit, 'changes'] : ['changes'];
    const query = { path: folder, ref: refBefore(since) };
    const answer = await this.#requests.atFolder(id, folder, call, (path) => {
      const sent = { path: [...path, 'git', ...below], query, deadline: 60_000, bodyLimit: 30_000_000 };
      return this.#requests.send('listChangedFiles', sent, call);
    });
    if (!Array.isArray(answer)) {
      const why = t('it does not contain a list');
      throw this.#requests.error('listChangedFiles', { kind: 'notUnderstood', why });
    }
    return (answer as unknown[]).slice(0, maxFiles).flatMap((one): ChangedFile[] => {
      const given = isObject(one) ? identifier(one.path) : undefined;
      const status = isObject(one) ? enumValue(statuses, one.status) : undefined;
      if (given === undefined || status === undefined) return [];
      const modes = { before: undefined, after: undefined };
      return [{ path: pathOnDisk(given), status, from: undefined, version: undefined, modes, binary: false }];
    });
  }
}

const statuses = { ADDED: 'added', UPDATED: 'updated', DELETED: 'deleted', MOVED: 'moved' } as const;

/** True if a service or a repository has no such thing, or more than can be read. */
function isMissing(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { failure } = error;
  return (
    ['notFound', 'rejected', 'notThisService'].includes(failure.kind) ||
    (failure.kind === 'serverFailed' && failure.status === 500) ||
    isTooLarge(error)
  );
}

/** Undoes the quotation marks of Git around unusual names, in which the service takes each backslash for a slash. */
function pathOnDisk(given: string): string {
  const inside = /^"(.*)"$/s.exec(given)?.[1];
  if (inside === undefined) return given;
  const bytes = Buffer.from(inside, 'utf8').toString('latin1');
  const path = bytes.replace(/[/\\]([2-3][0-7]{2})/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 8)),
  );
  return Buffer.from(path, 'latin1').toString('utf8').replaceAll('/"', '"');
}
