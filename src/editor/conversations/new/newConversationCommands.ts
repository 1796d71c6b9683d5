import { t } from '../../../base/l10n.ts';
import type { AgentService, NewConversation } from '../../../service/agentService.ts';
import { keyOfRequested } from '../../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { MessageEditor, WrittenMessage } from '../../ui/messageEditor.ts';
import { pausedWords } from '../../sandboxes/sandboxQuestions.ts';
import { showError, showInformation } from '../../ui/messages.ts';
import { abilityOf, pickServiceWith } from '../../services/pickService.ts';
import { askPick } from '../../ui/steps.ts';
import { firstLineOf, requestedProblem } from '../../words/conversations/conversationWords.ts';
import { inPick } from '../../words/foreignText.ts';
import type { CommandHandlers } from '../../manifest.ts';
import type { ConversationParts } from '../page/conversationPages.ts';
import {
  askForDraft,
  type ConversationDraft,
  draftOf,
  emptyDraft,
  type CreationService,
  wantedOf,
  type MessageAnswers,
} from './newConversationQuestions.ts';
import { proposeFromHere, confirmFromHere } from './newFromEditor.ts';

/** An unfinished conversation: a canceled flow, a failed request, or a message in an editor. */
interface Begun {
  readonly address?: string | undefined;
  readonly draft?: ConversationDraft;
  readonly failedId?: string | undefined;
  readonly written?: WrittenMessage<MessageAnswers>;
}

/** Input of canceled flows, kept for the next time. */
interface Unfinished {
  /** Drafts of new conversations, newest first. */
  drafts: readonly { readonly address: string; readonly draft: ConversationDraft }[];
  /** Drafts of retries, keyed by the failed conversation. */
  readonly ofFailed: Map<string, ConversationDraft>;
}

const maxDrafts = 5;

export interface NewConversationParts extends ConversationParts {
  readonly messageEditor: () => Promise<MessageEditor<MessageAnswers>>;
}

export function newConversationCommands(parts: NewConversationParts) {
  const { switchboard, messageEditor } = parts;
  const unfinished: Unfinished = { drafts: [], ofFailed: new Map() };
  return {
    'switchboard.conversations.new': async (idOrAddress, how) => {
      const failed = switchboard.requested.find(idOrAddress);
      if (failed && how === 'again') {
        const place = await choosePlace(switchboard, failed.address);
        if (place) await create(parts, place, failed.wanted, failed.id);
        return;
      }
      const editor = await messageEditor();
      const begun = failed
        ? {
            address: failed.address,
            draft: unfinished.ofFailed.get(failed.id) ?? draftOf(failed.wanted),
            failedId: failed.id,
          }
        : await chooseBegun(switchboard, editor, unfinished, idOrAddress);
      if (begun) await newConversation(parts, editor, unfinished, begun);
    },
    'switchboard.conversations.newFromEditor': async (point = { from: 'editor' }) => {
      const proposed = await proposeFromHere(point, () => choosePlace(switchboard));
      if (proposed) await (await messageEditor()).show(proposed.message, proposed.rest);
    },
    // Stops following a conversation that is being created, or forgets one that failed.
    'switchboard.conversations.cancelNew': (id) => {
      const { requested } = switchboard;
      const found = requested.find(id);
      if (found?.error === undefined) requested.cancel(id ?? '');
      else requested.dismiss(found.id);
    },
  } satisfies Partial<CommandHandlers>;
}

/** Asks for a new or an unfinished message. `address`: the editor of the message. */
async function chooseBegun(
  switchboard: Switchboard,
  editor: MessageEditor<MessageAnswers>,
  unfinished: Unfinished,
  address: string | undefined,
): Promise<Begun | undefined> {
  const here = address === undefined ? undefined : editor.take(address);
  if (here) return begunIn(here);
  const itemOf = (message: string, description: string, begin: () => Begun) => ({
    label: inPick(firstLineOf(message)),
    description,
    begin,
  });
  const begun = [
    ...editor.open.map((one) =>
      itemOf(one.text, t('Draft in an editor'), () => begunIn(editor.take(one.address))),
    ),
    ...unfinished.drafts
      .filter(({ address }) => switchboard.service(address))
      .map((one) => itemOf(one.draft.message, t('Draft'), () => one)),
  ];
  if (begun.length === 0) return {};
  const answer = await askPick({
    title: t('New Conversation'),
    placeholder: t('Start a new message, or continue a draft'),
    items: [{ label: t('New Message'), description: '', begin: (): Begun => ({}) }, ...begun],
  });
  return typeof answer === 'object' ? answer.begin() : undefined;
}

