import { window } from 'vscode';
import type { Switchboard } from '../../state/switchboard.ts';
import { views } from '../manifest.ts';

/** Asks for both lists again, with a bar in the view. What goes wrong is to be seen in the lists. */
export async function refresh(switchboard: Switchboard): Promise<void> {
  await window.withProgress({ location: { viewId: views.conversations } }, () => switchboard.refresh());
}
