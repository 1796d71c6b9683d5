import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import { present } from '../../base/parts.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import type {
  ChangedFiles,
  Patch,
} from '../../service/abilities/fileChanges.ts';
import {
  asListed,
  type FileReview,
  isLeft,
} from '../../state/changes/fileReviews.ts';
import { hasOwnFolder } from '../../state/changes/ownFolder.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { LocalGit } from '../../takeOver/localGit.ts';
import {
  showInformation,
  withProgress,
  confirm,
  offerAction,
} from '../ui/messages.ts';
import { markShown } from '../changes/markReviewed.ts';
import { readChanges } from '../changes/showChanges.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import type { CommandHandlers } from '../manifest.ts';
import { agentConversationOf, pickIfSeveral } from '../ui/pickFromList.ts';
import { filesWord, noChanges } from '../words/conversations/changeWords.ts';
import type { BuiltInDemo } from '../services/builtInDemo.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { applyChanges, type TakenOver, undoTakeOver } from './applyChanges.ts';
import {
  chooseRepository,
  type OpenRepository,
  gitMessage,
  gitProgram,
  openRepositories,
} from './repositories.ts';
import {
  branchOfAgent,
  clonesOf,
  folderHere,
  type PushedBranch,
  pushedBranch,
} from './agentBranches.ts';
import type { DemoClone } from '../../demo/demoService.ts';
import { makeRepository } from '../../takeOver/makeRepository.ts';

export interface TakeOverParts extends ConversationParts {
  readonly connector: { readonly demo: BuiltInDemo };
  readonly takenOver: TakenOver;
}

export function takeOverCommands(parts: TakeOverParts) {
  return {
    'switchboard.conversations.takeOver': async (id) => {
      // The demo offers to make a repository.
      const repositories = await openRepositories({
        orNone: parts.connector.demo.isRunning,
      });
      const conversation = await agentConversationOf(
        parts,
        id,
        t('Select the conversation whose changes to take over'),
      );
      if (conversation)
        await takeOverChanges(parts, repositories, conversation);
    },
    'switchboard.conversations.undoTakeOver': () =>
      undoTakeOver(parts.takenOver),
  } satisfies Partial<CommandHandlers>;
}

interface Method extends QuickPickItem {
  readonly run: () => unknown;
}

/** Changes of an agent with the reviews of the user. */
interface AgentWork {
  readonly conversation: Conversation;
  readonly title: string;
  readonly files: ChangedFiles;
  readonly reviews: readonly FileReview[];
  /** The commits of the agent, where the service lists them. */
  readonly shas: readonly string[];
}

async function takeOverChanges(
  parts: TakeOverParts,
  repositories: readonly OpenRepository[],
  conversation: Conversation,
) {
  const { switchboard } = parts;
  const work = await readWork(switchboard, conversation);
  if (!work) return;
  const { title, files } = work;
  const { patch } = files;
  if (files.files.length === 0) {
    const { rows } = switchboard.conversations;
    const isAlone = hasOwnFolder(conversation, rows.values());
    void showInformation(noChanges(title, 'start', isAlone));
    return;
  }
  if (!patch)
    throw userError(
      'The service of “{0}” does not provide its changes in a form that Git can apply.',
      title,
    );
  const { demo } = parts.connector;
  const clone = await findClone(demo, repositories, work, patch);
  if (!clone) return;
  // The demo's folders do not exist.
  const local = demo.repositoryOf(conversation)
    ? undefined
    : await folderHere(
        conversation,
        files,
        (folder) => new LocalGit(clone.git.program, folder),
      );
  if (local !== undefined && local === (await realpath(clone.git.root))) {
    await commands.executeCommand('workbench.view.scm');
    void showInformation(
      t(
        '“{0}” works directly in this folder, so its changes are already here. See Source Control.',
        title,
      ),
    );
    return;
  }
  const apply = applying(parts, clone, work, patch);
  const methods = [
    ...(await branchMethods(clone, files, apply)),
    ...applyMethods(work, apply),
    ...(local === undefined ? [] : [openWorktree(local)]),
  ];
  const placeHolder = t('How to take over the changes of “{0}”', inPick(title));
  await (await pickIfSeveral(methods, placeHolder))?.run();
}

