import { runTestFiles } from '../host/mocha.ts';

/** What VS Code calls: runs the tests that the build has put beside this file. */
export async function run(): Promise<void> {
  const { failed } = await runTestFiles(import.meta.dirname, '**/*.test.js', 30_000);
  if (failed > 0) throw new Error(`${failed} tests failed`);
}
