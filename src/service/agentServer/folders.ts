import { words } from '../../base/l10n.ts';
import type { Folders } from '../agentService.ts';
import type { Folder } from '../entities.ts';
import { isAbsent, Requests, type Wire } from '../requests.ts';
import { ServiceError } from '../serviceError.ts';
import type { CallOptions } from '../transport.ts';
import { array, identifier, isObject, type WireRecord } from '../wireValues.ts';

const couldNot = words({
  suggestFolders: 'Could not list the folders to work in',
  listFolders: 'Could not list the folders',
});

export function foldersOfAgentServer(wire: Wire): Folders {
  const requests = new Requests(wire, couldNot);

  /** Empty if the service does not have it or cannot read it: the other folders are still of use. */
  async function ask(path: readonly string[], call: CallOptions): Promise<WireRecord> {
    try {
      const answer = await requests.send('suggestFolders', { path }, call);
      return isObject(answer) ? answer : {};
    } catch (error) {
      const isOwn = error instanceof ServiceError && ['serverFailed', 'rejected'].includes(error.kind);
      if (isAbsent(error) || isOwn) return {};
      throw error;
    }
  }

  return {
    suggested: async (call = {}) => {
      const [{ workspaces }, { favorites, home }] = await Promise.all([
        ask(['api', 'workspaces'], call),
        ask(['api', 'file', 'home'], call),
      ]);
      const all = [
        ...array(workspaces).flatMap((one) => folder(one, 'workspace')),
        ...array(favorites).flatMap((one) => folder(one, 'favourite')),
        ...folder({ path: home }, 'home'),
      ];
      return all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
    },
    below: (path, call = {}) => {
      const search = { path: ['api', 'file', 'search_subdirs'], query: { path } };
      const read = (record: unknown) => folder(record, 'below')[0];
      return requests.pager('listFolders', search, read, (found) => found.path, call);
    },
  };
}

function folder(record: unknown, origin: Folder['origin']): Folder[] {
  const path = isObject(record) ? identifier(record.path) : undefined;
  return path === undefined ? [] : [{ path, origin }];
}
