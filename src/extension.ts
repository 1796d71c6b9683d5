/** What the editor waits for as it activates the extension: the commands. Everything else comes in a turn of its own. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commands, type ExtensionContext, ExtensionMode } from 'vscode';
import { commandIds } from './editor/manifest.ts';
import type { Insight, Running } from './editor/running.ts';

let running: Promise<Running> | undefined;

/** For tests, gives what they look at. */
export function activate(context: ExtensionContext): Promise<Insight> | undefined {
  const begun = (running = begin(context));
  for (const id of commandIds) {
    const run = async (...args: unknown[]) => await (await begun).run(id, args);
    context.subscriptions.push(commands.registerCommand(id, run));
  }
  return context.extensionMode === ExtensionMode.Test ? begun.then(({ insight }) => insight) : undefined;
}

export async function deactivate(): Promise<void> {
  await (await running)?.end();
}

async function begin(context: ExtensionContext): Promise<Running> {
  // Loading it blocks, and the editor has other extensions to activate.
  await nextTurn();
  const { start } = await import('./editor/running.ts');
  return start(context);
}
