import { t } from '../../base/l10n.ts';
import type { AgentLocation } from '../../service/agentService.ts';

/** Actions on a conversation that the location of its agent allows. */
export interface ConversationAbilities {
  readonly status: AgentLocation['status'];
  /** The paused sandbox that can be resumed. */
  readonly sandboxId: string | undefined;
  /** An origin that makes more possible once the user allows it. */
  readonly origin: string | undefined;
  readonly canSend: boolean;
  /** True if the agent can be answered, stopped, resumed and followed live. */
  readonly canSteer: boolean;
  /** The reason why something is not possible, as a sentence. */
  readonly whyNot: string | undefined;
}

export function abilitiesAt(location: AgentLocation, canQueue: boolean): ConversationAbilities {
  const isReady = location.status === 'ready';
  return {
    status: location.status,
    sandboxId: location.status === 'sandboxPaused' ? location.sandboxId : undefined,
    origin: location.status === 'outOfReach' ? location.origin : undefined,
    canSend: isReady || (location.status === 'sandboxStarting' && canQueue),
    canSteer: isReady,
    whyNot: isReady ? undefined : whyNotReady(location),
  };
}

export function whyNotReady(location: Exclude<AgentLocation, { status: 'ready' }>): string {
  if (location.status === 'outOfReach') return location.why;
  return {
    sandboxPaused: t('Its sandbox is paused.'),
    sandboxStarting: t('Its sandbox is starting.'),
    archived: t('Its sandbox is gone, so the agent cannot go on.'),
    gone: t('The conversation is no longer at the service.'),
  }[location.status];
}
