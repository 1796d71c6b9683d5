import { t, words } from '../../../base/l10n.ts';
import type { Tone } from '../../../protocol/drawn.ts';
import type {
  Answered,
  Compacted,
  RejectedAndSent,
  Resumed,
  SendResult,
  Stopped,
} from '../../../state/steering/steeringResults.ts';

export interface OutcomeNotice {
  readonly text: string;
  readonly tone: Tone;
}

export function answeredWords(
  answered: Answered,
  accept: boolean,
): OutcomeNotice {
  switch (answered.result) {
    case 'answered':
      return {
        text: accept ? t('Accepted.') : t('Rejected. The agent has stopped.'),
        tone: 'good',
      };
    case 'changed':
      return {
        text: t('The pending action has changed. Nothing was sent.'),
        tone: 'attention',
      };
    case 'answeredElsewhere': {
      const accepted = t('Already accepted elsewhere. Nothing was sent.');
      const rejected = t('Already rejected elsewhere. Nothing was sent.');
      return {
        text: answered.fate === 'accepted' ? accepted : rejected,
        tone: 'attention',
      };
    }
    case 'noLongerWaits':
      return {
        text: t(
          'The agent is no longer waiting for an answer. Nothing was sent.',
        ),
        tone: 'attention',
      };
    case 'unsure':
      return {
        text: t(
          'Your answer may not have arrived. Check again in a minute before answering again.',
        ),
        tone: 'bad',
      };
  }
}

const sendResults = words({
  waits:
    'Nothing was sent: a message would run the pending action. Answer it first.',
  queued: 'The message will be sent as soon as the sandbox has started.',
  stopped: 'Your message was not sent: the agent was stopped.',
  sandboxPaused: 'Nothing was sent: the sandbox is paused.',
  sandboxStarting: 'Nothing was sent: the sandbox is still starting.',
  archived: 'Nothing was sent: the sandbox of this conversation is gone.',
  gone: 'Nothing was sent: the service no longer has this conversation.',
  unsure:
    'Your message may not have arrived. Check above before sending it again.',
});

/** Returns `undefined` for a sent message, which the page shows. */
export function sentWords(
  sent: SendResult | RejectedAndSent,
): OutcomeNotice | undefined {
  switch (sent.result) {
    case 'sent':
      if (sent.waiting) {
        return {
          text: t(
            'Message sent. The agent will read it after you answer the pending action.',
          ),
          tone: 'attention',
        };
      }
      return (
        sent.notRun && {
          text: t('Message sent. {0}', sent.notRun.message),
          tone: 'bad',
        }
      );
    case 'queued':
      return { text: sendResults.queued, tone: 'good' };
    case 'waits':
    case 'stopped':
    case 'sandboxPaused':
    case 'sandboxStarting':
      return { text: sendResults[sent.result], tone: 'attention' };
    case 'archived':
    case 'gone':
    case 'unsure':
      return { text: sendResults[sent.result], tone: 'bad' };
    case 'changed':
    case 'answeredElsewhere':
    case 'noLongerWaits':
      return answeredWords(sent, false);
  }
}

/**
 * Shown for a message that stays on this machine until the agent has finished.
 */
export function queuedWords(): OutcomeNotice {
  return {
    text: t('The message is queued. It is sent when the agent has finished.'),
    tone: 'good',
  };
}

/**
 * Shown until the agent stops, if the service cannot cancel its current step.
 */
export function stoppingAfterStep(): string {
  return t(
    'This service cannot cancel the current step. The agent stops after it, which may take 30 seconds.',
  );
}

/**
 * `ranCommand`: true if the agent was running a command. Services try to end
 * it, but report no result.
 */
export function stoppedWords(
  stopped: Stopped,
  ranCommand: boolean,
): OutcomeNotice {
  if (stopped.result === 'stopped') {
    return ranCommand
      ? {
          text: t('Stopped. A command it started may still be running.'),
          tone: 'good',
        }
      : { text: t('Stopped.'), tone: 'good' };
  }
  if (stopped.result === 'finished') {
    return {
      text: t('The agent had finished before it could be stopped.'),
      tone: 'plain',
    };
  }
  return {
    text: t('Nothing to stop: the agent is waiting for your answer.'),
    tone: 'attention',
  };
}

/** Returns `undefined` for a resumed agent, which the page shows. */
export function resumedWords(resumed: Resumed): OutcomeNotice | undefined {
  if (resumed.result === 'resumed') return undefined;
  if (resumed.result === 'works')
    return { text: t('The agent is already working.'), tone: 'plain' };
  if (resumed.result === 'unsure')
    return { text: resumed.failure.message, tone: 'bad' };
  return sentWords(resumed);
}

export function compactedWords(
  compacted: Compacted,
): OutcomeNotice | undefined {
  if (compacted.result === 'compacted') {
    return { text: t('Compacted the earlier events.'), tone: 'good' };
  }
  if (compacted.result !== 'waits') return resumedWords(compacted);
  return {
    text: t('Compacting now would run the pending action. Answer it first.'),
    tone: 'attention',
  };
}
