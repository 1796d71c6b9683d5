/** What can be done with what one writes to an agent, and what waits for an answer. */
import { t } from '../../base/l10n.ts';
import type { DrawnWaiting, InputState } from '../../protocol/drawn.ts';
import type { FollowedConversation } from '../../state/followedConversation.ts';
import type { WaitingAction } from '../../state/waiting.ts';
import { waitingAction } from './actionBlocks.ts';

interface Circumstances {
  /** What is under way. */
  readonly busy: string | undefined;
  readonly isSandboxPaused: boolean;
}

type Followed = Pick<FollowedConversation, 'reach' | 'waiting' | 'execution'>;

export function inputOf(followed: Followed, { busy, isSandboxPaused }: Circumstances): InputState {
  const { reach, execution } = followed;
  const canStop = reach?.stop === true && execution === 'running' && busy === undefined;
  const stop = canStop
    ? { stop: { label: t('Stop'), description: t('Cancels what the agent does now') } }
    : {};
  if (busy !== undefined) return { ways: [], busy };
  if (isSandboxPaused) {
    return {
      hint: t('The sandbox of this conversation is paused.'),
      ways: [{ how: 'resumeAndSend', label: t('Resume and Send') }],
    };
  }
  if (!reach) return { ways: [], hint: t('What can be done here is being found out …') };
  // Why not is said above.
  if (!reach.send) return { ways: [], ...stop, obstacle: t('You cannot write to this agent from here.') };
  return { ...waysOf(followed), ...stop };
}

function waysOf({ reach, waiting, execution }: Followed): InputState {
  const send = { how: 'send', label: t('Send') } as const;
  if (waiting?.status === 'waits') {
    const leave = { how: 'leave', label: t('Leave the Message') } as const;
    const rejectAndSend = { how: 'rejectAndSend', label: t('Reject and Send') } as const;
    return {
      hint: t(
        'A message would run what waits above. You can reject that and send the message, or leave the message for later: the agent reads it when it goes on.',
      ),
      ways: reach?.answer ? [rejectAndSend, leave] : [leave],
      mustChoose: true,
    };
  }
  const canGoOn = reach?.resume === true && execution === 'paused';
  return { ways: canGoOn ? [send, { how: 'resume', label: t('Go On') }] : [send] };
}

/** `obstacle` says why it cannot be answered at the moment. */
export function waitingWords(
  shown: number,
  actions: readonly WaitingAction[],
  obstacle: string | undefined,
): DrawnWaiting {
  return {
    shown,
    heading:
      actions.length === 1
        ? t('The agent wants to do this:')
        : t('The agent wants to do these {0} things. Your answer counts for all of them:', actions.length),
    actions: actions.map(waitingAction),
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}
