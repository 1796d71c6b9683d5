/**
 * The extension in this window, the demo services that its settings connect it
 * to, and a person who uses it.
 */
import assert from 'node:assert/strict';
import { commands, ConfigurationTarget, extensions, workspace } from 'vscode';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import {
  type MisbehavingDemoOptions,
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import {
  type CommandId,
  type Commands,
  container,
  extensionId,
  type ServiceSetting,
  settings,
  type Settings,
} from '../../src/editor/manifest.ts';
import type { TestInsight } from '../../src/editor/start/runtime.ts';
import type { TestAccess } from '../../src/extension.ts';
import type { NewConversation } from '../../src/service/abilities/agentService.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import type { Switchboard } from '../../src/state/switchboard.ts';
import { HurriedClock } from '../support/hurriedClock.ts';
import { SkippingClock } from '../support/skippingClock.ts';
import { listenTo, logged } from './log.ts';
import { Pages } from './pages.ts';
import { type Anything, Person, replace } from './person.ts';
import { until } from '../support/eventually.ts';

/**
 * The key that demo services expect, if a test does not give them another one.
 */
export const key = 'key-of-the-tests';

export class Desk {
  readonly person = new Person();
  readonly pages = new Pages();
  /** Everything the extension has logged since, at all levels. */
  readonly log = logged;
  /**
   * The clock of the extension and of everything in this process: real time
   * that can be skipped.
   */
  readonly clock = new SkippingClock(systemClock);
  readonly #restoreClocks: readonly (() => void)[];
  readonly #insight: TestInsight;
  readonly #usual: Partial<Settings>;
  readonly #demos: MisbehavingDemo[] = [];

  constructor(insight: TestInsight, usual: Partial<Settings>) {
    this.#insight = insight;
    this.#usual = usual;
    // The extension was built apart from its tests, and has an object of its
    // own.
    this.#restoreClocks = [insight.clock, systemClock].flatMap((clock) =>
      (['now', 'after'] as const).map((name) =>
        replace(clock, name, this.clock[name].bind(this.clock) as Anything),
      ),
    );
    listenTo(insight.log);
    logged.length = 0;
  }

  /**
   * `usual` are the settings that each test starts and ends with. All others
   * have their defaults.
   */
  static async setUp(usual: Partial<Settings> = {}): Promise<Desk> {
    const access = await extensions
      .getExtension<TestAccess | undefined>(extensionId)
      ?.activate();
    const insight = await access?.insight();
    assert.ok(insight, 'The extension does not know that it is being tested.');
    const desk = new Desk(insight, usual);
    await desk.#configureAsUsual();
    return desk;
  }

  get switchboard(): Switchboard {
    return this.#insight.switchboard;
  }

  /** The only service that is connected. */
  get service(): ConnectedService {
    const [service, ...others] = this.switchboard.services;
    assert.ok(service);
    assert.equal(others.length, 0);
    return service;
  }

  get keys(): TestInsight['keys'] {
    return this.#insight.keys;
  }

  get servers(): TestInsight['servers'] {
    return this.#insight.servers;
  }

  get activeServers(): TestInsight['activeServers'] {
    return this.#insight.activeServers;
  }

  get serversView(): TestInsight['serversView'] {
    return this.#insight.serversView;
  }

  get leadership(): TestInsight['leadership'] {
    return this.#insight.leadership;
  }

  get trees(): TestInsight['trees'] {
    return this.#insight.trees;
  }

  /** Starts a demo service that stops with the test. Its key is stored. */
  async serve(options: MisbehavingDemoOptions = {}): Promise<MisbehavingDemo> {
    const demo = await startMisbehavingDemo({ key, ...options });
    this.#demos.push(demo);
    await this.keys.set(demo.url, new Secret(demo.key));
    return demo;
  }

  /**
   * Replaces the services in the settings, and waits until they are connected.
   */
  async connectTo(...services: readonly ServiceSetting[]): Promise<void> {
    await this.configure({ services });
    const wanted = services
      .filter(({ enabled }) => enabled !== false)
      .map(({ url }) => url);
    await until(() => wanted.every((url) => this.switchboard.service(url)));
    await until(() => this.switchboard.services.length === wanted.length);
  }

  /** Starts a demo service and connects to it through the settings. */
  async connect(
    options: MisbehavingDemoOptions = {},
    setting: Partial<ServiceSetting> = {},
  ): Promise<MisbehavingDemo> {
    const demo = await this.serve(options);
    await this.connectTo({ ...setting, url: demo.url });
    return demo;
  }

  /**
   * Like `connect`, but also opens the side bar and waits for its first rows.
   */
  async look(
    options: MisbehavingDemoOptions = {},
    setting: Partial<ServiceSetting> = {},
  ): Promise<MisbehavingDemo> {
    const demo = await this.connect(options, setting);
    await this.open();
    await this.loaded();
    return demo;
  }

  /** Resolves when both lists of every service, or of this one, are loaded. */
  async loaded(address?: string): Promise<void> {
    const services = () =>
      this.switchboard.services.filter(
        (service) => address === undefined || service.address === address,
      );
    const lists = () =>
      services().flatMap(({ conversations, sandboxes }) => [
        conversations,
        sandboxes,
      ]);
    await until(() => lists().length > 0);
    await until(() => lists().every(({ asOf }) => asOf !== undefined));
    await until(() => !lists().some(({ isRefreshing }) => isRefreshing));
    // Automations are asked for after the lists, unless those have failed.
    await until(() =>
      services().every(
        ({ automations, error }) => error ?? automations.wasAsked,
      ),
    );
  }

  /**
   * Skips time, and lets what is due begin. Requests that are not answered come
   * to their deadline after 30 s.
   */
  async skip(seconds: number): Promise<void> {
    await this.clock.skip(seconds * 1_000);
    // The editor answers in order: what it was asked on the way has been
    // answered too.
    await commands.executeCommand('setContext', 'switchboard.skipped', seconds);
  }

  /**
   * Skips the time that this takes, in steps in which what is asked can be
   * answered.
   */
  async skipUntilDone<T>(work: PromiseLike<T>): Promise<T> {
    let isDone = false;
    const skip = async () => {
      while (!isDone) await this.skip(0.25);
    };
    const done = Promise.resolve(work).finally(() => {
      isDone = true;
    });
    const [result] = await Promise.all([done, skip()]);
    return result;
  }

  /** Changes settings, as a user would. */
  async configure(values: {
    readonly [Name in keyof Settings]?: Settings[Name] | undefined;
  }): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await workspace
        .getConfiguration('switchboard')
        .update(name, value, ConfigurationTarget.Global);
    }
  }

  /** The services in the settings. */
  services(): readonly ServiceSetting[] {
    return workspace.getConfiguration('switchboard').get('services', []);
  }

  async run<Id extends CommandId>(
    id: Id,
    ...args: Partial<Commands[Id]>
  ): Promise<void> {
    await commands.executeCommand(id, ...(args as readonly unknown[]));
  }

  /**
   * Opens the page of a new conversation, and writes its message. Returns the
   * id of the draft.
   */
  async write(message: string): Promise<string> {
    await this.run('switchboard.conversations.new');
    const { requested } = this.switchboard;
    const [{ id } = { id: '' }] = requested.all;
    requested.change(id, { message });
    return id;
  }

  /** Creates a conversation with the choices that its page offers at first. */
  async create(message: string): Promise<void> {
    await this.write(message);
    await this.pages.say({ type: 'create', text: message });
  }

  /** Creates a conversation without a page. Its agent has finished. */
  async createFinished(draft: NewConversation): Promise<Conversation> {
    const created = await this.service.client.service?.creation?.create(draft);
    assert.ok(created?.kind === 'conversation');
    const key = keyOf(created.conversation);
    return await until(async () => {
      await this.service.refresh();
      const row = this.switchboard.conversation(key);
      return row?.execution === 'finished' && row;
    });
  }

  async open(): Promise<void> {
    await commands.executeCommand(`workbench.view.extension.${container}`);
  }

  async close(): Promise<void> {
    await commands.executeCommand('workbench.action.closeSidebar');
  }

  /** The text of the rows in the list of conversations. */
  rows(): string[] {
    const { conversations } = this.trees;
    const all = conversations
      .getChildren()
      .flatMap((row) => [row, ...conversations.getChildren(row)]);
    return all.map((row) => {
      const { label, description } = conversations.getTreeItem(row);
      const parts = [label, description].filter(
        (part) => typeof part === 'string',
      );
      return parts.filter((part) => part !== '').join(' · ');
    });
  }

  /**
   * Restores everything, and the usual settings. Fails if the key of a service
   * went to another one.
   */
  async clear(): Promise<void> {
    if (this.switchboard.services.some(({ demo }) => demo))
      await this.run('switchboard.stopDemo');
    await this.close();
    await this.#configureAsUsual();
    await until(() => this.switchboard.services.length === 0);
    await this.switchboard.arrange({
      filter: {},
      grouping: 'none',
      sorting: 'urgent',
    });
    for (const { id } of this.switchboard.requested.all)
      this.switchboard.requested.dismiss(id);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await Promise.all(this.#demos.map((demo) => demo.stop()));
    await Promise.all(this.#demos.map(({ url }) => this.keys.clear(url)));
    this.person.leave();
    this.pages.leave();
    for (const restore of this.#restoreClocks) restore();
    for (const { url, key: own, requests } of this.#demos) {
      const received = JSON.stringify(
        requests.map(({ path, query, headers }) => [path, [...query], headers]),
      );
      const others = this.#demos.filter(
        (demo) => demo.key !== own && received.includes(demo.key),
      );
      assert.deepEqual(
        others.map((demo) => `The key of ${demo.url} went to ${url}.`),
        [],
      );
    }
  }

  /**
   * Writes only what differs, because the editor needs a tenth of a second for
   * each setting.
   */
  async #configureAsUsual(): Promise<void> {
    const configuration = workspace.getConfiguration('switchboard');
    for (const name of Object.keys(settings) as (keyof Settings)[]) {
      const usual = this.#usual[name];
      if (configuration.inspect(name)?.globalValue === usual) continue;
      await configuration.update(name, usual, ConfigurationTarget.Global);
    }
  }
}

/**
 * The clock of a service that finishes everything before the extension asks
 * again.
 */
export function hurried(): Clock {
  return new HurriedClock(2);
}
