/** Words for the files of a take-over. */
import { t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Conflict } from '../../../takeOver/merge.ts';
import { pathText } from '../../../takeOver/rawPaths.ts';
import type { PlannedFile } from '../../../takeOver/plan.ts';
import { shownFilePath } from './changeWords.ts';

const statuses = words({ added: 'added', updated: 'changed', deleted: 'deleted', moved: 'moved' });

export function plannedName({ path }: Pick<PlannedFile, 'path'>): string {
  return shownFilePath(pathText(path));
}

export function plannedChange({ status, from, binary, executable, link }: PlannedFile): string {
  return [
    from === undefined ? statuses[status] : t('moved from {0}', shownFilePath(pathText(from))),
    binary ? t('binary') : '',
    executable === undefined ? '' : executable ? t('becomes executable') : t('is no longer executable'),
    link ? t('link to {0}', plainText(link.target, 200)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The warning about a file; empty if there is none. */
export function plannedNotice({ here, link }: PlannedFile): string {
  if (link?.leadsOut) return t('This link leads out of the folder. Select it only if you trust it.');
  switch (here) {
    case 'conflict':
      return t('Was changed here too: this becomes a conflict.');
    case 'uncommitted':
      return t('Has uncommitted changes here, which are kept.');
    case 'same':
      return t('Already the same here.');
    case 'unchanged':
      return '';
  }
}

const maxNamed = 5;

export function conflictsInWords(conflicts: readonly Conflict[]): string {
  const named = (some: readonly Conflict[]) =>
    [...some.slice(0, maxNamed).map(plannedName), ...(some.length > maxNamed ? ['…'] : [])].join(', ');
  const marked = conflicts.filter(({ isMarked }) => isMarked);
  const others = conflicts.filter(({ isMarked }) => !isMarked);
  return [
    marked.length > 0 ? t('Resolve the conflicts in {0}.', named(marked)) : '',
    others.length > 0
      ? t('Not merged, because both sides changed it in ways that cannot be combined: {0}.', named(others))
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}
