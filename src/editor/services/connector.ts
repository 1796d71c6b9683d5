/** Connects the services of the settings and the environment, and the demo. */
import type { LogOutputChannel, SecretStorage } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import { Serial } from '../../base/serial.ts';
import { showAddress } from '../../service/http/serviceAddress.ts';
import type { ServiceInterface } from '../../service/abilities/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Authentication } from '../../service/http/transport.ts';
import type { AllowedOrigins } from '../../state/allowedOrigins.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ServiceSetting } from '../manifest.ts';
import { changeSetting, setting } from '../settings.ts';
import { BuiltInDemo } from './builtInDemo.ts';
import {
  type ConfiguredService,
  configuredServices,
  environmentNames,
  serviceAt,
} from './configuredServices.ts';
import type { DemoStores } from './demoMemory.ts';

export interface ServiceAccess {
  readonly url: URL;
  readonly authentication: Authentication;
  readonly key: Secret | undefined;
  readonly interface?: ServiceInterface | 'auto' | undefined;
}

export class Connector {
  readonly keys: ApiKeys;
  readonly allowed: AllowedOrigins;
  readonly demo: BuiltInDemo;
  readonly #switchboard: Switchboard;
  readonly #log: LogOutputChannel;
  /** The options of each connection, which stays until they change. */
  readonly #connected = new Map<
    string,
    { readonly with: string; readonly key: string | undefined }
  >();
  readonly #queue = new Serial();
  #ended = false;

  constructor(
    switchboard: Switchboard,
    keys: ApiKeys,
    allowed: AllowedOrigins,
    log: LogOutputChannel,
    stores: DemoStores,
  ) {
    this.#switchboard = switchboard;
    this.keys = keys;
    this.allowed = allowed;
    this.#log = log;
    this.demo = new BuiltInDemo({
      switchboard,
      stores,
      client: (url, key, kind) =>
        this.client({
          url,
          authentication: 'sessionKey',
          key,
          interface: kind,
        }),
    });
    const { key, url } = environmentNames;
    if (process.env[key] && !process.env[url])
      log.warn(
        t(
          '{0} is ignored, because {1} does not say which service it is for.',
          key,
          url,
        ),
      );
  }

  get configured(): readonly ConfiguredService[] {
    return configuredServices(setting('services'), process.env).services;
  }

  /**
   * Resolves when the last restore and the last start of the demo have ended,
   * successfully or not.
   */
  get whenReady(): Promise<unknown> {
    return Promise.all([
      this.#queue.run(() => Promise.resolve()),
      this.demo.started,
    ]);
  }

  /**
   * Connects the configured services and disconnects those that were removed,
   * without a request. Resolves with the problems of the other ones.
   */
  restore(): Promise<readonly UserError[]> {
    return this.#queue.run(() => this.#restore());
  }

