import { thisMachine, type Machine } from './machine.ts';
import { updateConfig } from './update.ts';

const empty = `${JSON.stringify({ mcpServers: {} }, undefined, 2)}\n`;

/** Makes a configuration without servers, which only its owner can read. Leaves a file alone that has anything in it. */
export async function createConfigFile(
  path: string,
  options: Partial<Machine> = {},
): Promise<'created' | 'existed'> {
  const { disk } = { ...thisMachine, ...options };
  // What is the matter with it, the update says.
  const found = await disk.stat(path).catch(() => undefined);
  if (found && !(found.isFile() && found.size === 0)) return 'existed';
  const { before } = await updateConfig(path, (text) => text || empty, options);
  return before ? 'existed' : 'created';
}
