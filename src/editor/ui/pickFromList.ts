import { once } from 'node:events';
import { type QuickPickItem, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import type { Conversation, Sandbox } from '../../service/model/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ListOverAll } from '../../state/lists/listOverAll.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { withProgress } from './messages.ts';
import {
  conversationDescription,
  titleOf,
  sandboxName,
} from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';
import { serviceName } from '../words/serviceWords.ts';
import { activityWord, sandboxWord } from '../words/stateWords.ts';

interface ConversationSource {
  readonly switchboard: Switchboard;
  /**
   * The conversation of the active page, used without a question if it fits.
   */
  readonly activeConversation?: () => Conversation | undefined;
}

/**
 * The conversation with this id, else that of the active page, else one that
 * the user picks.
 */
export async function conversationOf(
  { switchboard, activeConversation }: ConversationSource,
  id: string | undefined,
  placeholder: string,
  fits: (conversation: Conversation) => boolean = () => true,
  detailOf: (conversation: Conversation) => string = () => '',
): Promise<Conversation | undefined> {
  const { conversations } = switchboard;
  if (id !== undefined) return listedConversation(switchboard, id);
  const active = activeConversation?.();
  if (active && fits(active)) return active;
  if (!(await isListed(conversations))) return undefined;
  const items = [...conversations.rows.values()]
    .filter(fits)
    .map((conversation) => ({
      label: inPick(titleOf(conversation)),
      description: inPick(
        `${activityWord(conversation)} · ${conversationDescription(
          conversation,
          systemClock.now(),
          {
            service: serviceName(switchboard, conversation.service),
          },
        )}`,
      ),
      detail: inPick(detailOf(conversation)),
      value: conversation,
    }));
  return await choose(
    items,
    placeholder,
    t('No matching conversation. Refresh the list or load more.'),
  );
}

export function listedConversation(
  switchboard: Switchboard,
  id: string,
): Conversation {
  const conversation = switchboard.conversation(id);
  if (conversation) return conversation;
  throw userError(
    'This conversation is no longer in the list. Refresh the list and try again.',
  );
}

export function serviceOf(
  switchboard: Switchboard,
  conversation: Conversation,
): ConnectedService {
  const service = switchboard.service(conversation.service);
  if (service) return service;
  throw userError('The service of this conversation is no longer connected.');
}

/** Applies `conversationOf` to the conversations whose agent can be reached. */
export function agentConversationOf(
  source: ConversationSource,
  id: string | undefined,
  placeholder: string,
): Promise<Conversation | undefined> {
  return conversationOf(
    source,
    id,
    placeholder,
    ({ service }) =>
      source.switchboard.service(service)?.client.service?.agents !== undefined,
  );
}

/** The sandbox with this id, else one that the user picks. */
export async function sandboxOf(
  switchboard: Switchboard,
  id: string | undefined,
  placeholder: string,
  fits: (sandbox: Sandbox) => boolean = () => true,
): Promise<Sandbox | undefined> {
  const { sandboxes } = switchboard;
  if (id !== undefined) {
    const sandbox = switchboard.sandbox(id);
    if (sandbox) return sandbox;
    throw userError(
      'This sandbox is no longer in the list. Refresh the list and try again.',
    );
  }
  if (!(await isListed(sandboxes))) return undefined;
  const items = [...sandboxes.rows.values()].filter(fits).map((sandbox) => ({
    label: inPick(sandboxName(sandbox, switchboard.servedBy(sandbox)).name),
    description: inPick(
      joinParts(
        ' · ',
        serviceName(switchboard, sandbox.service),
        sandboxWord(
          sandbox,
          switchboard
            .service(sandbox.service)
            ?.sandboxActions.underWay.get(sandbox.id),
        ),
        sandbox.id,
      ),
    ),
    value: sandbox,
  }));
  return await choose(
    items,
    placeholder,
    t('No matching sandbox. Refresh the list and try again.'),
  );
}

/**
 * Waits for the first service to answer, if the list was never loaded. Returns
 * false if the user cancels.
 */
export async function isListed(
  list: Pick<ListOverAll<never>, 'asOf' | 'answered' | 'error'>,
): Promise<boolean> {
  const isKnown = () => list.asOf !== undefined;
  if (isKnown()) return true;
  const isThere = await withProgress(t('Loading the list'), async (signal) => {
    await Promise.race([list.answered(), once(signal, 'abort')]);
    return !signal.aborted;
  });
  // An incomplete list is better than none.
  if (isThere && !isKnown() && list.error) throw list.error;
  return isThere;
}

/** The only item, or the one that the user picks. */
export async function pickIfSeveral<T extends QuickPickItem>(
  items: readonly T[],
  placeHolder: string,
): Promise<T | undefined> {
  if (items.length === 1) return items[0];
  // A list that is drawn again takes the focus, and would close the question.
  return await window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
}

async function choose<T>(
  items: readonly (QuickPickItem & { readonly value: T })[],
  placeHolder: string,
  none: string,
): Promise<T | undefined> {
  if (items.length === 0) throw new UserError(none);
  return (
    await window.showQuickPick(items, { placeHolder, matchOnDescription: true })
  )?.value;
}
