import type { SecretStorage } from 'vscode';
import { Secret } from '../../base/secret.ts';

/** The keys of services, by address, in the editor's secret storage. Never in a setting. */
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
