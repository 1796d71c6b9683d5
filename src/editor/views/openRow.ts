/** What happens when a person opens a row. */
import { type Command, commands, type Disposable, type TreeView } from 'vscode';
import { sleep, systemClock } from '../../base/clock.ts';

/** In milliseconds: how often, and how many times, to look for the selected row. */
const pause = 20;
const mostLooks = 100;

/**
 * The command of every row of a view. It has no arguments, because the editor forgets those of a row as soon as the row
 * is drawn again: a click at that moment would fail with "Actual command not found".
 */
export function openRowCommand(viewId: string, title: string): Command {
  return { command: idOf(viewId), title };
}

/** Runs what the selected row does when that is opened. */
export function registerOpenRow(
  viewId: string,
  view: Pick<TreeView<unknown>, 'selection'>,
  commandOf: (row: unknown) => Command | undefined,
): Disposable {
  return commands.registerCommand(idOf(viewId), async () => {
    const row = await selectedRow(view);
    const command = row === undefined ? undefined : commandOf(row);
    if (command) await commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
  });
}

/** While the editor asks for all rows again, it knows of no selected one. It does not tell when it does. */
async function selectedRow(view: Pick<TreeView<unknown>, 'selection'>): Promise<unknown> {
  for (let look = 0; look < mostLooks && view.selection.length === 0; look++) {
    await sleep(systemClock, pause);
  }
  return view.selection[0];
}

/** The editor offers no command whose id begins with an underscore. */
function idOf(viewId: string): string {
  return `_${viewId}.openRow`;
}
