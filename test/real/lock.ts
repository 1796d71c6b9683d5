/**
 * node test/real/lock.ts NAME...: makes these locks again, with the newest that
 * the files NAME.in allow.
 */
import { main, StepError } from '../host/steps.ts';
import { asOf, lockFile, lockNames, wantedFile } from './locks.ts';
import { findPython, makeLock } from './python.ts';

await main(async () => {
  for (const word of process.argv.slice(2)) {
    const name = lockNames.find((each) => each === word);
    if (!name)
      throw new StepError(
        `There is no lock "${word}".`,
        `Choose from: ${lockNames.join(', ')}.`,
      );
    await makeLock(
      await findPython(['3.12', '3.13']),
      wantedFile(name),
      lockFile(name),
      asOf[name],
    );
  }
  return 0;
});
