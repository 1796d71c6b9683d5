/** The built-in demo services, which start and stop together. */
import type { Uri } from 'vscode';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import type { ServiceInterface } from '../../service/abilities/agentService.ts';
import type {
  DemoClone,
  DemoOptions,
  DemoService,
} from '../../demo/demoService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { showAddress } from '../../service/http/serviceAddress.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  demoPortsKey,
  demoRepositoryKey,
  type DemoStores,
} from './demoMemory.ts';

interface Parts {
  readonly switchboard: Switchboard;
  readonly stores: DemoStores;
  readonly client: (
    url: URL,
    key: Secret,
    kind: ServiceInterface,
  ) => Promise<ServiceClient>;
}

type KnownOptions = DemoOptions & { readonly interface: ServiceInterface };

export class BuiltInDemo {
  readonly #parts: Parts;
  #services: readonly DemoService[] = [];
  #starts = 0;
  #starting: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#services.length > 0;
  }

  /** Resolves when the last start has ended, successfully or not. */
  get started(): Promise<unknown> {
    return this.#starting;
  }

  async start(only?: ServiceInterface): Promise<void> {
    if (this.isRunning) return;
    const starting = this.#start(only);
    this.#starting = starting.catch(() => undefined);
    await starting;
  }

  /** Stops the demo, and forgets it for the next window in this workspace. */
  async stop(): Promise<void> {
    await this.end();
    const { workspaceState, globalState } = this.#parts.stores;
    await workspaceState.update(demoPortsKey, undefined);
    await globalState.update(demoRepositoryKey, undefined);
  }

  /** The next window in this workspace will start it again. */
  async end(): Promise<void> {
    this.#starts++;
    const services = this.#services;
    this.#services = [];
    // Disconnect first: the servers stop after their last requests.
    for (const { url } of services)
      this.#parts.switchboard.disconnect(addressOf(url));
    await stopAll(services);
  }

  /** Undefined for a conversation that is not the demo's. */
  repositoryOf({
    service,
    id,
  }: {
    readonly service: string;
    readonly id: string;
  }): DemoClone | undefined {
    return this.#services
      .find(({ url }) => addressOf(url) === service)
      ?.repositoryOf(id);
  }

  /** Makes the window that opens this folder start the demo. */
  async startWith(folder: Uri): Promise<void> {
    await this.#parts.stores.globalState.update(
      demoRepositoryKey,
      folder.toString(),
    );
  }

  async #start(only: ServiceInterface | undefined) {
    const { switchboard, client } = this.#parts;
    const { workspaceState } = this.#parts.stores;
    const start = ++this.#starts;
    const { demoServices, startDemo } =
      await import('../../demo/demoBundle.ts');
    const serviceOptions: readonly KnownOptions[] = only
      ? [{ interface: only }]
      : demoServices;
    const savedPorts: unknown = workspaceState.get(demoPortsKey);
    const ports: readonly unknown[] = Array.isArray(savedPorts)
      ? savedPorts
      : [];
    const services: DemoService[] = [];
    try {
      for (const [index, options] of serviceOptions.entries())
        // Another program may have taken the port.
        services.push(
          await startDemo({
            ...options,
            port: Number(ports[index]) || 0,
          }).catch(() => startDemo(options)),
        );
    } catch (error) {
      await stopAll(services);
      throw error;
    }
    if (start !== this.#starts) {
      await stopAll(services);
      return;
    }
    this.#services = services;
    const connections = await Promise.all(
      services.map(async ({ url, key }, index) => ({
        client: await client(
          new URL(url),
          new Secret(key),
          serviceOptions[index]?.interface ?? 'v0',
        ),
        address: addressOf(url),
        name: index === 0 ? t('Demo') : t('Demo Agent Server'),
        demo: true,
      })),
    );
    // The demo may have been stopped.
    if (this.#services !== services) return;
    for (const connection of connections) switchboard.connect(connection);
    await workspaceState.update(
      demoPortsKey,
      services.map(({ url }) => Number(new URL(url).port)),
    );
  }
}

function addressOf(url: string): string {
  return showAddress(new URL(url));
}

async function stopAll(services: readonly DemoService[]) {
  await Promise.all(services.map((service) => service.stop()));
}
