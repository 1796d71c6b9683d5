/** What can be done with one conversation. */
import { env, window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Conversation, Link } from '../../service/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { pullRequestLinks } from '../../state/codeHosts.ts';
import { conversationOf, isListed } from '../asking/pickFromList.ts';
import { openAddress, openLink } from './openLink.ts';
import { resumeSandbox } from './sandboxes.ts';

export async function openConversation(switchboard: Switchboard, id?: string): Promise<void> {
  const conversation = await conversationOf(
    switchboard,
    id,
    t('Select the conversation to open in the browser'),
    ({ link }) => !!link,
  );
  if (conversation) await openLink(linkOf(conversation));
}

export async function copyConversationUrl(switchboard: Switchboard, id?: string): Promise<void> {
  const conversation = await conversationOf(
    switchboard,
    id,
    t('Select the conversation whose link to copy'),
    ({ link }) => !!link,
  );
  // Without its query, because what is copied is passed on.
  if (conversation) await env.clipboard.writeText(linkOf(conversation).shown);
}

export async function copyConversationId(switchboard: Switchboard, id?: string): Promise<void> {
  const conversation = await conversationOf(switchboard, id, t('Select the conversation whose ID to copy'));
  if (conversation) await env.clipboard.writeText(conversation.id);
}

export async function openPullRequest(switchboard: Switchboard, id?: string): Promise<void> {
  const conversation = await conversationOf(
    switchboard,
    id,
    t('Select the conversation whose pull request to open'),
    ({ pullRequests }) => pullRequests.length > 0,
  );
  if (!conversation) return;
  const links = pullRequestLinks(conversation);
  if (links.length === 0) {
    throw new UserError(t('The address of this pull request is unknown. Open the conversation instead.'));
  }
  const items = links.map(({ number, url }) => ({ label: `#${number}`, description: url, url }));
  const picked =
    items.length === 1
      ? items[0]
      : await window.showQuickPick(items, { placeHolder: t('Select the pull request to open') });
  if (picked) await openAddress(picked.url);
}

/** A conversation goes on when its sandbox does. */
export async function resumeConversation(switchboard: Switchboard, id?: string): Promise<void> {
  const isPaused = ({ sandboxId }: Conversation) =>
    sandboxId !== undefined && switchboard.sandboxes.rows.get(sandboxId)?.status === 'paused';
  if (id === undefined && !(await isListed(switchboard, switchboard.sandboxes))) return;
  const conversation = await conversationOf(
    switchboard,
    id,
    t('Select the conversation to resume'),
    isPaused,
  );
  if (!conversation) return;
  if (!isPaused(conversation))
    throw new UserError(t('The sandbox of this conversation is not paused, so there is nothing to resume.'));
  await resumeSandbox(switchboard, conversation.sandboxId);
}

function linkOf({ link }: Conversation): Link {
  if (link) return link;
  throw new UserError(t('The service gives no address for this conversation that a browser can open.'));
}
