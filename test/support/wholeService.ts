import type { AgentService } from '../../src/service/abilities/agentService.ts';
import type { Models } from '../../src/service/abilities/models.ts';

/** A service that has every ability, as a test may assume of its kind. */
export type WholeService = Required<Omit<AgentService, 'models'>> & {
  readonly models: Required<Models>;
};
