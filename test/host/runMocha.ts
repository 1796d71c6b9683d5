/** node test/host/runMocha.ts TIMEOUT FOLDER [BUT]: the test files of a folder, outside of VS Code; but some folders in it. */
import { runTestFiles } from './mocha.ts';
import { stopAll } from './processes.ts';
import { main } from './steps.ts';

await main(async () => {
  const [timeout = '2000', folder = '', but = ''] = process.argv.slice(2);
  const { failed } = await runTestFiles(folder, '**/*.test.ts', Number(timeout), but.split(','));
  await stopAll();
  return failed === 0 ? 0 : 1;
});
