/** Shows what a conversation has changed, as the editor shows a commit. */
import { commands, type QuickPickItem, ThemeIcon, type Uri, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { ChangedFile, ChangedFiles, FileSide, ChangesSince } from '../../service/fileChanges.ts';
import { hasOwnFolder } from '../../state/changes/ownFolder.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { showInformation } from '../ui/messages.ts';
import { unlessCancelled } from '../ui/unlessCancelled.ts';
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
import { absolute } from '../words/times.ts';
import { uriOf } from './changesAddress.ts';
import { reading } from './reading.ts';

/** The editor loads every pair before it draws. */
export const mostAtOnce = 100;

/** So many files are asked for at the same time. */
const atATime = 6;

export interface ChangesOnScreen {
  readonly switchboard: Switchboard;
  /** Unfolds the list of the files under the row. */
  readonly revealFiles: (conversation: Conversation) => Promise<void>;
  /** Notices that were shown in this window. */
  readonly said: Set<string>;
}

export async function showChanges(
  { switchboard, revealFiles, said }: ChangesOnScreen,
  conversation: Conversation,
  since: ChangesSince,
): Promise<void> {
  const title = titleOf(conversation);
  const { changes } = switchboard;
  const isOwn = hasOwnFolder(conversation, switchboard.conversations.rows.values());
  let isExact = true;
  const files = await reading(switchboard, conversation, async (signal, tell) => {
    const found = await changes.load(conversation, since, { signal });
    const first = found.files.slice(0, mostAtOnce);
    let done = 0;
    const queue = [...first];
    const work = async () => {
      for (let file = queue.shift(); file && !signal.aborted; file = queue.shift()) {
        // Its document tells why.
        const sides = await changes.sides(conversation, since, file.path, { signal }).catch(() => undefined);
        if (sides) isExact &&= isExactSide(sides.before) && isExactSide(sides.after);
        tell(t('{0} of {1}', ++done, first.length));
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    return signal.aborted ? undefined : found;
  });
  if (!files) return;
  if (files.files.length === 0) {
    void showInformation(noChanges(title, since, isOwn));
    return;
  }
  const label = changesTitle(title, since, isOwn);
  const pairs = files.files.slice(0, mostAtOnce).map((file) => pairOf(conversation, since, file, true));
  await closeTab(label);
  await commands.executeCommand('vscode.changes', label, pairs);
  void commands.executeCommand('setContext', contextKeys.changesShown, true);
  const leftOut = leftOutInWords(isExact, files.patch !== undefined);
  if (leftOut !== undefined && !said.has(leftOut)) {
    said.add(leftOut);
    void showInformation(leftOut);
  }
  if (files.files.length <= mostAtOnce) return;
  await revealFiles(conversation);
  void showInformation(
    t(
      '{0} of {1} changed files are shown. All of them are listed under the conversation in the side bar.',
      mostAtOnce,
      files.files.length,
    ),
  );
}

function isExactSide(side: FileSide): boolean {
  return side.kind !== 'bytes' || side.exact;
}

/** What it is called, what was before, and what is after. */
function pairOf(
  conversation: Conversation,
  since: ChangesSince,
  { path, status, from }: ChangedFile,
  inWords: boolean,
): [Uri, Uri | undefined, Uri | undefined] {
  const at = { key: keyOf(conversation), since, path, inWords };
  const [before, after] = [uriOf({ ...at, side: 'before' }, from), uriOf({ ...at, side: 'after' })];
  return [after, status === 'added' ? undefined : before, status === 'deleted' ? undefined : after];
}

/** One that shows the same, as it was. */
async function closeTab(label: string): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) =>
    // The editor adds how many files there are.
    group.tabs.filter((tab) => tab.label === label || tab.label.startsWith(`${label} (`)),
  );
  await window.tabGroups.close(tabs, true);
}

/** One file alone, a picture as a picture. */
export async function showChangedFile(
  { switchboard }: ChangesOnScreen,
  conversation: Conversation,
  path: string,
  since: ChangesSince = 'start',
): Promise<void> {
  const { changes } = switchboard;
  const name = shownFilePath(path);
  const known = changes.known(keyOf(conversation), since) ?? (await load());
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

  function load(): Promise<ChangedFiles | undefined> {
    return reading(switchboard, conversation, (signal) => changes.load(conversation, since, { signal }));
  }
}

/** Since when, or one of its commits; undefined if nothing was chosen. */
export async function chooseSince(
  { switchboard }: ChangesOnScreen,
  conversation: Conversation,
): Promise<ChangesSince | undefined> {
  const title = titleOf(conversation);
  const listing = t('Listing the commits of “{0}”', title);
  const found = await reading(
    switchboard,
    conversation,
    async (signal) =>
      (await switchboard.changes.commits(conversation, { signal })) ?? { commits: [], more: false },
    listing,
  );
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
      description: [sha.slice(0, 8), inPick(author ?? ''), at === undefined ? '' : absolute(at)]
        .filter(Boolean)
        .join(' · '),
      since: { commit: sha },
    })),
  ];
  const placeHolder = t('Select what to show of “{0}”', inPick(title));
  return (await window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.since;
}
