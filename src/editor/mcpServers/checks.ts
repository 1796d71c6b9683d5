/** Checks of MCP servers in the editor. Loaded when there is one to show or to do. */
import { commands } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { NameOfService } from '../words/mcpServers/checkWords.ts';
import { ServerChecks } from '../../state/mcpServers/serverChecks.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import { changeShared, readShared } from '../../files/sharedFile.ts';
import { contextKeys } from '../manifest.ts';
import { checkPage } from './checkPage.ts';
import type { ServerPages } from './serverPages.ts';
import { CheckRows } from './checkRows.ts';
import type { ServersTree } from './serversTree.ts';
import type { Subscription } from '../../base/event.ts';

export interface CheckParts {
  readonly servers: ServerList;
  readonly tree: ServersTree;
  readonly serverPages: ServerPages;
  readonly nameOf: NameOfService;
  /** Where what was found is kept, for all windows of the machine. */
  readonly file: string;
  readonly log: Log;
  readonly subscriptions: { push(subscription: Subscription): unknown };
}

/** Has the rows and pages of servers show what checks have found. */
export async function showChecks(parts: CheckParts): Promise<ServerChecks> {
  const { servers, tree, serverPages, nameOf, file, log, subscriptions } = parts;
  const store = {
    read: async () => (await readShared(file)).text,
    change: (change: (text: string) => string) => changeShared(file, ({ text }) => change(text)),
  };
  const checks = new ServerChecks(servers, store, systemClock, log);
  const tellTools = () => {
    if (!servers.document.entries.some(({ name }) => (checks.toolsOf(name)?.length ?? 0) > 0)) return;
    void commands.executeCommand('setContext', contextKeys.toolsKnown, true);
  };
  await checks.load();
  tellTools();
  tree.show(new CheckRows(checks, nameOf));
  serverPages.show(checkPage(checks, nameOf));
  // A row does not say how far a check is, only that it goes on.
  const going = new Set<string>();
  const subscription = checks.onChange((names) => {
    const different = [...names].filter((name) => !(going.has(name) && checks.isUnderWay(name)));
    for (const name of names) {
      if (checks.isUnderWay(name)) going.add(name);
      else going.delete(name);
    }
    if (different.length > 0) tree.redrawServers(different);
    serverPages.redrawServers(names);
    tellTools();
  });
  subscriptions.push(subscription);
  return checks;
}
