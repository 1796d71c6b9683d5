/** The questions before a conversation is created. */
import { type QuickPickItem, ThemeIcon, workspace } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { isThisMachine } from '../../../base/loopback.ts';
import type { Creation, Folders, NewConversation } from '../../../service/agentService.ts';
import type { AgentProfile } from '../../../service/entities.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import { workspaceRepository } from '../../ui/gitRepository.ts';
import { pickFolder } from '../../ui/pickFolder.ts';
import { asTyped, GitChoices, type RepositoryItem } from './gitChoices.ts';
import { askAll, askPick, askText, back } from '../../ui/steps.ts';
import { inPick } from '../../words/foreignText.ts';
import { sandboxName } from '../../words/conversations/conversationWords.ts';
import { taskMessage } from '../../words/conversations/startWords.ts';

export interface ConversationDraft {
  message: string;
  repository: string;
  branch: string;
  provider: string | undefined;
  sandboxId: string | undefined;
  folder: string;
  worktree: boolean;
  worktreeStart: string | undefined;
  profileId: string | undefined;
}

/** The other answers that belong to a message in an editor. */
export interface MessageAnswers {
  /** The address of the service. */
  readonly address: string;
  readonly draft: ConversationDraft;
  /** The failed request to retry. */
  readonly failedId: string | undefined;
  /** Set for a message that was started from the editor. */
  readonly fromHere?: { readonly repository: string | undefined; readonly leftOut: readonly string[] };
}

/** A service that can create conversations. */
export interface CreationService {
  readonly service: ConnectedService;
  readonly creation: Creation;
}

/** These questions count no steps, because each depends on the answers before it. */
const first = () => ({ title: t('New Conversation'), stays: true });
const later = () => ({ ...first(), hasBack: true });

export function draftOf({
  message,
  repository = '',
  branch = '',
  provider,
  sandboxId,
  folder = '',
  worktree = false,
  worktreeStart,
  profileId,
}: NewConversation): ConversationDraft {
  return { message, repository, branch, provider, sandboxId, folder, worktree, worktreeStart, profileId };
}

export async function emptyDraft(): Promise<ConversationDraft> {
  const here = await workspaceRepository();
  return draftOf({ message: '', repository: here?.name, branch: here?.branch });
}

export function wantedOf(draft: ConversationDraft, { creation }: CreationService): NewConversation {
  const { message, repository, branch, provider, sandboxId, folder, worktree, worktreeStart, profileId } =
    draft;
  return creation.folders
    ? { message, folder, worktree, worktreeStart, profileId }
    : {
        message,
        repository: repository || undefined,
        branch: (repository && branch) || undefined,
        provider: repository === '' ? undefined : provider,
        sandboxId,
      };
}

type Answer = 'next' | 'skip' | typeof back | undefined;

/** Passes an answer on, unless the user goes back or gives up. */
function take<T>(answer: T | typeof back | undefined, use: (answer: T) => void): Answer {
  if (answer === undefined) return undefined;
  if (answer === back) return back;
  use(answer);
  return 'next';
}

/** Fills in the draft. Resolves with `editor` to write the message there, and with `undefined` if the user gives up. */
export async function askForDraft(
  place: CreationService,
  draft: ConversationDraft,
  isWritten: boolean,
): Promise<'done' | 'editor' | undefined> {
  // An input box has only one line.
  if (!isWritten && draft.message.includes('\n')) return 'editor';
  const choices = new GitChoices(place.creation.folders ? undefined : place.service.client.service?.git);
  const chosen = { editor: false };
  const askMessage = async (): Promise<Answer> => {
    const answer = isWritten ? 'editor' : await askForMessage(draft, choices);
    chosen.editor = answer === 'editor';
    return chosen.editor ? undefined : (answer as Exclude<typeof answer, 'editor'>);
  };
  const questions = place.creation.folders
    ? folderQuestions(place, place.creation.folders, draft)
    : repositoryQuestions(place.service, choices, draft);
  const done = await askAll([askMessage, ...questions], isWritten ? 1 : 0);
  choices.stop();
  return done ? 'done' : chosen.editor ? 'editor' : undefined;
}

