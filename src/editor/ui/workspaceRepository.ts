/** The repository that the workspace is a clone of, according to the editor's Git extension. */
import { extensions } from 'vscode';
import { repositoryName } from '../../state/changes/codeHosts.ts';

interface FoundRepository {
  /** As the service names repositories: owner and name. */
  readonly name: string;
  readonly branch: string | undefined;
}

export interface RepositoryFinder {
  find(): Promise<FoundRepository | undefined>;
}

/** The part of the Git extension's interface that is used here. */
interface GitExtension {
  getAPI(version: 1): {
    readonly repositories: readonly {
      readonly state: {
        readonly HEAD: { readonly name?: string } | undefined;
        readonly remotes: readonly {
          readonly name: string;
          readonly fetchUrl?: string;
          readonly pushUrl?: string;
        }[];
      };
    }[];
  };
}

export const gitRepositories: RepositoryFinder = {
  find: async () => {
    const extension = extensions.getExtension<GitExtension>('vscode.git');
    if (!extension) return undefined;
    try {
      const git = await extension.activate();
      for (const { state } of git.getAPI(1).repositories) {
        const remotes = [...state.remotes].sort(
          (a, b) => Number(b.name === 'origin') - Number(a.name === 'origin'),
        );
        for (const { fetchUrl, pushUrl } of remotes) {
          const name = repositoryName(fetchUrl ?? pushUrl ?? '');
          if (name !== undefined) return { name, branch: state.HEAD?.name };
        }
      }
    } catch {
      // Git is disabled here, so the repository is unknown.
    }
    return undefined;
  },
};
