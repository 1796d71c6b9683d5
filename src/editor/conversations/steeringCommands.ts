import { window } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type { AgentService } from '../../service/abilities/agentService.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { activityOf } from '../../state/lists/activity.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { answerInQuestion, hasChangedInstead } from './answerShown.ts';
import { editApprovalRules } from '../approvals/editApprovalRules.ts';
import { deleteConversations } from './deleteConversations.ts';
import { askForLimit } from './costLimits.ts';
import { forkConversation } from './forkConversation.ts';
import { switchModel } from './switchModel.ts';
import { showInformation, withProgress } from '../ui/messages.ts';
import { conversationOf, isListed, serviceOf } from '../ui/pickFromList.ts';
import {
  actionsOf,
  type WaitingAction,
} from '../../state/transcript/waiting.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import { waitingRow } from '../words/conversations/noticeWords.ts';
import {
  compactedWords,
  stoppingAfterStep,
} from '../words/conversations/outcomeWords.ts';
import type { CommandHandlers } from '../manifest.ts';
import type { ConversationParts } from './page/conversationPages.ts';

/** Limits for reading pending actions before a question lists them. */
const maxRead = 10;
const readTimeoutMs = 1_000;

export function steeringCommands(parts: ConversationParts) {
  const { switchboard, conversationPages } = parts;
  const select = (
    id: string | undefined,
    placeholder: string,
    can: (service: AgentService) => unknown,
    fits: (conversation: Conversation) => boolean = () => true,
  ) => conversationOf(parts, id, placeholder, isAble(can, fits));
  const isAble =
    (
      can: (service: AgentService) => unknown,
      fits: (conversation: Conversation) => boolean,
    ) =>
    (conversation: Conversation) => {
      const connected = switchboard.service(conversation.service);
      const service = connected?.client.service;
      return !!service && can(service) !== undefined && fits(conversation);
    };
  const agentsOf = (service: AgentService) => service.agents;
  const editing = (service: AgentService) => service.editing;
  const waits = (conversation: Conversation) =>
    activityOf(conversation) === 'waiting';
  const works = (conversation: Conversation) =>
    activityOf(conversation) === 'working';
  const isRunning = ({ status }: Conversation) => status === 'running';
  const isIdle = (conversation: Conversation) =>
    isRunning(conversation) &&
    activityOf(conversation) === 'idle' &&
    conversation.canCompact !== false;
  const isAlive = (conversation: Conversation) =>
    activityOf(conversation) !== 'archived';
  /**
   * Reads pending actions, by the key of the conversation: from the list, else
   * from the events.
   */
  const readPending = async () => {
    const pending = new Map<string, readonly WaitingAction[]>();
    const read = async (
      conversation: Conversation,
      service: ConnectedService,
    ) => {
      const key = keyOf(conversation);
      const listed = actionsOf(service.conversations.snapshot(key)?.waiting);
      const actions =
        listed ??
        actionsOf(
          await (await service.steering()).read(conversation, end.signal),
        );
      if (actions) pending.set(key, actions);
    };
    const end = new AbortController();
    const rows = [...switchboard.conversations.rows.values()].filter(
      isAble(agentsOf, waits),
    );
    const reading = rows
      .slice(0, maxRead)
      .map((row) => read(row, serviceOf(switchboard, row)));
    await atMost(systemClock, readTimeoutMs, Promise.allSettled(reading));
    end.abort();
    return pending;
  };
  /**
   * Accepts only what the page, the chosen row or a question has shown in full;
   * otherwise the page shows it.
   */
  const answer = async (id: string | undefined, accept: boolean) => {
    const pages = await conversationPages();
    const active = id === undefined ? pages.active : undefined;
    if (active?.conversation && isAble(agentsOf, waits)(active.conversation)) {
      if (await active.actions?.answerShown(accept)) return;
      if (!(await answerInQuestion(switchboard, active.conversation, accept)))
        active.goTo('waiting');
      return;
    }
    if (id === undefined && !(await isListed(switchboard.conversations)))
      return;
    const pending = id === undefined ? await readPending() : undefined;
    const listed = new Map<string, readonly WaitingAction[]>();
    const conversation = await conversationOf(
      { switchboard },
      id,
      accept
        ? t('Select the action to accept')
        : t('Select the action to reject'),
      isAble(agentsOf, waits),
      (row) => {
        const actions = pending?.get(keyOf(row));
        const { detail, isWhole } = waitingRow(actions);
        if (isWhole && actions) listed.set(keyOf(row), actions);
        return detail;
      },
    );
    if (!conversation) return;
    const actions = listed.get(keyOf(conversation));
    const isAnswered = actions
      ? !(await hasChangedInstead(switchboard, conversation, actions, accept))
      : id !== undefined &&
        (await answerInQuestion(switchboard, conversation, accept));
    if (!isAnswered) await pages.show(conversation, 'waiting');
  };
  const showPending = async (id: string | undefined, placeholder: string) => {
    const conversation = await select(id, placeholder, agentsOf, waits);
    if (conversation)
      await (await conversationPages()).show(conversation, 'waiting');
  };
  const toAttachTo = () =>
    conversationOf(
      { switchboard },
      undefined,
      t('Select the conversation to attach it to'),
      isAble(agentsOf, isAlive),
    );
  return {
    'switchboard.conversations.accept': (id) => answer(id, true),
    'switchboard.conversations.answer': () =>
      showPending(undefined, t('Select the action to answer')),
    'switchboard.conversations.reviewAndAccept': (id) =>
      showPending(id, t('Select the action to accept')),
    'switchboard.conversations.reject': (id) => answer(id, false),
    'switchboard.conversations.send': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation to write to'),
        agentsOf,
        isAlive,
      );
      if (conversation)
        await (await conversationPages()).show(conversation, 'message');
    },
    'switchboard.conversations.approvalRules': () =>
      editApprovalRules(switchboard),
    'switchboard.conversations.attachSelection': async () => {
      const pages = await conversationPages();
      await pages.attach((attachments) => {
        attachments.addSelection();
      }, toAttachTo);
    },
    'switchboard.conversations.attachFiles': async (...addresses) => {
      const pages = await conversationPages();
      await pages.attach(
        (attachments) =>
          addresses.length > 0
            ? attachments.addFiles(addresses)
            : attachments.choose(),
        toAttachTo,
      );
    },
    'switchboard.conversations.stop': async (...ids) => {
      const [firstId, ...restIds] = ids;
      const page =
        firstId === undefined ? (await conversationPages()).active : undefined;
      if (page?.actions?.canStop) {
        await page.stop();
        return;
      }
      const one = await select(
        firstId,
        t('Select the agent to stop'),
        agentsOf,
        works,
      );
      const more = restIds
        .flatMap((id) => switchboard.conversation(id) ?? [])
        .filter(works);
      const all = one ? [one, ...more] : [];
      // Stops all at the same time, so none keeps working.
      await Promise.all(
        all.map(async (conversation) => {
          if (
            await stopAgent(serviceOf(switchboard, conversation), conversation)
          )
            await (await conversationPages()).show(conversation, 'waiting');
        }),
      );
    },
    'switchboard.conversations.rename': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation to rename'),
        editing,
      );
      if (conversation)
        await rename(serviceOf(switchboard, conversation), conversation);
    },
    'switchboard.conversations.setLimit': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation to limit'),
        agentsOf,
      );
      if (conversation) await askForLimit(switchboard, conversation);
    },
    'switchboard.conversations.fork': async (id, eventId, isBefore = false) => {
      const conversation = await select(
        id,
        t('Select the conversation to fork'),
        agentsOf,
        isRunning,
      );
      if (conversation)
        await forkConversation(parts, conversation, eventId, isBefore);
    },
    'switchboard.conversations.compact': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation to compact'),
        agentsOf,
        isIdle,
      );
      if (!conversation) return;
      const service = serviceOf(switchboard, conversation);
      const compacted = await withProgress(
        t('Compacting “{0}”', titleOf(conversation)),
        async (signal) =>
          (await service.steering()).compact(conversation, signal),
      );
      const text = compactedWords(compacted)?.text ?? '';
      if (!(await conversationPages()).report(keyOf(conversation), text))
        void showInformation(text);
    },
    'switchboard.conversations.switchModel': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation whose model to switch'),
        agentsOf,
        isRunning,
      );
      if (conversation) await switchModel(switchboard, conversation);
    },
    'switchboard.conversations.delete': async (...ids) => {
      const [firstId, ...restIds] = ids;
      const one = await select(
        firstId,
        t('Select the conversation to delete'),
        editing,
      );
      const more = restIds.flatMap((id) => switchboard.conversation(id) ?? []);
      if (one) await deleteConversations(switchboard, [one, ...more]);
    },
  } satisfies Partial<CommandHandlers>;
}

/** Returns true to show a pending action instead. */
async function stopAgent(
  service: ConnectedService,
  conversation: Conversation,
): Promise<boolean> {
  const name = titleOf(conversation);
  const stopped = await withProgress(
    t('Stopping “{0}”', name),
    async (signal, report) =>
      (await service.steering()).stop(conversation, signal, () => {
        report(stoppingAfterStep());
      }),
  );
  void service.conversations.refresh();
  if (stopped.result !== 'waits') return false;
  const show = t('Show');
  const waits = t(
    'Nothing to stop: “{0}” is waiting for your answer.',
    inMessage(name),
  );
  return (await showInformation(waits, show)) === show;
}

async function rename(service: ConnectedService, conversation: Conversation) {
  const title = await window.showInputBox({
    title: t('Rename Conversation'),
    prompt: t('New title of “{0}”', inMessage(titleOf(conversation))),
    value: conversation.title,
    validateInput: (text) =>
      text.trim() === '' ? t('Enter a title, or press Escape.') : undefined,
  });
  if (title === undefined || title.trim() === conversation.title) return;
  await withProgress(t('Renaming “{0}”', titleOf(conversation)), (signal) =>
    service.conversations.rename(conversation, title.trim(), signal),
  );
}
