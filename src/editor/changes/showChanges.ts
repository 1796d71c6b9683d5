import {
  commands,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  type Uri,
  window,
} from 'vscode';
import { inParallel } from '../../base/inParallel.ts';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import {
  type ChangedFile,
  isExact,
} from '../../service/abilities/fileChanges.ts';
import {
  type ChangesScope,
  isReviewScope,
  sinceOf,
} from '../../state/changes/changesScope.ts';
import {
  type FileReview,
  isLeft,
  progressOf,
} from '../../state/changes/fileReviews.ts';
import { hasOwnFolder } from '../../state/changes/ownFolder.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  offerAction,
  showInformation,
  type ShownWork,
  unlessCancelled,
} from '../ui/messages.ts';
import { setContext } from '../ui/rememberedContext.ts';
import { contextKeys } from '../manifest.ts';
import {
  changesTitle,
  fileStatusWord,
  leftOutInWords,
  noChanges,
  reviewStateWords,
  shownFilePath,
} from '../words/conversations/changeWords.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { changesUri } from './changesUri.ts';
import { sidesOf } from './diffDocument.ts';
import {
  commitChoices,
  namedChoices,
  type ScopeChoice,
} from './scopeChoices.ts';
import type { ChangeDocuments } from './documents.ts';
import { SandboxPaused } from '../../state/changes/changedFiles.ts';
import {
  resumeAndWait,
  showPaused,
  wantsToResume,
} from '../sandboxes/sandboxQuestions.ts';

/** The editor loads every pair before it draws any. */
const maxFilesShown = 100;

const maxReadsAtOnce = 6;

export interface ChangesOnScreen {
  readonly switchboard: Switchboard;
  /** Shows the changed files below the conversation's row, if it has one. */
  readonly revealFiles: (conversation: Conversation) => Promise<void>;
  readonly shownNotices: Set<string>;
  readonly changeDocuments: () => Promise<ChangeDocuments>;
}

export async function showChanges(
  screen: ChangesOnScreen,
  conversation: Conversation,
  scope: ChangesScope,
): Promise<void> {
  const { switchboard, revealFiles, shownNotices, changeDocuments } = screen;
  const title = titleOf(conversation);
  const { changes } = switchboard;
  const progress = await switchboard.progress();
  const isOwn = hasOwnFolder(
    conversation,
    switchboard.conversations.rows.values(),
  );
  let isAllExact = true;
  const reviews = await readChanges(
    switchboard,
    conversation,
    async (signal, report) => {
      const listed = isReviewScope(scope)
        ? (await progress.readReviews(conversation, { signal }, scope)).filter(
            isLeft,
          )
        : (await changes.load(conversation, scope, { signal })).files.map(
            asNew,
          );
      const first = listed.slice(0, maxFilesShown);
      let done = 0;
      await inParallel(first, maxReadsAtOnce, async ({ file }) => {
        if (signal.aborted) return;
        // The document of the file shows the reason.
        const reading = progress.readSides(conversation, scope, file.path, {
          signal,
        });
        const sides = await reading.catch(() => undefined);
        if (sides) isAllExact &&= isExact(sides.before) && isExact(sides.after);
        report(t('{0} of {1}', ++done, first.length));
      });
      if (signal.aborted) return undefined;
      // The contents may show that a file is as it was reviewed.
      const current = isReviewScope(scope)
        ? progress.snapshot(keyOf(conversation))?.[scope]
        : undefined;
      return current?.filter(isLeft) ?? listed;
    },
  );
  if (!reviews) return;
  if (reviews.length === 0) {
    const none = noChanges(title, scope, isOwn);
    if (!isReviewScope(scope)) void showInformation(none);
    else
      void offerAction(showInformation, none, t('Show All Changes'), () =>
        showChanges(screen, conversation, 'start'),
      );
    return;
  }
  const label = changesTitle(
    tabNameOf(conversation, switchboard),
    scope,
    isOwn,
  );
  const pairs = reviews
    .slice(0, maxFilesShown)
    .map((review) => pairOf(conversation, scope, review, true));
  await closeTab(label);
  await commands.executeCommand('vscode.changes', label, pairs);
  (await changeDocuments()).noteDiff(label, { conversation, scope });
  setContext(contextKeys.changesShown, true);
  const hasPatch =
    changes.known(keyOf(conversation), sinceOf(scope))?.patch !== undefined;
  const leftOut = leftOutInWords(isAllExact, hasPatch);
  if (leftOut !== undefined && !shownNotices.has(leftOut)) {
    shownNotices.add(leftOut);
    void showInformation(leftOut);
  }
  if (reviews.length <= maxFilesShown) return;
  await revealFiles(conversation);
  void showInformation(
    t(
      '{0} of {1} changed files are shown. All of them are listed under the conversation in the side bar.',
      maxFilesShown,
      reviews.length,
    ),
  );
}

