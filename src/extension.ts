/**
 * The editor's composition root: a start in three stages.
 * 1. At activation, while the editor waits: commands, and handlers for the pages and documents that the editor restores.
 * 2. Right after: empty views, the status bar item, terminals, and handlers for files, links and problems.
 * 3. On first use, `editor/start/running.ts`: when a view asks for its rows, a command runs, a link or a configuration file is
 *    opened, or this window starts to look for all windows.
 */
import { commands, env, type ExtensionContext, ExtensionMode, l10n, window, workspace } from 'vscode';
import { speak } from './base/l10n.ts';
import { registerChanges } from './editor/changes/fileSystem.ts';
import { onConfigFileOpen } from './editor/mcpJson/places.ts';
import { isDemoWanted } from './editor/services/demoMemory.ts';
import { enabledServices } from './editor/services/enabledServices.ts';
import { LazyView } from './editor/ui/lazyView.ts';
import { standBy } from './editor/background/standBy.ts';
import { type CommandId, conversationPage, views } from './editor/manifest.ts';
import { registerQuickFix } from './editor/conversations/new/quickFix.ts';
import type { FirstParts, Insight, Running } from './editor/start/running.ts';
import { recallSandboxes, recallServers } from './editor/services/serversMemory.ts';
import { ServiceItem } from './editor/background/serviceItem.ts';
import { equipTerminals } from './editor/background/terminals.ts';
import { recallTakenOver } from './editor/takeOver/takenOverMemory.ts';
import type { ServerRow } from './editor/mcpServers/serversTree.ts';

/** For tests. Other extensions get nothing, because it leads to the service. */
export interface TestAccess {
  readonly isLoaded: () => boolean;
  /** Loads everything. */
  readonly insight: () => Promise<Insight>;
  /** Ends as `deactivate` does, which ends only the last one that was activated. */
  readonly end: () => Promise<void>;
}

let active: Extension | undefined;

export function activate(context: ExtensionContext): TestAccess | undefined {
  const extension = (active = new Extension(context));
  if (context.extensionMode !== ExtensionMode.Test) return undefined;
  return {
    isLoaded: () => extension.isLoaded,
    insight: async () => await (await extension.load()).insight(),
    end: () => extension.end(),
  };
}

export async function deactivate(): Promise<void> {
  await active?.end();
}

class Extension {
  readonly #context: ExtensionContext;
  readonly #first: Promise<FirstParts>;
  #loading: Promise<Running> | undefined;
  #running: Running | undefined;

  constructor(context: ExtensionContext) {
    this.#context = context;
    // Without a translation, everything is in English, dates included.
    if (env.language !== 'en' && l10n.bundle) speak(env.language, l10n.t);
    this.#registerAtActivation();
    // The editor waits for `activate` before it activates other extensions. The global `setImmediate` needs no module.
    this.#first = new Promise((resolve) => setImmediate(resolve)).then(() => this.#registerNext());
  }

  get isLoaded(): boolean {
    return this.#loading !== undefined;
  }

  load(): Promise<Running> {
    return (this.#loading ??= this.#load());
  }

  /** The editor disposes of the subscriptions without waiting for this, and so not of those that come later. */
  async end(): Promise<void> {
    await this.#first;
    await (await this.#loading)?.end();
    for (const subscription of this.#context.subscriptions) subscription.dispose();
  }

  #registerAtActivation(): void {
    this.#context.subscriptions.push(
      ...declaredCommands(this.#context).map((id) =>
        commands.registerCommand(id, async (...args: unknown[]) => await (await this.load()).run(id, args)),
      ),
      window.registerWebviewPanelSerializer(conversationPage, {
        deserializeWebviewPanel: async (panel, state) => (await this.load()).restorePage(panel, state),
      }),
      registerChanges(async () => (await this.load()).changes()),
    );
  }

  #registerNext(): FirstParts {
    const { extensionMode, globalState, globalStorageUri, subscriptions, workspaceState } = this.#context;
    const load = () => this.load();
    const first: FirstParts = {
      conversations: new LazyView<unknown>(views.conversations, load, { canSelectMany: true }),
      sandboxes: new LazyView<unknown>(views.sandboxes, load),
      servers: new LazyView<ServerRow>(views.servers, load, {
        canSelectMany: true,
        // A check box runs a command, which reports the outcome.
        manageCheckboxStateManually: true,
      }),
      serviceItem: new ServiceItem(),
    };
    const showServices = () => {
      if (!this.isLoaded) first.serviceItem.showConfigured(enabledServices());
    };
    showServices();
    subscriptions.push(
      ...[first.conversations, first.sandboxes, first.servers, first.serviceItem],
      equipTerminals(this.#context),
      onConfigFileOpen(() => void load()),
      registerQuickFix(() => this.#running?.isConnected() ?? enabledServices().length > 0),
      window.registerUriHandler({ handleUri: async (link) => (await load()).openLink(link) }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('switchboard.services')) showServices();
      }),
    );
    // A test says when.
    if (extensionMode !== ExtensionMode.Test) {
      subscriptions.push(standBy(globalStorageUri.fsPath, async () => (await load()).lookOut()));
    }
    recallServers(globalState);
    recallSandboxes(globalState);
    recallTakenOver({ state: workspaceState });
    // Set by `npm start`.
    if (process.env.SWITCHBOARD_DEMO || isDemoWanted(this.#context)) void load();
    return first;
  }

  async #load(): Promise<Running> {
    const first = await this.#first;
    const { start } = await import('./editor/start/running.ts');
    return (this.#running = start(this.#context, first));
  }
}

function declaredCommands({ extension }: ExtensionContext): readonly CommandId[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
  };
  return contributes.commands.map(({ command }) => command);
}
