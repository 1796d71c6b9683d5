/** What happens when a person opens a row. */
import { type Command, commands, Disposable, type TreeView, workspace } from 'vscode';
import { sleep, systemClock } from '../../base/clock.ts';
import { aClick } from '../manifest.ts';

/** In milliseconds: how often, and how many times, to look for the selected row. */
const pause = 20;
const mostLooks = 100;

/** In milliseconds: between the clicks of a double click. */
const doubleClickMs = 500;

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
  const isSecondClick = clickCounter();
  const open = async (row: unknown, isKept: boolean) => {
    const { command, arguments: args = [] } = (row === undefined ? undefined : commandOf(row)) ?? {};
    const given = isKept ? (args as unknown[]).filter((each) => each !== aClick) : (args as unknown[]);
    if (command !== undefined) await commands.executeCommand(command, ...given);
  };
  return Disposable.from(
    commands.registerCommand(idOf(viewId), async () => {
      const at = systemClock.now();
      const row = await selectedRow(view);
      await open(row, isSecondClick(row, at) || needsDoubleClick());
    }),
    // Enter opens the row as a click does, and then runs this.
    commands.registerCommand(`_${viewId}.enterRow`, async () => {
      const row = await selectedRow(view);
      const isPage = row !== undefined && commandOf(row)?.arguments?.includes(aClick) === true;
      if (isPage) await open(row, true);
    }),
  );
}

/** Tells the second click of a double click, because the editor runs the same command for both. */
function clickCounter(): (row: unknown, at: number) => boolean {
  let last: { readonly row: unknown; readonly at: number } = { row: undefined, at: -Infinity };
  return (row, at) => {
    const isSecond = last.row === row && at - last.at < doubleClickMs;
    last = { row, at: isSecond ? -Infinity : at };
    return isSecond;
  };
}

function needsDoubleClick(): boolean {
  return workspace.getConfiguration('workbench.list').get('openMode') === 'doubleClick';
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
