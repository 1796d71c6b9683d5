import { extensions } from 'vscode';

/**
 * Runs inside VS Code: activates the extensions that SWITCHBOARD_BENCH names, in that order, and prints how long each
 * took.
 */
export async function run(): Promise<void> {
  for (const id of (process.env.SWITCHBOARD_BENCH ?? '').split(',')) {
    const extension = extensions.getExtension(id);
    if (!extension || extension.isActive)
      throw new Error(`${id} is ${extension ? 'active already' : 'missing'}.`);
    const begin = performance.now();
    await extension.activate();
    console.log(`bench ${id} ${performance.now() - begin}`);
  }
}
