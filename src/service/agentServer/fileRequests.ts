import { posix, win32 } from 'node:path';
import { words } from '../../base/l10n.ts';
import { isNotFound, Requests, type Wire } from '../requests.ts';
import type { CallOptions } from '../transport.ts';

const couldNot = words({
  findFolder: 'Could not find the folder of the conversation',
  listChangedFiles: 'Could not list the changed files',
  readChangedFile: 'Could not read the changed file',
  listCommits: 'Could not list the commits',
});

/** The requests about changed files. */
export class FileRequests extends Requests<keyof typeof couldNot> {
  /** True for older services, which have these requests only without a conversation. */
  #lacksConversations = false;

  constructor(wire: Wire) {
    super(wire, couldNot);
  }

  /** Newer services limit a request below the conversation to its folder, and then refuse relative paths. */
  async atFolder<T>(
    id: string,
    folder: string,
    call: CallOptions,
    send: (path: readonly string[]) => Promise<T>,
  ): Promise<T> {
    if (this.#lacksConversations || !win32.isAbsolute(folder)) return await send(['api']);
    try {
      return await send(['api', 'conversations', id]);
    } catch (error) {
      if (!isNotFound(error) || call.signal?.aborted) throw error;
      const found = await send(['api']);
      this.#lacksConversations = true;
      return found;
    }
  }
}

/** The folder of a sandbox that is a process is `.`, the one the process runs in. Only Linux has such sandboxes. */
export function absolutePath(path: string): string {
  // Also true for an absolute path of Linux.
  return win32.isAbsolute(path) ? path : posix.join('/proc/self/cwd', path);
}
