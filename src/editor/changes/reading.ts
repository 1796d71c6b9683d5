/** Reads what a conversation has changed, and what the person sees while that happens. */
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import { SandboxPaused } from '../../state/changes/changedFiles.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { resumeFirst, wantsToResume } from '../sandboxes/sandboxQuestions.ts';
import { unlessCancelled } from '../ui/unlessCancelled.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';

type Work<T> = (signal: AbortSignal, tell: (what: string) => void) => Promise<T>;

/** Where the sandbox is paused, it is offered to resume it for that. Undefined if that is not wanted, or cancelled. */
export async function reading<T>(
  switchboard: Switchboard,
  conversation: Conversation,
  work: Work<T>,
  words = t('Reading what “{0}” has changed', titleOf(conversation)),
): Promise<T | undefined> {
  const title = titleOf(conversation);
  const read = () => unlessCancelled(words, work);
  try {
    return await read();
  } catch (error) {
    const service = switchboard.service(conversation.service);
    if (!(error instanceof SandboxPaused) || error.sandboxId === undefined || !service) throw error;
    const { sandboxId } = error;
    const question = t('The sandbox of “{0}” is paused, and what has changed is in it. Resume it?', title);
    if (!(await wantsToResume(service, sandboxId, question, t('Resume')))) return undefined;
    const resumed = await unlessCancelled(t('Resuming the sandbox of “{0}”', title), async (signal) => {
      await resumeFirst(switchboard, service, sandboxId, signal);
      return true;
    });
    return resumed ? await read() : undefined;
  }
}
