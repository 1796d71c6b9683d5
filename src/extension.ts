/**
 * The editor's composition root: a start in three stages.
 * 1. At activation, while the editor waits: commands, and handlers for the pages and documents that the editor restores.
 * 2. Right after: empty views, the status bar item, terminals, and handlers for files, links and problems.
 * 3. On first use, `editor/start/runtime.ts`: when a view asks for its rows, a command runs, a link or the MCP file is
 *    opened, or this window starts to poll for all windows.
 */
import {
  commands,
  env,
  type ExtensionContext,
  ExtensionMode,
  l10n,
  window,
  workspace,
} from 'vscode';
import { setLanguage } from './base/l10n.ts';
import { ServiceItem } from './editor/background/serviceItem.ts';
import { equipTerminals } from './editor/background/terminals.ts';
import { waitForLeadership } from './editor/background/waitForLeadership.ts';
import { registerChanges } from './editor/changes/fileSystem.ts';
import { registerQuickFix } from './editor/conversations/new/quickFix.ts';
import { type CommandId, conversationPage, views } from './editor/manifest.ts';
import { onConfigFileOpen } from './editor/mcpJson/places.ts';
import type { ServerRow } from './editor/mcpServers/serversTree.ts';
import { isDemoWanted } from './editor/services/demoMemory.ts';
import { enabledServices } from './editor/services/enabledServices.ts';
import type { FirstParts } from './editor/start/registerViews.ts';
import type { Runtime, TestInsight } from './editor/start/runtime.ts';
import { LazyView } from './editor/ui/lazyView.ts';
import { recallContext } from './editor/ui/rememberedContext.ts';

/** Serves only tests, because it leads to the services. */
export interface TestAccess {
  isLoaded(): boolean;
  /** Loads everything. */
  insight(): Promise<TestInsight>;
  /**
   * Ends this instance, where `deactivate` ends the last one that was
   * activated.
   */
  end(): Promise<void>;
}

let active: Extension | undefined;

export function activate(context: ExtensionContext): TestAccess | undefined {
  active = new Extension(context);
  return context.extensionMode === ExtensionMode.Test ? active : undefined;
}

export async function deactivate(): Promise<void> {
  await active?.end();
}

class Extension implements TestAccess {
  readonly #context: ExtensionContext;
  readonly #first: Promise<FirstParts>;
  #loading: Promise<Runtime> | undefined;
  #runtime: Runtime | undefined;

  constructor(context: ExtensionContext) {
    this.#context = context;
    // Everything is in English if there is no translation, dates included.
    if (env.language !== 'en' && l10n.bundle) setLanguage(env.language, l10n.t);
    this.#registerAtActivation();
    // The editor waits for `activate` before it activates other extensions. The
    // global `setImmediate` needs no module.
    this.#first = new Promise((resolve) => setImmediate(resolve)).then(() =>
      this.#registerNext(),
    );
  }

  isLoaded(): boolean {
    return this.#loading !== undefined;
  }

  async insight(): Promise<TestInsight> {
    return await (await this.#load()).insight();
  }

  /**
   * Also disposes of subscriptions that are added while the editor disposes of
   * the others.
   */
  async end(): Promise<void> {
    await this.#first;
    await (await this.#loading)?.end();
    for (const subscription of this.#context.subscriptions)
      subscription.dispose();
  }

  #registerAtActivation(): void {
    this.#context.subscriptions.push(
      ...declaredCommands(this.#context).map((id) =>
        commands.registerCommand(
          id,
          async (...args: unknown[]) =>
            await (await this.#load()).run(id, args),
        ),
      ),
      window.registerWebviewPanelSerializer(conversationPage, {
        deserializeWebviewPanel: async (panel, state) =>
          (await this.#load()).restorePage(panel, state),
      }),
      registerChanges(async () => (await this.#load()).changes()),
    );
  }

  #registerNext(): FirstParts {
    const {
      extensionMode,
      globalState,
      globalStorageUri,
      subscriptions,
      workspaceState,
    } = this.#context;
    const load = () => this.#load();
    const first: FirstParts = {
      conversations: new LazyView<unknown>(views.conversations, load, {
        canSelectMany: true,
        manageCheckboxStateManually: true,
      }),
      sandboxes: new LazyView<unknown>(views.sandboxes, load),
      servers: new LazyView<ServerRow>(views.servers, load, {
        canSelectMany: true,
        // A check box runs a command, which reports the outcome.
        manageCheckboxStateManually: true,
      }),
      serviceItem: new ServiceItem(),
    };
    const showServices = () => {
      if (!this.isLoaded()) first.serviceItem.showConfigured(enabledServices());
    };
    showServices();
    subscriptions.push(
      ...[
        first.conversations,
        first.sandboxes,
        first.servers,
        first.serviceItem,
      ],
      equipTerminals(this.#context),
      onConfigFileOpen(() => void load()),
      registerQuickFix(
        () => this.#runtime?.isConnected() ?? enabledServices().length > 0,
      ),
      window.registerUriHandler({
        handleUri: async (link) => (await load()).openLink(link),
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('switchboard.services')) showServices();
      }),
    );
    // Tests decide when a window leads.
    if (extensionMode !== ExtensionMode.Test) {
      subscriptions.push(
        waitForLeadership(globalStorageUri.fsPath, globalState, async () =>
          (await load()).lead(),
        ),
      );
    }
    recallContext(globalState, 'switchboard.hasServers');
    if (enabledServices().length > 0)
      recallContext(globalState, 'switchboard.hasSandboxes');
    recallContext(workspaceState, 'switchboard.takenOver');
    // Set by `npm start`.
    if (process.env.SWITCHBOARD_DEMO || isDemoWanted(this.#context))
      void load();
    return first;
  }

  #load(): Promise<Runtime> {
    return (this.#loading ??= this.#start());
  }

  async #start(): Promise<Runtime> {
    const first = await this.#first;
    const { createRuntime } = await import('./editor/start/runtime.ts');
    return (this.#runtime = createRuntime(this.#context, first));
  }
}

function declaredCommands({
  extension,
}: ExtensionContext): readonly CommandId[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: {
      readonly commands: readonly { readonly command: CommandId }[];
    };
  };
  return contributes.commands.map(({ command }) => command);
}
