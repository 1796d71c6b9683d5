import { t } from '../../base/l10n.ts';
import type { ChangedFile, Since } from '../fileChanges.ts';
import type { CallOptions } from '../transport.ts';
import { enumValue, identifier, isObject } from '../wireValues.ts';
import type { FileRequests } from './fileRequests.ts';

const statuses = { ADDED: 'added', UPDATED: 'updated', DELETED: 'deleted', MOVED: 'moved' } as const;

/** Nobody can look at more. */
const mostFiles = 100_000;

/** The list of the service, where a moved file is deleted in one place and added in another. */
export async function listedFiles(
  requests: FileRequests,
  path: readonly string[],
  folder: string,
  since: Since,
  call: CallOptions,
): Promise<readonly ChangedFile[]> {
  const rest = typeof since === 'object' ? ['commits', since.commit, 'changes'] : ['changes'];
  const query = { path: folder, ref: since === 'lastCommit' ? 'HEAD' : undefined };
  const answer = await requests.send(
    'listChangedFiles',
    { path: [...path, 'git', ...rest], query, deadline: 60_000, bodyLimit: 30_000_000 },
    call,
  );
  if (!Array.isArray(answer))
    throw requests.error('listChangedFiles', { kind: 'notUnderstood', why: t('it does not contain a list') });
  return (answer as unknown[]).slice(0, mostFiles).flatMap((one): ChangedFile[] => {
    const given = isObject(one) ? identifier(one.path) : undefined;
    const status = isObject(one) ? enumValue(statuses, one.status) : undefined;
    if (given === undefined || status === undefined) return [];
    const none = { before: undefined, after: undefined };
    return [
      { path: asOnDisk(given), status, from: undefined, version: undefined, modes: none, binary: false },
    ];
  });
}

/** Git prints unusual names in quotation marks, of which the service takes each backslash for a slash. */
function asOnDisk(given: string): string {
  const inside = /^"(.*)"$/s.exec(given)?.[1];
  if (inside === undefined) return given;
  const bytes = Buffer.from(inside, 'utf8').toString('latin1');
  const path = bytes.replace(/[/\\]([2-3][0-7]{2})/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 8)),
  );
  return Buffer.from(path, 'latin1').toString('utf8').replaceAll('/"', '"');
}
