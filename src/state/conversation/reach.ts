import { t } from '../../base/l10n.ts';
import type { Reach, AgentLocation } from '../../service/agentService.ts';

/** Where nothing can be known, so nothing can be done. */
export function outOfReach(why: string): Reach {
  return reachOf({ status: 'outOfReach', why }, false);
}

export function reachOf(where: AgentLocation, canQueue: boolean): Reach {
  const isReady = where.status === 'ready';
  return {
    status: where.status,
    sandboxId: where.status === 'sandboxPaused' ? where.sandboxId : undefined,
    origin: where.status === 'outOfReach' ? where.origin : undefined,
    live: isReady,
    send: isReady || (where.status === 'sandboxStarting' && canQueue),
    answer: isReady,
    stop: isReady,
    resume: isReady,
    setConfirmation: isReady,
    whyNot: whyNot(where),
  };
}

function whyNot(where: AgentLocation): string | undefined {
  switch (where.status) {
    case 'ready':
      return undefined;
    case 'sandboxPaused':
      return t('Its sandbox is paused.');
    case 'sandboxStarting':
      return t('Its sandbox is starting.');
    case 'archived':
      return t('Its sandbox is gone, so the agent cannot go on.');
    case 'gone':
      return t('The conversation is no longer at the service.');
    case 'outOfReach':
      return where.why;
  }
}
