import { type QuickPickItem, ThemeIcon, Uri, window } from 'vscode';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Folders } from '../../service/abilities/agentService.ts';
import type { Folder } from '../../service/model/entities.ts';
import { inPick } from '../words/foreignText.ts';
import { foldersBelow, whyRefused } from './refusedFolder.ts';
import { askPick } from './steps.ts';

interface FolderItem extends QuickPickItem {
  readonly path: string;
}

const icons: Readonly<Record<Folder['origin'], ThemeIcon>> = {
  workspace: new ThemeIcon('root-folder'),
  favourite: new ThemeIcon('star-empty'),
  home: new ThemeIcon('home'),
  below: new ThemeIcon('folder'),
};

/** Matches a typed path up to the last separator. */
const typedParent = /^(?:[/\\]|[a-z]:[/\\]).*(?<=[/\\])/i;

export interface FolderPlace {
  readonly folders: Folders;
  /** True if the service runs on this machine, so its folders may be local. */
  readonly isHere: boolean;
  readonly open: readonly string[];
}

export async function pickFolder(
  place: FolderPlace,
  current: string,
  title: string,
): Promise<string | undefined> {
  const { folders, isHere, open } = place;
  const button = {
    iconPath: new ThemeIcon('chevron-right'),
    tooltip: t('Show Its Subfolders'),
  };
  const itemOf = ({ path, origin }: Folder): FolderItem => ({
    label: inPick(path),
    iconPath: icons[origin],
    buttons: [button],
    path,
  });
  /** Subfolders by their typed parent. Failed requests are forgotten. */
  const requests = new Map<string, Promise<readonly FolderItem[]>>();
  const below = (parent: string) => {
    const request =
      requests.get(parent) ??
      foldersBelow(folders, parent).then((all) => all.map(itemOf));
    requests.set(parent, request);
    request.catch(() => requests.delete(parent));
    return request;
  };
  // Hidden while a path is typed: Enter may come before the list for the path,
  // and must not pick this.
  const browse: FolderItem = {
    label: t('Browse…'),
    iconPath: new ThemeIcon('folder-opened'),
    path: '',
  };
  const last = isHere ? [browse] : [];
  const opened = [
    ...open.map((path) => ({
      ...itemOf({ path, origin: 'workspace' }),
      description: t('open in this window'),
    })),
    ...last,
  ];
  const suggested = (async () => {
    const suggestions = (await folders.suggested({})).filter(
      ({ path }) => !open.includes(path),
    );
    const all = [
      ...opened.slice(0, open.length),
      ...suggestions.map(itemOf),
      ...last,
    ];
    const isThere = current === '' || all.some(({ path }) => path === current);
    return isThere
      ? all
      : [
          { label: inPick(current), iconPath: icons.workspace, path: current },
          ...all,
        ];
  })();
  const isListed = async (path: string) => {
    const lists = [suggested, ...requests.values()].map((list) =>
      list.catch(() => []),
    );
    return (await Promise.all(lists)).flat().some((item) => item.path === path);
  };
  const answer = await askPick<FolderItem>({
    title,
    items: opened,
    placeholder: isHere
      ? t('Folder to work in')
      : t('Folder to work in, on the machine of the service'),
    later: async (typed) => {
      const [parent] = typedParent.exec(typed) ?? [];
      try {
        return parent === undefined ? await suggested : await below(parent);
      } catch (error) {
        return typed === '' && open.length > 0
          ? opened
          : [noteOf(reason(error), typed)];
      }
    },
    first: ({ path }) => path !== '' && path === current,
    other: (path) => ({
      label: inPick(path),
      description: t('as typed'),
      alwaysShow: true,
      path,
    }),
    refuse: async ({ path }) =>
      path === '' || (await isListed(path))
        ? undefined
        : await whyRefused(folders, isHere, path),
    typed: ({ path }) =>
      /[/\\]$/.test(path) ? path : `${path}${separatorOf(path)}`,
  });
  if (typeof answer !== 'object') return undefined;
  return answer.path === '' ? await browseFolders(current) : answer.path;
}

async function browseFolders(current: string): Promise<string | undefined> {
  const chosen = await window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: t('Select Folder'),
    ...(current !== '' && { defaultUri: Uri.file(current) }),
  });
  return chosen?.[0]?.fsPath;
}

/**
 * Explains why folders cannot be listed. The typed path can be picked anyway.
 */
function noteOf(why: string, path: string): FolderItem {
  return { label: path, detail: inPick(why), alwaysShow: true, path };
}

function separatorOf(path: string): string {
  return path.includes('\\') ? '\\' : '/';
}
