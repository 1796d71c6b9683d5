/** node test/real/lock.ts NAME...: makes these locks again, with the newest that the files NAME.in allow. */
import { main, StepError } from '../host/steps.ts';
import { lockFile, lockNames, wantedFile } from './locks.ts';
import { findPython, uv } from './python.ts';

await main(async () => {
  const names = process.argv.slice(2);
  for (const name of names) {
    const known = lockNames.find((each) => each === name);
    if (!known) throw new StepError(`There is no lock "${name}".`, `Choose from: ${lockNames.join(', ')}.`);
    const python = await findPython(['3.12']);
    const options = ['--universal', '--python-version', '3.12', '--generate-hashes', '--upgrade', '--quiet'];
    // Nothing about where it was made, and from which index.
    const plain = ['--no-header', '--no-annotate', '--no-emit-index-url', '--no-emit-find-links'];
    const files = ['--output-file', lockFile(known), wantedFile(known)];
    await uv(python, ['pip', 'compile', ...options, ...plain, ...files]);
  }
  return 0;
});
