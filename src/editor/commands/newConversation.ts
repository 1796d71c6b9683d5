import { commands, ProgressLocation, window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { PendingStart } from '../../state/pendingStarts.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { views } from '../manifest.ts';
import type { MessageEditor } from '../messageEditor.ts';
import type { RepositoryFinder } from '../repository.ts';
import { pendingTitle } from '../views/conversationWords.ts';
import { inMessage } from '../views/foreignText.ts';
import { stageWord } from '../views/stateWords.ts';
import { askForDraft, type Draft, draftOf, emptyDraft } from './newConversationQuestions.ts';

/** What is written in an editor: all but the message, and what it is another try of. */
export interface Writing {
  readonly draft: Draft;
  readonly failedId: string | undefined;
}

/** What was typed and then given up, for the next time. */
let unfinished: Draft | undefined;

/** Asks what is wanted, and follows it until the conversation is there. With an id: what came to nothing, once more. */
export async function newConversation(
  switchboard: Switchboard,
  repositories: RepositoryFinder,
  editor: MessageEditor<Writing>,
  pendingId?: string,
): Promise<void> {
  const { connection, starts } = switchboard;
  if (!connection) {
    throw new UserError(t('No service is connected. Run "Switchboard: Connect to a Service" first.'));
  }
  const written = pendingId === undefined ? editor.take() : undefined;
  const failedId = written?.rest.failedId ?? pendingId;
  const failed = starts.of(connection.address).find(({ id }) => id === failedId);
  const draft = written
    ? { ...written.rest.draft, message: written.message }
    : failed
      ? draftOf(failed.wanted)
      : (unfinished ?? (await emptyDraft(repositories)));
  const outcome = await askForDraft(switchboard, draft, written !== undefined);
  if (!failed) unfinished = outcome === 'done' ? undefined : draft;
  if (outcome === 'editor') await editor.show(draft.message, { draft, failedId });
  if (outcome !== 'done') return;
  if (written) await editor.close();
  if (failed) starts.dismiss(failed.id);
  await commands.executeCommand(`${views.conversations}.focus`);
  const begun = starts.begin(connection.client, connection.address, {
    message: draft.message,
    repository: draft.repository || undefined,
    branch: (draft.repository && draft.branch) || undefined,
    sandboxId: draft.sandboxId,
  });
  const ended = await showProgress(switchboard, begun);
  // Who has cancelled it knows; its row says the rest.
  if (ended.error === undefined || ended.cancelled) return;
  const again = t('Try Again');
  const message = t(
    'The conversation “{0}” was not created: {1}',
    inMessage(pendingTitle(ended)),
    inMessage(ended.error),
  );
  if ((await window.showErrorMessage(message, again)) !== again) return;
  await newConversation(switchboard, repositories, editor, ended.id);
}

/** Stops following a conversation that is being created, or forgets one that was not. */
export function cancelNewConversation({ connection, starts }: Switchboard, id?: string): void {
  const start = starts.of(connection?.address ?? '').find((pending) => pending.id === id);
  if (start?.error === undefined) starts.cancel(id ?? '');
  else starts.dismiss(start.id);
}

async function showProgress({ starts }: Switchboard, begun: Promise<PendingStart>): Promise<PendingStart> {
  return await window.withProgress(
    { location: ProgressLocation.Notification, title: t('Creating the conversation'), cancellable: true },
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
