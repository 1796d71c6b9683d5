import { type Event, extensions, type Uri } from 'vscode';
import { relative, sep } from 'node:path';
import { repositoryName } from '../../state/changes/codeHosts.ts';

interface GitChange {
  readonly uri: Uri;
  readonly status: number;
}

/** `Status.UNTRACKED` of the Git extension. */
const untracked = 7;

interface State {
  readonly HEAD:
    | {
        readonly name?: string;
        readonly commit?: string;
        readonly upstream?: { readonly remote: string; readonly name: string };
        readonly ahead?: number;
      }
    | undefined;
  readonly remotes: readonly {
    readonly name: string;
    readonly fetchUrl?: string;
    readonly pushUrl?: string;
  }[];
  readonly indexChanges: readonly GitChange[];
  readonly workingTreeChanges: readonly GitChange[];
  readonly mergeChanges: readonly GitChange[];
  /** Missing in older versions. */
  readonly untrackedChanges?: readonly GitChange[];
}

interface Repository {
  readonly rootUri: Uri;
  readonly state: State;
  status(): Promise<void>;
  fetch(): Promise<void>;
  checkout(branch: string): Promise<void>;
  createBranch(name: string, checkout: boolean, ref?: string): Promise<void>;
  setBranchUpstream(name: string, upstream: string): Promise<void>;
  merge(ref: string): Promise<void>;
  checkIgnore(paths: readonly string[]): Promise<ReadonlySet<string>>;
  diffWithHEAD(path: string): Promise<string>;
}

export interface GitApi {
  readonly git: { readonly path: string };
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: Event<unknown>;
  readonly repositories: readonly Repository[];
  getRepository(uri: Uri): Repository | null;
}

export interface UncommittedFile {
  readonly uri: Uri;
  readonly isUntracked: boolean;
  readonly isInConflict: boolean;
}

export async function gitExtension(): Promise<GitApi | undefined> {
  try {
    const extension = extensions.getExtension<{ getAPI(version: 1): GitApi }>(
      'vscode.git',
    );
    return (await extension?.activate())?.getAPI(1);
  } catch {
    // The extension is disabled or found no Git.
    return undefined;
  }
}

/**
 * The first repository of the workspace that services can name, and its branch.
 */
export async function workspaceRepository(): Promise<
  { readonly name: string; readonly branch: string | undefined } | undefined
> {
  for (const repository of (await gitExtension())?.repositories ?? []) {
    const { name } = new GitFolder(repository);
    if (name !== undefined)
      return { name, branch: repository.state.HEAD?.name };
  }
  return undefined;
}

/** The repository of this file, or the only one of the workspace. */
export async function repositoryAround(
  uri: Uri | undefined,
): Promise<GitFolder | undefined> {
  const git = await gitExtension();
  const repositories = git?.repositories ?? [];
  const only = repositories.length === 1 ? repositories[0] : undefined;
  const repository = uri ? git?.getRepository(uri) : only;
  try {
    // The state of the repository may be older than the file.
    await repository?.status();
    return repository ? new GitFolder(repository) : undefined;
  } catch {
    return undefined;
  }
}

export class GitFolder {
  readonly #repository: Repository;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  get root(): string {
    return this.#repository.rootUri.fsPath;
  }

  /**
   * Owner and name, from the remote of the branch, else from the first remote
   * that has them.
   */
  get name(): string | undefined {
    const own = this.#state.HEAD?.upstream?.remote ?? 'origin';
    return [...this.#state.remotes]
      .sort((a, b) => Number(b.name === own) - Number(a.name === own))
      .map(({ fetchUrl, pushUrl }) => repositoryName(fetchUrl ?? pushUrl ?? ''))
      .find((name) => name !== undefined);
  }

  /** The branch at the remote; `undefined` if it was not pushed. */
  get branch(): string | undefined {
    return this.#state.HEAD?.upstream?.name;
  }

  get commit(): string | undefined {
    return this.#state.HEAD?.commit;
  }

  get changes(): readonly UncommittedFile[] {
    const {
      indexChanges,
      workingTreeChanges,
      mergeChanges,
      untrackedChanges = [],
    } = this.#state;
    const all = [
      ...mergeChanges,
      ...indexChanges,
      ...workingTreeChanges,
      ...untrackedChanges,
    ];
    const conflicts = new Set(mergeChanges.map(({ uri }) => uri.toString()));
    return [
      ...new Map(all.map((change) => [change.uri.toString(), change])).values(),
    ].map(({ uri, status }) => ({
      uri,
      isUntracked: status === untracked,
      isInConflict: conflicts.has(uri.toString()),
    }));
  }

  /**
   * The place of the newest version of a file; `undefined` without a remote
   * that services can name.
   */
  versionOf(uri: Uri): 'pushed' | 'unpushed' | 'uncommitted' | undefined {
    if (this.name === undefined) return undefined;
    if (this.changes.some((change) => change.uri.toString() === uri.toString()))
      return 'uncommitted';
    const { upstream, ahead = 0 } = this.#state.HEAD ?? {};
    return upstream && ahead === 0 ? 'pushed' : 'unpushed';
  }

  async ignored(uris: readonly Uri[]): Promise<ReadonlySet<string>> {
    const paths = uris.map(({ fsPath }) => fsPath);
    const ignored =
      paths.length > 0
        ? await this.#repository.checkIgnore(paths)
        : new Set<string>();
    return new Set(
      uris
        .filter(({ fsPath }) => ignored.has(fsPath))
        .map((uri) => uri.toString()),
    );
  }

  /** The diff against the last commit; `undefined` if Git has none. */
  async diff(uri: Uri): Promise<string | undefined> {
    return (
      (await this.#repository.diffWithHEAD(uri.fsPath).catch(() => '')) ||
      undefined
    );
  }

  pathOf(uri: Uri): string {
    return relative(this.root, uri.fsPath).split(sep).join('/');
  }

  get #state(): State {
    return this.#repository.state;
  }
}
