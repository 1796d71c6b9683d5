import { type QuickPickItem, workspace } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { isThisMachine } from '../../../base/loopback.ts';
import { joinParts } from '../../../base/parts.ts';
import type { ChoiceName } from '../../../protocol/drawn.ts';
import type {
  Creation,
  Folders,
  NewConversation,
} from '../../../service/abilities/agentService.ts';
import { upstream } from '../../../service/git/upstream.ts';
import { isRated } from '../../../service/model/entities.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import { type FolderPlace, pickFolder } from '../../ui/pickFolder.ts';
import { whyRefused } from '../../ui/refusedFolder.ts';
import { askText } from '../../ui/steps.ts';
import {
  cannotRateWords,
  policyNames,
  policyWord,
} from '../../words/conversations/approvalWords.ts';
import { sandboxName } from '../../words/conversations/conversationWords.ts';
import { taskMessage } from '../../words/conversations/startWords.ts';
import { inPick } from '../../words/foreignText.ts';
import {
  asTyped,
  choiceTitle,
  GitChoices,
  pickChoice,
  type RepositoryItem,
} from './gitChoices.ts';

export interface CreationService {
  readonly service: ConnectedService;
  readonly creation: Creation;
}

type Change = Partial<NewConversation> | undefined;

/**
 * Resolves with `undefined` if the user cancels. For a task, the result
 * contains its message.
 */
export async function askForChoice(
  name: Exclude<ChoiceName, 'service' | 'model'>,
  place: CreationService,
  draft: NewConversation,
): Promise<Change> {
  const { service, creation } = place;
  const choices = new GitChoices(service.client.service?.git);
  try {
    switch (name) {
      case 'repository':
        return await askForRepository(service, choices, draft);
      case 'branch':
        return await askForBranch(choices, draft);
      case 'sandbox':
        return await askForSandbox(service, draft);
      case 'task':
        return await askForTask(choices);
      case 'folder': {
        if (!creation.folders) return undefined;
        const folder = await pickFolder(
          folderPlace(service, creation.folders),
          draft.folder ?? '',
          choiceTitle(),
        );
        return folder === undefined ? undefined : { folder };
      }
      case 'worktree':
        return await askForWorktree(creation, draft);
      case 'profile':
        return await askForProfile(creation, draft);
      case 'approval':
        return await askForApproval(creation, draft);
      case 'maxSteps':
        return await askForMaxSteps(draft);
    }
  } finally {
    choices.stop();
  }
}

/**
 * The open folders, if the service may work in them. Those of the demo service
 * do not exist.
 */
