/**
 * A second instance of the extension, separate from the one in the window, that
 * records everything it holds.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  ExtensionMode,
  extensions,
  type TreeDataProvider,
  type TreeView,
  Uri,
  type ViewBadge,
  window,
  workspace,
} from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { extensionId } from '../../src/editor/manifest.ts';
import type { TestInsight } from '../../src/editor/start/runtime.ts';
import { type TestAccess, activate, deactivate } from '../../src/extension.ts';
import { key } from './desk.ts';
import { listenTo } from './log.ts';
import { type Anything, replace } from './person.ts';

export class Apart {
  readonly access: TestAccess;
  /** Its changes to the environment of terminals. */
  readonly variables = new Map<string, string>();
  /** The data of its views, by their ids. */
  readonly views = new Map<string, TreeDataProvider<unknown>>();
  /** The views themselves, by their ids. */
  readonly treeViews = new Map<string, Pick<TreeView<unknown>, 'badge'>>();
  readonly #context: ExtensionContext;
  readonly #handlers = new Map<string, Anything>();
  readonly #held: { readonly what: string }[] = [];
  readonly #emitters = new Set<Emitter<unknown>>();
  readonly #restore: (() => void)[] = [];
  #timers = 0;

  /**
   * Activates the extension. `memory` is its workspace state; `looks` loads
   * everything at once; `storage` is the folder that all windows of a machine
   * share; `visible` is whether its views are.
   */
  constructor(
    memory = new Map<string, unknown>(),
    looks = true,
    storage = join(tmpdir(), `switchboard-apart-${randomUUID()}`),
    visible = true,
  ) {
    const state = {
      get: (name: string) => memory.get(name),
      update: (name: string, value: unknown) =>
        Promise.resolve(void memory.set(name, structuredClone(value))),
    };
    this.#context = {
      subscriptions: [],
      workspaceState: state,
      globalState: state,
      extension: extensions.getExtension(extensionId),
      extensionPath: extensions.getExtension(extensionId)?.extensionPath,
      extensionUri: extensions.getExtension(extensionId)?.extensionUri,
      environmentVariableCollection: {
        get: (name: string) =>
          this.variables.has(name)
            ? { value: this.variables.get(name) }
            : undefined,
        prepend: (name: string, value: string) =>
          this.variables.set(name, value + (process.env[name] ?? '')),
        replace: (name: string, value: string) =>
          this.variables.set(name, value),
        delete: (name: string) => this.variables.delete(name),
      },
      // Gives the key to each service.
      secrets: {
        get: () => Promise.resolve(key),
        onDidChange: new EventEmitter().event,
      },
      globalStorageUri: Uri.file(storage),
      extensionMode: ExtensionMode.Test,
    } as unknown as ExtensionContext;
    this.#count(visible);
    const access = activate(this.#context);
    if (!access)
      throw new Error('The extension does not know that it is being tested.');
    this.access = access;
    if (looks) void access.insight();
  }

  get insight(): Promise<TestInsight> {
    return this.access.insight();
  }

  /**
   * Everything it holds: objects of the editor, pending callbacks and internal
   * listeners.
   */
  get holds(): readonly string[] {
    // The switchboard always listens to its own list.
    const listeners = [...this.#emitters].reduce(
      (sum, { size }) => sum + size,
      -1,
    );
    return [
      ...this.#held.map(({ what }) => what),
      ...(this.#timers === 0 ? [] : [`${this.#timers} timers`]),
      ...(listeners <= 0 ? [] : [`${listeners} listeners`]),
    ];
  }

  /** The commands that it has registered. */
  get commands(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  async run(id: string, ...args: unknown[]): Promise<void> {
    await this.#handlers.get(id)?.(...args);
  }

  /**
   * Deactivates the extension, as the editor does, which disposes of what it
   * holds without waiting.
   */
  async deactivate(): Promise<void> {
    const ended = deactivate();
    for (const subscription of this.#context.subscriptions)
      subscription.dispose();
    await ended;
    this.restore();
  }

  /**
   * Ends the extension, although it may not be the last one that was activated.
   * `restore` must follow.
   */
  async end(): Promise<void> {
    const ended = this.access.end();
    for (const subscription of this.#context.subscriptions)
      subscription.dispose();
    await ended;
  }

  /**
   * Restores what was replaced. Of several instances, the last one goes first.
   */
  restore(): void {
    for (const restore of this.#restore.splice(0)) restore();
  }

  #hold<T extends Disposable>(what: string, disposable: T): T {
    const entry = { what };
    this.#held.push(entry);
    const dispose = disposable.dispose.bind(disposable);
    disposable.dispose = () => {
      const index = this.#held.indexOf(entry);
      if (index >= 0) this.#held.splice(index, 1);
      dispose();
    };
    return disposable;
  }

  #count(visible: boolean): void {
    for (const [namespace, names] of [
      [
        window,
        [
          'createOutputChannel',
          'createStatusBarItem',
          'createWebviewPanel',
          'onDidChangeWindowState',
        ],
      ],
      [workspace, ['onDidChangeConfiguration']],
    ] as const) {
      for (const name of names) {
        const original = (Reflect.get(namespace, name) as Anything).bind(
          namespace,
        );
        const counted: Anything = (...args) =>
          this.#hold(name, original(...args) as Disposable);
        this.#restore.push(replace(namespace, name, counted));
      }
    }
    const after = systemClock.after.bind(systemClock);
    const fire = Reflect.get(Emitter.prototype, 'fire') as Anything;
    const openLog = window.createOutputChannel.bind(window);
    const emitters = this.#emitters;
    this.#restore.push(
      // The editor treats channels with the same name as one channel: closing
      // one would break all of them.
      replace(window, 'createOutputChannel', (name) => {
        const log = openLog(`${String(name)} ${randomUUID()}`, { log: true });
        listenTo(log);
        return this.#hold('createOutputChannel', log);
      }),
      // Views that stay as they are, without replacing those of the window.
      replace(window, 'createTreeView', (id, options) => {
        const { treeDataProvider } = options as {
          readonly treeDataProvider: TreeDataProvider<unknown>;
        };
        this.views.set(id as string, treeDataProvider);
        const never = new EventEmitter<unknown>();
        const event = (name: string) => (listener: (event: unknown) => void) =>
          this.#hold(name, never.event(listener));
        const view = {
          visible,
          badge: undefined as ViewBadge | undefined,
          onDidExpandElement: event('onDidExpandElement'),
          onDidChangeVisibility: event('onDidChangeVisibility'),
          onDidChangeCheckboxState: event('onDidChangeCheckboxState'),
          dispose: () => undefined,
        };
        this.treeViews.set(id as string, view);
        return this.#hold('createTreeView', view);
      }),
      // The editor takes one of each from an extension.
      ...(
        ['registerUriHandler', 'registerWebviewPanelSerializer'] as const
      ).map((name) =>
        replace(window, name, () =>
          this.#hold(name, { dispose: () => undefined }),
        ),
      ),
      replace(workspace, 'registerFileSystemProvider', () =>
        this.#hold('registerFileSystemProvider', { dispose: () => undefined }),
      ),
      replace(commands, 'registerCommand', (id, handler) => {
        this.#handlers.set(id as string, handler as Anything);
        return this.#hold('registerCommand', { dispose: () => undefined });
      }),
      replace(systemClock, 'after', (milliseconds, callback) => {
        this.#timers++;
        let over = false;
        const end = () => {
          if (!over) this.#timers--;
          over = true;
        };
        const cancel = after(milliseconds as number, () => {
          end();
          (callback as () => void)();
        });
        return () => {
          end();
          cancel();
        };
      }),
      replace(
        Emitter.prototype,
        'fire',
        function (this: Emitter<unknown>, value) {
          emitters.add(this);
          fire.call(this, value);
        },
      ),
    );
  }
}
