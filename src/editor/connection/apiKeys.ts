import type { SecretStorage } from 'vscode';
import { Secret } from '../../base/secret.ts';

/** The keys of services, by address: in the editor's secret storage, or in the environment. Never in a setting. */
export class ApiKeys {
  readonly #storage: SecretStorage;
  readonly #environment: string | undefined;

  constructor(storage: SecretStorage, environment: string | undefined) {
    this.#storage = storage;
    this.#environment = environment === '' ? undefined : environment;
  }

  /** The stored key, or else that of SWITCHBOARD_API_KEY. */
  async get(address: string): Promise<Secret | undefined> {
    const value = (await this.#storage.get(storageKey(address))) ?? this.#environment;
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
