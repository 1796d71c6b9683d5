import type { Subscription } from '../../base/event.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ServerOnThisMachine } from './serverOnThisMachine.ts';

/**
 * Tells of a crash of the Agent Server on this machine, also after the window
 * that started it was closed.
 */
export function watchServer(
  switchboard: Switchboard,
  openServer: () => Promise<ServerOnThisMachine>,
): Subscription {
  return switchboard.conversations.onChange(({ state }) => {
    const isOutOfReach =
      state.has('error') &&
      switchboard.services.some(
        ({ address, error }) =>
          error?.kind === 'unreachable' &&
          address.startsWith('http://127.0.0.1:'),
      );
    if (isOutOfReach) void openServer().then((server) => server.explainEnd());
  });
}
