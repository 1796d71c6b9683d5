/**
 * Links that open a conversation in an editor connected to the same service,
 * and do nothing else.
 */
import { t, userError } from '../base/l10n.ts';
import { type Conversation, keyOf } from '../service/model/entities.ts';
import type { Switchboard } from './switchboard.ts';

const extension = 'agent-switchboard.agent-switchboard';
const path = '/conversation';

/** `scheme`: the URI scheme of the editor. */
export function conversationLink(
  { service, id }: Pick<Conversation, 'service' | 'id'>,
  scheme: string,
): string {
  return `${scheme}://${extension}${path}?${new URLSearchParams({ service, id }).toString()}`;
}

/** The conversation may be unlisted. Asks only connected services. */
export async function linkedConversation(
  switchboard: Switchboard,
  link: { readonly path: string; readonly query: string },
  signal: AbortSignal,
): Promise<Conversation> {
  const query = new URLSearchParams(link.query);
  const address = query.get('service');
  const id = query.get('id');
  if (link.path !== path || !address || !id) {
    throw userError(
      'This link opens nothing in Agent Switchboard. It may be incomplete.',
    );
  }
  const service = switchboard.service(address);
  if (!service) {
    throw userError(
      'This link leads to a conversation at {0}, which is not one of your services. Connect to it, then open the link again.',
      URL.parse(address)?.host ?? t('another address'),
    );
  }
  const listed = switchboard.conversation(keyOf({ service: address, id }));
  if (listed) return listed;
  const { conversations } = await service.client.recognise({ signal });
  const conversation = await conversations.find(id, { signal });
  if (conversation) return conversation;
  throw userError(
    '{0} does not have the conversation of this link. It may have been deleted.',
    service.name,
  );
}
