import { randomBytes } from 'node:crypto';
import type { SecretStorage } from 'vscode';
import { Secret } from '../../base/secret.ts';
import type { ServerKeys } from '../../localServer/serverEnvironment.ts';

/** The keys of the Agent Server on this machine, in the secret storage only. */
export class StoredKeys {
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  /** Makes those that are missing. */
  async read(): Promise<ServerKeys> {
    return {
      session: await this.#key('agentServer.sessionKey'),
      storage: await this.#key('agentServer.secretKey'),
    };
  }

  async #key(name: string): Promise<Secret> {
    const saved = await this.#secrets.get(name);
    if (saved !== undefined) return new Secret(saved);
    await this.#secrets.store(name, randomBytes(32).toString('base64url'));
    return await this.#key(name);
  }
}
