/** Brings what an agent has changed into a folder that is open here, in the way that the person chooses. */
import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { commands, type QuickPickItem, Uri, window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { ChangedFiles } from '../../service/fileChanges.ts';
import { hasOwnFolder } from '../../state/changes/ownFolder.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { LocalGit } from '../../takeOver/localGit.ts';
import { showInformation, withProgress } from '../ui/messages.ts';
import { reading } from '../changes/reading.ts';
import { filesWord, noChanges } from '../words/conversations/changeWords.ts';
import type { BuiltInDemo } from '../services/builtInDemo.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { joinChanges } from './joinChanges.ts';
import { checkOut } from './checkOut.ts';
import { offerDemoRepository } from './demoRepository.ts';
import type { TakenOver } from './known.ts';
import { chooseRepository, type OpenRepository, saidByGit } from './repositories.ts';
import { branchOfAgent, clonesOf, folderHere, type PushedBranch, pushedBranch } from './ways.ts';

interface Parts {
  readonly switchboard: Switchboard;
  readonly takenOver: TakenOver;
  readonly repositories: readonly OpenRepository[];
  readonly demo: BuiltInDemo;
}

type TakeOverMethod = 'checkout' | 'apply' | 'worktree';

export async function takeOverChanges(
  { switchboard, takenOver, repositories, demo }: Parts,
  conversation: Conversation,
): Promise<void> {
  const title = titleOf(conversation);
  const read = await reading(switchboard, conversation, async (signal) => {
    const { changes } = switchboard;
    const files = await changes.load(conversation, 'start', { signal });
    const commits = files.patch
      ? await changes.commits(conversation, { signal }).catch(() => undefined)
      : undefined;
    const shas = (commits?.commits ?? []).map(({ sha }) => sha);
    return signal.aborted ? undefined : { files, shas };
  });
  if (!read) return;
  const { files, shas } = read;
  const { patch } = files;
  if (files.files.length === 0) {
    void showInformation(
      noChanges(title, 'start', hasOwnFolder(conversation, switchboard.conversations.rows.values())),
    );
    return;
  }
  if (!patch)
    throw new UserError(
      t('The service of “{0}” does not give its changes in a form that Git can apply.', title),
    );
  const known = [patch.base, patch.head, ...shas].filter((sha) => sha !== undefined);
  const clones = await clonesOf(repositories, known);
  const ofDemo = demo.repositoryOf(conversation);
  if (ofDemo && clones.length === 0) {
    await offerDemoRepository(demo, ofDemo);
    return;
  }
  const clone = await chooseClone(clones);
  if (!clone) return;
  const gitIn = (folder: string) => new LocalGit(clone.git.program, folder);
  // The folders of the demo are not really there.
  const local = ofDemo ? undefined : await folderHere(conversation, files, gitIn);
  if (local !== undefined && local === (await realpath(clone.git.root))) {
    await commands.executeCommand('workbench.view.scm');
    void showInformation(
      t('“{0}” works in this very folder: its changes are here already. Source Control shows them.', title),
    );
    return;
  }
  const pushed = await pushedBranch(clone, files);
  const branch = branchOfAgent(clone, files);
  switch (await chooseWay(title, { branch, pushed }, local, files)) {
    case 'checkout': {
      const there = pushed ?? (await fetched(clone, files));
      const applyInstead = t('Apply Changes');
      if (there === 'cancelled') return;
      if (there) await checkOut(clone, there);
      else if (
        (await showInformation(
          t('The agent has not pushed “{0}” with all that it committed.', branch ?? ''),
          applyInstead,
        )) === applyInstead
      )
        await joinChanges(takenOver, clone, title, patch);
      return;
    }
    case 'worktree':
      await commands.executeCommand('vscode.openFolder', Uri.file(local ?? ''), { forceNewWindow: true });
      return;
    case 'apply':
      await joinChanges(takenOver, clone, title, patch);
      return;
    case undefined:
      return;
  }
}

async function fetched(
  clone: OpenRepository,
  files: ChangedFiles,
): Promise<PushedBranch | 'cancelled' | undefined> {
  const { repository } = clone;
  return await withProgress(t('Fetching the branch of the agent'), (signal) =>
    Promise.race([
      repository.fetch().then(
        () => pushedBranch(clone, files),
        (error: unknown) => {
          throw new UserError(t('Could not fetch: {0}', saidByGit(error)), { cause: error });
        },
      ),
      once(signal, 'abort').then(() => 'cancelled' as const),
    ]),
  );
}

async function chooseClone(clones: readonly OpenRepository[]): Promise<OpenRepository | undefined> {
  if (clones.length === 0)
    throw new UserError(
      t('Open a clone of the repository the agent works in, or fetch its commits, and try again.'),
    );
  if (clones.length === 1) return clones[0];
  return await chooseRepository(clones, t('Select the repository that takes the changes over'));
}

async function chooseWay(
  title: string,
  { branch, pushed }: { readonly branch: string | undefined; readonly pushed: PushedBranch | undefined },
  local: string | undefined,
  { files }: ChangedFiles,
): Promise<TakeOverMethod | undefined> {
  const items: (QuickPickItem & { readonly way: TakeOverMethod })[] = [
    ...(branch === undefined
      ? []
      : [
          {
            label: t('Check Out Branch'),
            description: inPick(pushed ? `${pushed.remote}/${pushed.name}` : branch),
            detail: pushed
              ? t('Switches to the branch that the agent pushed. What it has not committed stays there.')
              : t('Fetches it first, if the agent has pushed it. What it has not committed stays there.'),
            way: 'checkout' as const,
          },
        ]),
    {
      label: t('Apply Changes'),
      description: filesWord(files.length),
      detail: t('Merges them into the files here. You choose which ones, and can undo it.'),
      way: 'apply',
    },
    ...(local === undefined
      ? []
      : [
          {
            label: t('Open Its Worktree'),
            description: inPick(local),
            detail: t('Opens the folder in which the agent works in a new window.'),
            way: 'worktree' as const,
          },
        ]),
  ];
  if (items.length === 1) return 'apply';
  return (
    await window.showQuickPick(items, {
      placeHolder: t('How to take over what “{0}” has changed', inPick(title)),
    })
  )?.way;
}

/** Undefined where the person cancelled it. */
