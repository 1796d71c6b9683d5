/**
 * What each window gets that the editor activates the extension in: commands, empty views, terminals. It is kept small,
 * because most windows never need the rest, which is loaded when somebody looks at a view, runs a command, or opens a
 * configuration file.
 */
import { commands, env, type ExtensionContext, ExtensionMode, l10n } from 'vscode';
import { speak } from './base/l10n.ts';
import { onConfigFileOpen } from './editor/configuration/places.ts';
import { createViews } from './editor/lazyViews.ts';
import type { CommandId } from './editor/manifest.ts';
import type { Insight, Running } from './editor/running.ts';
import { showConfiguredService } from './editor/sync/configuredService.ts';
import { equipTerminals } from './editor/sync/terminals.ts';

let running: Promise<Running> | undefined;

/** For tests. Other extensions get nothing, because it leads to the service. */
export interface Access {
  readonly isLoaded: () => boolean;
  /** Loads everything. */
  readonly insight: () => Promise<Insight>;
}

export function activate(context: ExtensionContext): Access | undefined {
  // Without a translation, everything is in English, dates included.
  if (l10n.bundle) speak(env.language, l10n.t);
  running = undefined;
  const load = () => (running ??= begin());
  const views = createViews(load);
  const configuredService = showConfiguredService();
  const begin = async () => {
    const { start } = await import('./editor/running.ts');
    // The status bar item is the same one, which a later dispose would take away.
    configuredService.dispose();
    return start(context, views);
  };
  context.subscriptions.push(
    views,
    configuredService,
    equipTerminals(context),
    onConfigFileOpen(() => void load()),
    ...commandIds(context).map((id) =>
      commands.registerCommand(id, async (...args: unknown[]) => await (await load()).run(id, args)),
    ),
  );
  // Set by `npm start`.
  if (process.env.SWITCHBOARD_DEMO) void load();
  if (context.extensionMode !== ExtensionMode.Test) return undefined;
  return { isLoaded: () => running !== undefined, insight: async () => (await load()).insight };
}

export async function deactivate(): Promise<void> {
  await (await running)?.end();
}

function commandIds({ extension }: ExtensionContext): CommandId[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
  };
  return contributes.commands.map(({ command }) => command);
}
