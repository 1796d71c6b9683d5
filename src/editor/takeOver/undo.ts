/** Brings back what there was before something was taken over. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { type Undoable, undoable } from '../../takeOver/takeOver.ts';
import { confirm, showInformation, withProgress } from '../ui/messages.ts';
import { rememberTakenOver, type TakenOver } from './known.ts';
import {
  chooseRepository,
  refreshSourceControl,
  openRepositories,
  type OpenRepository,
} from './repositories.ts';
import { refuseUnsaved } from './unsaved.ts';

export async function undoTakeOver(takenOver: TakenOver): Promise<void> {
  const open = await openRepositories();
  const found: (OpenRepository & { readonly undoRecord: Undoable })[] = [];
  for (const each of open) {
    const undoRecord = await undoable(takenOver.folder, each.git.root);
    if (undoRecord) found.push({ ...each, undoRecord });
  }
  const chosen =
    found.length > 1
      ? await chooseRepository(found, t('Select the repository in which to undo it'))
      : found[0];
  if (found.length === 0) {
    await rememberTakenOver(takenOver, false);
    throw new UserError(t('Nothing was taken over here that could be undone.'));
  }
  if (!chosen) return;
  const { undoRecord, git } = chosen;
  refuseUnsaved(git.root, undoRecord.paths);
  if (undoRecord.changed.length > 0) {
    const question = t(
      'These files have changed since they were taken over. Undo anyway, and lose those changes?',
    );
    const names = [...undoRecord.changed.slice(0, 20), ...(undoRecord.changed.length > 20 ? ['…'] : [])];
    if (!(await confirm(question, names, t('Undo')))) return;
  }
  await withProgress(t('Undoing what was taken over'), () => undoRecord.undo());
  await rememberTakenOver(takenOver, found.length > 1);
  refreshSourceControl(chosen);
  void showInformation(t('All files are as they were before “{0}” was taken over.', undoRecord.title));
}
