import { type ExtensionContext, window } from 'vscode';
import { openConfig } from './editor/commands/openConfig.ts';
import { registerCommands } from './editor/commands/register.ts';
import { registerViews } from './editor/views/register.ts';

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('Agent Switchboard', { log: true });
  context.subscriptions.push(
    log,
    ...registerViews(),
    ...registerCommands(
      {
        'switchboard.showLog': () => {
          log.show();
        },
        'switchboard.mcp.openConfig': openConfig,
      },
      log,
    ),
  );
}
