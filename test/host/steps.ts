/** Shows each step of the setup on a line, with its progress and time. */

/** A step that failed, with advice on what to do. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

export type Progress = (text: string) => void;

const rewrite = process.stderr.isTTY ? '\r\x1b[K' : '';
const quietInterval = 5_000;

export async function step<T>(
  label: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const begin = performance.now();
  let shown = begin;
  process.stderr.write(`${label}…${rewrite ? '' : '\n'}`);
  const progress: Progress = (text) => {
    if (!rewrite && performance.now() - shown < quietInterval) return;
    shown = performance.now();
    process.stderr.write(
      rewrite ? `${rewrite}${label}… ${text}` : `  ${text}\n`,
    );
  };
  const end = (outcome: string) => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    process.stderr.write(
      `${rewrite}${rewrite ? `${label}… ` : '  '}${outcome}, ${seconds} s\n`,
    );
  };
  try {
    const result = await work(progress);
    end('done');
    return result;
  } catch (error) {
    end('failed');
    throw error;
  }
}

/**
 * Runs a program and exits with its exit code. A failed step is reported
 * without a stack.
 */
export async function main(program: () => Promise<number>): Promise<never> {
  let code = 1;
  try {
    code = await program();
  } catch (error) {
    if (error instanceof StepError) {
      process.stderr.write(`\n${error.message}\n${error.advice}\n`);
    } else {
      process.stderr.write(
        `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    }
  }
  // The last output may still be on its way into a pipe.
  for (const stream of [process.stdout, process.stderr])
    await new Promise((resolve) => stream.write('', resolve));
  process.exit(code);
}
