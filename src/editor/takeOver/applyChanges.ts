import {
  type Memento,
  type QuickPickItem,
  Uri,
  window,
  workspace,
} from 'vscode';
import { t, userError, words } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { joinParts } from '../../base/parts.ts';
import type { Patch } from '../../service/abilities/fileChanges.ts';
import type { LocalGit } from '../../takeOver/localGit.ts';
import type { Conflict } from '../../takeOver/merge.ts';
import { pathText, type RawPath } from '../../takeOver/rawPaths.ts';
import type { Plan, PlannedFile } from '../../takeOver/plan.ts';
import {
  preview,
  type TakeOverResult,
  takeOver,
  type Undoable,
  undoable,
} from '../../takeOver/takeOver.ts';
import {
  confirm,
  offerActions,
  showInformation,
  showWarning,
  unlessCancelled,
  withProgress,
} from '../ui/messages.ts';
import {
  filesWord,
  fileStatusWord,
  shownFilePath,
} from '../words/conversations/changeWords.ts';
import { contextKeys } from '../manifest.ts';
import { inPick } from '../words/foreignText.ts';
import { rememberContext } from '../ui/rememberedContext.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';
import {
  refreshSourceControl,
  type OpenRepository,
  chooseRepository,
  openRepositories,
} from './repositories.ts';

export interface TakenOver {
  /** The storage of backups, shared by all workspaces. */
  readonly folder: string;
  readonly state: Memento;
}

interface ReviewedPaths {
  readonly only: ReadonlySet<string> | undefined;
  readonly left: readonly string[];
  readonly mark: (paths: readonly string[]) => Promise<unknown>;
}

export async function applyChanges(
  takenOver: TakenOver,
  clone: OpenRepository,
  title: string,
  patch: Patch,
  review: ReviewedPaths,
): Promise<void> {
  const { git } = clone;
  const labels = { here: t('Here'), agent: title };
  const plan = await unlessCancelled(
    t('Comparing with the files here'),
    (signal) => preview(git, patch, labels, signal),
  );
  if (!plan) return;
  if (plan.writes.length === 0) {
    void showInformation(t('All changes of “{0}” are already here.', title));
    return;
  }
  const files = plan.files.filter(
    ({ path }) => review.only?.has(pathText(path)) ?? true,
  );
  const chosen = await chooseFiles(title, files);
  if (!chosen || chosen.size === 0) return;
  refuseUnsaved(git.root, pathsOf(plan, chosen));
  await rememberContext(takenOver.state, contextKeys.takenOver, true);
  const taken = await unlessCancelled(
    t('Taking over the changes of “{0}”', title),
    (signal, report) =>
      takeOver(git, patch, {
        storage: takenOver.folder,
        labels,
        title,
        chosen,
        signal,
        report: (done, all) => {
          report(t('{0} of {1}', done, all));
        },
      }),
  );
  refreshSourceControl(clone);
  const left = review.left.filter((path) =>
    [...chosen].some((rawPath) => pathText(rawPath) === path),
  );
  if (taken)
    showTaken(
      git,
      title,
      taken,
      left.length > 0 ? () => review.mark(left) : undefined,
    );
}

async function chooseFiles(
  title: string,
  files: readonly PlannedFile[],
): Promise<ReadonlySet<RawPath> | undefined> {
  const items = [...files]
    .sort((a, b) => urgency(a) - urgency(b))
    .map((file): QuickPickItem & { readonly path: RawPath } => {
      const leadsOut = file.link?.leadsOut === true;
      const notice = leadsOut
        ? t(
            'This link leads out of the folder. Select it only if you trust it.',
          )
        : notices[file.here];
      return {
        label: inPick(plannedName(file)),
        description: inPick(plannedChange(file)),
        ...(notice && { detail: notice }),
        picked: !leadsOut,
        path: file.path,
      };
    });
  const chosen = await window.showQuickPick(items, {
    canPickMany: true,
    title: t('Take over {0} of “{1}”', filesWord(files.length), inPick(title)),
    placeHolder: t('Select the files to take over'),
    matchOnDescription: true,
    matchOnDetail: true,
    // A list that is drawn again takes the focus, and would close the question.
    ignoreFocusOut: true,
  });
  return chosen && new Set(chosen.map(({ path }) => path));
}

function urgency({ link, here }: PlannedFile): number {
  if (link?.leadsOut) return 0;
  return here === 'conflict' ? 1 : 2;
}

