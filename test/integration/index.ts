import { version } from 'vscode';
import { filesVariable, runTestFiles } from '../host/mocha.ts';
import { countDone } from '../support/done.ts';

/** Called by VS Code: runs the tests that the build put next to this file. */
export async function run(): Promise<void> {
  countDone(1, `window of VS Code ${version}`);
  const pattern = (process.env[filesVariable] ?? '**/*.test.ts').replaceAll(
    '.ts',
    '.js',
  );
  const { failed } = await runTestFiles(import.meta.dirname, pattern, 30_000);
  if (failed > 0) throw new Error(`${failed} tests failed`);
}