/**
 * The title, with the start of the id where another conversation has the same
 * title.
 */
function tabNameOf(
  conversation: Conversation,
  { conversations }: Switchboard,
): string {
  const title = titleOf(conversation);
  const hasTwin = [...conversations.rows.values()].some(
    (row) => keyOf(row) !== keyOf(conversation) && titleOf(row) === title,
  );
  return hasTwin ? `${title} · ${conversation.id.slice(0, 8)}` : title;
}

function asNew(file: ChangedFile): FileReview {
  return { file, state: 'new', baseline: undefined };
}

/** The label, the old and the new side, as `vscode.changes` takes them. */
function pairOf(
  conversation: Conversation,
  since: ChangesScope,
  review: FileReview,
  inWords: boolean,
): [Uri, Uri | undefined, Uri | undefined] {
  const { path } = review.file;
  const at = { key: keyOf(conversation), since, path, inWords };
  const { hasBefore, hasAfter, from } = sidesOf(since, review);
  const before = changesUri({ ...at, side: 'before' }, from);
  const after = changesUri({ ...at, side: 'after' });
  return [after, hasBefore ? before : undefined, hasAfter ? after : undefined];
}

/** Closes a tab with the same title, which has older contents. */
async function closeTab(label: string) {
  const tabs = window.tabGroups.all.flatMap((group) =>
    // The editor appends the number of files.
    group.tabs.filter(
      (tab) => tab.label === label || tab.label.startsWith(`${label} (`),
    ),
  );
  await window.tabGroups.close(tabs, true);
}

/**
 * Shows only what has changed since the file was reviewed, unless all of it is
 * wanted. A picture is shown as one.
 */
export async function showChangedFile(
  { switchboard }: ChangesOnScreen,
  conversation: Conversation,
  path: string,
  isAllWanted = false,
): Promise<void> {
  const name = shownFilePath(path);
  const reviews = await knownReviews(switchboard, conversation);
  if (!reviews) return;
  const review = reviews.find(({ file }) => file.path === path);
  if (!review) {
    void showInformation(t('{0} is no longer among the changed files.', name));
    return;
  }
  const isAgain =
    review.state === 'changedAgain' || review.state === 'changedBack';
  const scope = isAgain && !isAllWanted ? 'reviewed' : 'start';
  const sides = await unlessCancelled(t('Reading {0}', name), async (signal) =>
    (await switchboard.progress()).readSides(conversation, scope, path, {
      signal,
    }),
  );
  if (!sides) return;
  const isAllBytes = [sides.before, sides.after].every(
    (side) => side.kind === 'bytes' || side.kind === 'none',
  );
  const [, before, after] = pairOf(conversation, scope, review, !isAllBytes);
  const state =
    scope === 'reviewed'
      ? reviewStateWords[review.state]
      : fileStatusWord(review.file.status);
  const label = [name, state].join(' · ');
  if (before && after)
    await commands.executeCommand('vscode.diff', before, after, label);
  else
    await commands.executeCommand(
      'vscode.open',
      after ?? before,
      { preview: true },
      label,
    );
}

