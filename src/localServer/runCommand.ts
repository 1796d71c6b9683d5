/** Runs a command to its end and passes its output on. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { startProgram } from '../probe/processGroup.ts';
import { serverEnvironment } from './serverEnvironment.ts';
import type { Command } from './installer.ts';

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
export async function runCommand(
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
  let lastLine = '';
  const { stdin, stdout, stderr } = group.child;
  stdin?.end();
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lastLine = text.trim().split('\n').at(-1)?.trim() || lastLine;
      write(text);
    });
  const end = () => void group.end(signal);
  signal.addEventListener('abort', end);
  const { code } = await group.exited;
  signal.removeEventListener('abort', end);
  await group.end(signal);
  signal.throwIfAborted();
  if (code === 0) return;
  throw new UserError(
    t('{0} failed: {1}', basename(file), lastLine || String(code)),
  );
}
