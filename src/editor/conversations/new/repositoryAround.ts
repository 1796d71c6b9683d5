/** What the editor's Git extension knows of the repository around a file. */
import { extensions, type Uri } from 'vscode';
import { relative, sep } from 'node:path';
import { repositoryName } from '../../../state/changes/codeHosts.ts';

interface GitChange {
  readonly uri: Uri;
  readonly status: number;
}

/** Kinds of changes in its interface. */
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
  /** Missing in older ones. */
  readonly untrackedChanges?: readonly GitChange[];
}

/** The part of its interface that is used here. */
interface Repository {
  readonly rootUri: Uri;
  readonly state: State;
  status(): Promise<void>;
  checkIgnore(paths: readonly string[]): Promise<ReadonlySet<string>>;
  diffWithHEAD(path: string): Promise<string>;
}

interface GitExtension {
  getAPI(version: 1): {
    readonly repositories: readonly Repository[];
    getRepository(uri: Uri): Repository | null;
  };
}

export interface UncommittedFile {
  readonly uri: Uri;
  readonly isUntracked: boolean;
  readonly isInConflict: boolean;
}

/** Undefined where there is none, or where Git is disabled. */
export async function repositoryAround(uri: Uri | undefined): Promise<GitFolder | undefined> {
  try {
    const git = (await extensions.getExtension<GitExtension>('vscode.git')?.activate())?.getAPI(1);
    const [only, ...others] = git?.repositories ?? [];
    const found = uri ? git?.getRepository(uri) : others.length === 0 ? only : undefined;
    if (!found) return undefined;
    // What it knows may be older than the file.
    await found.status();
    return new GitFolder(found);
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

  /** As services name it: that of the branch's own remote, or of the first that has one. */
  get name(): string | undefined {
    const own = this.#state.HEAD?.upstream?.remote ?? 'origin';
    return [...this.#state.remotes]
      .sort((a, b) => Number(b.name === own) - Number(a.name === own))
      .map(({ fetchUrl, pushUrl }) => repositoryName(fetchUrl ?? pushUrl ?? ''))
      .find((name) => name !== undefined);
  }

  /** Where the branch is at its remote; undefined if it is not there. */
  get branch(): string | undefined {
    return this.#state.HEAD?.upstream?.name;
  }

  get commit(): string | undefined {
    return this.#state.HEAD?.commit;
  }

  /** Each file once. */
  get changes(): readonly UncommittedFile[] {
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = this.#state;
    const all = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
    const conflicts = new Set(mergeChanges.map(({ uri }) => uri.toString()));
    return [...new Map(all.map((change) => [change.uri.toString(), change])).values()].map(
      ({ uri, status }) => ({
        uri,
        isUntracked: status === untracked,
        isInConflict: conflicts.has(uri.toString()),
      }),
    );
  }

  /** Where the newest version of a file is; undefined if nobody else has any. */
  versionOf(uri: Uri): 'pushed' | 'unpushed' | 'uncommitted' | undefined {
    if (this.name === undefined) return undefined;
    if (this.changes.some((change) => change.uri.toString() === uri.toString())) return 'uncommitted';
    const { upstream, ahead = 0 } = this.#state.HEAD ?? {};
    return upstream && ahead === 0 ? 'pushed' : 'unpushed';
  }

  async ignored(uris: readonly Uri[]): Promise<ReadonlySet<string>> {
    const paths = uris.map(({ fsPath }) => fsPath);
    const found = paths.length > 0 ? await this.#repository.checkIgnore(paths) : new Set<string>();
    return new Set(uris.filter(({ fsPath }) => found.has(fsPath)).map((uri) => uri.toString()));
  }

  /** Against the last commit; undefined where it cannot be told. */
  async diff(uri: Uri): Promise<string | undefined> {
    try {
      return (await this.#repository.diffWithHEAD(uri.fsPath)) || undefined;
    } catch {
      return undefined;
    }
  }

  pathOf(uri: Uri): string {
    return relative(this.root, uri.fsPath).split(sep).join('/');
  }

  get #state(): State {
    return this.#repository.state;
  }
}
