/** What is written on the disk would be lost when an editor with older contents is saved. */
import { Uri, workspace } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { RawPath } from '../../takeOver/localGit.ts';
import { pathText } from '../../takeOver/paths.ts';

/** Throws a UserError where one of these files has unsaved changes. */
export function refuseUnsaved(root: string, paths: readonly RawPath[]): void {
  const touched = new Set(paths.map((path) => Uri.joinPath(Uri.file(root), pathText(path)).toString()));
  const unsaved = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && touched.has(uri.toString()),
  );
  if (unsaved.length === 0) return;
  const names = unsaved.map(({ uri }) => workspace.asRelativePath(uri)).join(', ');
  throw new UserError(t('These files have unsaved changes: {0}. Save or revert them, and try again.', names));
}
