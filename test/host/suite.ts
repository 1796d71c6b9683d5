/** Runs the commands of a test suite and counts the results. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Count, countFile } from './mocha.ts';
import { root } from './paths.ts';

/**
 * Scripts with their arguments, which run in order. `counts` if mocha counts
 * the tests itself.
 */
export interface Suite {
  readonly counts: boolean;
  readonly commands: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Passes the output of the commands to `print`, or directly to the terminal.
 */
export async function runSuite(
  { counts, commands, env }: Suite,
  print?: (text: string) => void,
): Promise<Count> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchboard-count-'));
  const file = join(scratch, 'count.json');
  let passed = 0;
  const titles: string[] = [];
  for (const command of commands) {
    // If the build failed, there is nothing to test.
    if (counts && titles.length > 0) break;
    if (
      await succeeds(
        command,
        { ...process.env, ...env, [countFile]: file },
        print,
      )
    )
      passed++;
    else titles.push(relative(root, command.join(' ')));
  }
  const failed = titles.length;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(scratch, { recursive: true });
  if (!counts) return { passed, failed, titles };
  if (text === undefined)
    return { passed: 0, failed: Math.max(failed, 1), titles };
  const count = JSON.parse(text) as Count;
  if (count.passed + count.failed === 0)
    return { passed: 0, failed: 1, titles };
  return count.failed >= failed ? count : { ...count, failed, titles };
}

async function succeeds(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  print?: (text: string) => void,
): Promise<boolean> {
  const output = print ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, command, {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
  });
  if (print) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', print);
  }
  return await new Promise((resolve) => {
    child.once('close', (code) => {
      resolve(code === 0);
    });
    child.once('error', () => {
      resolve(false);
    });
  });
}
