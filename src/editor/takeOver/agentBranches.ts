/** Finds the clones, folders and branches that have an agent's work. */
import { realpath } from 'node:fs/promises';
import { isThisMachine } from '../../base/loopback.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { ChangedFiles } from '../../service/abilities/fileChanges.ts';
import type { LocalGit } from '../../takeOver/localGit.ts';
import type { OpenRepository } from './repositories.ts';

export interface PushedBranch {
  readonly name: string;
  readonly remote: string;
}

export async function clonesOf(
  repositories: readonly OpenRepository[],
  commits: readonly string[],
): Promise<OpenRepository[]> {
  const clones = await Promise.all(
    repositories.map(async (repository) =>
      (await hasAny(repository.git, commits)) ? [repository] : [],
    ),
  );
  return clones.flat();
}

async function hasAny(
  git: LocalGit,
  commits: readonly string[],
): Promise<boolean> {
  const shas = commits.filter((sha) => /^[0-9a-f]{40,64}$/.test(sha));
  if (shas.length === 0) return false;
  const printed = await git.word(['cat-file', '--batch-check'], {
    input: `${shas.join('\n')}\n`,
  });
  return printed.split('\n').some((line) => / commit \d+$/.test(line));
}

/**
 * The agent's folder on this machine, if its HEAD is the commit that the
 * service names.
 */
export async function folderHere(
  { service }: Conversation,
  { root, patch }: ChangedFiles,
  gitIn: (folder: string) => LocalGit,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (!isThisMachine(new URL(service).hostname) || patch?.head === undefined)
    return undefined;
  // Even a look at a network path contacts that machine on Windows.
  if (!(platform === 'win32' ? /^[a-z]:[\\/]/i : /^\//).test(root))
    return undefined;
  try {
    const folder = await realpath(root);
    const head = await gitIn(folder).maybe([
      'rev-parse',
      '--verify',
      '--quiet',
      'HEAD',
    ]);
    return head === patch.head ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The agent's branch, if it has commits and a remote to push to. */
export function branchOfAgent(
  { repository }: OpenRepository,
  { patch }: ChangedFiles,
): string | undefined {
  const { branch, head, base } = patch ?? {};
  if (
    branch === undefined ||
    head === undefined ||
    head === base ||
    branch.startsWith('-')
  )
    return undefined;
  return repository.state.remotes.length > 0 ? branch : undefined;
}

/** The agent's branch, if a remote had all its commits at the last fetch. */
export async function pushedBranch(
  clone: OpenRepository,
  files: ChangedFiles,
): Promise<PushedBranch | undefined> {
  const branch = branchOfAgent(clone, files);
  const head = files.patch?.head;
  if (branch === undefined || head === undefined) return undefined;
  const args = [
    'for-each-ref',
    '--format=%(refname)',
    '--contains',
    head,
    'refs/remotes',
  ];
  // Fails if the commit is not here.
  const refs = (await clone.git.maybe(args))?.split('\n') ?? [];
  const remote = clone.repository.state.remotes.find(({ name }) =>
    refs.includes(`refs/remotes/${name}/${branch}`),
  );
  return remote && { name: branch, remote: remote.name };
}
