import {
  type Command,
  commands,
  Disposable,
  type TreeView,
  workspace,
} from 'vscode';
import { sleep, systemClock } from '../../base/clock.ts';
import { aClick } from '../manifest.ts';

/** Limits of the wait for the selected row. */
const lookIntervalMs = 20;
const maxLooks = 100;

const doubleClickMs = 500;

/**
 * The command of every row of a view. It takes no arguments: the editor forgets
 * those of a row that is redrawn, and a click at that moment would fail with
 * "Actual command not found".
 */
export function openRowCommand(viewId: string, title: string): Command {
  return { command: idOf(viewId), title };
}

/** Runs the command of the selected row. */
export function registerOpenRow(
  viewId: string,
  view: Pick<TreeView<unknown>, 'selection'>,
  commandOf: (row: unknown) => Command | undefined,
): Disposable {
  const isSecondClick = clickCounter();
  const open = async (row: unknown, isKept: boolean) => {
    const { command, arguments: args = [] } =
      (row === undefined ? undefined : commandOf(row)) ?? {};
    const commandArgs = isKept
      ? (args as unknown[]).filter((arg) => arg !== aClick)
      : (args as unknown[]);
    if (command !== undefined)
      await commands.executeCommand(command, ...commandArgs);
  };
  return Disposable.from(
    commands.registerCommand(idOf(viewId), async () => {
      const at = systemClock.now();
      const row = await selectedRow(view);
      await open(row, isSecondClick(row, at) || needsDoubleClick());
    }),
    // Enter opens the row like a click, and then runs this command.
    commands.registerCommand(`_${viewId}.enterRow`, async () => {
      const row = await selectedRow(view);
      const isPage =
        row !== undefined &&
        commandOf(row)?.arguments?.includes(aClick) === true;
      if (isPage) await open(row, true);
    }),
  );
}

/**
 * Detects double clicks, because the editor runs the same command for each
 * click.
 */
function clickCounter(): (row: unknown, at: number) => boolean {
  let last: { readonly row: unknown; readonly at: number } = {
    row: undefined,
    at: -Infinity,
  };
  return (row, at) => {
    const isSecond = last.row === row && at - last.at < doubleClickMs;
    last = { row, at: isSecond ? -Infinity : at };
    return isSecond;
  };
}

function needsDoubleClick(): boolean {
  return (
    workspace.getConfiguration('workbench.list').get('openMode') ===
    'doubleClick'
  );
}

/**
 * Waits for a selected row: there is none while the editor reloads all rows,
 * and no event when it is done.
 */
async function selectedRow(
  view: Pick<TreeView<unknown>, 'selection'>,
): Promise<unknown> {
  for (let look = 0; look < maxLooks && view.selection.length === 0; look++) {
    await sleep(systemClock, lookIntervalMs);
  }
  return view.selection[0];
}

/** The underscore hides the command from the palette. */
function idOf(viewId: string): string {
  return `_${viewId}.openRow`;
}
