/** The URIs of the documents of changed files. They survive a restart. */
import { Uri } from 'vscode';
import { changesScheme } from '../manifest.ts';
import { shownFilePath } from '../words/conversations/changeWords.ts';
import { type ChangesAddress, queryOf, readQuery } from './diffDocument.ts';

/** The path is for display, shown as `name`; only the query is read back. */
export function changesUri(address: ChangesAddress, name = address.path): Uri {
  return Uri.from({
    scheme: changesScheme,
    path: `/${shownFilePath(name)}`,
    query: queryOf(address),
  });
}

export function readChangesUri(
  uri: Uri | undefined,
): ChangesAddress | undefined {
  return uri?.scheme === changesScheme ? readQuery(uri.query) : undefined;
}
