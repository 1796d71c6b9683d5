/** Runs a command to its end and passes its output on. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { t, userError } from '../base/l10n.ts';
import { redact } from '../base/masks/redact.ts';
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

interface Surroundings {
  /** Written to its standard input. */
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/**
 * Characters of the output that are searched for the last line. A program can
 * write without end.
 */
const maxOutputLength = 10_000;

/** Rejects with the last line that the command wrote if it fails. */
export async function runToEnd(
  { file, args }: Command,
  { signal, write }: Output,
  { input = '', variables = {}, folder = process.cwd() }: Surroundings = {},
): Promise<void> {
  signal.throwIfAborted();
  const group = await startProgram(
    { file, args, verbatim: false },
    { ...serverEnvironment(), ...variables },
    folder,
    process.platform,
  );
  let output = '';
  const { stdin, stdout, stderr } = group.child;
  stdin?.end(input);
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutputLength);
      write(text);
    });
  const end = () => void group.end(signal);
  signal.addEventListener('abort', end);
  const { code } = await group.exited;
  signal.removeEventListener('abort', end);
  await group.end(signal);
  signal.throwIfAborted();
  if (code === 0) return;
  const lastLine = output.trim().split('\n').at(-1)?.trim() ?? '';
  const exitCode = t('exit code {0}', code ?? '');
  throw userError(
    '{0} failed: {1}',
    basename(file),
    redact(lastLine) || exitCode,
  );
}