function repositoryQuestions(
  service: ConnectedService,
  choices: GitChoices,
  draft: ConversationDraft,
): (() => Promise<Answer>)[] {
  // Loads the sandboxes during the first questions.
  const listed = service.sandboxes.asOf === undefined ? service.sandboxes.refresh() : undefined;
  return [
    () => askForRepository(service, choices, draft),
    () => askForBranch(choices, draft),
    async () => {
      await listed;
      return await askForSandbox(service, draft);
    },
  ];
}

function folderQuestions(
  { creation, service }: CreationService,
  folders: Folders,
  draft: ConversationDraft,
): (() => Promise<Answer>)[] {
  const profiles = creation.profiles?.({}) ?? Promise.resolve([]);
  // Without a list, the service uses its active profile, or explains the problem.
  const known = profiles.catch((): readonly AgentProfile[] => []);
  const isHere = isThisMachine(new URL(service.address).hostname);
  const workspaceFolders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  // The folders of the demo service do not exist.
  const open = isHere && !service.demo ? workspaceFolders.map(({ uri }) => uri.fsPath) : [];
  const takesStart = creation.takesWorktreeStart?.({}).catch(() => false);
  return [
    async () => {
      const answer = await pickFolder({ folders, isHere, open }, draft.folder, later());
      return take(answer, (folder) => (draft.folder = folder));
    },
    async () => askForWorktree((await takesStart) ?? false, draft),
    async () => askForProfile(await known, draft),
  ];
}

async function askForWorktree(takesStart: boolean, draft: ConversationDraft): Promise<Answer> {
  const item = (label: string, worktree: boolean, description = '', start?: string) => {
    return { label, worktree, description, start };
  };
  const inFolder = item(t('In the Folder Itself'), false);
  const own = t('In a Git Worktree of Its Own');
  const atAnother = item(t('In a Git Worktree from Another Branch…'), true);
  const items = takesStart
    ? [
        inFolder,
        item(own, true, t('from the checked-out commit'), 'HEAD'),
        item(t('In a Git Worktree from the Default Branch'), true),
        atAnother,
      ]
    : [inFolder, item(own, true, t('from the default branch'))];
  const isDrafted = ({ worktree, start }: (typeof items)[number]) =>
    worktree === draft.worktree && (!worktree || start === draft.worktreeStart);
  for (;;) {
    const answer = await askPick({
      ...later(),
      items,
      active: items.find(isDrafted) ?? (draft.worktree ? items.at(-1) : undefined),
      placeholder: t('Where the agent makes its changes. A worktree starts without uncommitted changes.'),
    });
    if (answer === undefined || answer === back) return answer;
    const start = answer === atAnother ? await askForWorktreeStart(draft) : answer.start;
    if (start === back) continue;
    if (answer === atAnother && start === undefined) return undefined;
    draft.worktree = answer.worktree;
    draft.worktreeStart = start;
    return 'next';
  }
}

async function askForWorktreeStart({ worktreeStart = '' }: ConversationDraft) {
  const answer = await askText({
    ...later(),
    value: worktreeStart === 'HEAD' ? '' : worktreeStart,
    prompt: t('Branch, tag or commit to start from, such as origin/main'),
    validate: (text) => (text.trim() === '' ? t('Enter a branch, a tag or a commit.') : undefined),
  });
  return typeof answer === 'string' ? answer.trim() : answer === back ? back : undefined;
}

async function askForProfile(profiles: readonly AgentProfile[], draft: ConversationDraft): Promise<Answer> {
  if (profiles.length < 2) {
    draft.profileId = profiles[0]?.id;
    return 'skip';
  }
  const items = profiles.map(({ id, name, active }) => ({
    label: inPick(name),
    description: active ? t('active') : '',
    id,
    active,
  }));
  const answer = await askPick({
    ...later(),
    items,
    active: items.find(({ id, active }) => (draft.profileId === undefined ? active : id === draft.profileId)),
    placeholder: t('Profile of the agent'),
  });
  return take(answer, ({ id }) => (draft.profileId = id));
}