async function readWork(
  switchboard: Switchboard,
  conversation: Conversation,
): Promise<AgentWork | undefined> {
  const { changes } = switchboard;
  return await readChanges(switchboard, conversation, async (signal) => {
    const progress = await switchboard.progress();
    const reviews = await progress.readReviews(conversation, { signal });
    const files = changes.known(keyOf(conversation));
    const list = files?.patch
      ? await changes
          .readCommits(conversation, { signal })
          .catch(() => undefined)
      : undefined;
    const shas = (list?.commits ?? []).map(({ sha }) => sha);
    return signal.aborted || !files
      ? undefined
      : { conversation, title: titleOf(conversation), files, shas, reviews };
  });
}

/** Undefined if the user chooses none. */
async function findClone(
  demo: BuiltInDemo,
  repositories: readonly OpenRepository[],
  { conversation, shas }: AgentWork,
  { base, head }: Patch,
): Promise<OpenRepository | undefined> {
  const commits = present(base, head, ...shas);
  const clones = await clonesOf(repositories, commits);
  if (clones.length > 0)
    return await chooseRepository(
      clones,
      t('Select a repository to apply the changes to'),
    );
  const ofDemo = demo.repositoryOf(conversation);
  if (!ofDemo)
    throw userError(
      'Open a clone of the repository the agent works in, or fetch its commits, and try again.',
    );
  await offerDemoRepository(demo, ofDemo);
  return undefined;
}

/** Applies all files, or only these. */
type Apply = (only?: ReadonlySet<string>) => Promise<void>;

function applying(
  { switchboard, takenOver }: TakeOverParts,
  clone: OpenRepository,
  { conversation, title, reviews }: AgentWork,
  patch: Patch,
): Apply {
  return (only) =>
    applyChanges(takenOver, clone, title, patch, {
      only,
      left: reviews.filter(isLeft).map(({ file }) => file.path),
      mark: (paths) =>
        markShown(
          switchboard,
          conversation,
          reviews
            .map(({ file }) => file)
            .filter(({ path }) => paths.includes(path))
            .map(asListed),
        ),
    });
}

async function branchMethods(
  clone: OpenRepository,
  files: ChangedFiles,
  apply: Apply,
): Promise<readonly Method[]> {
  const pushed = await pushedBranch(clone, files);
  const branch = branchOfAgent(clone, files);
  if (branch === undefined) return [];
  const checkOutPushed = async () => {
    const there = pushed ?? (await fetched(clone, files));
    if (there === 'cancelled') return;
    if (there) {
      await checkOut(clone, there);
      return;
    }
    await offerAction(
      showInformation,
      t('The agent has not pushed all its commits to “{0}”.', branch),
      t('Apply Changes'),
      () => apply(),
    );
  };
  return [
    {
      label: t('Check Out Branch'),
      description: inPick(pushed ? `${pushed.remote}/${pushed.name}` : branch),
      detail: pushed
        ? t(
            'Switches to the branch that the agent pushed. Uncommitted changes stay there.',
          )
        : t(
            'Fetches it first, if the agent has pushed it. Uncommitted changes stay there.',
          ),
      run: checkOutPushed,
    },
  ];
}

function applyMethods(
  { files: { files }, reviews }: AgentWork,
  apply: Apply,
): readonly Method[] {
  const all = {
    label: t('Apply Changes'),
    description: filesWord(files.length),
    detail: t(
      'Merges them into your files. You choose which ones, and can undo it.',
    ),
    run: () => apply(),
  };
  const reviewed = new Set(
    reviews.flatMap((review) => (isLeft(review) ? [] : review.file.path)),
  );
  if (reviewed.size === 0 || reviewed.size >= files.length) return [all];
  return [
    all,
    {
      label: t('Apply Reviewed Changes'),
      description: t('{0} of {1} files', reviewed.size, files.length),
      detail: t('The same, without the files that are left to review.'),
      run: () => apply(reviewed),
    },
  ];
}

