import { thisMachine, type Machine } from './machine.ts';
import { explained } from './words.ts';

/** Makes the configuration file readable and writable for its owner alone. A link stays; its target changes. */
export async function makePrivate(path: string, options: Partial<Machine> = {}): Promise<void> {
  const { disk } = { ...thisMachine, ...options };
  await explained(path, 'madePrivate', () => disk.chmod(path, 0o600));
}