async function askForMessage(
  draft: ConversationDraft,
  choices: GitChoices,
): Promise<'next' | 'editor' | typeof back | undefined> {
  const editor = { iconPath: new ThemeIcon('edit'), tooltip: t('Write Several Lines in an Editor') };
  const tasks = { iconPath: new ThemeIcon('checklist'), tooltip: t('Choose a Suggested Task') };
  for (;;) {
    const answer = await askText({
      ...first(),
      value: draft.message,
      prompt: t('What should the agent do? Use the button above to write several lines.'),
      buttons: [editor, ...(choices.suggestsTasks ? [tasks] : [])],
      validate: (text) => (text.trim() === '' ? t('Describe what the agent should do.') : undefined),
      onType: (text) => {
        draft.message = text;
      },
    });
    if (answer === undefined || answer === back) return answer;
    draft.message = typeof answer === 'string' ? answer.trim() : answer.value;
    if (typeof answer === 'string') return 'next';
    if (answer.button !== tasks) return 'editor';
    const task = await choices.task(t('Suggested Tasks'));
    if (!task) continue;
    const { name, provider } = task.repository;
    Object.assign(draft, { message: taskMessage(task), repository: name, provider, branch: '' });
  }
}

async function askForRepository(
  { conversations }: ConnectedService,
  choices: GitChoices,
  draft: ConversationDraft,
): Promise<Answer> {
  const itemOf = (name: string, provider: string | undefined): RepositoryItem => ({
    label: inPick(name),
    repository: { name, provider },
  });
  const seen = [...conversations.rows.values()].flatMap(({ repository, provider }) =>
    repository === undefined ? [] : [[repository, provider] as const],
  );
  const own = draft.repository === '' ? [] : [[draft.repository, draft.provider] as const];
  const known = new Map<string, string | undefined>([...own, ...seen]);
  if (draft.provider !== undefined) known.set(draft.repository, draft.provider);
  const none: RepositoryItem = { label: t('No Repository'), repository: { name: '', provider: undefined } };
  const items = [...[...known].map(([name, provider]) => itemOf(name, provider)), none];
  const answer = await askPick({
    ...later(),
    items,
    placeholder: t('Repository to work in, as owner/name'),
    later: choices.repositories(items),
    first: ({ repository: { name } }) => name === draft.repository,
    other: (typed) =>
      known.has(typed) ? undefined : { ...asTyped(typed), repository: { name: typed, provider: undefined } },
  });
  return take(answer, ({ repository: { name, provider } }) => {
    if (name !== draft.repository) draft.branch = '';
    draft.repository = name;
    draft.provider = name === '' ? undefined : (provider ?? known.get(name));
  });
}

async function askForBranch(choices: GitChoices, draft: ConversationDraft): Promise<Answer> {
  const { repository: name } = draft;
  if (name === '') return 'skip';
  const provider = await choices.providerOf(draft);
  if (provider === undefined) return await askForBranchByHand(draft);
  const answer = await choices.branch({ name, provider }, draft.branch, later());
  return take(answer, (branch) => (draft.branch = branch));
}

async function askForBranchByHand(draft: ConversationDraft): Promise<Answer> {
  const answer = await askText({
    ...later(),
    value: draft.branch,
    prompt: t('Branch to start from. Leave empty for the default branch.'),
    onType: (text) => {
      draft.branch = text.trim();
    },
  });
  return take(answer, (typed) => (draft.branch = typeof typed === 'string' ? typed.trim() : ''));
}

async function askForSandbox({ sandboxes, conversations }: ConnectedService, draft: ConversationDraft) {
  const running = [...sandboxes.rows.values()].filter(({ status }) => status === 'running');
  if (running.length === 0) return 'skip';
  const items: (QuickPickItem & { id: string | undefined })[] = [
    {
      label: t('New Sandbox'),
      description: t('The service may pause the oldest running sandbox'),
      id: undefined,
    },
    ...running.map((sandbox) => {
      const served = [...conversations.rows.values()].filter(({ sandboxId }) => sandboxId === sandbox.id);
      const { id } = sandbox;
      return { label: inPick(sandboxName(sandbox, served).name), description: inPick(id), id };
    }),
  ];
  const answer = await askPick({
    ...later(),
    items,
    active: items.find(({ id }) => id === draft.sandboxId),
    placeholder: t('Sandbox to run in'),
  });
  return take(answer, ({ id }) => (draft.sandboxId = id));
}
