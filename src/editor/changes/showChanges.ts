/** Shows the changes of a conversation as the editor shows a commit. */
import { commands, type QuickPickItem, ThemeIcon, type Uri, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { ChangedFile, FileSide, ChangesSince } from '../../service/fileChanges.ts';
import { hasOwnFolder } from '../../state/changes/ownFolder.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { showInformation, unlessCancelled } from '../ui/messages.ts';
import { setContext } from '../ui/rememberedContext.ts';
import { contextKeys } from '../manifest.ts';
import {
  changesTitle,
  fileStatusWord,
  leftOutInWords,
  noChanges,
  shownFilePath,
} from '../words/conversations/changeWords.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { dateAndTime } from '../words/times.ts';
import { changesUri } from './changesAddress.ts';
import { SandboxPaused } from '../../state/changes/changedFiles.ts';
import { resumeAndWait, showPaused, wantsToResume } from '../sandboxes/sandboxQuestions.ts';

/** The editor loads every pair before it draws any. */
const maxFilesShown = 100;

const maxReadsAtOnce = 6;

export interface ChangesOnScreen {
  readonly switchboard: Switchboard;
  readonly revealFiles: (conversation: Conversation) => Promise<void>;
  readonly shownNotices: Set<string>;
}

export async function showChanges(
  { switchboard, revealFiles, shownNotices }: ChangesOnScreen,
  conversation: Conversation,
  since: ChangesSince,
): Promise<void> {
  const title = titleOf(conversation);
  const { changes } = switchboard;
  const isOwn = hasOwnFolder(conversation, switchboard.conversations.rows.values());
  let isExact = true;
  const files = await readChanges(switchboard, conversation, async (signal, tell) => {
    const found = await changes.load(conversation, since, { signal });
    const first = found.files.slice(0, maxFilesShown);
    let done = 0;
    const queue = [...first];
    const work = async () => {
      for (let file = queue.shift(); file && !signal.aborted; file = queue.shift()) {
        // The document of the file shows the reason.
        const sides = await changes.sides(conversation, since, file.path, { signal }).catch(() => undefined);
        if (sides) isExact &&= isExactSide(sides.before) && isExactSide(sides.after);
        tell(t('{0} of {1}', ++done, first.length));
      }
    };
    await Promise.all(Array.from({ length: maxReadsAtOnce }, work));
    return signal.aborted ? undefined : found;
  });
  if (!files) return;
  if (files.files.length === 0) {
    void showInformation(noChanges(title, since, isOwn));
    return;
  }
  const label = changesTitle(title, since, isOwn);
  const pairs = files.files.slice(0, maxFilesShown).map((file) => pairOf(conversation, since, file, true));
  await closeTab(label);
  await commands.executeCommand('vscode.changes', label, pairs);
  setContext(contextKeys.changesShown, true);
  const leftOut = leftOutInWords(isExact, files.patch !== undefined);
  if (leftOut !== undefined && !shownNotices.has(leftOut)) {
    shownNotices.add(leftOut);
    void showInformation(leftOut);
  }
  if (files.files.length <= maxFilesShown) return;
  await revealFiles(conversation);
  void showInformation(
    t(
      '{0} of {1} changed files are shown. All of them are listed under the conversation in the side bar.',
      maxFilesShown,
      files.files.length,
    ),
  );
}

function isExactSide(side: FileSide): boolean {
  return side.kind !== 'bytes' || side.exact;
}

/** The label, the old and the new side, as `vscode.changes` takes them. */
function pairOf(
  conversation: Conversation,
  since: ChangesSince,
  { path, status, from }: ChangedFile,
  inWords: boolean,
): [Uri, Uri | undefined, Uri | undefined] {
  const at = { key: keyOf(conversation), since, path, inWords };
  const [before, after] = [changesUri({ ...at, side: 'before' }, from), changesUri({ ...at, side: 'after' })];
  return [after, status === 'added' ? undefined : before, status === 'deleted' ? undefined : after];
}

/** Closes a tab with the same title, which has older contents. */
async function closeTab(label: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) =>
    // The editor appends the number of files.
    group.tabs.filter((tab) => tab.label === label || tab.label.startsWith(`${label} (`)),
  );
  await window.tabGroups.close(tabs, true);
}

