/**
 * node test/host/runMocha.ts TIMEOUT FOLDER [BUT] [PATTERN]: runs the test
 * files in a folder outside of VS Code, except those in the folders BUT, or
 * only those that match PATTERN.
 */
import { runTestFiles } from './mocha.ts';
import { stopAll } from './processes.ts';
import { main } from './steps.ts';

await main(async () => {
  const [timeout = '2000', folder = '', but = '', pattern = '**/*.test.ts'] =
    process.argv.slice(2);
  const { failed } = await runTestFiles(
    folder,
    pattern,
    Number(timeout),
    but.split(','),
  );
  await stopAll();
  return failed === 0 ? 0 : 1;
});
