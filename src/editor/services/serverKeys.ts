import { randomBytes } from 'node:crypto';
import type { SecretStorage } from 'vscode';
import { Secret } from '../../base/secret.ts';
import type { ServerKeys } from '../../localServer/serverEnvironment.ts';

/**
 * Reads the keys of the Agent Server on this machine, which are in the secret
 * storage only. Makes those that are missing.
 */
export async function readServerKeys(
  secrets: SecretStorage,
): Promise<ServerKeys> {
  return {
    session: await readKey(secrets, 'agentServer.sessionKey'),
    storage: await readKey(secrets, 'agentServer.secretKey'),
  };
}

async function readKey(secrets: SecretStorage, name: string): Promise<Secret> {
  const saved = await secrets.get(name);
  if (saved !== undefined) return new Secret(saved);
  await secrets.store(name, randomBytes(32).toString('base64url'));
  return await readKey(secrets, name);
}
