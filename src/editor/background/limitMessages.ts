/** Tells about agents that reach a limit of what they may spend. */
import type { Disposable } from 'vscode';
import type { Subscription } from '../../base/event.ts';
import type { Store } from '../../base/store.ts';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { LimitEnforcement } from '../../state/costs/limitEnforcement.ts';
import { rememberLimits } from './limitsUsed.ts';
import type { Spent } from '../../state/costs/limits.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { goOnPast } from '../conversations/costLimits.ts';
import {
  offerAction,
  offerActions,
  showError,
  showInformation,
} from '../ui/messages.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';
import {
  continueWord,
  leaveStoppedWord,
  nearLimitText,
  notStoppedText,
  stoppedAtLimitText,
} from '../words/conversations/limitWords.ts';
import type { AttentionForwarding } from './attentionForwarding.ts';

export class LimitMessages implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #store: Store;
  readonly #enforcement: LimitEnforcement;
  readonly #subscription: Subscription;

  constructor(
    switchboard: Switchboard,
    forwarding: Pick<AttentionForwarding, 'forward'>,
    store: Store,
  ) {
    this.#switchboard = switchboard;
    this.#store = store;
    // The messages may stay open, so they are not awaited.
    const show = (message: Promise<void>) => {
      message.catch((error: unknown) => void showError(reason(error)));
    };
    this.#enforcement = new LimitEnforcement(switchboard.limits, {
      stopped: (conversation, spent) => {
        forwarding.forward({ occasion: 'limit', conversation });
        show(this.#showStopped(conversation, spent));
      },
      near: (conversation, spent) => {
        show(this.#showNear(conversation, spent));
      },
      failed: (conversation, why) =>
        void showError(notStoppedText(conversation, why)),
    });
    this.#subscription = switchboard.onServices(() => {
      this.#enforcement.keepOnly(switchboard.services);
    });
  }

  async check(service: ConnectedService, isLeading: boolean): Promise<void> {
    await this.#enforcement.check(service, isLeading);
    const { services, conversations, limits } = this.#switchboard;
    const all = [...conversations.rows.values()];
    const areUsed = all.some((row) => limits.own(row) !== undefined);
    const areKnown = services.every(
      ({ conversations: { asOf } }) => asOf !== undefined,
    );
    if (areUsed || areKnown) await rememberLimits(this.#store, areUsed);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#enforcement.dispose();
  }

  async #showStopped(conversation: Conversation, spent: Spent) {
    await offerActions(
      showInformation,
      stoppedAtLimitText(conversation, spent),
      {
        [continueWord()]: () =>
          goOnPast(this.#switchboard, conversation, spent),
        [leaveStoppedWord()]: () => undefined,
        [t('Show')]: () => showDetails(conversation),
      },
    );
  }

  async #showNear(conversation: Conversation, spent: Spent) {
    await offerAction(
      showInformation,
      nearLimitText(conversation, spent),
      t('Show'),
      () => showDetails(conversation),
    );
  }
}

function showDetails(conversation: Conversation): Thenable<unknown> {
  return runOwnCommand(
    'switchboard.conversations.showDetails',
    keyOf(conversation),
  );
}