function pathsOf({ files }: Plan, chosen: ReadonlySet<RawPath>): RawPath[] {
  return files
    .filter(({ path }) => chosen.has(path))
    .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

function showTaken(
  git: LocalGit,
  title: string,
  taken: TakeOverResult,
  mark: (() => Promise<unknown>) | undefined,
) {
  const { conflicts } = taken.plan;
  const text = joinParts(
    ' ',
    t('Took over {0} of “{1}”.', filesWord(taken.count), title),
    conflictsInWords(conflicts),
  );
  const marked = conflicts.filter(({ isMarked }) => isMarked).slice(0, 20);
  const show = async () => {
    for (const { path } of marked)
      await window.showTextDocument(
        Uri.joinPath(Uri.file(git.root), pathText(path)),
        { preview: false },
      );
  };
  // The message may stay open, so it is not awaited.
  void offerActions(
    conflicts.length === 0 ? showInformation : showWarning,
    text,
    {
      ...(marked.length > 0 && { [t('Show Conflicts')]: show }),
      [t('Undo')]: () =>
        runOwnCommand('switchboard.conversations.undoTakeOver'),
      ...(mark && { [t('Mark as Reviewed')]: mark }),
    },
  );
}

export async function undoTakeOver(takenOver: TakenOver): Promise<void> {
  const open = await openRepositories();
  const candidates: (OpenRepository & { readonly undoRecord: Undoable })[] = [];
  for (const clone of open) {
    const undoRecord = await undoable(takenOver.folder, clone.git.root);
    if (undoRecord) candidates.push({ ...clone, undoRecord });
  }
  if (candidates.length === 0) {
    await rememberContext(takenOver.state, contextKeys.takenOver, false);
    throw userError(
      'There is nothing to undo: no changes were taken over here.',
    );
  }
  const chosen = await chooseRepository(
    candidates,
    t('Select the repository in which to undo it'),
  );
  if (!chosen) return;
  const { undoRecord, git } = chosen;
  refuseUnsaved(git.root, undoRecord.paths);
  if (undoRecord.changed.length > 0) {
    const question = t(
      'These files have changed since they were taken over. Undo anyway, and lose those changes?',
    );
    const names = [
      ...undoRecord.changed.slice(0, 20),
      undoRecord.changed.length > 20 && '…',
    ];
    if (!(await confirm(question, names, t('Undo')))) return;
  }
  await withProgress(t('Undoing the take over'), () => undoRecord.undo());
  await rememberContext(
    takenOver.state,
    contextKeys.takenOver,
    candidates.length > 1,
  );
  refreshSourceControl(chosen);
  void showInformation(
    t(
      'All files are as they were before “{0}” was taken over.',
      undoRecord.title,
    ),
  );
}

/** Saving an editor with older contents would overwrite the file. */
function refuseUnsaved(root: string, paths: readonly RawPath[]) {
  const touched = new Set(
    paths.map((path) =>
      Uri.joinPath(Uri.file(root), pathText(path)).toString(),
    ),
  );
  const unsaved = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && touched.has(uri.toString()),
  );
  if (unsaved.length === 0) return;
  const names = unsaved
    .map(({ uri }) => workspace.asRelativePath(uri))
    .join(', ');
  throw userError(
    'These files have unsaved changes: {0}. Save or revert them, and try again.',
    names,
  );
}

function plannedName({ path }: Pick<PlannedFile, 'path'>): string {
  return shownFilePath(pathText(path));
}

function plannedChange({
  status,
  from,
  binary,
  executable,
  link,
}: PlannedFile): string {
  return joinParts(
    ' · ',
    from === undefined
      ? fileStatusWord(status)
      : t('moved from {0}', shownFilePath(pathText(from))),
    binary && t('binary'),
    modeChange(executable),
    link && t('link to {0}', plainText(link.target, 200)),
  );
}

function modeChange(executable: boolean | undefined): string {
  if (executable === undefined) return '';
  return executable ? t('becomes executable') : t('is no longer executable');
}

const notices: Readonly<Partial<Record<PlannedFile['here'], string>>> = words({
  conflict: 'Was changed here too: this becomes a conflict.',
  uncommitted: 'Has uncommitted changes here, which are kept.',
  same: 'Already the same here.',
});

const maxNamed = 5;

function conflictsInWords(conflicts: readonly Conflict[]): string {
  const named = (some: readonly Conflict[]) =>
    joinParts(
      ', ',
      ...some.slice(0, maxNamed).map(plannedName),
      some.length > maxNamed && '…',
    );
  const marked = conflicts.filter(({ isMarked }) => isMarked);
  const unmerged = conflicts.filter(({ isMarked }) => !isMarked);
  return joinParts(
    ' ',
    marked.length > 0 && t('Resolve the conflicts in {0}.', named(marked)),
    unmerged.length > 0 &&
      t(
        'Not merged, because both sides changed it in ways that cannot be combined: {0}.',
        named(unmerged),
      ),
  );
}
