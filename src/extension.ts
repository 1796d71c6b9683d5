/**
 * What each window gets that the editor activates the extension in: commands, empty views, terminals. It is kept small,
 * because most windows never need the rest, which is loaded when somebody looks at a view, runs a command, or opens a
 * configuration file.
 */
import { commands, env, type ExtensionContext, ExtensionMode, l10n, window, workspace } from 'vscode';
import { speak } from './base/l10n.ts';
import { onSchemaFileOpen } from './editor/configuration/places.ts';
import { isDemoWanted } from './editor/connection/demoMemory.ts';
import { createViews, type LazyViews } from './editor/lazyViews.ts';
import type { CommandId } from './editor/manifest.ts';
import type * as namedFile from './editor/namedFile.ts';
import { wasShown } from './editor/restored.ts';
import type { Insight, Running } from './editor/running.ts';
import { isAnyServiceWritten } from './editor/sync/configuredService.ts';
import { recallSandboxes, recallServers } from './editor/sync/knownServers.ts';
import { equipTerminals, needsFileVariable } from './editor/sync/terminals.ts';
import { recallTakenOver } from './editor/takeOver/known.ts';
import type * as withService from './editor/withService.ts';

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
  readonly #commands: DeclaredCommands;
  readonly #prepared: Promise<LazyViews>;
  #withService: withService.WithService | undefined;
  #followsNamedFile = false;
  #running: Promise<Running> | undefined;
  #started: Running | undefined;

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.#commands = declaredCommands(context);
    this.#registerCommands(this.#commands.offered);
    // Here, because a command, a page or a document may be what the editor activates the extension for.
    if (this.#needsWithService()) this.#getWithService();
    // The editor waits for `activate` before it activates other extensions. The global `setImmediate` needs no module.
    this.#prepared = new Promise((resolve) => setImmediate(resolve)).then(() => this.#prepare());
  }

  get isLoaded(): boolean {
    return this.#running !== undefined;
  }

  load(): Promise<Running> {
    return (this.#running ??= this.#load());
  }

  /** The editor disposes of the subscriptions without waiting for this, and so not of those that come later. */
  async end(): Promise<void> {
    await this.#prepared;
    await (await this.#running)?.end();
    for (const subscription of this.#context.subscriptions) subscription.dispose();
  }

  #registerCommands(ids: readonly CommandId[]): void {
    for (const id of ids) {
      const run = async (...args: unknown[]) => await (await this.load()).run(id, args);
      this.#context.subscriptions.push(commands.registerCommand(id, run));
    }
  }

  #prepare(): LazyViews {
    // Without a translation, everything is in English, dates included.
    if (env.language !== 'en' && l10n.bundle) speak(env.language, l10n.t);
    const load = () => this.load();
    const views = createViews(load);
    const { globalState, subscriptions, workspaceState } = this.#context;
    equipTerminals(this.#context);
    subscriptions.push(
      views,
      workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('switchboard')) return;
        if (this.#needsWithService()) this.#getWithService();
        this.#followNamedFile();
      }),
      onSchemaFileOpen(() => void load()),
      window.registerUriHandler({ handleUri: async (link) => (await load()).openLink(link) }),
    );
    this.#followNamedFile();
    recallServers(globalState);
    recallSandboxes(globalState);
    recallTakenOver({ state: workspaceState });
    // Set by `npm start`.
    if (process.env.SWITCHBOARD_DEMO || isDemoWanted(this.#context)) void load();
    return views;
  }

  #needsWithService(): boolean {
    return isAnyServiceWritten() || wasShown(this.#context.workspaceState);
  }

  #followNamedFile(): void {
    if (this.#followsNamedFile || !needsFileVariable()) return;
    this.#followsNamedFile = true;
    const { followNamedFile } = require('./editor/namedFile.ts') as typeof namedFile;
    this.#context.subscriptions.push(followNamedFile(this.#context, () => void this.load()));
  }

  #getWithService(): withService.WithService {
    if (this.#withService) return this.#withService;
    // An import would not be there at once.
    const { WithService } = require('./editor/withService.ts') as typeof withService;
    return (this.#withService = new WithService({
      context: this.#context,
      load: () => this.load(),
      isConnected: () => this.#started?.isConnected(),
      registerCommands: () => {
        this.#registerCommands(this.#commands.offeredWithService);
      },
    }));
  }

  async #load(): Promise<Running> {
    const views = await this.#prepared;
    const { start } = await import('./editor/running.ts');
    this.#getWithService().giveWay();
    this.#registerCommands(this.#commands.shown);
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
  const found = { offered: [], offeredWithService: [], shown: [] } as Record<
    keyof DeclaredCommands,
    CommandId[]
  >;
  const lists = new Map<CommandId, CommandId[]>();
  for (const { command, when } of contributes.menus.commandPalette) {
    if (when === 'false') lists.set(command, found.shown);
    else if (when.includes('config.switchboard.services')) lists.set(command, found.offeredWithService);
  }
  for (const { command } of contributes.commands) (lists.get(command) ?? found.offered).push(command);
  return found;
}
