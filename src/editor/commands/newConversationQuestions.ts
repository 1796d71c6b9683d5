/** The questions before a conversation is created. */
import { type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { NewConversation } from '../../service/agentService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { RepositoryFinder } from '../repository.ts';
import { askAll, askPick, askText, back } from '../asking/steps.ts';
import { specName } from '../views/sandboxesTree.ts';
import { inPick } from '../words/foreignText.ts';

export interface ConversationDraft {
  message: string;
  repository: string;
  branch: string;
  sandboxId: string | undefined;
}

/** What belongs to a message that is written in an editor: the other answers, and the failed conversation to retry. */
export interface Writing {
  readonly draft: ConversationDraft;
  readonly failedId: string | undefined;
}

const title = () => t('New Conversation');
const totalSteps = 4;

export function draftOf({
  message,
  repository = '',
  branch = '',
  sandboxId,
}: NewConversation): ConversationDraft {
  return { message, repository, branch, sandboxId };
}

export async function emptyDraft(repositories: RepositoryFinder): Promise<ConversationDraft> {
  const here = await repositories.find();
  return { message: '', repository: here?.name ?? '', branch: here?.branch ?? '', sandboxId: undefined };
}

/** Fills in the draft. `editor` when the user wants to write the message in one; undefined when the user gives up. */
export async function askForDraft(
  switchboard: Switchboard,
  draft: ConversationDraft,
  isWritten: boolean,
): Promise<'done' | 'editor' | undefined> {
  // An input box has one line, so more of them only go into an editor.
  if (!isWritten && draft.message.includes('\n')) return 'editor';
  // Which ones run is found out while the first questions are answered.
  const listed = switchboard.sandboxes.asOf === undefined ? switchboard.sandboxes.refresh() : undefined;
  const chosen = { editor: false };
  const done = await askAll(
    [
      async () => {
        const answer = isWritten ? 'editor' : await askForMessage(draft);
        chosen.editor = answer === 'editor';
        return chosen.editor ? undefined : (answer as Exclude<typeof answer, 'editor'>);
      },
      () => askForRepository(switchboard, draft),
      () => askForBranch(draft),
      async () => {
        await listed;
        return await askForSandbox(switchboard, draft);
      },
    ],
    isWritten ? 1 : 0,
  );
  return done ? 'done' : chosen.editor ? 'editor' : undefined;
}

async function askForMessage(draft: ConversationDraft): Promise<'next' | 'editor' | typeof back | undefined> {
  const answer = await askText({
    title: title(),
    step: 1,
    totalSteps,
    value: draft.message,
    prompt: t('What should the agent do? Use the button above to write several lines.'),
    button: { iconPath: new ThemeIcon('edit'), tooltip: t('Write Several Lines in an Editor') },
    validate: (text) => (text.trim() === '' ? t('Describe what the agent should do.') : undefined),
    onType: (text) => {
      draft.message = text;
    },
  });
  if (answer === undefined || answer === back) return answer;
  draft.message = typeof answer === 'string' ? answer.trim() : answer.value;
  return typeof answer === 'string' ? 'next' : 'editor';
}

async function askForRepository({ conversations }: Switchboard, draft: ConversationDraft) {
  const seen = [...conversations.rows.values()].map(({ repository }) => repository);
  const names = [...new Set([draft.repository, ...seen].filter((name) => name !== undefined && name !== ''))];
  const none: QuickPickItem & { name: string } = { label: t('No Repository'), name: '' };
  const items = [...names.map((name = '') => ({ label: inPick(name), name })), none];
  const answer = await askPick({
    title: title(),
    step: 2,
    totalSteps,
    items,
    active: items.find(({ name }) => name === draft.repository),
    placeholder: t('Repository to work in, as owner/name'),
    other: (typed) =>
      names.includes(typed)
        ? undefined
        : { label: inPick(typed), description: t('as typed'), alwaysShow: true, name: typed },
  });
  if (answer === undefined || answer === back) return answer;
  if (answer.name !== draft.repository) draft.branch = '';
  draft.repository = answer.name;
  return 'next';
}

async function askForBranch(draft: ConversationDraft) {
  if (draft.repository === '') return 'skip';
  const answer = await askText({
    title: title(),
    step: 3,
    totalSteps,
    value: draft.branch,
    prompt: t('Branch to start from. Leave empty for the default branch.'),
    onType: (text) => {
      draft.branch = text.trim();
    },
  });
  if (answer === undefined || answer === back) return answer;
  draft.branch = typeof answer === 'string' ? answer.trim() : '';
  return 'next';
}

async function askForSandbox({ sandboxes }: Switchboard, draft: ConversationDraft) {
  const running = [...sandboxes.rows.values()].filter(({ status }) => status === 'running');
  if (running.length === 0) return 'skip';
  const items: (QuickPickItem & { id: string | undefined })[] = [
    {
      label: t('New Sandbox'),
      description: t('The service may pause the oldest running sandbox'),
      id: undefined,
    },
    ...running.map(({ id, specId }) => ({
      label: inPick(specName(specId) ?? id),
      description: inPick(id),
      id,
    })),
  ];
  const answer = await askPick({
    title: title(),
    step: 4,
    totalSteps,
    items,
    active: items.find(({ id }) => id === draft.sandboxId),
    placeholder: t('Sandbox to run in'),
  });
  if (answer === undefined || answer === back) return answer;
  draft.sandboxId = answer.id;
  return 'next';
}