  async #restore(): Promise<readonly UserError[]> {
    const { services, problems } = configuredServices(
      setting('services'),
      process.env,
    );
    const enabledServices = services.filter(({ enabled }) => enabled);
    for (const address of this.#connected.keys()) {
      if (enabledServices.some((service) => service.address === address))
        continue;
      this.#connected.delete(address);
      this.#switchboard.disconnect(address);
    }
    for (const service of enabledServices) await this.#connect(service);
    for (const problem of problems) this.#log.warn(problem.message);
    return problems;
  }

  async #connect(service: ConfiguredService) {
    const { name, url, address, authentication } = service;
    const key = await this.#keyOf(service);
    const access = { url, authentication, key, interface: service.interface };
    const now = {
      with: JSON.stringify([authentication, service.interface]),
      key: key?.reveal(),
    };
    const before = this.#connected.get(address);
    if (before?.with === now.with && before.key === now.key) {
      this.#switchboard.rename(address, name);
      return;
    }
    const client = await this.client(access);
    // The window may have been closed.
    if (this.#ended) return;
    this.#connected.set(address, now);
    this.#switchboard.connect({ client, address, name, demo: false });
  }

  /**
   * The key of the environment belongs to the service of the environment only.
   */
  async #keyOf({
    address,
    authentication,
    fromEnvironment,
  }: ConfiguredService): Promise<Secret | undefined> {
    if (authentication === 'none') return undefined;
    const keyText = fromEnvironment
      ? process.env[environmentNames.key]
      : undefined;
    return keyText ? new Secret(keyText) : await this.keys.get(address);
  }

  async client({
    url,
    interface: serviceInterface = 'auto',
    ...access
  }: ServiceAccess): Promise<ServiceClient> {
    const { createClient } = await import('../../service/client.ts');
    return createClient({
      ...access,
      interface: serviceInterface,
      address: url,
      log: this.#log,
      clock: systemClock,
      isAllowed: (origin) => this.allowed.of(showAddress(url)).includes(origin),
    });
  }

  /** Adds or updates a service in the settings, and stores its key. */
  async keep(
    { url, authentication, key }: ServiceAccess,
    name?: string,
  ): Promise<void> {
    const address = showAddress(url);
    const fields = {
      url: address,
      authentication:
        authentication === 'sessionKey' ? undefined : authentication,
    };
    await this.#write(
      (services) =>
        services.some((entry) => isAt(entry, address))
          ? changed(services, address, { ...fields, enabled: undefined })
          : [...services, { name, ...fields }],
      async () => {
        if (key) await this.keys.set(address, key);
      },
    );
    // The service may have refused this key before.
    const service = this.#switchboard.service(address);
    if (service?.refused) void service.refresh();
  }

  /** Undefined values reset to the default. */
  async change(
    address: string,
    change: Partial<ServiceSetting>,
  ): Promise<void> {
    await this.#write((services) => changed(services, address, change));
  }

  /** Keeps the key. Resolves with a function that puts the service back. */
  async remove(address: string): Promise<() => Promise<void>> {
    const before = setting('services');
    const index = before.findIndex((entry) => isAt(entry, address));
    const entry = before[index];
    await this.#write(() => before.filter((other) => other !== entry));
    return async () => {
      if (entry)
        await this.#write((services) => services.toSpliced(index, 0, entry));
    };
  }

  /**
   * Stores a key first, so that no other restore uses it with the settings of
   * the old one.
   */
  async #write(
    edit: (services: readonly ServiceSetting[]) => readonly ServiceSetting[],
    storeKey?: () => Promise<void>,
  ) {
    await this.#queue.run(async () => {
      await storeKey?.();
      await changeSetting(
        'services',
        edit(setting('services')).map(withoutUndefined),
      );
      // The change of the setting reports its problems.
      await this.#restore();
    });
  }

  async dispose(): Promise<void> {
    this.#ended = true;
    this.#switchboard.dispose();
    await this.demo.end();
  }
}

function changed(
  services: readonly ServiceSetting[],
  address: string,
  change: Partial<ServiceSetting>,
): readonly ServiceSetting[] {
  return services.map((entry) =>
    isAt(entry, address) ? { ...entry, ...change } : entry,
  );
}

/** Invalid entries stay in the settings. */
function isAt(entry: ServiceSetting, address: string): boolean {
  const { services } = configuredServices([entry], {});
  return serviceAt(services, new URL(address)) !== undefined;
}

function withoutUndefined(entry: ServiceSetting): ServiceSetting {
  return JSON.parse(JSON.stringify(entry)) as ServiceSetting;
}

export class ApiKeys {
  readonly #storage: SecretStorage;

  constructor(storage: SecretStorage) {
    this.#storage = storage;
  }

  async get(address: string): Promise<Secret | undefined> {
    const value = await this.#storage.get(storageKey(address));
    return value === undefined ? undefined : new Secret(value);
  }

  async set(address: string, key: Secret): Promise<void> {
    await this.#storage.store(storageKey(address), key.reveal());
  }

  async clear(address: string): Promise<void> {
    await this.#storage.delete(storageKey(address));
  }
}

function storageKey(address: string): string {
  return ['apiKey', address].join(' ');
}
