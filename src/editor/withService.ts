/**
 * What a window gets from its start where the settings have a service, or where something of one was shown before. Other
 * windows load it with everything else.
 */
import { env, type ExtensionContext, ExtensionMode, l10n, window } from 'vscode';
import { speak } from '../base/l10n.ts';
import { registerChanges } from './changes/fileSystem.ts';
import { standBy } from './lookout/standBy.ts';
import { conversationPage } from './manifest.ts';
import { registerQuickFix } from './quickFix.ts';
import { rememberShown, wasShown } from './restored.ts';
import type { Running } from './running.ts';
import {
  hasConfiguredService,
  isAnyServiceWritten,
  onConfiguredServices,
  ServiceItem,
} from './sync/configuredService.ts';

interface WithServiceOptions {
  readonly context: ExtensionContext;
  /** Loads everything. */
  readonly load: () => Promise<Running>;
  /** Undefined until everything is loaded. */
  readonly isConnected: () => boolean | undefined;
  /** Registers the commands that are offered only with a service. */
  readonly registerCommands: () => void;
}

export class WithService {
  readonly #start: WithServiceOptions;
  readonly #serviceItem = new ServiceItem();
  #isRegistered = false;
  #restores = false;
  #isLoaded = false;

  constructor(start: WithServiceOptions) {
    this.#start = start;
    if (env.language !== 'en' && l10n.bundle) speak(env.language, l10n.t);
    const { context } = start;
    if (wasShown(context.workspaceState)) this.#restore();
    context.subscriptions.push(
      this.#serviceItem,
      onConfiguredServices((names) => {
        if (!this.#isLoaded) this.#serviceItem.show(names);
        if (isAnyServiceWritten()) this.#registerForServices();
      }),
    );
  }

  /** Called once everything is loaded, before that shows an item with the same id in the status bar. */
  giveWay(): void {
    this.#isLoaded = true;
    this.#serviceItem.dispose();
    // From now on, a service can come without the settings.
    this.#registerForServices();
    this.#restore();
  }

  #registerForServices(): void {
    if (this.#isRegistered) return;
    this.#isRegistered = true;
    const { context, load, isConnected, registerCommands } = this.#start;
    registerCommands();
    const { extensionMode, globalStorageUri, subscriptions } = context;
    subscriptions.push(registerQuickFix(() => isConnected() ?? hasConfiguredService()));
    // A test says when.
    if (extensionMode === ExtensionMode.Test) return;
    subscriptions.push(standBy(globalStorageUri.fsPath, async () => (await load()).lookOut()));
  }

  /** Takes up what was open when the window was closed. */
  #restore(): void {
    if (this.#restores) return;
    this.#restores = true;
    const { context, load } = this.#start;
    const { subscriptions, workspaceState } = context;
    subscriptions.push(
      window.registerWebviewPanelSerializer(conversationPage, {
        deserializeWebviewPanel: async (panel, state) => (await load()).restorePage(panel, state),
      }),
      registerChanges(async () => {
        rememberShown(workspaceState);
        return (await load()).changes();
      }),
    );
  }
}
