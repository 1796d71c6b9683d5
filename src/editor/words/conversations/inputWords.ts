import { plural, t } from '../../../base/l10n.ts';
import { present } from '../../../base/parts.ts';
import type { DrawnWaiting, InputState } from '../../../protocol/drawn.ts';
import type {
  Approval,
  Conversation,
} from '../../../service/model/entities.ts';
import type { ConversationSnapshot } from '../../../state/conversation/conversationModel.ts';
import type { WaitingAction } from '../../../state/transcript/waiting.ts';
import { waitingAction } from './actionBlocks.ts';
import { whyAsked } from './ruleWords.ts';

type SnapshotOfInput = Pick<ConversationSnapshot, 'abilities' | 'waiting'> & {
  readonly conversation: Pick<Conversation, 'execution'>;
};

/** True if the agent works, or a message is on its way to it. */
export function canStop(
  { abilities, conversation }: SnapshotOfInput,
  isSending: boolean,
): boolean {
  return (
    isSending ||
    (abilities?.canSteer === true && conversation.execution === 'running')
  );
}

/** `busy` describes the operation in progress. */
export function inputStateOf(
  snapshot: SnapshotOfInput,
  {
    busy,
    isSending,
  }: { readonly busy: string | undefined; readonly isSending: boolean },
): InputState {
  const stop = canStop(snapshot, isSending) ? { stop: t('Stop') } : {};
  if (busy !== undefined) return { ways: [], busy, ...stop };
  const { abilities } = snapshot;
  if (!abilities)
    return { ways: [], hint: t('Finding out what you can do here…'), ...stop };
  if (abilities.status === 'sandboxPaused') {
    return {
      ways: [{ how: 'resumeAndSend', label: t('Resume and Send') }],
      ...stop,
    };
  }
  // The notes in the head have the reason.
  if (!abilities.canSend)
    return {
      ways: [],
      ...stop,
      obstacle: t('You cannot write to this agent from here.'),
    };
  return { ...waysOf(snapshot), ...stop };
}

function waysOf({
  abilities,
  waiting,
  conversation,
}: SnapshotOfInput): InputState {
  const send = { how: 'send', label: t('Send') } as const;
  const aside = { how: 'aside', label: t('Side Question') } as const;
  if (waiting?.status === 'waits') {
    const queue = { how: 'queue', label: t('Queue Message') } as const;
    const rejectAndSend = {
      how: 'rejectAndSend',
      label: t('Reject and Send'),
    } as const;
    return {
      hint: t(
        'Sending now would run the pending action. Answer it first, reject it with your message, or queue the message.',
      ),
      ways: abilities?.canSteer ? [rejectAndSend, queue, aside] : [queue],
      mustChoose: true,
    };
  }
  if (abilities?.canSteer !== true) return { ways: [send] };
  const label = resumeLabel(conversation.execution);
  return {
    ways: present(send, label !== undefined && { how: 'resume', label }, aside),
  };
}

/** `undefined` if there is nothing to continue. */
function resumeLabel(execution: Conversation['execution']): string | undefined {
  if (execution === 'paused') return t('Resume');
  return execution === 'error' ? t('Try Again') : undefined;
}

/** `obstacle`: the reason why the user cannot answer. */
export function waitingWords(
  version: number,
  actions: readonly WaitingAction[],
  obstacle: string | undefined,
  approval?: Approval,
  rules?: readonly string[],
): DrawnWaiting {
  return {
    shown: version,
    heading: plural(
      actions.length,
      'The agent wants to do this:',
      'The agent wants to do {0} things. Approve or reject all of them:',
    ),
    actions: actions.map((action) => ({
      ...waitingAction(action),
      why: whyAsked(action, approval),
    })),
    ...(obstacle === undefined ? { rules } : { obstacle }),
  };
}
