import type { ServerParts } from '../handlers.ts';
import type { Place } from './place.ts';

/** The configuration file. The questions about it are loaded when they are asked. */
export function filePlace(parts: ServerParts): Place {
  return {
    service: undefined,
    isReady: async () => {
      const { refuseUnreadable } = await import('./confirm.ts');
      return !(await refuseUnreadable(parts));
    },
    refresh: () => parts.servers.refresh(),
    names: () => new Set(parts.servers.document.entries.map(({ name }) => name)),
    nameProblem: () => undefined,
    confirm: async (plan) => {
      const { confirmChanges } = await import('./confirm.ts');
      return await confirmChanges(parts, plan);
    },
  };
}
