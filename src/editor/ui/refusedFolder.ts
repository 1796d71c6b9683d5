/** Finds out whether agents of a service can work in a folder. */
import { stat } from 'node:fs/promises';
import { parse } from 'node:path';
import { t } from '../../base/l10n.ts';
import type { Folders } from '../../service/abilities/agentService.ts';
import { isAbsent } from '../../service/http/requests.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import type { Folder } from '../../service/model/entities.ts';

/** Services answer so if they do not have the folder. */
const saysNo: readonly ServiceError['kind'][] = [
  'rejected',
  'serverFailed',
  'forbidden',
];

/**
 * Returns the reason why this folder cannot be used. `isHere`: the service is
 * on this machine, maybe in a container.
 */
export async function whyRefused(
  folders: Pick<Folders, 'below'>,
  isHere: boolean,
  path: string,
): Promise<string | undefined> {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(path))
    return t('Enter the full path of a folder.');
  if (!isHere || (await hasFolder(folders, path))) return undefined;
  if (!(await isFolderHere(path)))
    return t(
      'There is no such folder. Create it first, or choose another one.',
    );
  // Some services list no folders at all.
  return (await hasFolder(folders, parse(path).root))
    ? t(
        'The service does not find this folder. If it runs in a container, add the folder to it.',
      )
    : undefined;
}

export async function foldersBelow(
  folders: Pick<Folders, 'below'>,
  parent: string,
): Promise<readonly Folder[]> {
  const { value } = await folders.below(parent, { size: 99 }).next();
  return value?.items ?? [];
}

async function hasFolder(
  folders: Pick<Folders, 'below'>,
  path: string,
): Promise<boolean> {
  try {
    await foldersBelow(folders, path);
    return true;
  } catch (error) {
    return !(
      isAbsent(error) ||
      (error instanceof ServiceError && saysNo.includes(error.kind))
    );
  }
}

async function isFolderHere(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