/**
 * The reviews that the list shows, else newly read ones; undefined if canceled.
 */
export async function knownReviews(
  switchboard: Switchboard,
  conversation: Conversation,
): Promise<readonly FileReview[] | undefined> {
  return (
    switchboard.fileReviews(keyOf(conversation)) ??
    (await readChanges(switchboard, conversation, async (signal) =>
      (await switchboard.progress()).readReviewsOnce(conversation, { signal }),
    ))
  );
}

export async function chooseScope(
  { switchboard }: ChangesOnScreen,
  conversation: Conversation,
): Promise<ChangesScope | undefined> {
  const title = titleOf(conversation);
  const key = keyOf(conversation);
  const progress = await switchboard.progress();
  const history = await readChanges(
    switchboard,
    conversation,
    async (signal) => {
      const commits = await switchboard.changes.readCommits(conversation, {
        signal,
      });
      const knowsMessage = await progress
        .knowsLastMessage(conversation, { signal })
        .catch(() => false);
      return { commits: commits?.commits ?? [], knowsMessage };
    },
    t('Listing the commits of “{0}”', title),
  );
  if (!history) return undefined;
  const named = namedChoices({
    knowsMessage: history.knowsMessage,
    progress: progressOf(switchboard.fileReviews(key)),
    isOwn: hasOwnFolder(conversation, switchboard.conversations.rows.values()),
  });
  const { createdAt } = conversation;
  const commits = commitChoices(history.commits, createdAt, (sha) => ({
    commit: sha,
  }));
  const since = { label: t('Since a Commit…') };
  const separator = { label: t('Commits'), kind: QuickPickItemKind.Separator };
  const picked = await pick(
    [
      ...named,
      ...(commits.length > 0
        ? [since, separator, ...commits.map(withCommitIcon)]
        : []),
    ],
    t('Select which changes of “{0}” to show', inPick(title)),
  );
  if (picked === since) {
    const after = commitChoices(
      history.commits,
      createdAt,
      (sha) => `after:${sha}`,
    );
    const start = await pick(
      after.map(withCommitIcon),
      t('Select the commit after which to show changes'),
    );
    return start?.scope;
  }
  if (picked?.scope !== undefined && named.some((item) => item === picked))
    await progress.chooseScope(key, picked.scope);
  return picked?.scope;
}

type ScopeItem = QuickPickItem & { readonly scope?: ChangesScope };

function withCommitIcon(choice: ScopeChoice): ScopeItem {
  return { ...choice, iconPath: new ThemeIcon('git-commit') };
}

async function pick(
  items: readonly ScopeItem[],
  placeHolder: string,
): Promise<ScopeItem | undefined> {
  return await window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
  });
}

/**
 * Offers to resume a paused sandbox and tries again. Undefined if declined or
 * canceled.
 */
export async function readChanges<T>(
  switchboard: Switchboard,
  conversation: Conversation,
  work: ShownWork<T>,
  words = t('Loading the changes of “{0}”', titleOf(conversation)),
): Promise<T | undefined> {
  const title = titleOf(conversation);
  const read = () => unlessCancelled(words, work);
  try {
    return await read();
  } catch (error) {
    const service = switchboard.service(conversation.service);
    if (
      !(error instanceof SandboxPaused) ||
      error.sandboxId === undefined ||
      !service
    )
      throw error;
    const { sandboxId } = error;
    const question = t(
      'The sandbox of “{0}” is paused. Resume it to see the changes?',
      title,
    );
    if (!(await wantsToResume(service, sandboxId, question, t('Resume'))))
      return undefined;
    const resumed = await unlessCancelled(
      t('Resuming the sandbox of “{0}”', title),
      async (signal) => {
        showPaused(
          switchboard,
          await resumeAndWait(service, sandboxId, signal),
        );
        return true;
      },
    );
    return resumed ? await read() : undefined;
  }
}
