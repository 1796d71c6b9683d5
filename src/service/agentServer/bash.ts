import { t } from '../../base/l10n.ts';
import type { Requests } from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import { isObject, shownLine } from '../http/wireValues.ts';

interface GitCommand {
  /** Names the conversation in whose folder the command runs. */
  readonly path?: readonly string[];
  readonly command: string;
  /** The folder, if the command belongs to no conversation. */
  readonly cwd?: string;
}

/** The service ends a command after this time. */
const timeoutSeconds = 60;
const deadline = 120_000;

/** Returns the output of a Git command at the service; throws if that fails. */
export async function outputOfGit<Action extends string>(
  requests: Requests<Action>,
  action: NoInfer<Action>,
  { path = [], command, cwd }: GitCommand,
  call: CallOptions,
): Promise<string> {
  const answer = await requests.send(
    action,
    {
      method: 'POST',
      path: ['api', ...path, 'bash', 'execute_bash_command'],
      once: true,
      body: { command, cwd, timeout: timeoutSeconds },
      deadline,
    },
    call,
  );
  const { exit_code, stdout, stderr } = isObject(answer) ? answer : {};
  if (exit_code === 0) return typeof stdout === 'string' ? stdout : '';
  // A command that the service ended has another one, such as -1.
  const hasEnded = Number(exit_code) > 0;
  const detail =
    shownLine(stderr) ?? t('Git exited with code {0}', String(exit_code));
  const failure = { kind: 'rejected', fields: [], detail } as const;
  throw requests.error(action, failure, !hasEnded);
}
