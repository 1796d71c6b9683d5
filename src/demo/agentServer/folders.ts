import { existsSync } from 'node:fs';
import { repositories } from '../world/names.ts';
import { bare } from '../world/world.ts';
import type { FolderConversation } from './held.ts';
import type { NamedPath } from '../wire/wireTypes.ts';

export const home = '/home/dev';

/** The working folder of a sandbox's Agent Server, in its own spelling. */
export const processFolder = '/proc/self/cwd';

const projects = [
  ...new Set(repositories.flatMap((repository) => repository?.name ?? [])),
]
  .map((name) => folderName(name))
  .sort();

const insideProjects = ['docs', 'scripts', 'src', 'src/api', 'src/web', 'test'];

const folders: ReadonlySet<string> = new Set([
  '/',
  '/home',
  home,
  '/opt',
  '/srv',
  '/tmp',
  ...['Documents', 'Downloads', 'notes'].map((name) => `${home}/${name}`),
  ...projects.flatMap((name) => [
    `${home}/${name}`,
    ...insideProjects.map((inside) => `${home}/${name}/${inside}`),
  ]),
]);

/** Folders registered with the service. */
export const workspaces: readonly (NamedPath & { readonly id: string })[] =
  projects
    .slice(0, 3)
    .map((name) => ({ id: `${home}/${name}`, name, path: `${home}/${name}` }));

export const favourites = ['checkout-api', 'ledger', 'storefront'].map(
  (label) => ({
    label,
    path: `${home}/${label}`,
  }),
);

/**
 * Returns the folder of the repository that contains this folder or that this
 * folder is a clone or worktree of.
 */
export function projectAround(path: string): string | undefined {
  const name = projects.find(
    (project) =>
      isIn(path, `${home}/${project}`) ||
      path.split(/[/\\]/).at(-1) === project,
  );
  return name && `${home}/${name}`;
}

/**
 * Returns the folder in which an agent works. Agents never work in clones of
 * users.
 */
export function folderOfWork(
  id: string,
  folder: string,
  isWorktreeWanted: boolean,
): string {
  const project = projectAround(folder);
  if (project === undefined) return folder;
  const isOwn = isIn(folder, project) || folder.startsWith(worktrees);
  return isWorktreeWanted || !isOwn
    ? `${worktrees}${bare(id)}/${folderName(project)}`
    : folder;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

export const worktrees = '/tmp/conversation-worktrees/';

export function projectOf(repository: string | undefined): string {
  return repository === undefined
    ? `${home}/notes`
    : `${home}/${folderName(repository)}`;
}

/**
 * Returns subfolders by name; `undefined` if the folder does not exist. Those of
 * this machine look empty.
 */
export function subfolders(path: string): readonly NamedPath[] | undefined {
  const folder = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (!folders.has(folder)) return existsSync(folder) ? [] : undefined;
  const start = folder === '/' ? '/' : `${folder}/`;
  return [...folders]
    .filter(
      (subfolder) =>
        subfolder.startsWith(start) &&
        subfolder !== '/' &&
        !subfolder.slice(start.length).includes('/'),
    )
    .sort()
    .map((subfolder) => ({ name: folderName(subfolder), path: subfolder }));
}

/**
 * Returns a conversation's folder in the service's spelling: in a sandbox,
 * relative to its process.
 */
export function workingFolder({
  id,
  folder,
  isInSandbox,
}: FolderConversation): string {
  if (!isInSandbox) return folder;
  return projectAround(folder) === undefined
    ? `./${bare(id)}`
    : `./${bare(id)}/${folderName(folder)}`;
}

function folderName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
