/** What happens when somebody follows a link to a conversation: it is shown, and nothing else. */
import type { Uri } from 'vscode';
import { t } from '../../base/l10n.ts';
import { linkedConversation } from '../../state/changes/conversationLink.ts';
import { withProgress } from '../ui/messages.ts';
import type { CommandParts } from './handlers.ts';
import { report } from './commandRunner.ts';

export async function openConversationLink(parts: CommandParts, link: Uri): Promise<void> {
  const { switchboard, connector, conversationPages, log } = parts;
  try {
    await connector.restored;
    const conversation = await withProgress(t('Opening the conversation'), (signal) =>
      linkedConversation(switchboard, link, signal),
    );
    await (await conversationPages()).show(conversation);
  } catch (error) {
    void report('link', error, log);
  }
}
