/** What an agent has changed, at its Agent Server: as a patch of Git, or where there is none, as lists and texts. */
import type { ChangedFiles, Commits, FileChanges } from '../fileChanges.ts';
import type { Wire } from '../requests.ts';
import { ServiceError } from '../serviceError.ts';
import type { CallOptions } from '../transport.ts';
import { absolutePath, isAbsolute } from './agentPath.ts';
import { FileRequests } from './fileRequests.ts';
import { identifier, isObject, line, time } from '../wireValues.ts';
import { filesOfPatch } from '../git/filesOfPatch.ts';
import { listedFiles } from './listedFiles.ts';
import { readSides } from './readSides.ts';

/** In bytes, of all that has changed together. */
const largestPatch = 60_000_000;

/** For a repository that has much in it. */
const deadline = 120_000;

const mostCommits = 200;

interface WorkFolder {
  /** As the service spells it. */
  readonly folder: string;
  readonly createdAt: number | undefined;
}

/** In place of the commit before the very first one. */
const emptyTree = 'empty';

/** Where a service or a repository has no such thing, or more than can be read. */
function isMissing({ failure }: ServiceError): boolean {
  return (
    ['notFound', 'rejected', 'notThisService'].includes(failure.kind) ||
    (failure.kind === 'serverFailed' && failure.status === 500) ||
    (failure.kind === 'notUnderstood' && failure.tooLarge === true)
  );
}

/** The service lacks this request, and not only what is asked for. */
function isUnknownRequest({ failure }: ServiceError): boolean {
  return failure.kind === 'notFound' && failure.detail === 'Not Found';
}

export function fileChangesAtAgentServer({ transport, log }: Wire): FileChanges {
  const requests = new FileRequests(transport);
  const places = new Map<string, WorkFolder>();
  /** The commits at which conversations began. */
  const starts = new Map<string, string>();
  /** Older services have these requests only without the conversation, and list no commits. */
  let isHeldMissing = false;
  let isCommitListMissing = false;

  async function placeOf(id: string, call: CallOptions): Promise<WorkFolder> {
    const known = places.get(id);
    if (known) return known;
    const record = await requests.send('findFolder', { path: ['api', 'conversations', id] }, call);
    const { workspace, created_at } = isObject(record) ? record : {};
    const folder = isObject(workspace) ? identifier(workspace.working_dir) : undefined;
    if (folder === undefined) throw requests.error('findFolder', { kind: 'notFound' });
    const place = { folder, createdAt: time(created_at) };
    places.set(id, place);
    return place;
  }

  /** Newer services hold a request to the folder of the conversation, and then refuse relative paths. */
  async function held<T>(
    id: string,
    folder: string,
    call: CallOptions,
    ask: (path: readonly string[]) => Promise<T>,
  ): Promise<T> {
    if (isHeldMissing || !isAbsolute(folder)) return await ask(['api']);
    try {
      return await ask(['api', 'conversations', id]);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'notFound' || call.signal?.aborted) throw error;
      const found = await ask(['api']);
      isHeldMissing = true;
      return found;
    }
  }

  async function commits(id: string, folder: string, call: CallOptions): Promise<Commits> {
    const query = { path: folder, limit: mostCommits };
    const answer = await held(id, folder, call, (path) =>
      requests.send('listCommits', { path: [...path, 'git', 'commits'], query }, call),
    );
    const { commits: given, has_more } = isObject(answer) ? answer : {};
    const found = (Array.isArray(given) ? (given as unknown[]) : []).slice(0, mostCommits).flatMap((one) => {
      const { sha, subject, author, timestamp } = isObject(one) ? one : {};
      const isSha = typeof sha === 'string' && /^[0-9a-f]{40,64}$/.test(sha);
      return isSha ? { sha, subject: line(subject) ?? '', author: line(author), at: time(timestamp) } : [];
    });
    return { commits: found, more: has_more === true };
  }

  /** The newest commit that is older than the conversation; undefined where that is not known. */
  async function startOf(
    id: string,
    { folder, createdAt }: WorkFolder,
    call: CallOptions,
  ): Promise<string | undefined> {
    const known = starts.get(id);
    if (known !== undefined || createdAt === undefined || isCommitListMissing) return known;
    try {
      const root = await rootOf(id, folder, call);
      const { commits: all, more } = await commits(id, root, call);
      const older = all.find(({ at }) => at !== undefined && at <= createdAt);
      // All that there are have been made by it.
      const found = older?.sha ?? (more || all.length === 0 ? undefined : emptyTree);
      if (older) starts.set(id, older.sha);
      return found;
    } catch (error) {
      if (!(error instanceof ServiceError) || !isMissing(error)) throw error;
      isCommitListMissing = isUnknownRequest(error);
      return undefined;
    }
  }

  /** Of the repository, which may be in a folder below. */
  async function rootOf(id: string, folder: string, call: CallOptions): Promise<string> {
    return (await patchSince(id, folder, 'HEAD', call))?.root ?? folder;
  }

  async function patchSince(
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
      const { bytes, headers } = await held(id, folder, call, (path) =>
        requests.download(
          'listChangedFiles',
          { path: [...path, 'file', 'archive'], query, deadline, bodyLimit: largestPatch },
          call,
        ),
      );
      return filesOfPatch(bytes, headers, folder);
    } catch (error) {
      if (!(error instanceof ServiceError) || !isMissing(error)) throw error;
      log.debug(`The service gives no patch: ${error.message}`);
      return undefined;
    }
  }

  return {
    list: async (id, since, call = {}) => {
      const place = await placeOf(id, call);
      const { folder } = place;
      if (typeof since !== 'object') {
        const base = since === 'lastCommit' ? 'HEAD' : await startOf(id, place, call);
        const found = await patchSince(id, folder, base === emptyTree ? undefined : base, call);
        // Without a commit to be against, everything that there is would be new.
        const { patch } = found ?? {};
        const isAll = base === undefined && patch?.base === undefined && patch?.head !== undefined;
        if (found && !isAll) return { ...found, since };
      }
      const files = await held(id, folder, call, (path) => listedFiles(requests, path, folder, since, call));
      return { since, files, root: folder, patch: undefined };
    },
    contents: async (id, files, file, call = {}) => {
      return await readSides(requests, (ask) => held(id, files.root, call, ask), files, file, call);
    },
    commits: async (id, call = {}) => {
      const { folder } = await placeOf(id, call);
      const root = await rootOf(id, folder, call);
      try {
        return await commits(id, root, call);
      } catch (error) {
        // Older services do not list them.
        if (error instanceof ServiceError && isMissing(error)) return { commits: [], more: false };
        throw error;
      }
    },
  };
}
