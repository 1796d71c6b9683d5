/** node test/host/runMocha.ts FOLDER TIMEOUT: the test files of a folder, outside of VS Code. */
import { runTestFiles } from './mocha.ts';
import { stopAll } from './processes.ts';
import { main } from './steps.ts';

await main(async () => {
  const [folder = '', timeout = '2000'] = process.argv.slice(2);
  const { failed } = await runTestFiles(folder, '**/*.test.ts', Number(timeout));
  await stopAll();
  return failed === 0 ? 0 : 1;
});
