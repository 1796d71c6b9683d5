import { env, workspace } from 'vscode';
import { t, userError } from '../../base/l10n.ts';
import {
  type Conversation,
  keyOf,
  type Link,
} from '../../service/model/entities.ts';
import { pullRequestLinks } from '../../state/changes/codeHosts.ts';
import { conversationLink } from '../../state/conversationLink.ts';
import { keyOfRequested } from '../../state/newConversation/requestedConversations.ts';
import { withProgress } from '../ui/messages.ts';
import {
  agentConversationOf,
  conversationOf,
  isListed,
  pickIfSeveral,
} from '../ui/pickFromList.ts';
import { aClick, type CommandHandlers } from '../manifest.ts';
import type { ConversationParts } from './page/conversationPages.ts';
import { openAddress, openLink } from '../ui/openLink.ts';
import { refreshLists, resumeSandbox } from '../sandboxes/sandboxCommands.ts';

export function conversationCommands(parts: ConversationParts) {
  const { switchboard, conversationPages } = parts;
  const select = (
    id: string | undefined,
    placeholder: string,
    fits?: (conversation: Conversation) => boolean,
  ) => conversationOf(parts, id, placeholder, fits);
  const hasLink = ({ link }: Conversation) => !!link;
  const isPaused = (conversation: Conversation) =>
    switchboard.sandboxOf(conversation)?.status === 'paused';
  return {
    'switchboard.conversations.refresh': () => refreshLists(switchboard),
    'switchboard.retry': () => refreshLists(switchboard),
    'switchboard.conversations.loadMore': async () => {
      const { service: only } = switchboard.arrangement.filter;
      const chosen = only === undefined ? undefined : switchboard.service(only);
      // The filter hides the conversations of other services.
      await (chosen ?? switchboard).conversations.loadMore();
    },
    'switchboard.conversations.showDetails': async (id, by) => {
      const isPreview = by === aClick && areTabsReused();
      const requested = switchboard.requested.all.find(
        (request) => keyOfRequested(request) === id,
      );
      if (requested) {
        await (await conversationPages()).showRequested(requested, isPreview);
        return;
      }
      const conversation = await conversationOf(
        { switchboard },
        id,
        t('Select the conversation to open'),
      );
      if (!conversation) return;
      const pages = await conversationPages();
      await pages.show(conversation, undefined, isPreview);
    },
    'switchboard.conversations.keepOpen': async () => {
      (await conversationPages()).keepOpen();
    },
    'switchboard.conversations.open': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation to open in the browser'),
        hasLink,
      );
      if (conversation) await openLink(linkOf(conversation));
    },
    'switchboard.conversations.openAgentEditor': async (id) => {
      const conversation = await agentConversationOf(
        parts,
        id,
        t('Select the conversation whose editor to open'),
      );
      const service = conversation && switchboard.service(conversation.service);
      if (!service) return;
      const page = await withProgress(
        t("Looking for the agent's editor"),
        async (signal) =>
          (await service.steering()).editorPage(conversation, signal),
      );
      await openLink(page);
    },
    'switchboard.conversations.copyUrl': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation whose link to copy'),
      );
      if (!conversation) return;
      const { link } = conversation;
      // Leaves out the query, which may contain a secret: copied links are
      // passed on.
      await env.clipboard.writeText(
        link ? link.shown : conversationLink(conversation, env.uriScheme),
      );
    },
    'switchboard.conversations.copyId': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation whose ID to copy'),
      );
      if (conversation) await env.clipboard.writeText(conversation.id);
    },
    'switchboard.conversations.openPullRequest': async (id) => {
      const conversation = await select(
        id,
        t('Select the conversation whose pull request to open'),
        ({ pullRequests }) => pullRequests.length > 0,
      );
      if (conversation) await openPullRequest(conversation);
    },
    'switchboard.showCosts': async (as) => {
      await (await parts.costPage())[as ?? 'show']();
    },
    // A conversation continues when its sandbox is resumed.
    'switchboard.conversations.resume': async (id) => {
      if (id === undefined && !(await isListed(switchboard.sandboxes))) return;
      const conversation = await select(
        id,
        t('Select the conversation to resume'),
        isPaused,
      );
      if (!conversation) return;
      const sandbox = switchboard.sandboxOf(conversation);
      if (sandbox?.status !== 'paused')
        throw userError(
          'The sandbox of this conversation is not paused, so there is nothing to resume.',
        );
      await resumeSandbox(switchboard, keyOf(sandbox));
    },
  } satisfies Partial<CommandHandlers>;
}

/** True if a single click opens files in a preview tab. */
function areTabsReused(): boolean {
  return workspace
    .getConfiguration('workbench.editor')
    .get('enablePreview', true);
}

async function openPullRequest(conversation: Conversation) {
  const links = pullRequestLinks(conversation);
  if (links.length === 0) {
    throw userError(
      'The address of this pull request is unknown. Open the conversation instead.',
    );
  }
  const items = links.map(({ number, url }) => ({
    label: `#${number}`,
    description: url,
    url,
  }));
  const picked = await pickIfSeveral(
    items,
    t('Select the pull request to open'),
  );
  if (picked) await openAddress(picked.url);
}

function linkOf({ link }: Conversation): Link {
  if (link) return link;
  throw userError('This conversation has no address that a browser can open.');
}
