/** Sets and raises the limits of what agents may spend. */
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { t } from '../../base/l10n.ts';
import type { Spent } from '../../state/costs/limits.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { askModal, showInformation, withProgress } from '../ui/messages.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import { askText } from '../ui/steps.ts';
import { inMessage } from '../words/foreignText.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import {
  continueWord,
  goOnQuestion,
  limitPromise,
  raisedLimit,
} from '../words/conversations/limitWords.ts';
import { resumedWords } from '../words/conversations/outcomeWords.ts';

const maxLimit = 1_000_000;

/** Resolves with false if the user keeps the limit. */
export async function mayGoOn(
  switchboard: Switchboard,
  conversation: Conversation,
  spent: Spent,
): Promise<boolean> {
  const goOn = continueWord();
  const question = goOnQuestion(conversation, spent);
  if ((await askModal(question, [limitPromise()], goOn)) !== goOn) return false;
  await raise(switchboard, conversation, spent);
  return true;
}

/** Raises the limit, and lets the agent continue. */
export async function goOnPast(
  switchboard: Switchboard,
  conversation: Conversation,
  spent: Spent,
): Promise<void> {
  const service = serviceOf(switchboard, conversation);
  const resumed = await withProgress(
    t('Continuing “{0}”', inMessage(titleOf(conversation))),
    async (signal) => {
      await raise(switchboard, conversation, spent, signal);
      const current =
        switchboard.conversation(keyOf(conversation)) ?? conversation;
      return await (await service.steering()).resume(current, signal);
    },
  );
  void service.conversations.refresh();
  const outcome = resumedWords(resumed);
  if (outcome) void showInformation(outcome.text);
}

/**
 * Raises the limit, unless it was raised since the question, or another day has
 * begun.
 */
async function raise(
  switchboard: Switchboard,
  conversation: Conversation,
  { of }: Spent,
  signal?: AbortSignal,
) {
  const { limits } = switchboard;
  await limits.readAll(conversation);
  const current = switchboard.conversation(keyOf(conversation)) ?? conversation;
  const reached = limits.reached(current).find((spent) => spent.of === of);
  if (!reached) return;
  const raised = raisedLimit(reached);
  if (of === 'day') await limits.raiseDay(current, raised);
  else await setLimit(switchboard, current, raised, signal);
}

/** Asks for the limit of a conversation. */
export async function askForLimit(
  switchboard: Switchboard,
  conversation: Conversation,
): Promise<void> {
  const own = switchboard.limits.own(conversation);
  const answer = await askText({
    title: t('Limit of “{0}”', titleOf(conversation)),
    value: own === undefined ? '' : String(own),
    prompt: t(
      'US dollars that it may spend, or nothing for no limit of its own. {0}',
      limitPromise(),
    ),
    placeholder: '5',
    validate: (text) =>
      text.trim() === '' || limitIn(text) !== undefined
        ? undefined
        : t('Enter an amount, such as 5 or 2.50.'),
  });
  if (typeof answer !== 'string') return;
  await withProgress(
    t('Setting the limit of “{0}”', inMessage(titleOf(conversation))),
    (signal) => setLimit(switchboard, conversation, limitIn(answer), signal),
  );
}

/** Limits a fork like its conversation, because services drop its tags. */
export async function limitFork(
  switchboard: Switchboard,
  conversation: Conversation,
  fork: Conversation,
): Promise<void> {
  await switchboard.limits.read();
  const own = switchboard.limits.own(conversation);
  if (own === undefined) return;
  await withProgress(t('Setting the limit of “{0}”', titleOf(fork)), (signal) =>
    setLimit(switchboard, fork, own, signal),
  );
}

/** Keeps the limit at the service if that has tags, else on this machine. */
async function setLimit(
  switchboard: Switchboard,
  conversation: Conversation,
  limit: number | undefined,
  signal?: AbortSignal,
) {
  const service = switchboard.service(conversation.service);
  const editing = service?.client.service?.editing;
  if (!service || !editing?.setLimit) {
    await switchboard.limits.keepOwn(conversation, limit);
    return;
  }
  const show = (shown: number | undefined) => {
    service.conversations.edit(keyOf(conversation), (row) => ({
      ...row,
      limit: shown,
    }));
  };
  // Shown first: the service answers only after the step that runs.
  show(limit);
  try {
    await editing.setLimit(conversation.id, limit, { signal });
  } catch (error) {
    show(conversation.limit);
    throw error;
  }
}

function limitIn(text: string): number | undefined {
  const [, dollars] =
    /^\s*\$?\s*(\d{1,7}(?:[.,]\d{1,6})?)\s*\$?\s*$/.exec(text) ?? [];
  const limit = Number(dollars?.replace(',', '.'));
  return dollars !== undefined && limit <= maxLimit ? limit : undefined;
}
