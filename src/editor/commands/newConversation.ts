import { commands } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { AgentService } from '../../service/agentService.ts';
import type { RequestedConversation } from '../../state/requestedConversations.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { views } from '../manifest.ts';
import type { MessageEditor } from '../asking/messageEditor.ts';
import { showError, withProgress } from '../asking/messages.ts';
import { abilityOf, serviceWith } from '../asking/pickService.ts';
import { gitRepositories } from '../workspaceRepository.ts';
import { requestedProblem } from '../words/conversationWords.ts';
import { stageWord } from '../words/stateWords.ts';
import type { CommandParts, Handlers } from './handlers.ts';
import {
  askForDraft,
  type ConversationDraft,
  draftOf,
  emptyDraft,
  type CreationService,
  wantedOf,
  type Writing,
} from './newConversationQuestions.ts';
import { tellPaused } from './sandboxCommands.ts';

/** What was typed in flows that were given up, for the next time: by the failed conversation that it tries again. */
type Unfinished = Map<string | undefined, ConversationDraft>;

export function newConversationCommands({ switchboard, messageEditor }: CommandParts) {
  const unfinished: Unfinished = new Map();
  return {
    'switchboard.conversations.new': async (pendingId) => {
      // The button above an editor gives the address of that.
      const failed = switchboard.requested.all.find(({ id }) => id === pendingId);
      await newConversation(switchboard, await messageEditor(), unfinished, failed?.id);
    },
    'switchboard.conversations.newFromEditor': async (point = { from: 'editor' }) => {
      const { proposeFromHere } = await import('./newFromEditor.ts');
      const proposed = await proposeFromHere(point, () => choosePlace(switchboard));
      if (proposed) await (await messageEditor()).show(proposed.message, proposed.rest);
    },
    // Stops following a conversation that is being created, or forgets one that failed.
    'switchboard.conversations.cancelNew': (id) => {
      const { requested } = switchboard;
      const found = requested.all.find((each) => each.id === id);
      if (found?.error === undefined) requested.cancel(id ?? '');
      else requested.dismiss(found.id);
    },
  } satisfies Partial<Handlers>;
}

/** Asks what the agent should do, and follows the conversation until it exists. With an id: tries a failed one again. */
async function newConversation(
  switchboard: Switchboard,
  editor: MessageEditor<Writing>,
  unfinished: Unfinished,
  pendingId?: string,
): Promise<void> {
  const { requested } = switchboard;
  const written = pendingId === undefined ? editor.take() : undefined;
  const failedId = written?.rest.failedId ?? pendingId;
  const failed = requested.all.find(({ id }) => id === failedId);
  const place = await choosePlace(switchboard, written?.rest.address ?? failed?.address);
  if (!place) return;
  const { service } = place;
  const draft = written
    ? { ...written.rest.draft, message: written.message }
    : (unfinished.get(failed?.id) ?? (failed ? draftOf(failed.wanted) : await emptyDraft(gitRepositories)));
  const key = written ? failedId : failed?.id;
  const outcome = await askForDraft(place, draft, written !== undefined);
  if (outcome === 'done' || draft.message.trim() === '') unfinished.delete(key);
  else unfinished.set(key, draft);
  if (outcome === 'editor') {
    await editor.show(draft.message, { address: service.address, draft, failedId });
  }
  if (outcome !== 'done') return;
  if (written?.rest.fromHere) {
    const { confirmFromHere } = await import('./newFromEditor.ts');
    if (!(await confirmFromHere(place, draft, written.rest.fromHere))) return;
  }
  if (written) await editor.close(written);
  if (failed) requested.dismiss(failed.id);
  await commands.executeCommand(`${views.conversations}.focus`);
  const wanted = wantedOf(draft, place);
  // Without a sandbox that runs, the service starts one, and may pause another for that.
  const startsSandbox = wanted.sandboxId === undefined && service.client.service?.sandboxes !== undefined;
  const watching = startsSandbox ? service.sandboxActions.watchPausing() : undefined;
  const ended = await showProgress(switchboard, requested.begin(service.client, service.address, wanted));
  const telling = watching
    ?.then((pausedForIt) => pausedForIt())
    .then((paused) => {
      tellPaused(switchboard, paused);
    });
  // A user who cancelled it knows, and its row says the rest.
  const problem = ended.cancelled ? undefined : requestedProblem(ended);
  const again = t('Try Again');
  if (problem !== undefined && (await showError(problem, again)) === again)
    await newConversation(switchboard, editor, unfinished, ended.id);
  await telling;
}

/** The service of a conversation that is tried again, or the one that the person chooses. */
async function choosePlace(switchboard: Switchboard, address?: string): Promise<CreationService | undefined> {
  const before = address === undefined ? undefined : switchboard.service(address);
  const none = t('The connected services cannot create conversations.');
  const creationOf = ({ creation }: AgentService) => creation;
  const chosen = before
    ? await abilityOf(before, creationOf, none)
    : await serviceWith(switchboard, creationOf, {
        placeHolder: t('Select the service for the new conversation'),
        none,
      });
  return chosen && { service: chosen.service, creation: chosen.ability };
}

async function showProgress(
  { requested }: Switchboard,
  begun: Promise<RequestedConversation>,
): Promise<RequestedConversation> {
  return await withProgress(t('Creating the conversation'), async (signal, tell) => {
    const [newest] = requested.all;
    signal.addEventListener('abort', () => {
      if (newest) requested.cancel(newest.id);
    });
    const stop = requested.onChange(() => {
      const now = requested.all.find(({ id }) => id === newest?.id);
      if (now?.task) tell(stageWord(now.task));
    });
    return await begun.finally(stop);
  });
}
