import { t, words } from '../../base/l10n.ts';
import type { Conversations, Editing } from '../agentService.ts';
import { isNotFound, Requests, type Wire } from '../requests.ts';
import { readAgentServerConversation } from '../conversationRecord.ts';
import type { Rows } from './rows.ts';

const couldNot = words({
  renameConversation: 'Could not rename the conversation',
  removeConversation: 'Could not delete the conversation',
  forkConversation: 'Could not fork the conversation',
});

/** A deletion is answered after the step that runs, and a fork copies everything. */
const deadline = 120_000;

export function editingAtAgentServer(rows: Rows, conversations: Conversations, wire: Wire): Editing {
  const requests = new Requests(wire, couldNot);
  const pathOf = (id: string) => ['api', 'conversations', id];
  return {
    rename: async (id, title, call = {}) => {
      const sent = { method: 'PATCH', path: pathOf(id), body: { title } } as const;
      await requests.change('renameConversation', sent, call);
    },
    remove: async (id, call = {}) => {
      try {
        const sent = { method: 'DELETE', path: pathOf(id), deadline } as const;
        await requests.change('removeConversation', sent, call);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // It may be that it cannot be deleted.
        if (await conversations.find(id, call)) throw error;
      }
    },
    fork: async (id, title, call = {}) => {
      const sent = { method: 'POST', path: [...pathOf(id), 'fork'], body: { title }, deadline } as const;
      const fork = readAgentServerConversation(
        await requests.send('forkConversation', sent, call),
        wire.transport.source,
      );
      if (fork) return (await rows.firstMessages.named([fork], call))[0] ?? fork;
      const why = t('it does not contain a conversation');
      throw requests.error('forkConversation', { kind: 'notUnderstood', why }, true);
    },
  };
}
