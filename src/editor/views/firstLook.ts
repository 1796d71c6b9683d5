import { commands, window } from 'vscode';
import type { Connector } from '../connection/connector.ts';
import { extensionId } from '../manifest.ts';
import type { RegisteredViews } from './registerViews.ts';

/** Starts the demo and shows its list, with the walkthrough beside it unless something else is open. */
export async function startFirstLook(
  connector: Connector,
  { showConversations }: RegisteredViews,
  ...spoken: Parameters<Connector['startDemo']>
): Promise<void> {
  // First, because the editor ticks only what happens while it knows the walkthrough.
  if (isNothingElseOpen()) {
    const inBackground = { inactive: true };
    await commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, inBackground);
  }
  await connector.startDemo(...spoken);
  await showConversations();
}

/** Nothing but the welcome page or a walkthrough, which the editor does not tell anything about. */
function isNothingElseOpen(): boolean {
  return window.tabGroups.all.every(({ tabs }) => tabs.every(({ input }) => input === undefined));
}
