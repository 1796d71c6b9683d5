/** The addresses of the documents that show what a conversation has changed. They survive a restart. */
import { Uri } from 'vscode';
import type { ChangesSince } from '../../service/fileChanges.ts';
import { changesScheme } from '../manifest.ts';
import { shownFilePath } from '../words/conversations/changeWords.ts';

export interface ChangesAddress {
  /** The key of the conversation. */
  readonly key: string;
  readonly since: ChangesSince;
  readonly side: 'before' | 'after';
  /** As it is at the service. */
  readonly path: string;
  /** Contents that are not text are described in words. */
  readonly inWords: boolean;
}

/**
 * What is shown of the path leads nowhere: only the one in the query counts. `name` is shown in its place, where the file
 * was called so.
 */
export function uriOf({ key, since, side, path, inWords }: ChangesAddress, name = path): Uri {
  const query = JSON.stringify([key, since, side, path, inWords]);
  return Uri.from({ scheme: changesScheme, path: `/${shownFilePath(name)}`, query });
}

/** Undefined if it is not ours. */
export function readUri(uri: Uri | undefined): ChangesAddress | undefined {
  if (uri?.scheme !== changesScheme) return undefined;
  try {
    const [key, since, side, path, inWords] = JSON.parse(uri.query) as readonly unknown[];
    const isText = typeof key === 'string' && typeof path === 'string' && typeof inWords === 'boolean';
    if (!isText || (side !== 'before' && side !== 'after')) return undefined;
    const read = readSince(since);
    return read && { key, since: read, side, path, inWords };
  } catch {
    return undefined;
  }
}

function readSince(given: unknown): ChangesSince | undefined {
  if (given === 'start' || given === 'lastCommit') return given;
  const { commit } = (given ?? {}) as { readonly commit?: unknown };
  return typeof commit === 'string' ? { commit } : undefined;
}