export function openFolders({
  address,
  demo,
}: ConnectedService): readonly string[] {
  if (demo || !isHere({ address })) return [];
  const folders = workspace.workspaceFolders ?? [];
  return folders
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

function isHere({ address }: Pick<ConnectedService, 'address'>): boolean {
  return isThisMachine(new URL(address).hostname);
}

function folderPlace(service: ConnectedService, folders: Folders): FolderPlace {
  return {
    folders,
    isHere: isHere(service),
    open: openFolders(service),
  };
}

/**
 * Returns the reason why this folder cannot be used; an empty one if no folder
 * is chosen.
 */
export async function whyNoFolder(
  { service, creation }: CreationService,
  folder = '',
) {
  if (!creation.folders) return undefined;
  return folder === ''
    ? ''
    : await whyRefused(creation.folders, isHere(service), folder);
}

async function askForWorktree(
  { takesWorktreeStart }: Creation,
  { worktree, worktreeStart }: NewConversation,
): Promise<Change> {
  const item = (label: string, change: Change) => ({ label, change });
  const inFolder = item(t('Directly in the Folder'), {
    worktree: false,
    worktreeStart: undefined,
  });
  const fromDefault = item(t('New Worktree from Default Branch'), {
    worktree: true,
    worktreeStart: undefined,
  });
  const fromCurrent = item(t('New Worktree from Current Commit'), {
    worktree: true,
    worktreeStart: 'HEAD',
  });
  const fromUpstream = {
    ...item(t('New Worktree from Upstream of Current Branch'), {
      worktree: true,
      worktreeStart: upstream,
    }),
    description: t('Fetched first'),
  };
  const fromAnother = item(t('New Worktree from Another Branch…'), {
    worktree: true,
  });
  const items = (await takesWorktreeStart?.({}).catch(() => false))
    ? [inFolder, fromCurrent, fromUpstream, fromDefault, fromAnother]
    : [inFolder, fromDefault];
  const current = items.find(
    ({ change }) =>
      change?.worktree === (worktree ?? false) &&
      change.worktreeStart === worktreeStart,
  );
  const answer = await pickChoice({
    items,
    active: current ?? items.at(-1),
    placeholder: t(
      'Where the agent makes its changes. A worktree starts without uncommitted changes.',
    ),
  });
  return answer === fromAnother
    ? await askForWorktreeStart(worktreeStart)
    : answer?.change;
}

async function askForWorktreeStart(current = ''): Promise<Change> {
  const answer = await askText({
    title: choiceTitle(),
    value: current === 'HEAD' || current === upstream ? '' : current,
    prompt: t('Branch, tag or commit to start from, such as origin/main'),
    validate: (text) =>
      text.trim() === '' ? t('Enter a branch, a tag or a commit.') : undefined,
  });
  return typeof answer === 'string'
    ? { worktree: true, worktreeStart: answer.trim() }
    : undefined;
}

async function askForProfile(
  { profiles }: Creation,
  { profile }: NewConversation,
): Promise<Change> {
  const all = (await profiles?.({})) ?? [];
  const items = all.map(({ active, ...saved }) => ({
    label: inPick(saved.name),
    description: joinParts(
      ' · ',
      inPick(saved.model ?? ''),
      active && t('active'),
    ),
    profile: saved,
    active,
  }));
  const answer = await pickChoice({
    items,
    active: items.find((item) =>
      profile ? item.profile.id === profile.id : item.active,
    ),
    placeholder: t('Profile: saved settings of an agent, such as its model'),
  });
  return answer && { profile: answer.profile };
}

/** False if the service is known to rate no actions. */
export async function mayRateActions({
  ratesActions,
}: Creation): Promise<boolean> {
  return (await ratesActions?.({}).catch(() => true)) ?? true;
}

async function askForApproval(
  creation: Creation,
  { approval }: NewConversation,
): Promise<Change> {
  const detail: Readonly<Record<(typeof policyNames)[number], string>> = {
    always: t('The agent asks before it does anything'),
    risky: t(
      'The agent asks before actions that patterns, rules, or its model consider risky',
    ),
    listed: t(
      'The agent asks only before actions on your list of approval rules',
    ),
    never: t(
      'The agent does everything without asking, even deleting and publishing',
    ),
  };
  const canRate = await mayRateActions(creation);
  const offered = policyNames.filter((policy) => canRate || !isRated(policy));
  const items = offered.map((policy) => ({
    label: policyWord(policy),
    detail: detail[policy],
    policy,
  }));
  const answer = await pickChoice({
    items,
    active: items.find(({ policy }) => policy === approval),
    placeholder: canRate
      ? t('When the agent asks for your approval')
      : cannotRateWords(),
  });
  return answer && { approval: answer.policy };
}

async function askForMaxSteps({ maxSteps }: NewConversation): Promise<Change> {
  const answer = await askText({
    title: choiceTitle(),
    value: String(maxSteps),
    prompt: t(
      'Steps after which the agent stops, even while no window is open. Each asks the model once.',
    ),
    validate: (text) =>
      /^\s*[1-9]\d{0,4}\s*$/.test(text)
        ? undefined
        : t('Enter a whole number, such as 100.'),
  });
  return typeof answer === 'string' ? { maxSteps: Number(answer) } : undefined;
}

async function askForTask(choices: GitChoices): Promise<Change> {
  const task = await choices.task();
  if (!task) return undefined;
  const { name, provider } = task.repository;
  return { message: taskMessage(task), repository: name, provider, branch: '' };
}

async function askForRepository(
  { conversations }: ConnectedService,
  choices: GitChoices,
  { repository: current = '', provider: currentProvider }: NewConversation,
): Promise<Change> {
  const itemOf = (
    name: string,
    provider: string | undefined,
  ): RepositoryItem => ({
    label: inPick(name),
    repository: { name, provider },
  });
  const seen = [...conversations.rows.values()].flatMap(
    ({ repository, provider }) =>
      repository === undefined ? [] : [[repository, provider] as const],
  );
  const own = current === '' ? [] : [[current, currentProvider] as const];
  const providers = new Map<string, string | undefined>([...own, ...seen]);
  if (currentProvider !== undefined) providers.set(current, currentProvider);
  const none: RepositoryItem = {
    label: t('No Repository'),
    repository: { name: '', provider: undefined },
  };
  const items = [
    ...[...providers].map(([name, provider]) => itemOf(name, provider)),
    none,
  ];
  const answer = await pickChoice({
    items,
    placeholder: t('Repository to work in, as owner/name'),
    later: choices.repositories(items),
    first: ({ repository: { name } }) => name === current,
    other: (typed) =>
      providers.has(typed)
        ? undefined
        : {
            ...asTyped(typed),
            repository: { name: typed, provider: undefined },
          },
  });
  if (!answer) return undefined;
  const { name: repository, provider = providers.get(repository) } =
    answer.repository;
  return {
    repository,
    provider,
    ...(repository !== current && { branch: '' }),
  };
}

async function askForBranch(
  choices: GitChoices,
  {
    repository: name = '',
    provider: preferred,
    branch: current = '',
  }: NewConversation,
): Promise<Change> {
  const provider = await choices.providerOf({ provider: preferred });
  const branch =
    provider === undefined
      ? await askText({
          title: choiceTitle(),
          value: current,
          prompt: t(
            'Branch to start from. Leave empty for the default branch.',
          ),
        })
      : await choices.branch({ name, provider }, current);
  return typeof branch === 'string' ? { branch: branch.trim() } : undefined;
}

async function askForSandbox(
  { sandboxes, conversations }: ConnectedService,
  { sandboxId }: NewConversation,
): Promise<Change> {
  if (sandboxes.asOf === undefined) await sandboxes.refresh();
  const running = [...sandboxes.rows.values()].filter(
    ({ status }) => status === 'running',
  );
  const items: (QuickPickItem & { id: string | undefined })[] = [
    {
      label: t('New Sandbox'),
      description: t('The service may pause the oldest running sandbox'),
      id: undefined,
    },
    ...running.map((sandbox) => {
      const served = [...conversations.rows.values()].filter(
        (row) => row.sandboxId === sandbox.id,
      );
      const { id } = sandbox;
      return {
        label: inPick(sandboxName(sandbox, served).name),
        description: inPick(id),
        id,
      };
    }),
  ];
  const answer = await pickChoice({
    items,
    active: items.find(({ id }) => id === sandboxId),
    placeholder: t('Sandbox to run in'),
  });
  return answer && { sandboxId: answer.id };
}
