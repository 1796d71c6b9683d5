import { commands, type LogOutputChannel, Uri } from 'vscode';
import { reason, UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { type CommandId, rowsOfTheKey } from '../manifest.ts';
import { showError } from '../ui/messages.ts';
import { startingPointOf } from '../conversations/new/startFromMenu.ts';
import type { ConversationRow } from '../conversations/conversationsTree.ts';
import type { RegisteredViews } from './registerViews.ts';
import { rowsOfKey } from '../ui/rowsOfKey.ts';
import { allCommands } from './allCommands.ts';
import type { CommandParts } from './handlers.ts';

export type RunCommand = (id: CommandId, args: readonly unknown[]) => Promise<unknown>;

/** Runs commands; what one throws is shown once, in words, and logged. */
export function commandRunner(parts: CommandParts): RunCommand {
  const handlers = allCommands(parts);
  const { log, connector, views } = parts;
  return async (id, args) => {
    try {
      // The first command may come before the key of the service was read.
      if (!id.startsWith('switchboard.mcp.')) await connector.restored;
      const given =
        id === 'switchboard.conversations.newFromEditor'
          ? [startingPointOf(args)]
          : id === 'switchboard.review.addComment' || id === 'switchboard.review.sendComment'
            ? args
            : args[0] === rowsOfTheKey
              ? await conversationsOfKey(views)
              : plainArguments(args);
      if (!given) return undefined;
      return await (handlers[id] as (...args: unknown[]) => unknown)(...given);
    } catch (error) {
      // Not waited for: the command is done, however long the message stays.
      void report(id, error, log);
      return undefined;
    }
  };
}

/**
 * A command takes plain ids. The editor gives the row that was chosen, then the other chosen rows; a button above a
 * view gives whatever is selected there, which is not meant. For files it gives addresses in the same way.
 */
function plainArguments(args: readonly unknown[]): unknown[] {
  const [first, ...others] = args;
  if (first instanceof Uri) {
    const chosen: readonly unknown[] = Array.isArray(others[0]) ? others[0] : [first];
    return chosen.flatMap((each) => (each instanceof Uri ? each.toString() : []));
  }
  if (typeof first === 'object' && first !== null) {
    const { id, index } = first as Row;
    if (typeof id !== 'string') return [];
    const [chosen] = others;
    if (Array.isArray(chosen)) return idsOf(chosen, first);
    // A command that takes any number of ids would take it for one.
    return index === undefined ? [id] : [id, index];
  }
  return first === undefined || first === null ? [] : [first, ...others];
}

interface Row {
  readonly kind?: unknown;
  readonly id?: unknown;
  readonly index?: unknown;
}

/** The rows that were chosen, if the one that was pointed at is among them. */
function idsOf(rows: readonly unknown[], { id, kind }: Row): unknown[] {
  // The id of one of another kind means something else.
  const ids = rows.flatMap((row) => ((row as Row | null)?.kind === kind ? [(row as Row).id] : []));
  // A command for one row takes the one that was pointed at.
  const others = ids.filter((each) => typeof each === 'string' && each !== id);
  return ids.includes(id) ? [id, ...others] : [id];
}

/** Undefined if it was pressed on something else. */
async function conversationsOfKey({ conversations }: RegisteredViews): Promise<unknown[] | undefined> {
  const rows = (await rowsOfKey(conversations)) as readonly ConversationRow[];
  return rows[0]?.kind === 'conversation'
    ? rows.flatMap((row) => (row.kind === 'conversation' ? row.id : []))
    : undefined;
}

/** Says it once, in words, and logs it. */
export async function report(id: string, error: unknown, log: LogOutputChannel): Promise<void> {
  if (error instanceof UserError) {
    log.warn(error.message);
    const openSettings = t('Open Settings');
    const buttons = error.setting === undefined ? [] : [openSettings];
    if ((await showError(error.message, ...buttons)) === openSettings) {
      await commands.executeCommand('workbench.action.openSettings', error.setting);
    }
    return;
  }
  log.error(error instanceof Error ? error : String(error), id);
  const showLog = t('Show Log');
  const answer = await showError(t('Something went wrong in Agent Switchboard: {0}', reason(error)), showLog);
  if (answer === showLog) log.show();
}
