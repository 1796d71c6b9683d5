import { commands, window } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import type { Connector } from '../connection/connector.ts';
import { extensionId } from '../manifest.ts';
import type { RegisteredViews } from './registerViews.ts';

/** In milliseconds. */
const soon = 2_000;

/** Starts the demo and shows its list, with the walkthrough beside it unless something else is open. */
export async function startFirstLook(
  connector: Connector,
  { showConversations }: RegisteredViews,
  ...spoken: Parameters<Connector['startDemo']>
): Promise<void> {
  // First, because the editor ticks only what happens while it knows the walkthrough.
  if (isNothingElseOpen()) await openWalkthrough();
  await connector.startDemo(...spoken);
  await showConversations();
}

/** Resolves when it is open, or after two seconds: it takes the focus then, and the editor's command does not wait for it. */
async function openWalkthrough(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const look = () => {
    if (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) resolve(undefined);
  };
  const listening = window.tabGroups.onDidChangeTabs(look);
  try {
    const inBackground = { inactive: true };
    await commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, inBackground);
    look();
    await atMost(systemClock, soon, promise);
  } finally {
    listening.dispose();
  }
}

/** Nothing but the welcome page or a walkthrough, which the editor does not tell anything about. */
function isNothingElseOpen(): boolean {
  return window.tabGroups.all.every(({ tabs }) => tabs.every(({ input }) => input === undefined));
}
