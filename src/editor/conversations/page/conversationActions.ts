/**
 * Acts on a conversation from its page. Answers exactly the actions that were
 * sent to the page to be drawn.
 */
import { Cancellation } from '../../../base/cancellation.ts';
import { systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { t, userError } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { isEqual } from '../../../base/same.ts';
import type { SendingWay } from '../../../protocol/drawn.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import {
  type ConversationKey,
  type Conversation,
  isRated,
  keyOf,
} from '../../../service/model/entities.ts';
import type { NewMessage } from '../../../service/model/newMessage.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { TranscriptEntry } from '../../../state/transcript/transcriptEntry.ts';
import type { FollowedConversation } from '../../../state/conversation/followedConversation.ts';
import type {
  Answered,
  RejectedAndSent,
  SendResult,
} from '../../../state/steering/steeringResults.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { isForeign } from '../../../state/conversation/approvals.ts';
import { actionsOf, areSame } from '../../../state/transcript/waiting.ts';
import {
  mayPauseOthers,
  pausedWords,
  resumeAndWait,
  sendOnceStarted,
} from '../../sandboxes/sandboxQuestions.ts';
import { confirm, offerAction, showWarning } from '../../ui/messages.ts';
import { notAWall, offeredRules } from '../../words/conversations/ruleWords.ts';
import { askForAcceptRules } from '../../approvals/acceptByRule.ts';
import { approvalRules, setAcceptRules } from '../../approvals/ruleSettings.ts';
import { kindOf } from '../../words/conversations/actionWords.ts';
import { titleOf } from '../../words/conversations/conversationWords.ts';
import {
  canStop,
  inputStateOf,
  waitingWords,
} from '../../words/conversations/inputWords.ts';
import {
  answeredWords,
  resumedWords,
  sentWords,
  stoppedWords,
  stoppingAfterStep,
  type OutcomeNotice,
} from '../../words/conversations/outcomeWords.ts';
import {
  type ApprovalRequest,
  canAnswerUnasked,
  obstacleOf,
  requestFor,
} from './approvalRequest.ts';
import { Asides } from './asides.ts';
import type { Attachments } from './attachments.ts';
import { Outbox, type OutgoingMessage, queuedEntry } from './outbox.ts';
import type { PageChannel } from './pageChannel.ts';

export interface ActionsOptions {
  readonly service: ConnectedService;
  readonly channel: PageChannel;
  readonly attachments: Attachments;
  readonly switchboard: Switchboard;
  readonly signal: AbortSignal;
  /** Returns an unsent text to the field. */
  readonly putBack: (text: string) => void;
  /** Opens a conversation by its key, because it may not be listed. */
  readonly openConversation: (key: ConversationKey) => void;
}

interface Errand {
  readonly message: NewMessage;
  readonly outgoing: OutgoingMessage;
  readonly signal: AbortSignal;
}

export class ConversationActions {
  readonly #followed: FollowedConversation;
  readonly #options: ActionsOptions;
  readonly #released = new AbortController();
  readonly #signal: AbortSignal;
  #request: ApprovalRequest | undefined;
  #busy: string | undefined;
  #isStopping = false;
  readonly #untilStop = new Cancellation();
  readonly #outbox: Outbox;
  readonly asides = new Asides(() => {
    this.draw();
  });

  constructor(followed: FollowedConversation, options: ActionsOptions) {
    this.#followed = followed;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#released.signal]);
    this.#outbox = new Outbox(() => followed.entries);
    const { queuedMessages, ruledAnswers } = options.switchboard;
    const subscriptions = [
      queuedMessages.onChange((key) => {
        if (key === this.#key) this.draw();
      }),
      queuedMessages.onOutcome(({ key, result }) => {
        if (key === this.#key) this.#reportSent(result);
      }),
      ruledAnswers.onOutcome(({ key, result }) => {
        if (key === this.#key) this.#reportRuled(result);
      }),
    ];
    this.#signal.addEventListener('abort', () => {
      for (const subscription of subscriptions) subscription.dispose();
    });
  }

  get isSending(): boolean {
    return this.#outbox.isSending;
  }

  get canStop(): boolean {
    return canStop(this.#followed.snapshot, this.isSending);
  }

  get #steering(): ReturnType<ConnectedService['steering']> {
    return this.#options.service.steering();
  }

  get #key(): ConversationKey {
    return keyOf(this.#conversation);
  }

  get #conversation(): Conversation {
    return this.#followed.snapshot.conversation;
  }

