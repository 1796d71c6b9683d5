/** Reports the results of the user's actions on a page. */
import { t } from '../../../base/l10n.ts';
import type { Tone } from '../../../protocol/drawn.ts';
import type {
  Answered,
  RejectedAndSent,
  Resumed,
  SendResult,
  Stopped,
} from '../../../state/steering/steeringResults.ts';

export interface Told {
  readonly text: string;
  readonly tone: Tone;
}

export function answeredWords(answered: Answered, accept: boolean): Told {
  switch (answered.result) {
    case 'answered':
      return { text: accept ? t('Accepted.') : t('Rejected. The agent has stopped.'), tone: 'good' };
    case 'changed':
      return { text: t('What the agent waits for has changed. Nothing was sent.'), tone: 'attention' };
    case 'answeredElsewhere':
      return {
        text:
          answered.fate === 'accepted'
            ? t('It was accepted elsewhere. Nothing was sent.')
            : t('It was rejected elsewhere. Nothing was sent.'),
        tone: 'attention',
      };
    case 'noLongerWaits':
      return { text: t('The agent no longer waits for an answer. Nothing was sent.'), tone: 'attention' };
    case 'unsure':
      return {
        text: t('Your answer may not have arrived. Check again in a minute before answering again.'),
        tone: 'bad',
      };
  }
}

/** Returns `undefined` for a sent message, which the page shows. */
export function sentWords(sent: SendResult | RejectedAndSent): Told | undefined {
  switch (sent.result) {
    case 'sent':
      if (sent.waiting) {
        return {
          text: t('The message is there. The agent reads it when you have answered what it waits for.'),
          tone: 'attention',
        };
      }
      return sent.notRun && { text: t('The message is there. {0}', sent.notRun.message), tone: 'bad' };
    case 'waits':
      return {
        text: t(
          'Nothing was sent: the agent waits for your answer, and a message would run what it asks for.',
        ),
        tone: 'attention',
      };
    case 'queued':
      return { text: t('The message will be sent as soon as the sandbox has started.'), tone: 'good' };
    case 'stopped':
      return { text: t('Nothing was sent: the agent was stopped.'), tone: 'attention' };
    case 'sandboxPaused':
      return { text: t('Nothing was sent: the sandbox is paused.'), tone: 'attention' };
    case 'sandboxStarting':
      return { text: t('Nothing was sent: the sandbox is still starting.'), tone: 'attention' };
    case 'archived':
      return { text: t('Nothing was sent: the sandbox of this conversation is gone.'), tone: 'bad' };
    case 'gone':
      return {
        text: t('Nothing was sent: the service does not have this conversation any more.'),
        tone: 'bad',
      };
    case 'unsure':
      return {
        text: t('It is not known whether the message has arrived. Look above before you send it again.'),
        tone: 'bad',
      };
    case 'changed':
    case 'answeredElsewhere':
    case 'noLongerWaits':
      return answeredWords(sent, false);
  }
}

/** Shown until the agent stops, if the service cannot cancel its current step. */
export function stoppingAfterStep(): string {
  return t(
    'This service cannot cancel what the agent does now. It stops after that, which may take half a minute.',
  );
}

/** `ranCommand`: true if the agent was running a command. Services try to end it, but report no result. */
export function stoppedWords(stopped: Stopped, ranCommand: boolean): Told {
  if (stopped.result === 'stopped') {
    return ranCommand
      ? { text: t('Stopped. A command it started may still be running.'), tone: 'good' }
      : { text: t('Stopped.'), tone: 'good' };
  }
  if (stopped.result === 'finished') {
    return { text: t('The agent had finished before it could be stopped.'), tone: 'plain' };
  }
  return { text: t('The agent does nothing now: it waits for your answer.'), tone: 'attention' };
}

/** Returns `undefined` for a resumed agent, which the page shows. */
export function resumedWords(resumed: Resumed): Told | undefined {
  if (resumed.result === 'resumed') return undefined;
  if (resumed.result === 'works') return { text: t('The agent is working already.'), tone: 'plain' };
  if (resumed.result === 'unsure') return { text: resumed.failure.message, tone: 'bad' };
  return sentWords(resumed);
}
