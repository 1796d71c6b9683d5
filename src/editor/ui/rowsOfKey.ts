/** The rows that a key acts on. The editor reports the selected rows, but not the focused one. */
import { commands, type TreeView } from 'vscode';

/**
 * Returns the focused row first, and then the other selected ones if it is selected too, like the Explorer. Toggles the
 * selection for a moment, to find the focused row.
 */
export async function rowsOfKey<Row>(view: TreeView<Row>): Promise<readonly Row[]> {
  const before = view.selection;
  await commands.executeCommand('list.toggleSelection');
  const after = view.selection;
  const keyboard = after.find((row) => !before.includes(row)) ?? before.find((row) => !after.includes(row));
  await commands.executeCommand('list.toggleSelection');
  if (keyboard === undefined) return [];
  const others = before.includes(keyboard) ? before.filter((row) => row !== keyboard) : [];
  return [keyboard, ...others];
}
