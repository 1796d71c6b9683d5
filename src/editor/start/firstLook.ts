import { commands, window } from 'vscode';
import type { ServiceInterface } from '../../service/agentService.ts';
import type { Connector } from '../services/connector.ts';
import { extensionId } from '../manifest.ts';
import type { RegisteredViews } from './registerViews.ts';

/**
 * Starts the demo and shows its list. Unless something else is open, the walkthrough is beside it and has the focus: the
 * editor moves that there a moment after it has opened, and does not tell when.
 */
export async function startFirstLook(
  connector: Connector,
  { showConversations }: RegisteredViews,
  only?: ServiceInterface,
): Promise<void> {
  const isWalking = isNothingElseOpen();
  // First, because the editor ticks only what happens while it knows the walkthrough.
  if (isWalking) await openWalkthrough();
  await connector.demo.start(only);
  await showConversations({ preserveFocus: isWalking });
}

/** Opens the walkthrough at the step about the list. */
async function openWalkthrough(): Promise<void> {
  const step = { category: `${extensionId}#start`, step: 'follow' };
  await commands.executeCommand('workbench.action.openWalkthrough', step);
}

/** Nothing but the welcome page or a walkthrough, which the editor does not tell anything about. */
function isNothingElseOpen(): boolean {
  return window.tabGroups.all.every(({ tabs }) => tabs.every(({ input }) => input === undefined));
}
