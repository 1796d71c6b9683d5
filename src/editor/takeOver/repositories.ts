import { workspace } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { userError } from '../../base/l10n.ts';
import { LocalGit } from '../../takeOver/localGit.ts';
import { type GitApi, gitExtension } from '../ui/gitRepository.ts';
import { pickIfSeveral } from '../ui/pickFromList.ts';
import { inPick } from '../words/foreignText.ts';

export interface OpenRepository {
  readonly repository: GitApi['repositories'][number];
  readonly git: LocalGit;
}

/** Throws a UserError if no repository is open, unless `orNone`. */
export async function openRepositories({ orNone = false } = {}): Promise<
  readonly OpenRepository[]
> {
  if (!workspace.isTrusted)
    throw userError(
      'You can take over changes only into a trusted workspace. Trust it and try again.',
    );
  const { git, repositories } = await gitApi();
  const local = repositories.filter(({ rootUri }) => rootUri.scheme === 'file');
  if (local.length === 0 && !orNone)
    throw userError(
      'Open a clone of the repository the agent works in, and try again.',
    );
  return local.map((repository) => ({
    repository,
    git: new LocalGit(git.path, repository.rootUri.fsPath),
  }));
}

export function gitMessage(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string };
  return stderr.trim() === '' ? reason(error) : stderr.trim();
}

/** Returns at once, because Source Control may be waiting for its own work. */
export function refreshSourceControl({ repository }: OpenRepository): void {
  repository.status().catch(() => undefined);
}

/** The only repository, or the one that the user picks. */
export async function chooseRepository<T extends OpenRepository>(
  all: readonly T[],
  placeHolder: string,
): Promise<T | undefined> {
  const items = all.toSorted(byPath).map((clone) => {
    const path = clone.repository.rootUri.fsPath;
    return {
      label: inPick(path.split(/[/\\]/).at(-1) ?? path),
      description: inPick(path),
      value: clone,
    };
  });
  return (await pickIfSeveral(items, placeHolder))?.value;
}

function byPath(one: OpenRepository, other: OpenRepository): number {
  return one.repository.rootUri.fsPath.localeCompare(
    other.repository.rootUri.fsPath,
  );
}

/** Throws a UserError without Git. */
export async function gitProgram(): Promise<string> {
  return (await gitApi()).git.path;
}

/** Time for Git to find repositories in a new window. */
const gitTimeoutMs = 10_000;

async function gitApi(): Promise<GitApi> {
  const api = await gitExtension();
  if (!api)
    throw userError(
      'Git is not available in this window. Install it, enable the Git extension, and try again.',
    );
  if (api.state === 'uninitialized') {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const listener = api.onDidChangeState(resolve);
    await atMost(systemClock, gitTimeoutMs, promise);
    listener.dispose();
  }
  return api;
}