function begunIn(written: WrittenMessage<MessageAnswers> | undefined): Begun {
  if (!written) return {};
  const { address, draft, failedId } = written.rest;
  return { address, draft: { ...draft, message: written.message }, failedId, written };
}

/** Asks what the agent should do, and creates the conversation. */
async function newConversation(
  parts: NewConversationParts,
  editor: MessageEditor<MessageAnswers>,
  unfinished: Unfinished,
  { address, draft: begun, failedId, written }: Begun,
): Promise<void> {
  const place = await choosePlace(parts.switchboard, address);
  if (!place) return;
  const draft = begun ?? (await emptyDraft());
  const outcome = await askForDraft(place, draft, written !== undefined);
  const { service } = place;
  const isKept = outcome === undefined && !written && draft.message.trim() !== '';
  const others = unfinished.drafts.filter((other) => other.draft !== draft);
  if (failedId === undefined) {
    const kept = isKept ? [{ address: service.address, draft }] : [];
    unfinished.drafts = [...kept, ...others].slice(0, maxDrafts);
  } else if (isKept) unfinished.ofFailed.set(failedId, draft);
  else unfinished.ofFailed.delete(failedId);
  if (outcome === 'editor') {
    await editor.show(draft.message, { address: service.address, draft, failedId });
  }
  if (outcome !== 'done') return;
  if (written?.rest.fromHere) {
    if (!(await confirmFromHere(place, draft, written.rest.fromHere))) return;
  }
  if (written) await editor.close(written);
  await create(parts, place, wantedOf(draft, place), failedId);
}

/** Shows the page of the conversation at once, and follows it until it exists. */
async function create(
  { switchboard, conversationPages }: ConversationParts,
  { service }: CreationService,
  wanted: NewConversation,
  failedId: string | undefined,
): Promise<void> {
  const { requested } = switchboard;
  // The service starts a sandbox, and may pause another one for it.
  const startsSandbox = wanted.sandboxId === undefined && service.client.service?.sandboxes !== undefined;
  const watching = startsSandbox ? service.sandboxActions.watchPausing() : undefined;
  const begun = requested.begin(service.client, service.address, wanted, failedId);
  const [newest] = requested.all;
  const show = async () => {
    const pages = await conversationPages();
    // The window may have closed since.
    if (newest && switchboard.service(newest.address)) await pages.showRequested(newest);
    return pages;
  };
  const [ended, pages] = await Promise.all([begun, show()]);
  const telling = watching
    ?.then((pausedForIt) => pausedForIt())
    .then((paused) => {
      const words = pausedWords(switchboard, paused);
      if (words !== undefined && !pages.tell(keyOfRequested(ended), words)) void showInformation(words);
    });
  // The page already shows it, or the user canceled it.
  const isKnown = ended.cancelled === true || pages.isSeen(keyOfRequested(ended));
  const problem = isKnown ? undefined : requestedProblem(ended);
  const again = t('Show');
  if (problem !== undefined && (await showError(problem, again)) === again) await pages.showRequested(ended);
  await telling;
}

/** The service of a retried conversation, or one that the user chooses. */
async function choosePlace(switchboard: Switchboard, address?: string): Promise<CreationService | undefined> {
  const before = address === undefined ? undefined : switchboard.service(address);
  const none = t('The connected services cannot create conversations.');
  const creationOf = ({ creation }: AgentService) => creation;
  const chosen = before
    ? await abilityOf(before, creationOf, none)
    : await pickServiceWith(switchboard, creationOf, {
        placeHolder: t('Select the service for the new conversation'),
        none,
      });
  return chosen && { service: chosen.service, creation: chosen.ability };
}