  release(): void {
    this.#released.abort();
  }

  draw(): void {
    if (this.#released.signal.aborted) return;
    const { send } = this.#options.channel;
    this.#request = requestFor(
      actionsOf(this.#followed.snapshot.waiting),
      this.#request,
      () => this.#options.channel.newVersion(),
      systemClock.now(),
    );
    const { queuedMessages, ruledAnswers } = this.#options.switchboard;
    const { snapshot } = this.#followed;
    queuedMessages.note(this.#conversation);
    ruledAnswers.note(this.#conversation, snapshot.waiting);
    const request = this.#request;
    const waiting =
      request &&
      waitingWords(
        request.version,
        request.actions,
        obstacleOf(
          request,
          snapshot.abilities?.canSteer,
          ruledAnswers.isAccepting(this.#key),
        ),
        snapshot.approval,
        offeredRules(request.actions, approvalRules()),
      );
    send({ type: 'waiting', waiting });
    send({
      type: 'input',
      input: inputStateOf(this.#followed.snapshot, {
        busy: this.#busy,
        isSending: this.isSending,
      }),
    });
    send({ type: 'asides', asides: this.asides.drawn });
    this.drawPending();
  }

  /** Begins with a new script, which shows no actions yet. */
  forget(): void {
    if (this.#request)
      this.#request = {
        ...this.#request,
        version: this.#options.channel.newVersion(),
        since: systemClock.now(),
      };
  }

  /**
   * Answers the shown actions, for a command. Returns false if they are new, or
   * may not be visible in full.
   */
  async answerShown(accept: boolean): Promise<boolean> {
    const request = this.#request;
    if (!request) return false;
    if (!canAnswerUnasked(request, accept, systemClock.now())) return false;
    await this.answer({ type: 'answer', shown: request.version, accept });
    return true;
  }

  /** Resolves with true if the answer has arrived. */
  async answer({
    shown: version,
    accept,
  }: Extract<FromPage, { type: 'answer' }>): Promise<boolean> {
    const request = this.#request;
    if (request?.version !== version) {
      this.#report(
        answeredWords({ result: 'changed', now: [], fate: undefined }, accept),
      );
      this.draw();
      return false;
    }
    if (request.answer !== 'none') return false;
    this.#mark(request, 'underWay');
    try {
      const steering = await this.#steering;
      const answered = await steering.answer(
        this.#conversation,
        request.actions,
        { accept },
        this.#signal,
      );
      this.#mark(
        request,
        answered.result === 'unsure' || answered.result === 'changed'
          ? 'none'
          : 'given',
      );
      this.#report(answeredWords(answered, accept));
      return answered.result === 'answered';
    } catch (error) {
      this.#mark(request, 'none');
      throw error;
    }
  }

  /** Shows the rule that would accept the actions, and makes it. */
  async acceptByRule(version: number): Promise<void> {
    const request = this.#request;
    const commands =
      request?.version === version
        ? offeredRules(request.actions, approvalRules())
        : undefined;
    const rules =
      commands && (await askForAcceptRules(this.#conversation, commands));
    if (!rules) {
      this.draw();
      return;
    }
    const isAccepted = await this.answer({
      type: 'answer',
      shown: version,
      accept: true,
    });
    if (!isAccepted) return;
    const { accept } = approvalRules();
    const added = rules.filter(
      (rule) => !accept.some((other) => isEqual(rule, other)),
    );
    await setAcceptRules([...accept, ...added]);
  }

  async send({
    how,
    text,
    shown: version,
  }: Extract<FromPage, { type: 'send' }>): Promise<void> {
    if (how === 'resume') {
      await this.#resume();
      return;
    }
    if (how === 'aside') {
      await this.#askAside(text.trim());
      return;
    }
    const { attachments, putBack } = this.#options;
    const { all: attached } = attachments;
    const message: NewMessage = { text: text.trim(), attached };
    if (message.text === '' && attached.length === 0) return;
    attachments.all = [];
    if (how === 'queue') {
      this.#options.switchboard.queuedMessages.add(this.#conversation, message);
      return;
    }
    const outgoing = this.#outbox.add(message, t('Sending…'));
    const stop = this.#untilStop.signal;
    const errand = {
      message,
      outgoing,
      signal: AbortSignal.any([this.#signal, stop]),
    };
    this.draw();
    let isSent = false;
    try {
      const sent = await this.#deliver(how, errand, version).catch(
        (error: unknown) => {
          if (stop.aborted && !this.#signal.aborted)
            return { result: 'stopped' } as const;
          throw error;
        },
      );
      isSent = sent?.result === 'sent' || sent?.result === 'queued';
      if (sent) this.#reportSent(sent);
    } finally {
      if (isSent) this.#outbox.sent(outgoing);
      else {
        this.#outbox.drop(outgoing);
        attachments.putBack(attached);
        putBack(text);
        if (this.#options.signal.aborted) void this.#tellUnsent();
      }
      this.draw();
    }
  }

  /** Resolves with `undefined` if the user decides against it. */
  async #deliver(
    how: Exclude<SendingWay, 'queue' | 'resume' | 'aside'>,
    errand: Errand,
    version: number | undefined,
  ): Promise<SendResult | RejectedAndSent | undefined> {
    if (how === 'rejectAndSend')
      return await this.#rejectAndSend(errand, version);
    if (how === 'resumeAndSend') return await this.#resumeAndSend(errand);
    return await this.#sendOnceStarted(errand);
  }

  async #rejectAndSend(
    { message, signal }: Errand,
    version: number | undefined,
  ): Promise<RejectedAndSent> {
    const request = this.#request;
    if (request?.version !== version || request?.answer !== 'none') {
      return { result: 'changed', now: [], fate: undefined };
    }
    this.#mark(request, 'underWay');
    let isGiven = false;
    try {
      const steering = await this.#steering;
      const sent = await steering.rejectAndSend(
        this.#conversation,
        request.actions,
        message,
        signal,
      );
      isGiven =
        sent.result !== 'changed' &&
        sent.result !== 'unsure' &&
        sent.result !== 'stopped';
      return sent;
    } finally {
      this.#mark(request, isGiven ? 'given' : 'none');
    }
  }

  /** Tells what the closed page cannot. */
  async #tellUnsent() {
    const text = t(
      'The page of “{0}” was closed before your message was sent. It may not have arrived. The page keeps it.',
      titleOf(this.#conversation),
    );
    await offerAction(showWarning, text, t('Show'), () => {
      this.#options.openConversation(this.#key);
    });
  }

  async #askAside(question: string) {
    if (question === '') return;
    let isAnswered = false;
    try {
      isAnswered = await this.asides.ask(question, async (cancelled) => {
        const signal = AbortSignal.any([this.#signal, cancelled]);
        return await (
          await this.#steering
        ).askAside(this.#conversation, question, signal);
      });
    } finally {
      if (!isAnswered && !this.#signal.aborted) this.#options.putBack(question);
    }
    if (isAnswered)
      this.#report({
        text: t('The agent has answered your question.'),
        tone: 'good',
      });
  }

  async #resume() {
    if (this.#busy !== undefined) return;
    await this.#while(t('Resuming the agent…'), async () => {
      const notice = resumedWords(
        await (await this.#steering).resume(this.#conversation, this.#signal),
      );
      if (notice) this.#report(notice);
    });
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#untilStop.restart();
    if (!this.#followed.snapshot.abilities?.canSteer) return;
    this.#isStopping = true;
    try {
      await this.#while(t('Stopping…'), async () => {
        const ranCommand = this.#followed.entries.some(runsCommand);
        const steering = await this.#steering;
        const stopped = await steering.stop(
          this.#conversation,
          this.#signal,
          () => {
            this.#busy = stoppingAfterStep();
            this.draw();
          },
        );
        this.#report(stoppedWords(stopped, ranCommand));
      });
    } finally {
      this.#isStopping = false;
    }
  }

  readonly drawPending = (): void => {
    this.#outbox.forgetArrived();
    const queue = this.#options.switchboard.queuedMessages.of(this.#key);
    this.#options.channel.send({
      type: 'pending',
      entries: [...this.#outbox.drawn, ...queue.map(queuedEntry)],
    });
  };

  async setConfirmation(policy: string): Promise<void> {
    if (policy === 'never' && !(await this.#mayNeverAsk())) return;
    const { approval } = this.#followed.snapshot;
    const kind =
      policy === 'listed' && approval && isForeign(approval)
        ? approval.analyzer?.kind
        : undefined;
    if (kind !== undefined && !(await mayReplace(kind))) return;
    await (
      await this.#steering
    ).setConfirmation(
      this.#conversation,
      policy,
      this.#signal,
      kind !== undefined,
    );
    if (isRated(policy)) this.#report({ text: notAWall(), tone: 'plain' });
  }

  async #mayNeverAsk(): Promise<boolean> {
    return await confirm(
      t(
        'Let the agent of “{0}” do everything without asking from now on?',
        titleOf(this.#conversation),
      ),
      t('That includes commands that delete or publish something.'),
      t('Never Ask'),
    );
  }

  /** The version may have changed since, with the script of the page. */
  #mark({ actions }: ApprovalRequest, answer: ApprovalRequest['answer']) {
    if (!this.#request || !areSame(this.#request.actions, actions)) return;
    this.#request = { ...this.#request, answer };
    this.draw();
  }

  async #resumeAndSend(errand: Errand): Promise<SendResult | undefined> {
    const { service, switchboard } = this.#options;
    const { conversation, abilities } = this.#followed.snapshot;
    const id = abilities?.sandboxId ?? conversation.sandboxId;
    if (id === undefined) throw userError('The sandbox to resume is unknown.');
    if (!(await mayPauseOthers(service, t('Resume'), id))) return undefined;
    errand.outgoing.state = t(
      'Resuming the sandbox. Your message will be sent after that.',
    );
    this.draw();
    const words = pausedWords(
      switchboard,
      await resumeAndWait(service, id, errand.signal),
    );
    if (words !== undefined) this.#report({ text: words, tone: 'attention' });
    return await this.#sendOnceStarted(errand);
  }

  #sendOnceStarted({ message, outgoing, signal }: Errand): Promise<SendResult> {
    return sendOnceStarted(
      this.#options.service,
      this.#conversation,
      message,
      signal,
      () => {
        outgoing.state = t(
          'The sandbox is starting. Your message will be sent after that.',
        );
        this.draw();
      },
    );
  }

  async #while(words: string, work: () => Promise<void>) {
    this.#busy = words;
    this.draw();
    try {
      await work();
    } finally {
      this.#busy = undefined;
      this.draw();
    }
  }

  #reportRuled(result: Answered | UserError | undefined) {
    if (result instanceof UserError)
      this.#report({ text: result.message, tone: 'bad' });
    else if (result && result.result !== 'answered')
      this.#report(answeredWords(result, true));
    this.draw();
  }

  #reportSent(result: SendResult | RejectedAndSent | UserError) {
    if (result instanceof UserError) {
      this.#report({ text: result.message, tone: 'bad' });
      return;
    }
    const outcome = sentWords(result);
    if (outcome) this.#report(outcome);
  }

  #report({ text, tone }: OutcomeNotice) {
    this.#options.channel.send({ type: 'told', text, tone });
  }
}

async function mayReplace(kind: string): Promise<boolean> {
  return await confirm(
    t('Replace how the service rates the actions of this agent?'),
    t(
      'The service uses “{0}” for this agent, which was not set here. Asking only for the actions on your list replaces it.',
      plainText(kind, 60),
    ),
    t('Replace'),
  );
}

function runsCommand(entry: TranscriptEntry): boolean {
  if (entry.kind !== 'action' || entry.isWaiting || entry.outcome) return false;
  return kindOf(entry.action) === 'terminal';
}
