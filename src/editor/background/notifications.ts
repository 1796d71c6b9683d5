import { commands, type Disposable } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
import {
  currentTruthOf,
  type Memory,
  type Notice,
  OwnMemory,
  sightsOf,
  withoutRepeats,
} from '../../state/attention.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { WaitingAction } from '../../state/transcript/waiting.ts';
import { views } from '../manifest.ts';
import {
  offerAction,
  offerActions,
  showError,
  showInformation,
} from '../ui/messages.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';
import { listedConversation } from '../ui/pickFromList.ts';
import { windowAnswered } from '../ui/windowCaughtUp.ts';
import { changeSetting, setting } from '../settings.ts';
import {
  noticesText,
  noticeText,
  noticeTitle,
  wholeCommand,
} from '../words/conversations/noticeWords.ts';
import { hasChangedInstead } from '../conversations/answerShown.ts';
import type { AttentionForwarding } from './attentionForwarding.ts';

/** Notices that come within this time share one notification. */
const batchMs = 3_000;

export class Notifications implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #clock: Clock;
  /** Shared by all windows on this machine. */
  readonly #memory: Memory;
  /** Memory of demo services, which belong to their window. */
  readonly #own: Memory;
  readonly #isSeen: (key: ConversationKey) => boolean;
  readonly #forwarding: AttentionForwarding;
  readonly #gathered = new Map<ConversationKey, Notice>();
  /** Keys of the conversations of open notifications. */
  readonly #open = new Set<ConversationKey>();
  #cancel: (() => void) | undefined;

  /** `isSeen`: the page of the conversation with this key is visible. */
  constructor(
    switchboard: Switchboard,
    memory: Memory,
    clock: Clock,
    isSeen: (key: ConversationKey) => boolean,
    forwarding: AttentionForwarding,
  ) {
    this.#switchboard = switchboard;
    this.#clock = clock;
    this.#own = new OwnMemory(clock);
    this.#isSeen = isSeen;
    this.#memory = memory;
    this.#forwarding = forwarding;
  }

  /**
   * Marks a conversation as read, and hides its notification: VS Code moves all
   * of them behind the bell.
   */
  async opened(key: ConversationKey): Promise<void> {
    if (this.#open.delete(key))
      void commands.executeCommand('notifications.hideToasts');
    const conversation =
      this.#switchboard.unread.has(key) && this.#switchboard.conversation(key);
    if (conversation) await this.mark([conversation], false);
  }

  async mark(
    conversations: readonly Conversation[],
    isUnread: boolean,
  ): Promise<void> {
    for (const [address, marked] of Map.groupBy(
      conversations,
      ({ service }) => service,
    )) {
      const keys = marked.map(keyOf);
      const memory = this.#memoryOf(address);
      await memory.mark(keys, isUnread);
      this.#switchboard.unread.update(keys, (key) => memory.isUnread(key));
    }
  }

  sendTest(): Promise<void> {
    return this.#forwarding.sendTest();
  }

  dispose(): void {
    this.#cancel?.();
    this.#forwarding.dispose();
  }

  async check(service: ConnectedService): Promise<void> {
    // Each notice goes to one window, so a window without a connection leaves
    // it to the others.
    await windowAnswered();
    const { unread } = this.#switchboard;
    const { conversations, automations } = service;
    const memory = this.#memoryOf(service.address);
    const notices = await memory.add([
      ...sightsOf(conversations),
      ...automations.sights,
    ]);
    const keys = [...conversations.rows.keys()];
    const read = keys.filter(
      (key) => memory.isUnread(key) && !unread.has(key) && this.#isSeen(key),
    );
    if (read.length > 0) await memory.mark(read, false);
    unread.update(keys, (key) => memory.isUnread(key));
    this.#gather(withoutRepeats(notices, conversations.rows, memory));
  }

  #memoryOf(address: string): Memory {
    return this.#switchboard.service(address)?.demo ? this.#own : this.#memory;
  }

  #gather(notices: readonly Notice[]) {
    for (const notice of notices) {
      if (isWanted(notice) || this.#forwarding.isWanted(notice))
        this.#gathered.set(keyOf(notice.conversation), notice);
    }
    if (this.#gathered.size === 0) return;
    this.#cancel ??= this.#clock.after(batchMs, () => {
      this.#cancel = undefined;
      const current = this.#takeCurrent();
      this.#gather([]);
      // A visible page says nothing to a user who is away.
      for (const notice of current) this.#forwarding.forward(notice);
      const unseen = current.filter(
        (notice) =>
          isWanted(notice) && !this.#isSeen(keyOf(notice.conversation)),
      );
      const [first, ...rest] = unseen;
      if (!first) return;
      const showing =
        rest.length > 0 ? this.#showAll(unseen) : this.#show(first);
      showing.catch((error: unknown) => void showError(reason(error)));
    });
  }

  /**
   * Takes the notices that still hold. Leaves those that cannot be checked yet.
   */
  #takeCurrent(): readonly Notice[] {
    const taken: Notice[] = [];
    for (const [key, notice] of this.#gathered) {
      const service = this.#switchboard.service(notice.conversation.service);
      const truth = currentTruthOf(notice, service?.conversations);
      const isAccepting = this.#switchboard.ruledAnswers.isAccepting(key);
      if (truth === 'unknown' || isAccepting) continue;
      this.#gathered.delete(key);
      if (truth === 'true') taken.push(notice);
    }
    return taken;
  }

  async #show(notice: Notice) {
    const { occasion, conversation, actions } = notice;
    const accept = t('Accept');
    const reject = t('Reject');
    const show = t('Show');
    const mute = t('Mute');
    const isWhole = occasion === 'waits' && wholeCommand(actions) !== undefined;
    let buttons = [show, mute];
    if (occasion === 'waits')
      buttons = isWhole ? [accept, reject, show] : [show];
    const key = keyOf(conversation);
    this.#open.add(key);
    const answer = await showInformation(noticeText(notice), ...buttons);
    this.#open.delete(key);
    if (answer === mute) await changeSetting('notifications', 'off');
    if (answer === show) await showDetails(notice);
    if (isWhole && actions && (answer === accept || answer === reject))
      await this.#answer(notice, actions, answer === accept);
  }

  async #showAll(notices: readonly Notice[]) {
    await offerActions(showInformation, noticesText(notices), {
      [t('Show')]: () =>
        commands.executeCommand(`${views.conversations}.focus`),
      [t('Mute')]: () => changeSetting('notifications', 'off'),
    });
  }

  /**
   * The notification may be hours old, so it is answered only if exactly these
   * actions still wait.
   */
  async #answer(
    notice: Notice,
    actions: readonly WaitingAction[],
    accept: boolean,
  ) {
    const title = noticeTitle(notice.conversation);
    const conversation = listedConversation(
      this.#switchboard,
      keyOf(notice.conversation),
    );
    if (
      !(await hasChangedInstead(
        this.#switchboard,
        conversation,
        actions,
        accept,
      ))
    )
      return;
    await offerAction(
      showInformation,
      t('The pending action of “{0}” has changed. Nothing was sent.', title),
      t('Show'),
      () => showDetails(notice),
    );
  }
}

function isWanted({ occasion }: Notice): boolean {
  const level = setting('notifications');
  return level === 'all' || (level === 'attention' && occasion !== 'finished');
}

async function showDetails({ automation, conversation }: Notice) {
  await (automation
    ? runOwnCommand('switchboard.automations.openLastRun', automation)
    : runOwnCommand(
        'switchboard.conversations.showDetails',
        keyOf(conversation),
      ));
}
