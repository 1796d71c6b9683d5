/** Answers our own commands that are about all worktrees of the demo. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { projectAround, worktrees } from '../agentServer/folders.ts';
import { bodyOf } from '../wire/http.ts';
import { commandResult, repositoryOf } from './gitRoutes.ts';
import type { AnswerRequest, RouteContext } from './route.ts';

interface DemoWorktree {
  readonly branch: string;
  /** Uncommitted files. */
  readonly files: readonly string[];
  /** Commits of the agent, which are on its branch only. */
  readonly commits: readonly string[];
  readonly changedAt: number;
}

/** Left behind by a conversation that no longer exists. */
const orphan = `${worktrees}${'5eed'.repeat(8)}/ledger`;

/**
 * Runs a command that belongs to no conversation: fetches the upstream of a
 * branch, or reads, removes or restores worktrees.
 */
export const runFolderCommand: AnswerRequest = (call, context) => {
  const { command } = bodyOf(call) as { command: string };
  return commandResult(outputOf(command, context));
};

function outputOf(command: string, context: RouteContext): string | undefined {
  const { removedWorktrees } = context.agentServer;
  const all = worktreesOf(context);
  const folder = /^dir='(.*)'$/m.exec(command)?.[1]?.replaceAll("'\\''", "'");
  const worktree = folder === undefined ? undefined : all.get(folder);
  if (command.includes('git worktree add')) {
    if (folder === undefined || !removedWorktrees.delete(folder))
      return undefined;
    const restored = worktreesOf(context).get(folder);
    return restored?.files.length ? 'undone\n' : '';
  }
  if (command.includes('git worktree remove')) {
    if (folder === undefined || !worktree) return undefined;
    if (!command.includes(`= ${stateOf(folder, worktree)} `))
      return 'changed\n';
    removedWorktrees.add(folder);
    const isWithBranch = command.includes('git branch -q -d');
    return isWithBranch ? 'removed\nbranch\n' : 'removed\n';
  }
  const patterns = /^part=0; all ([^]+)$/m.exec(command)?.[1];
  if (patterns === undefined) return 'origin/main\n';
  const matches = [...patterns.matchAll(/'((?:[^']|'\\'')*)'((?:\/\*)+)/g)].map(
    ([, root = '', below = '']) => ({ root, depth: below.length / 2 }),
  );
  return [...all]
    .filter(([path]) =>
      matches.some(({ root, depth }) => ancestorOf(path, depth) === root),
    )
    .map(([path, found]) => report(path, found))
    .join('');
}

function ancestorOf(path: string, depth: number): string {
  return depth === 0 ? path : ancestorOf(posix.dirname(path), depth - 1);
}

function worktreesOf({
  agentServer,
  world,
}: RouteContext): ReadonlyMap<string, DemoWorktree> {
  const all = new Map<string, DemoWorktree>([
    [
      orphan,
      {
        branch: 'openhands/spike',
        files: ['notes/spike.md'],
        commits: [],
        changedAt: world.now() - 40 * 86_400_000,
      },
    ],
  ]);
  for (const position of agentServer.byCreation()) {
    const held = agentServer.at(position);
    const repository = held.folder.startsWith(worktrees)
      ? repositoryOf(held, { agentServer })
      : undefined;
    if (!repository) continue;
    const { commits, base } = repository;
    const own = commits.findIndex(({ sha }) => sha === base);
    all.set(held.folder, {
      branch: `openhands/${held.id}`,
      files: repository.since('HEAD').map(({ path }) => path),
      commits: commits
        .slice(0, own)
        .map(({ sha, subject }) => `${sha.slice(0, 7)} ${subject}`),
      changedAt: held.updatedAt,
    });
  }
  for (const folder of agentServer.removedWorktrees) all.delete(folder);
  return all;
}

function stateOf(folder: string, worktree: DemoWorktree): string {
  return createHash('sha1')
    .update(JSON.stringify([folder, worktree.files, worktree.commits]))
    .digest('hex');
}

function report(folder: string, worktree: DemoWorktree): string {
  const { branch, files, commits, changedAt } = worktree;
  const size = 4_000 + 700 * files.length;
  return [
    `worktree ${folder}`,
    `${projectAround(folder) ?? folder}/.git`,
    `refs/heads/${branch}`,
    stateOf(folder, worktree),
    `HEAD@{${Math.floor(changedAt / 1_000)}}`,
    String(size),
    commits.length === 0 ? 'merged' : '',
    '',
    'files',
    ...counted(files.map((path) => `- ${path}`)),
    'ignored',
    ...counted(['- node_modules/']),
    'commits',
    ...counted(commits),
    'end\n',
  ].join('\n');
}

function counted(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [...names.slice(0, 5), String(names.length)];
}
