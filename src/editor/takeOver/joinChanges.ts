/** Joins what an agent has changed with the files of a clone: asks which of them, does it, and offers to undo it. */
import { commands, type QuickPickItem, Uri, window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Patch } from '../../service/fileChanges.ts';
import type { LocalGit } from '../../takeOver/localGit.ts';
import { pathText, type RawPath } from '../../takeOver/rawPaths.ts';
import type { Plan, PlannedFile } from '../../takeOver/plan.ts';
import { preview, type TakeOverResult, takeOver } from '../../takeOver/takeOver.ts';
import { showInformation, showWarning, withProgress } from '../ui/messages.ts';
import { filesWord } from '../words/conversations/changeWords.ts';
import { inPick } from '../words/foreignText.ts';
import {
  conflictsInWords,
  plannedChange,
  plannedName,
  plannedNotice,
} from '../words/conversations/takeOverWords.ts';
import { rememberTakenOver, type TakenOver } from './known.ts';
import { refreshSourceControl, type OpenRepository } from './repositories.ts';
import { refuseUnsaved } from './unsaved.ts';

export async function joinChanges(
  takenOver: TakenOver,
  clone: OpenRepository,
  title: string,
  patch: Patch,
): Promise<void> {
  const { git } = clone;
  const labels = { here: t('Here'), agent: title };
  const plan = await withProgress(t('Comparing with the files here'), async (signal) =>
    cancellable(signal, preview(git, patch, labels, signal)),
  );
  if (!plan) return;
  if (plan.writes.length === 0) {
    void showInformation(t('Everything that “{0}” has changed is already here.', title));
    return;
  }
  const chosen = await chooseFiles(title, plan);
  if (!chosen || chosen.size === 0) return;
  refuseUnsaved(git.root, pathsOf(plan, chosen));
  await rememberTakenOver(takenOver, true);
  const taken = await withProgress(t('Taking over what “{0}” has changed', title), (signal, tell) =>
    cancellable(
      signal,
      takeOver(git, patch, {
        ...{ storage: takenOver.folder, labels, title, chosen, signal },
        tell: (done, all) => {
          tell(t('{0} of {1}', done, all));
        },
      }),
    ),
  );
  refreshSourceControl(clone);
  if (taken) tellTaken(git, title, taken);
}

/** Undefined where the person cancelled it. */
async function cancellable<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted && !(error instanceof UserError)) return undefined;
    throw error;
  }
}

interface FileItem extends QuickPickItem {
  readonly path: RawPath;
}

async function chooseFiles(title: string, { files }: Plan): Promise<ReadonlySet<RawPath> | undefined> {
  const items = [...files]
    .sort((a, b) => urgency(a) - urgency(b))
    .map((file): FileItem => {
      const notice = plannedNotice(file);
      return {
        label: inPick(plannedName(file)),
        description: inPick(plannedChange(file)),
        ...(notice === '' ? {} : { detail: notice }),
        picked: file.link?.leadsOut !== true,
        path: file.path,
      };
    });
  const chosen = await window.showQuickPick(items, {
    canPickMany: true,
    title: t('Take over {0} of “{1}”', filesWord(files.length), inPick(title)),
    placeHolder: t('Select the files to take over'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen && new Set(chosen.map(({ path }) => path));
}

/** What needs a look comes first. */
function urgency({ link, here }: PlannedFile): number {
  if (link?.leadsOut) return 0;
  return here === 'conflict' ? 1 : 2;
}

function pathsOf({ files }: Plan, chosen: ReadonlySet<RawPath>): RawPath[] {
  return files
    .filter(({ path }) => chosen.has(path))
    .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

function tellTaken(git: LocalGit, title: string, taken: TakeOverResult): void {
  const { conflicts } = taken.plan;
  const count = filesWord(taken.count);
  const said = [t('Took over {0} of “{1}”.', count, title), conflictsInWords(conflicts)]
    .filter(Boolean)
    .join(' ');
  const [undo, show] = [t('Undo'), t('Show Conflicts')];
  const marked = conflicts.filter(({ isMarked }) => isMarked).slice(0, 20);
  const message =
    conflicts.length === 0
      ? showInformation(said, undo)
      : showWarning(said, ...(marked.length > 0 ? [show] : []), undo);
  // However long it stays, the command is done.
  void message.then(async (pressed) => {
    if (pressed === show)
      for (const { path } of marked)
        await window.showTextDocument(Uri.joinPath(Uri.file(git.root), pathText(path)), { preview: false });
    if (pressed === undo) await commands.executeCommand('switchboard.conversations.undoTakeOver');
  });
}
