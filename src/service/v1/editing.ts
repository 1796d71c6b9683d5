import { words } from '../../base/l10n.ts';
import type { Conversations, Editing } from '../agentService.ts';
import { isNotFound, Requests, type Wire } from '../requests.ts';
import type { ServiceError } from '../serviceError.ts';
import type { CallOptions, ServiceRequest } from '../transport.ts';

const couldNot = words({
  renameConversation: 'Could not rename the conversation',
  removeConversation: 'Could not delete the conversation',
});

type Operation = keyof typeof couldNot;

/** Milliseconds: the service may have to end processes in the sandbox. */
const deadline = 120_000;

/** `whereOnlyListed` says why one cannot be changed that the service lists and that V1 does not know. */
export function editingV1(wire: Wire, conversations: Conversations, whereOnlyListed?: () => string): Editing {
  const requests = new Requests(wire, couldNot);

  /** Sends a change. Resolves to the error if the conversation is gone. */
  async function change(
    operation: Operation,
    id: string,
    sent: Pick<ServiceRequest, 'method' | 'body' | 'deadline'>,
    call: CallOptions,
  ): Promise<ServiceError | undefined> {
    try {
      await requests.change(operation, { path: ['api', 'v1', 'app-conversations', id], ...sent }, call);
      return undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if ((await conversations.find(id, call)) === undefined) return error;
      if (!whereOnlyListed) throw error;
      throw requests.error(operation, { kind: 'rejected', fields: [], detail: whereOnlyListed() });
    }
  }

  return {
    rename: async (id, title, call = {}) => {
      const gone = await change('renameConversation', id, { method: 'PATCH', body: { title } }, call);
      if (gone) throw gone;
    },
    remove: async (id, call = {}) => {
      await change('removeConversation', id, { method: 'DELETE', deadline }, call);
    },
  };
}
