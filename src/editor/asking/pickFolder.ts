/** Choosing a folder on the machine of a service: one that it suggests, one inside another, or one that is typed. */
import { type QuickPickItem, ThemeIcon } from 'vscode';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Folders } from '../../service/agentService.ts';
import type { Folder } from '../../service/entities.ts';
import { inPick } from '../words/foreignText.ts';
import { askPick, type back, type PickQuestion } from './steps.ts';

interface FolderItem extends QuickPickItem {
  readonly path: string;
}

type Asked = Pick<PickQuestion<FolderItem>, 'title' | 'step' | 'totalSteps'>;

const icons: Readonly<Record<Folder['origin'], ThemeIcon>> = {
  workspace: new ThemeIcon('root-folder'),
  favourite: new ThemeIcon('star-empty'),
  home: new ThemeIcon('home'),
  below: new ThemeIcon('folder'),
};

/** A path as a person types it, up to the last separator: what is asked for its subfolders. */
const opened = /^(?:[/\\]|[a-z]:[/\\]).*(?<=[/\\])/i;

export async function pickFolder(
  folders: Folders,
  current: string,
  question: Asked,
): Promise<string | typeof back | undefined> {
  const button = { iconPath: new ThemeIcon('chevron-right'), tooltip: t('Show Its Subfolders') };
  const itemOf = ({ path, origin }: Folder): FolderItem => ({
    label: inPick(path),
    iconPath: icons[origin],
    buttons: [button],
    path,
  });
  /** By the folder that was typed; a service that fails is asked again. */
  const known = new Map<string, Promise<readonly FolderItem[]>>();
  const below = (parent: string) => {
    const asked = known.get(parent) ?? subfolders(folders, parent).then((all) => all.map(itemOf));
    known.set(parent, asked);
    asked.catch(() => known.delete(parent));
    return asked;
  };
  const suggested = (async () => {
    const all = (await folders.suggested({})).map(itemOf);
    const isThere = current === '' || all.some(({ path }) => path === current);
    return isThere ? all : [{ label: inPick(current), iconPath: icons.workspace, path: current }, ...all];
  })();
  const answer = await askPick<FolderItem>({
    ...question,
    items: [],
    placeholder: t('Folder to work in, on the machine of the service'),
    later: async (typed) => {
      const [parent] = opened.exec(typed) ?? [];
      try {
        return parent === undefined ? await suggested : await below(parent);
      } catch (error) {
        return [noteOf(reason(error), typed)];
      }
    },
    first: ({ path }) => path === current,
    other: (path) => ({ label: inPick(path), description: t('as typed'), alwaysShow: true, path }),
    typed: ({ path }) => (/[/\\]$/.test(path) ? path : `${path}${separatorOf(path)}`),
  });
  return typeof answer === 'object' ? answer.path : answer;
}

async function subfolders(folders: Folders, parent: string): Promise<readonly Folder[]> {
  const { value } = await folders.below(parent, { size: 99 }).next();
  return value?.items ?? [];
}

/** Why nothing can be listed. What is typed can be chosen all the same. */
function noteOf(why: string, path: string): FolderItem {
  return { label: path, detail: inPick(why), alwaysShow: true, path };
}

function separatorOf(path: string): string {
  return path.includes('\\') ? '\\' : '/';
}