/** Shows one file in an editor of its own; a picture as a picture. */
export async function showChangedFile(
  { switchboard }: ChangesOnScreen,
  conversation: Conversation,
  path: string,
): Promise<void> {
  const { changes } = switchboard;
  const since = 'start';
  const name = shownFilePath(path);
  const known =
    changes.known(keyOf(conversation), since) ??
    (await readChanges(switchboard, conversation, (signal) => changes.load(conversation, since, { signal })));
  if (!known) return;
  const file = known.files.find((each) => each.path === path);
  if (!file) {
    void showInformation(t('{0} is no longer among the changed files.', name));
    return;
  }
  const sides = await unlessCancelled(t('Reading {0}', name), (signal) =>
    changes.sides(conversation, since, path, { signal }),
  );
  if (!sides) return;
  const isAllBytes = [sides.before, sides.after].every(
    (side) => side.kind === 'bytes' || side.kind === 'none',
  );
  const [, before, after] = pairOf(conversation, since, file, !isAllBytes);
  const label = [name, fileStatusWord(file)].join(' · ');
  if (before && after) await commands.executeCommand('vscode.diff', before, after, label);
  else await commands.executeCommand('vscode.open', after ?? before, { preview: true }, label);
}

export async function chooseSince(
  { switchboard }: ChangesOnScreen,
  conversation: Conversation,
): Promise<ChangesSince | undefined> {
  const title = titleOf(conversation);
  const listing = t('Listing the commits of “{0}”', title);
  const list = async (signal: AbortSignal) =>
    (await switchboard.changes.commits(conversation, { signal })) ?? { commits: [] };
  const found = await readChanges(switchboard, conversation, list, listing);
  if (!found) return undefined;
  const { createdAt } = conversation;
  const isOwn = hasOwnFolder(conversation, switchboard.conversations.rows.values());
  const commits = found.commits.filter(
    ({ at }) => at === undefined || createdAt === undefined || at >= createdAt - 1_000,
  );
  const items: readonly (QuickPickItem & { readonly since: ChangesSince })[] = [
    {
      label: t('Since the conversation began'),
      ...(!isOwn && {
        detail: t('And what was not committed in this folder then: the service does not record it'),
      }),
      since: 'start',
    },
    { label: t('Since its last commit'), since: 'lastCommit' },
    ...commits.map(({ sha, subject, author, at }) => ({
      label: inPick(subject),
      iconPath: new ThemeIcon('git-commit'),
      description: [sha.slice(0, 8), inPick(author ?? ''), at === undefined ? '' : dateAndTime(at)]
        .filter(Boolean)
        .join(' · '),
      since: { commit: sha },
    })),
  ];
  const placeHolder = t('Select what to show of “{0}”', inPick(title));
  return (await window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.since;
}

/** Offers to resume a paused sandbox and tries again. Undefined if declined or canceled. */
export async function readChanges<T>(
  switchboard: Switchboard,
  conversation: Conversation,
  work: (signal: AbortSignal, tell: (what: string) => void) => Promise<T>,
  words = t('Reading what “{0}” has changed', titleOf(conversation)),
): Promise<T | undefined> {
  const title = titleOf(conversation);
  const read = () => unlessCancelled(words, work);
  try {
    return await read();
  } catch (error) {
    const service = switchboard.service(conversation.service);
    if (!(error instanceof SandboxPaused) || error.sandboxId === undefined || !service) throw error;
    const { sandboxId } = error;
    const question = t('The sandbox of “{0}” is paused, and what has changed is in it. Resume it?', title);
    if (!(await wantsToResume(service, sandboxId, question, t('Resume')))) return undefined;
    const resumed = await unlessCancelled(t('Resuming the sandbox of “{0}”', title), async (signal) => {
      showPaused(switchboard, await resumeAndWait(service, sandboxId, signal));
      return true;
    });
    return resumed ? await read() : undefined;
  }
}
