/**
 * node test/real/install.ts [--newest]: brings up what the tests in this folder
 * run. Does nothing if it is there.
 */
import { parseArgs } from 'node:util';
import { main, StepError } from '../host/steps.ts';
import { ensureNpmServers } from './npmServers.ts';
import {
  ensureEnvironment,
  environmentNames,
  newestVariable,
  removeNewest,
} from './environment.ts';

await main(async () => {
  if (process.platform === 'win32') {
    throw new StepError(
      'The real programs do not run on Windows, so they were not run.',
      'Use WSL.',
    );
  }
  if (readOptions().newest) {
    process.env[newestVariable] = '1';
    for (const name of environmentNames) await removeNewest(name);
  }
  for (const name of environmentNames) await ensureEnvironment(name);
  await ensureNpmServers();
  return 0;
});

function readOptions(): { readonly newest: boolean } {
  try {
    const { values } = parseArgs({ options: { newest: { type: 'boolean' } } });
    return { newest: values.newest ?? false };
  } catch (error) {
    throw new StepError(
      (error as Error).message,
      'npm run test:real [-- --newest]',
    );
  }
}
