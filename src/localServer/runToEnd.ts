/** Runs a command to its end and passes its output on. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { startProgram } from '../probe/processGroup.ts';
import { serverEnvironment } from './serverEnvironment.ts';
import type { Command } from './installCommands.ts';

export interface Output {
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
}

const maxAnswerMs = 20_000;

/** The output of a short command; undefined if it fails. */
export function outputOf({ file, args }: Command): Promise<string | undefined> {
  const options = { timeout: maxAnswerMs, env: serverEnvironment() };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, text) => {
      resolve(error ? undefined : text);
    });
  });
}

/** Rejects with the last line that the command wrote if it fails. */
export async function runToEnd(
  { file, args }: Command,
  { signal, write }: Output,
): Promise<void> {
  signal.throwIfAborted();
  const group = await startProgram(
    { file, args, verbatim: false },
    serverEnvironment(),
    process.cwd(),
    process.platform,
  );
  let output = '';
  const { stdin, stdout, stderr } = group.child;
  stdin?.end();
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      write(text);
    });
  const end = () => void group.end(signal);
  signal.addEventListener('abort', end);
  const { code } = await group.exited;
  signal.removeEventListener('abort', end);
  await group.end(signal);
  signal.throwIfAborted();
  if (code === 0) return;
  const lastLine = output.trim().split('\n').at(-1)?.trim();
  throw new UserError(t('{0} failed: {1}', basename(file), lastLine ?? ''));
}
