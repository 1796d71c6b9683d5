import { commands, window } from 'vscode';
import type { ServiceInterface } from '../../service/abilities/agentService.ts';
import { extensionId } from '../manifest.ts';
import type { BuiltInDemo } from './builtInDemo.ts';

/**
 * Shows the list of conversations, and focuses it unless `preserveFocus` is
 * set.
 */
export type ShowConversations = (options?: {
  readonly preserveFocus: boolean;
}) => Promise<void>;

/**
 * Starts the demo and shows its list. If no editor is open, opens the
 * walkthrough beside it, which then has the focus: the editor moves the focus
 * there a moment after opening it, and does not tell when.
 */
export async function openDemo(
  demo: BuiltInDemo,
  showConversations: ShowConversations,
  only?: ServiceInterface,
): Promise<void> {
  const hasWalkthrough = !isEditorOpen();
  // VS Code checks off only steps that happen after it has loaded the
  // walkthrough.
  if (hasWalkthrough) await openWalkthrough();
  await demo.start(only);
  await showConversations({ preserveFocus: hasWalkthrough });
}

async function openWalkthrough() {
  await commands.executeCommand('workbench.action.openWalkthrough', {
    category: `${extensionId}#start`,
    step: 'follow',
  });
}

/** False for the welcome page and walkthroughs, whose tabs have no input. */
function isEditorOpen(): boolean {
  return window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input !== undefined),
  );
}
