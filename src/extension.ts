/**
 * What each window gets that the editor activates the extension in: commands, empty views, terminals. It is kept small,
 * because most windows never need the rest, which is loaded when somebody looks at a view, runs a command, or opens a
 * configuration file.
 */
import { commands, env, type ExtensionContext, ExtensionMode, l10n, window } from 'vscode';
import { speak } from './base/l10n.ts';
import { registerChanges } from './editor/changes/fileSystem.ts';
import { onConfigFileOpen } from './editor/configuration/places.ts';
import { standBy } from './editor/lookout/standBy.ts';
import { createViews, type LazyViews } from './editor/lazyViews.ts';
import { type CommandId, conversationPage } from './editor/manifest.ts';
import type { Insight, Running } from './editor/running.ts';
import { registerQuickFix } from './editor/quickFix.ts';
import { rememberShown, wasShown } from './editor/restored.ts';
import {
  hasConfiguredService,
  isAnyServiceWritten,
  onConfiguredServices,
  ServiceItem,
} from './editor/sync/configuredService.ts';
import { recallServers } from './editor/sync/knownServers.ts';
import { recallTakenOver } from './editor/takeOver/known.ts';
import { equipTerminals } from './editor/sync/terminals.ts';

/** For tests. Other extensions get nothing, because it leads to the service. */
export interface Access {
  readonly isLoaded: () => boolean;
  /** Loads everything. */
  readonly insight: () => Promise<Insight>;
}

interface Prepared {
  readonly views: LazyViews;
  readonly serviceItem: ServiceItem;
}

let active: Extension | undefined;

export function activate(context: ExtensionContext): Access | undefined {
  const extension = (active = new Extension(context));
  if (context.extensionMode !== ExtensionMode.Test) return undefined;
  return {
    isLoaded: () => extension.isLoaded,
    insight: async () => await (await extension.load()).insight(),
  };
}

export async function deactivate(): Promise<void> {
  await active?.end();
}

class Extension {
  readonly #context: ExtensionContext;
  readonly #commands: DeclaredCommands;
  readonly #prepared: Promise<Prepared>;
  readonly #restores: boolean;
  #running: Promise<Running> | undefined;
  #started: Running | undefined;
  #isForServices = false;

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.#commands = declaredCommands(context);
    this.#restores = wasShown(context.workspaceState);
    this.#registerCommands(this.#commands.offered);
    if (this.#restores) this.#registerRestored();
    // Here, because a command may be what the editor activates the extension for.
    if (isAnyServiceWritten()) this.#registerForServices();
    // The editor waits for `activate` before it activates other extensions. The global `setImmediate` needs no module.
    this.#prepared = new Promise((resolve) => setImmediate(resolve)).then(() => this.#prepare());
  }

  get isLoaded(): boolean {
    return this.#running !== undefined;
  }

  load(): Promise<Running> {
    return (this.#running ??= this.#load());
  }

  /** The editor disposes of the subscriptions after this. */
  async end(): Promise<void> {
    await this.#prepared;
    await (await this.#running)?.end();
  }

  #registerCommands(ids: readonly CommandId[]): void {
    for (const id of ids) {
      const run = async (...args: unknown[]) => await (await this.load()).run(id, args);
      this.#context.subscriptions.push(commands.registerCommand(id, run));
    }
  }

  /** Takes up what was open when the window was closed. */
  #registerRestored(): void {
    const { subscriptions, workspaceState } = this.#context;
    subscriptions.push(
      window.registerWebviewPanelSerializer(conversationPage, {
        deserializeWebviewPanel: async (panel, state) => (await this.load()).restorePage(panel, state),
      }),
      registerChanges(async () => {
        rememberShown(workspaceState);
        return (await this.load()).changes();
      }),
    );
  }

  #prepare(): Prepared {
    // Without a translation, everything is in English, dates included.
    if (env.language !== 'en' && l10n.bundle) speak(env.language, l10n.t);
    const load = () => this.load();
    const views = createViews(load);
    const serviceItem = new ServiceItem();
    const { globalState, subscriptions, workspaceState } = this.#context;
    subscriptions.push(
      views,
      serviceItem,
      onConfiguredServices((names) => {
        if (!this.isLoaded) serviceItem.show(names);
        if (isAnyServiceWritten()) this.#registerForServices();
      }),
      equipTerminals(this.#context),
      onConfigFileOpen(() => void load()),
      window.registerUriHandler({ handleUri: async (link) => (await load()).openLink(link) }),
    );
    recallServers(globalState);
    recallTakenOver({ state: workspaceState });
    // Set by `npm start`.
    if (process.env.SWITCHBOARD_DEMO) void load();
    return { views, serviceItem };
  }

  /** Registers what is useful only with a service, once there is one. */
  #registerForServices(): void {
    if (this.#isForServices) return;
    this.#isForServices = true;
    this.#registerCommands(this.#commands.offeredWithService);
    const { extensionMode, globalStorageUri, subscriptions } = this.#context;
    subscriptions.push(registerQuickFix(() => this.#started?.isConnected() ?? hasConfiguredService()));
    // A test says when.
    if (extensionMode === ExtensionMode.Test) return;
    const lookOut = async () => (await this.load()).lookOut();
    subscriptions.push(standBy(globalStorageUri.fsPath, lookOut));
  }

  async #load(): Promise<Running> {
    const { views, serviceItem } = await this.#prepared;
    const { start } = await import('./editor/running.ts');
    // Before there is another one with the same id, which this would take away.
    serviceItem.dispose();
    // From now on, a service can come without the settings.
    this.#registerForServices();
    this.#registerCommands(this.#commands.shown);
    if (!this.#restores) this.#registerRestored();
    return (this.#started = start(this.#context, views));
  }
}

interface DeclaredCommands {
  /** Those that are there in every window. */
  readonly offered: readonly CommandId[];
  /** Those that the palette offers only with a service. */
  readonly offeredWithService: readonly CommandId[];
  /** Those that only rows, pages and comments show. */
  readonly shown: readonly CommandId[];
}

function declaredCommands({ extension }: ExtensionContext): DeclaredCommands {
  const { contributes } = extension.packageJSON as {
    readonly contributes: {
      readonly commands: readonly { readonly command: CommandId }[];
      readonly menus: {
        readonly commandPalette: readonly { readonly command: CommandId; readonly when: string }[];
      };
    };
  };
  const conditions = new Map(contributes.menus.commandPalette.map(({ command, when }) => [command, when]));
  const found = { offered: [], offeredWithService: [], shown: [] } as Record<
    keyof DeclaredCommands,
    CommandId[]
  >;
  for (const { command } of contributes.commands) {
    const condition = conditions.get(command);
    if (condition === 'false') found.shown.push(command);
    else if (condition?.includes('config.switchboard.services')) found.offeredWithService.push(command);
    else found.offered.push(command);
  }
  return found;
}
