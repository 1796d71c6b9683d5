/** Saving an editor with older contents would overwrite what was written to the disk. */
import { Uri, workspace } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { pathText, type RawPath } from '../../takeOver/rawPaths.ts';

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
