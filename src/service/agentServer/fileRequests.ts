import { words } from '../../base/l10n.ts';
import { Requests } from '../requests.ts';
import type { ServiceTransport } from '../transport.ts';

const couldNot = words({
  findFolder: 'Could not find the folder of the conversation',
  listChangedFiles: 'Could not list the changed files',
  readChangedFile: 'Could not read the changed file',
  listCommits: 'Could not list the commits',
});

/** The requests about changed files. */
export class FileRequests extends Requests<keyof typeof couldNot> {
  constructor(transport: ServiceTransport) {
    super(transport, couldNot);
  }
}
