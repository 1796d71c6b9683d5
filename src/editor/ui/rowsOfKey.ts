/** On which rows a key acts: the editor tells an extension which rows are selected, and not on which one the keyboard is. */
import { commands, type TreeView } from 'vscode';

/**
 * As in the Explorer: the row that has the keyboard, and the other selected ones if it is selected too; it is the first.
 * To find it, it is selected, or not, for a moment.
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
