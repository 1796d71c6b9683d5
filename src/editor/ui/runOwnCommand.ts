import { commands } from 'vscode';
import type { CommandId, Commands } from '../manifest.ts';

/** Runs a command of this extension. */
export function runOwnCommand<Id extends CommandId>(
  id: Id,
  ...args: Commands[Id]
): Thenable<unknown> {
  return commands.executeCommand(id, ...args);
}
