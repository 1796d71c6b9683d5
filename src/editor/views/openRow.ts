/** What happens when a person opens a row. */
import { type Command, commands, Disposable, type TreeView, workspace } from 'vscode';
import { sleep, systemClock } from '../../base/clock.ts';
import { aClick } from '../manifest.ts';

/** In milliseconds: how often, and how many times, to look for the selected row. */
const pause = 20;
const mostLooks = 100;

/** In milliseconds: between the clicks of a double click, and between Enter and the command of the row. */
const doubleClickMs = 500;
const enterMs = 1_000;

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
  const clicks = new Clicks();
  return Disposable.from(
    commands.registerCommand(idOf(viewId), async () => {
      const at = systemClock.now();
      const row = await selectedRow(view);
      const isKept = clicks.isKept(row, at);
      const command = row === undefined ? undefined : commandOf(row);
      if (!command) return;
      const given = (command.arguments ?? []) as unknown[];
      const args = isKept ? given.filter((each) => each !== aClick) : given;
      await commands.executeCommand(command.command, ...args);
    }),
    // The key that opens a row does not tell that it was pressed.
    commands.registerCommand(`_${viewId}.enterRow`, async () => {
      clicks.enter();
      await commands.executeCommand('list.select');
    }),
  );
}

/** Tells a double click and Enter from a click, because the editor runs the same command for all of them. */
class Clicks {
  #last: { readonly row: unknown; readonly at: number } | undefined;
  #enteredAt = -Infinity;

  enter(): void {
    this.#enteredAt = systemClock.now();
  }

  /** True if what the row opens should stay when another row is clicked. */
  isKept(row: unknown, at: number): boolean {
    const { row: before, at: then } = this.#last ?? { row: undefined, at: -Infinity };
    const isSecond = before === row && at - then < doubleClickMs;
    const isEntered = at - this.#enteredAt < enterMs;
    this.#last = isSecond ? undefined : { row, at };
    this.#enteredAt = -Infinity;
    const needsDoubleClick = workspace.getConfiguration('workbench.list').get('openMode') === 'doubleClick';
    return isSecond || isEntered || needsDoubleClick;
  }
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
