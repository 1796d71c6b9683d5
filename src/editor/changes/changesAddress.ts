/** The URIs of the documents of changed files. They survive a restart. */
import {
  isConversationKey,
  type ConversationKey,
} from '../../service/model/entities.ts';
import { Uri } from 'vscode';
import {
  type ChangesScope,
  readScope,
} from '../../state/changes/changesScope.ts';
import { changesScheme } from '../manifest.ts';
import { shownFilePath } from '../words/conversations/changeWords.ts';

export interface ChangesAddress {
  readonly key: ConversationKey;
  readonly since: ChangesScope;
  readonly side: 'before' | 'after';
  readonly path: string;
  /** True if contents that are not text are described in words. */
  readonly inWords: boolean;
}

/** The path is for display, shown as `name`; only the query is read back. */
export function changesUri(
  { key, since, side, path, inWords }: ChangesAddress,
  name = path,
): Uri {
  const query = JSON.stringify([key, since, side, path, inWords]);
  return Uri.from({
    scheme: changesScheme,
    path: `/${shownFilePath(name)}`,
    query,
  });
}

export function readChangesUri(
  uri: Uri | undefined,
): ChangesAddress | undefined {
  if (uri?.scheme !== changesScheme) return undefined;
  try {
    const [key, since, side, path, inWords] = JSON.parse(
      uri.query,
    ) as readonly unknown[];
    const isText =
      isConversationKey(key) &&
      typeof path === 'string' &&
      typeof inWords === 'boolean';
    if (!isText || (side !== 'before' && side !== 'after')) return undefined;
    const read = readScope(since);
    return read && { key, since: read, side, path, inWords };
  } catch {
    return undefined;
  }
}
