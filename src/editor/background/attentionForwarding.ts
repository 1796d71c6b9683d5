/** Notifies a program or an address of the user about conversations. */
import { commands, type Disposable, env } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { plainText } from '../../base/plainText.ts';
import { Serial } from '../../base/serial.ts';
import { keyOf } from '../../service/model/entities.ts';
import type { Notice, Occasion } from '../../state/attention.ts';
import { conversationLink } from '../../state/conversationLink.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { extensionId } from '../manifest.ts';
import { isAttentionForwarded, setting } from '../settings.ts';
import { informModal, showError, unlessCancelled } from '../ui/messages.ts';
import {
  noticeText,
  noticeTitle,
  pendingText,
} from '../words/conversations/noticeWords.ts';
import {
  type AttentionMessage,
  attentionTarget,
  deliver,
  type AttentionDelivery,
} from './attentionDelivery.ts';

/** The states as the setting and its recipients know them. */
const states: Readonly<Record<Occasion, string>> = {
  waits: 'waiting',
  failed: 'failed',
  finished: 'finished',
  limit: 'limit',
};

const maxActionLength = 200;

export class AttentionForwarding implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #log: Log;
  /** One after another: after a break, there can be many. */
  readonly #queue = new Serial();
  readonly #end = new AbortController();
  readonly #shownFailures = new Set<string>();

  constructor(switchboard: Switchboard, log: Log) {
    this.#switchboard = switchboard;
    this.#log = log;
  }

  isWanted({ occasion }: Notice): boolean {
    const { on } = attentionTarget(setting('onAttention'));
    return isAttentionForwarded() && on?.includes(states[occasion]) !== false;
  }

  forward(notice: Notice): void {
    if (!this.isWanted(notice)) return;
    this.#deliver(this.#messageOf(notice), this.#end.signal).then(
      (deliveries) => {
        for (const { outcome, hasFailed } of deliveries)
          if (hasFailed) this.#showOnce(outcome);
      },
      // The window was closed.
      () => undefined,
    );
  }

  /** Shows the outcome and the data. */
  async sendTest(): Promise<void> {
    const message: AttentionMessage = {
      state: states.waits,
      title: t('Test notification'),
      service: 'Agent Switchboard',
      link: `${env.uriScheme}://${extensionId}`,
      text: t('“{0}” is waiting for you.', t('Test notification')),
      action: '',
    };
    const deliveries = await unlessCancelled(
      t('Sending a test notification'),
      (signal) => this.#deliver(message, signal),
    );
    if (!deliveries) return;
    if (deliveries.length === 0) {
      await commands.executeCommand(
        'workbench.action.openSettings',
        'switchboard.onAttention',
      );
      return;
    }
    await informModal(
      deliveries.map(({ outcome }) => outcome).join(' '),
      deliveries.map(({ sent }) => sent),
    );
  }

  dispose(): void {
    this.#end.abort();
  }

  #deliver(
    message: AttentionMessage,
    signal: AbortSignal,
  ): Promise<readonly AttentionDelivery[]> {
    return this.#queue.run(async () => {
      const target = attentionTarget(setting('onAttention'));
      const deliveries = await deliver(target, message, signal);
      signal.throwIfAborted();
      for (const { outcome, hasFailed } of deliveries)
        this.#log[hasFailed ? 'warn' : 'debug'](outcome);
      return deliveries;
    });
  }

  #messageOf(notice: Notice): AttentionMessage {
    const { occasion, conversation, actions, automation } = notice;
    const action = attentionTarget(setting('onAttention')).includeAction
      ? pendingText(actions, maxActionLength)
      : '';
    const service = this.#switchboard.service(conversation.service);
    const text = noticeText({ occasion, conversation });
    return {
      state: states[occasion],
      title: noticeTitle(conversation),
      service: plainText(service?.name ?? ''),
      link:
        automation === keyOf(conversation)
          ? `${env.uriScheme}://${extensionId}`
          : conversationLink(conversation, env.uriScheme),
      text: action === '' ? text : `${text}\n${action}`,
      action,
    };
  }

  /** A failure that repeats is only in the log. */
  #showOnce(outcome: string) {
    if (this.#shownFailures.has(outcome)) return;
    this.#shownFailures.add(outcome);
    void showError(outcome);
  }
}
