/**
 * Asks before a sandbox runs, because the service may pause other sandboxes for
 * it, and says afterwards which ones.
 */
import { sleep, systemClock } from '../../base/clock.ts';
import { plural, t, userError } from '../../base/l10n.ts';
import type { Conversation, Sandbox } from '../../service/model/entities.ts';
import type { NewMessage } from '../../service/model/newMessage.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { SendResult } from '../../state/steering/steeringResults.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  askModal,
  confirm,
  showInformation,
  unlessCancelled,
} from '../ui/messages.ts';
import { sandboxName } from '../words/conversations/conversationWords.ts';
import { inMessage } from '../words/foreignText.ts';

/**
 * True if no other sandbox may be paused, or if the user accepts that with
 * `button`. `id` is the sandbox to run.
 */
export async function mayPauseOthers(
  { sandboxActions }: ConnectedService,
  button: string,
  id?: string,
): Promise<boolean> {
  const running = await unlessCancelled(
    t('Looking for running sandboxes'),
    (signal) => sandboxActions.othersRunningNow(id, signal),
  );
  if (!running) return false;
  if (running.length === 0) return true;
  const message = plural(
    running.length,
    'Another sandbox is running. The service may pause it.',
    '{0} other sandboxes are running. The service may pause the oldest ones.',
  );
  return await confirm(
    message,
    t('Everything in a paused sandbox stops until you resume it.'),
    button,
  );
}

/**
 * Asks whether to resume a sandbox, and whether others may be paused for it.
 */
export async function wantsToResume(
  service: ConnectedService,
  id: string,
  question: string,
  button: string,
): Promise<boolean> {
  return (
    (await askModal(question, '', button)) === button &&
    (await mayPauseOthers(service, t('Resume'), id))
  );
}

/**
 * Resumes a sandbox, and waits until it runs. Returns the others that the
 * service paused for it.
 */
export async function resumeAndWait(
  service: ConnectedService,
  id: string,
  signal: AbortSignal,
): Promise<readonly Sandbox[]> {
  const { sandboxes } = await service.client.recognise({ signal });
  if (!sandboxes) throw userError('The sandbox to resume is unknown.');
  return await service.sandboxActions.resume(sandboxes, id, signal);
}

const startingPauseMs = 2_000;

/**
 * Waits for a starting sandbox: it takes no message, or keeps only the first
 * one.
 */
export async function sendOnceStarted(
  service: ConnectedService,
  conversation: Conversation,
  message: NewMessage,
  signal: AbortSignal,
  onStarting?: () => void,
): Promise<SendResult> {
  for (;;) {
    const sent = await (
      await service.steering()
    ).send(conversation, message, signal);
    if (sent.result !== 'sandboxStarting') return sent;
    onStarting?.();
    await sleep(systemClock, startingPauseMs, signal);
  }
}

/** Says which sandboxes the service has paused, if any. */
export function showPaused(
  switchboard: Switchboard,
  paused: readonly Sandbox[],
): void {
  const words = pausedWords(switchboard, paused);
  if (words !== undefined) void showInformation(words);
}

/** `undefined` if no sandbox was paused. */
export function pausedWords(
  switchboard: Switchboard,
  paused: readonly Sandbox[],
): string | undefined {
  if (paused.length === 0) return undefined;
  const names = paused
    .map((sandbox) => sandboxInMessage(switchboard, sandbox))
    .join(', ');
  return t('The service paused {0} to make room.', names);
}

export function sandboxInMessage(
  switchboard: Switchboard,
  sandbox: Sandbox,
): string {
  const { name } = sandboxName(sandbox, switchboard.servedBy(sandbox));
  return inMessage(`${name} (${sandbox.id.slice(0, 12)})`);
}