function openWorktree(folder: string): Method {
  return {
    label: t('Open Its Worktree'),
    description: inPick(folder),
    detail: t('Opens the folder in which the agent works in a new window.'),
    run: () =>
      commands.executeCommand('vscode.openFolder', Uri.file(folder), {
        forceNewWindow: true,
      }),
  };
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
          throw new UserError(t('Could not fetch: {0}', gitMessage(error)), {
            cause: error,
          });
        },
      ),
      once(signal, 'abort').then(() => 'cancelled' as const),
    ]),
  );
}

async function checkOut(
  { repository, git }: OpenRepository,
  { name, remote }: PushedBranch,
) {
  const isClean = (await git.word(['status', '--porcelain'])) === '';
  const question = t('Check out “{0}” with uncommitted changes?', name);
  const detail = t('They are kept. Git refuses if they would be overwritten.');
  if (!isClean && !(await confirm(question, detail, t('Check Out')))) return;
  const remoteRef = `refs/remotes/${remote}/${name}`;
  const exists = await git.maybe([
    'rev-parse',
    '--verify',
    '--quiet',
    `refs/heads/${name}`,
  ]);
  const there = await git.word(['rev-parse', '--verify', remoteRef]);
  try {
    if (exists === undefined) {
      await repository.createBranch(name, true, remoteRef);
      await repository.setBranchUpstream(name, `${remote}/${name}`);
    } else {
      await repository.checkout(name);
      const isBehind =
        (await git.maybe(['merge-base', '--is-ancestor', exists, there])) !==
        undefined;
      if (isBehind && exists !== there) await repository.merge(remoteRef);
    }
  } catch (error) {
    throw new UserError(
      t('Could not check out “{0}”: {1}', name, gitMessage(error)),
      { cause: error },
    );
  }
  const message = t('Checked out “{0}”.', name);
  const ref = `${remote}/${name}`;
  const isThere =
    (await git.word(['rev-parse', '--verify', `refs/heads/${name}`])) === there;
  const differs = t(
    "It has commits of its own. Merge “{0}” to get the agent's commits.",
    ref,
  );
  void showInformation(isThere ? message : `${message} ${differs}`);
}

async function offerDemoRepository(demo: BuiltInDemo, repository: DemoClone) {
  const { name } = repository;
  const make = t('Create the Demo Repository');
  const offer = t(
    'Open a clone of “{0}” to take over these changes. The demo can create one for you.',
    name,
  );
  if ((await showInformation(offer, make)) !== make) return;
  const [parent] =
    (await window.showOpenDialog({
      title: t('Select a folder for “{0}”', name),
      openLabel: t('Create It Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: Uri.file(homedir()),
    })) ?? [];
  if (!parent) return;
  const program = await gitProgram();
  const folder = join(parent.fsPath, name);
  await withProgress(t('Creating “{0}”', name), () =>
    makeRepository(program, folder, repository),
  );
  const uri = Uri.file(folder);
  await demo.startWith(uri);
  const open = t('Open');
  const openNew = t('Open in New Window');
  const add = t('Add to Workspace');
  const buttons = [open, openNew];
  if (workspace.workspaceFolders !== undefined) buttons.push(add);
  const pressed = await showInformation(
    t(
      'The demo repository is in {0}. It is yours: delete the folder when you no longer need it.',
      folder,
    ),
    ...buttons,
  );
  if (pressed === add)
    workspace.updateWorkspaceFolders(
      workspace.workspaceFolders?.length ?? 0,
      0,
      { uri },
    );
  else if (pressed !== undefined)
    await commands.executeCommand('vscode.openFolder', uri, {
      forceNewWindow: pressed === openNew,
    });
}
