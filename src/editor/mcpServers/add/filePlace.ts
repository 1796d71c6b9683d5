import type { ServerFileParts } from '../ofFile/changeServers.ts';
import type { Place } from './place.ts';
import { refuseUnreadable, confirmChanges } from './confirm.ts';

/** The configuration file. The questions about it are loaded when they are asked. */
export function filePlace(parts: ServerFileParts): Place {
  return {
    service: undefined,
    isReady: async () => {
      return !(await refuseUnreadable(parts));
    },
    refresh: () => parts.servers.refresh(),
    names: () => new Set(parts.servers.document.entries.map(({ name }) => name)),
    nameProblem: () => undefined,
    confirm: async (plan) => {
      return await confirmChanges(parts, plan);
    },
  };
}
