import { commands } from 'vscode';
import { t } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { ChangedAgain } from '../../state/changes/changedFiles.ts';
import { showInformation } from '../ui/messages.ts';
import type { CommandId } from '../manifest.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';

/** Offers to show the files that have changed since what is shown was opened; one offer at a time for a conversation. */
export function offerMore(): (conversation: Conversation, again: ChangedAgain) => void {
  const offered = new Set<string>();
  return (conversation, { more, since }) => {
    const key = keyOf(conversation);
    if (offered.has(key)) return;
    offered.add(key);
    void offer(conversation, more.length, since === 'start').finally(() => offered.delete(key));
  };
}

async function offer(conversation: Conversation, count: number, isSinceStart: boolean): Promise<void> {
  const title = titleOf(conversation);
  const show = t('Show');
  const said =
    count === 1
      ? t('1 more file changed in “{0}”.', title)
      : t('{0} more files changed in “{1}”.', count, title);
  if ((await showInformation(said, show)) !== show) return;
  const command: CommandId = isSinceStart
    ? 'switchboard.conversations.showChanges'
    : 'switchboard.conversations.showChangesSince';
  await commands.executeCommand(command, keyOf(conversation));
}
