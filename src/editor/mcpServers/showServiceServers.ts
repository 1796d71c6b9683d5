/** Has the view show the MCP servers of services: asks for them when somebody looks, and loads their rows when there are some. */
import { Disposable, type TreeView } from 'vscode';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ServersTree } from './serversTree.ts';
import type { Subscription } from '../../base/event.ts';

export function showServiceServers(
  switchboard: Switchboard,
  servers: ServerList,
  view: TreeView<unknown>,
  tree: () => Promise<ServersTree>,
): Disposable {
  let isShown = false;
  const show = async () => {
    isShown = true;
    const { ServiceServersRows } = await import('./serviceServersRows.ts');
    (await tree()).showServices(new ServiceServersRows(switchboard));
  };
  const again = () => {
    if (isShown) void show();
  };
  const followed = new Map<ConnectedService, Subscription>();
  const look = () => {
    if (!view.visible) return;
    for (const service of switchboard.services) {
      const { toolServers } = service;
      // From then on, they are asked for with the lists.
      if (!toolServers.ability || toolServers.asOf !== undefined) continue;
      if (!followed.has(service))
        followed.set(
          service,
          toolServers.onChange(() => void show()),
        );
      void toolServers.refresh('poll');
    }
  };
  const unfollow = (isKept: (service: ConnectedService) => boolean) => {
    for (const [service, subscription] of followed) {
      if (isKept(service)) continue;
      subscription.dispose();
      followed.delete(service);
    }
  };
  const subscriptions = Disposable.from(
    switchboard.onLook(look),
    switchboard.onServices(() => {
      unfollow((service) => switchboard.services.includes(service));
      again();
      look();
    }),
    // What differs from the file is shown with them.
    servers.onChange(again),
    view.onDidChangeVisibility(look),
  );
  return new Disposable(() => {
    subscriptions.dispose();
    unfollow(() => false);
  });
}
