/** Which service is connected: the one of the settings, or the demo that runs in here. */
import type { LogOutputChannel } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import type { DemoService } from '../../demo/demoService.ts';
import { serviceAddress, showAddress } from '../../service/address.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Authentication } from '../../service/transport.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ApiKeys } from './apiKeys.ts';
import { changeSetting, setting } from '../settings.ts';

export interface Access {
  readonly address: URL;
  readonly authentication: Authentication;
  readonly key: Secret | undefined;
}

export class Connector {
  readonly keys: ApiKeys;
  readonly #switchboard: Switchboard;
  readonly #log: LogOutputChannel;
  #demo: DemoService | undefined;
  /** While the connector itself writes the settings, it ignores their changes. */
  #writing = false;
  /** The newest attempt to connect. An older one that takes longer is dropped. */
  #attempt = 0;
  #restoring: Promise<unknown> = Promise.resolve();

  constructor(switchboard: Switchboard, keys: ApiKeys, log: LogOutputChannel) {
    this.#switchboard = switchboard;
    this.keys = keys;
    this.#log = log;
  }

  get isDemo(): boolean {
    return this.#demo !== undefined;
  }

  /** Resolves when the last attempt to connect to the service of the settings has ended, however it ended. */
  get restored(): Promise<unknown> {
    return this.#restoring;
  }

  /** Connects to the service of the settings; disconnects where they name none. Asks the service nothing yet. */
  async restore(): Promise<void> {
    const restoring = this.#restore();
    this.#restoring = restoring.catch(() => undefined);
    await restoring;
  }

  async #restore(): Promise<void> {
    if (this.#writing || this.#demo) return;
    const url = setting('service.url');
    const attempt = ++this.#attempt;
    if (url === '') {
      this.#switchboard.connect(undefined);
      return;
    }
    let address: URL;
    try {
      address = serviceAddress(url);
    } catch (error) {
      // The settings no longer name the service from before.
      this.#switchboard.connect(undefined);
      throw error;
    }
    const authentication = setting('service.authentication');
    const key = authentication === 'none' ? undefined : await this.keys.get(showAddress(address));
    const client = await this.client({ address, authentication, key });
    if (attempt !== this.#attempt) return;
    this.#switchboard.connect({ client, address: showAddress(address), demo: false });
  }

  async client(access: Access): Promise<ServiceClient> {
    // Loaded when there is something to ask.
    const { createClient } = await import('../../service/client.ts');
    return createClient({ ...access, api: setting('service.api'), log: this.#log, clock: systemClock });
  }

  /** Keeps this access, and connects with it. */
  async use({ address, authentication, key }: Access): Promise<void> {
    const shown = showAddress(address);
    if (key) await this.keys.set(shown, key);
    this.#writing = true;
    try {
      await changeSetting('service.url', shown);
      await changeSetting('service.authentication', authentication);
    } finally {
      this.#writing = false;
    }
    await this.#endDemo();
    await this.restore();
  }

  /** Forgets which service it was. Its key stays, for the next time. */
  async disconnect(): Promise<void> {
    await this.#endDemo();
    this.#writing = true;
    try {
      await changeSetting('service.url', '');
    } finally {
      this.#writing = false;
    }
    await this.restore();
  }

  /** The demo takes the place of the service of the settings, which stay as they are. */
  async startDemo(): Promise<void> {
    if (this.#demo) return;
    const attempt = ++this.#attempt;
    const { startDemo } = await import('../../demo/demoService.ts');
    const { Secret } = await import('../../base/secret.ts');
    const demo = await startDemo();
    if (attempt !== this.#attempt) {
      await demo.stop();
      return;
    }
    this.#demo = demo;
    const address = new URL(demo.url);
    const client = await this.client({ address, authentication: 'sessionKey', key: new Secret(demo.key) });
    // It may have been stopped by now.
    if (this.#demo !== demo) return;
    this.#switchboard.connect({ client, address: showAddress(address), demo: true });
  }

  async stopDemo(): Promise<void> {
    await this.#endDemo();
    await this.restore();
  }

  async dispose(): Promise<void> {
    this.#attempt++;
    this.#switchboard.dispose();
    await this.#endDemo();
  }

  async #endDemo(): Promise<void> {
    const demo = this.#demo;
    this.#demo = undefined;
    if (!demo) return;
    // It ends after the last request.
    this.#switchboard.connect(undefined);
    await demo.stop();
  }
}
