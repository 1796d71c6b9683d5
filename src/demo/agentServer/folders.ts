import { repositories } from '../world/names.ts';
import { bare } from '../world/world.ts';
import type { FolderConversation } from './held.ts';
import type { NamedPath } from '../wire/wireTypes.ts';

export const home = '/home/dev';

/** The folder in which the Agent Server of a sandbox runs, as it can spell it itself. */
export const processFolder = '/proc/self/cwd';

const projects = [...new Set(repositories.flatMap((repository) => repository?.name ?? []))]
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

/** The folders that people have told the service about. */
export const workspaces: readonly (NamedPath & { readonly id: string })[] = projects
  .slice(0, 3)
  .map((name) => ({ id: `${home}/${name}`, name, path: `${home}/${name}` }));

export const favourites = ['checkout-api', 'ledger', 'storefront'].map((label) => ({
  label,
  path: `${home}/${label}`,
}));

/** The folder of the repository in which this one is, or of which it is a clone or a worktree. */
export function projectAround(path: string): string | undefined {
  const name = projects.find(
    (project) => isIn(path, `${home}/${project}`) || path.split(/[/\\]/).at(-1) === project,
  );
  return name && `${home}/${name}`;
}

/** The folder in which an agent works. It keeps out of clones that people have made: it changes nothing there. */
export function folderOfWork(id: string, folder: string, isWorktreeWanted: boolean): string {
  const project = projectAround(folder);
  if (project === undefined) return folder;
  const isOwn = isIn(folder, project) || folder.startsWith(worktrees);
  return isWorktreeWanted || !isOwn ? `${worktrees}${bare(id)}/${folderName(project)}` : folder;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const worktrees = '/tmp/conversation-worktrees/';

export function projectOf(repository: string | undefined): string {
  return repository === undefined ? `${home}/notes` : `${home}/${folderName(repository)}`;
}

/** Sorted by name; undefined if there is no such folder. */
export function subfolders(path: string): readonly NamedPath[] | undefined {
  const folder = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (!folders.has(folder)) return undefined;
  const start = folder === '/' ? '/' : `${folder}/`;
  return [...folders]
    .filter(
      (subfolder) =>
        subfolder.startsWith(start) && subfolder !== '/' && !subfolder.slice(start.length).includes('/'),
    )
    .sort()
    .map((subfolder) => ({ name: folderName(subfolder), path: subfolder }));
}

/** The folder of a conversation as the service spells it: in a sandbox, relative to where its process runs. */
export function workingFolder({ id, folder, isInSandbox }: FolderConversation): string {
  if (!isInSandbox) return folder;
  return projectAround(folder) === undefined ? `./${bare(id)}` : `./${bare(id)}/${folderName(folder)}`;
}

/** The last part. */
function folderName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
