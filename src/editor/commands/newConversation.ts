import { commands, ProgressLocation, type QuickPickItem, ThemeIcon, window, workspace } from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { NewConversation } from '../../service/starts.ts';
import type { PendingStart } from '../../state/pendingStarts.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { RepositoryFinder } from '../repository.ts';
import { askAll, askPick, askText, back } from '../steps.ts';
import { views } from '../manifest.ts';
import { specName } from '../views/sandboxesTree.ts';
import { inMessage, inPick, pendingTitle, stageWord } from '../views/words.ts';

interface Draft {
  message: string;
  repository: string;
  branch: string;
  sandboxId: string | undefined;
}

/** What was typed and then given up, for the next time. */
let unfinished: Draft | undefined;

const several = { iconPath: new ThemeIcon('edit'), tooltip: 'Write Several Lines in an Editor' };
const title = 'New Conversation';
const totalSteps = 4;

/** Asks what is wanted, and follows it until the conversation is there. With an id: what came to nothing, once more. */
export async function newConversation(
  switchboard: Switchboard,
  repositories: RepositoryFinder,
  pendingId?: string,
): Promise<void> {
  const { connection, starts } = switchboard;
  if (!connection)
    throw new UserError('No service is connected. Run "Switchboard: Connect to a Service" first.');
  const failed = starts.of(connection.address).find(({ id }) => id === pendingId);
  const draft = failed ? draftOf(failed.wanted) : (unfinished ?? (await emptyDraft(repositories)));
  if (!failed) unfinished = draft;
  if (!(await askForDraft(switchboard, draft))) return;
  if (!failed) unfinished = undefined;
  if (failed) starts.dismiss(failed.id);
  await commands.executeCommand(`${views.conversations}.focus`);
  const begun = starts.begin(connection.client, connection.address, {
    message: draft.message,
    repository: draft.repository || undefined,
    branch: (draft.repository && draft.branch) || undefined,
    sandboxId: draft.sandboxId,
  });
  const ended = await showProgress(switchboard, begun);
  if (ended.error === undefined) return;
  const again = 'Try Again';
  const message = `The conversation “${inMessage(pendingTitle(ended))}” was not created: ${inMessage(ended.error)}`;
  if ((await window.showErrorMessage(message, again)) === again)
    await newConversation(switchboard, repositories, ended.id);
}

/** Stops following a conversation that is being created, or forgets one that was not. */
export function cancelNewConversation({ connection, starts }: Switchboard, id?: string): void {
  const start = starts.of(connection?.address ?? '').find((pending) => pending.id === id);
  if (start?.error === undefined) starts.cancel(id ?? '');
  else starts.dismiss(start.id);
}

async function showProgress({ starts }: Switchboard, begun: Promise<PendingStart>): Promise<PendingStart> {
  return await window.withProgress(
    { location: ProgressLocation.Notification, title: 'Creating the conversation', cancellable: true },
    async (progress, token) => {
      const [newest] = starts.all;
      token.onCancellationRequested(() => {
        if (newest) starts.cancel(newest.id);
      });
      const stop = starts.onChange(() => {
        const now = starts.all.find(({ id }) => id === newest?.id);
        if (now?.task) progress.report({ message: stageWord(now.task) });
      });
      return await begun.finally(stop);
    },
  );
}

function draftOf({ message, repository = '', branch = '', sandboxId }: NewConversation): Draft {
  return { message, repository, branch, sandboxId };
}

async function emptyDraft(repositories: RepositoryFinder): Promise<Draft> {
  const here = await repositories.find();
  return { message: '', repository: here?.name ?? '', branch: here?.branch ?? '', sandboxId: undefined };
}

async function askForDraft(switchboard: Switchboard, draft: Draft): Promise<boolean> {
  return await askAll([
    () => askForMessage(draft),
    () => askForRepository(switchboard, draft),
    () => askForBranch(draft),
    () => askForSandbox(switchboard, draft),
  ]);
}

async function askForMessage(draft: Draft) {
  const lines = draft.message.split('\n').length;
  if (lines > 1) return (await writeInEditor(draft)) ? 'next' : undefined;
  const answer = await askText({
    title,
    step: 1,
    totalSteps,
    value: draft.message,
    prompt: 'What the agent is to do. The button above leads to an editor for several lines.',
    button: several,
    validate: (text) => (text.trim() === '' ? 'Type what the agent is to do.' : undefined),
  });
  if (answer === undefined || answer === back) return answer;
  if (typeof answer === 'string') {
    draft.message = answer.trim();
    return 'next';
  }
  draft.message = answer.value;
  return (await writeInEditor(draft)) ? 'next' : undefined;
}

/** An untitled document, because that is where text is written here. */
async function writeInEditor(draft: Draft): Promise<boolean> {
  const document = await workspace.openTextDocument({ language: 'markdown', content: draft.message });
  await window.showTextDocument(document);
  const goOn = 'Continue';
  const answer = await window.showInformationMessage(
    'Write what the agent is to do, then continue.',
    goOn,
    'Cancel',
  );
  if (answer !== goOn) return false;
  draft.message = document.getText().trim();
  if (draft.message === '')
    throw new UserError('There is nothing in the editor that an agent could do. Write it first.');
  await window.showTextDocument(document);
  await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  return true;
}

async function askForRepository({ conversations }: Switchboard, draft: Draft) {
  const seen = [...conversations.rows.values()].map(({ repository }) => repository);
  const names = [...new Set([draft.repository, ...seen].filter((name) => name !== undefined && name !== ''))];
  const none: QuickPickItem & { name: string } = { label: 'No Repository', name: '' };
  const items = [...names.map((name = '') => ({ label: inPick(name), name })), none];
  const answer = await askPick({
    title,
    step: 2,
    totalSteps,
    items,
    active: items.find(({ name }) => name === draft.repository),
    placeholder: 'Repository to work in, as its owner and its name',
    other: (typed) =>
      names.includes(typed)
        ? undefined
        : { label: inPick(typed), description: 'as typed', alwaysShow: true, name: typed },
  });
  if (answer === undefined || answer === back) return answer;
  if (answer.name !== draft.repository) draft.branch = '';
  draft.repository = answer.name;
  return 'next';
}

async function askForBranch(draft: Draft) {
  if (draft.repository === '') return 'skip';
  const answer = await askText({
    title,
    step: 3,
    totalSteps,
    value: draft.branch,
    prompt: 'Branch to begin with. Leave it empty for the default branch.',
  });
  if (answer === undefined || answer === back) return answer;
  draft.branch = typeof answer === 'string' ? answer.trim() : '';
  return 'next';
}

async function askForSandbox({ sandboxes }: Switchboard, draft: Draft) {
  const running = [...sandboxes.rows.values()].filter(({ status }) => status === 'running');
  if (running.length === 0) return 'skip';
  const items: (QuickPickItem & { id: string | undefined })[] = [
    { label: 'New Sandbox', description: 'The service may pause the oldest one that runs', id: undefined },
    ...running.map(({ id, specId }) => ({
      label: inPick(specName(specId) ?? id),
      description: inPick(id),
      id,
    })),
  ];
  const answer = await askPick({
    title,
    step: 4,
    totalSteps,
    items,
    active: items.find(({ id }) => id === draft.sandboxId),
    placeholder: 'Sandbox to run in',
  });
  if (answer === undefined || answer === back) return answer;
  draft.sandboxId = answer.id;
  return 'next';
}
