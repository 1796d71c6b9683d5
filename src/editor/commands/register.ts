import { commands, type Disposable, type LogOutputChannel, window } from 'vscode';
import { reason, UserError } from '../../base/errors.ts';
import type { CommandId, Commands } from '../manifest.ts';

export type Handlers = { readonly [Id in CommandId]: (...args: Commands[Id]) => unknown };

/** Registers every command; what one throws is shown once, in words, and logged. */
export function registerCommands(handlers: Handlers, log: LogOutputChannel): Disposable[] {
  return Object.entries(handlers).map(([id, handler]) =>
    commands.registerCommand(id, async (...args: []) => {
      try {
        return await handler(...args);
      } catch (error) {
        await show(id, error, log);
        return undefined;
      }
    }),
  );
}

async function show(id: string, error: unknown, log: LogOutputChannel): Promise<void> {
  if (error instanceof UserError) {
    log.warn(error.message);
    void window.showErrorMessage(error.message);
    return;
  }
  log.error(error instanceof Error ? error : String(error), id);
  const showLog = 'Show Log';
  const answer = await window.showErrorMessage(
    `Something went wrong in Agent Switchboard: ${reason(error)}`,
    showLog,
  );
  if (answer === showLog) log.show();
}
