/**
 * A fault of the Agent Server, seen in 1.58.0 and 1.58.2. `POST interrupt`
 * cancels the task of the run and awaits it. Where the cancellation meets that
 * task outside of the code that expects one (before its first step, or after
 * its last one, as `task.cancel` is only called in the next turn of the event
 * loop), the task ends cancelled, the request that awaits it ends with the same
 * `CancelledError`, and the HTTP server answers in plain text. Nothing runs
 * because of that.
 */
import assert from 'node:assert/strict';
import type { Answer } from './serviceRequests.ts';

/**
 * True for the answer that this fault has. Every other exception of the Agent
 * Server is answered in JSON.
 */
export function isFailedInterrupt({
  method,
  path,
  status,
  body,
}: Answer): boolean {
  return (
    method === 'POST' &&
    path.endsWith('/interrupt') &&
    status === 500 &&
    body === 'Internal Server Error'
  );
}

const accessOfFault = /"\w+ \S+ HTTP\/1\.1" 5\d\d/g;
const unhandled = 'Exception in ASGI application\n';

/**
 * Fails unless the log has exactly so many answers of 5xx, each explained by
 * this fault.
 */
export function assertFailedInterruptsOnly(log: string, count: number): void {
  const answers = log.match(accessOfFault) ?? [];
  assert.deepEqual(
    answers.filter((answer) => !answer.includes('/interrupt ')),
    [],
  );
  assert.equal(answers.length, count);
  const [, ...parts] = log.split(unhandled);
  assert.equal(parts.length, count);
  for (const part of parts) {
    const [traceback = ''] = part.split(/^\d{4}-\d\d-\d\d /m);
    assert.match(
      traceback,
      /, in interrupt\n[\s\S]+\nasyncio\.exceptions\.CancelledError\s*$/,
    );
  }
}
