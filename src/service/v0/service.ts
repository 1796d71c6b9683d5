/**
 * V0: its own search of conversations. The V1 beside it does everything else.
 */
import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import type { AgentService, Conversations } from '../abilities/agentService.ts';
import { ServiceError } from '../http/serviceError.ts';
import { Pager } from '../http/pager.ts';
import {
  isNotOffered,
  maxRowsPerRequest,
  Requests,
  type Wire,
} from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import { type Conversation, idKey, sameId } from '../model/entities.ts';
import { isObject, type Reader } from '../http/wireValues.ts';
import { agentsV1 } from '../v1/agents.ts';
import {
  ConversationReader,
  editingV1,
  findAllV1,
} from '../v1/conversations.ts';
import { SandboxStates } from '../records/sandboxStates.ts';
import { besideV0 } from '../v1/service.ts';
import { readConversationV0 } from '../records/conversationRecord.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
});

/** Pages searched for a conversation that V1 does not know. */
const maxPagesSearched = 20;

export function serviceV0(wire: Wire) {
  const states = new SandboxStates(wire.clock);
  const reader = new ConversationReader(states);
  const v1 = besideV0(wire, states, reader);
  const conversations = {
    ...v1.conversations,
    ...conversationsV0(wire, states, reader),
  };
  const editing = editingV1(wire, conversations, () =>
    t('it is a V0 conversation, and V0 cannot do that'),
  );
  const agents = agentsV1(wire, reader, () =>
    t('This is a V0 conversation. Agents of V0 cannot be followed or steered.'),
  );
  return {
    ...v1,
    interface: 'v0',
    conversations,
    editing,
    agents,
  } as const satisfies AgentService;
}

function conversationsV0(
  wire: Wire,
  states: SandboxStates,
  reader: ConversationReader,
): Conversations {
  const requests = new Requests(wire, couldNot);
  const findAll = findAllV1(wire, reader);
  /** False once V1 has turned out not to know these conversations. */
  let canJoin = true;

  /** Adds the fields of V1. Without V1, the conversations stay as they are. */
  async function join(
    rows: readonly Conversation[],
    onlyInV0: ReadonlySet<string>,
    call: CallOptions,
  ): Promise<readonly Conversation[]> {
    const ids = rows
      .map(({ id }) => id)
      .filter((id) => !onlyInV0.has(id) && /^[0-9a-f]{32}$/.test(idKey(id)));
    if (!canJoin || ids.length === 0) return rows;
    let rowsV1: Map<string, Conversation>;
    try {
      rowsV1 = new Map(
        (await findAll(ids, call)).map((item) => [idKey(item.id), item]),
      );
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind === 'cancelled')
        throw error;
      if (isNotOffered(error)) canJoin = false;
      return rows;
    }
    return rows.map((row) => {
      const other = rowsV1.get(idKey(row.id));
      if (!other) return row;
      const { execution, sandboxId, model, cost, tokens, tags, parentId } =
        other;
      const link = row.link ?? other.link;
      return states.settle(
        {
          ...row,
          execution,
          sandboxId,
          model,
          cost,
          tokens,
          tags,
          parentId,
          link,
        },
        sandboxId,
      );
    });
  }

  const list: Conversations['list'] = (
    { repository, trigger } = {},
    defaults = {},
  ) =>
    new Pager(
      async (cursor, { size, ...call }) => {
        const query = {
          page_id: cursor,
          limit: size,
          selected_repository: repository,
          conversation_trigger: trigger,
        };
        const sent = { path: ['api', 'conversations'], query };
        const onlyInV0 = new Set<string>();
        const read: Reader<Conversation> = (record, source) => {
          const row = readConversationV0(record, source);
          if (row && isObject(record) && record.conversation_version === 'V0')
            onlyInV0.add(row.id);
          return row;
        };
        const page = await requests.page('listConversations', sent, call, read);
        return { ...page, items: await join(page.items, onlyInV0, call) };
      },
      ({ id }) => idKey(id),
      wire.log,
      defaults,
    );

  return {
    filters: new Set(['repository', 'trigger']),
    list,
    find: async (id, call = {}) => {
      const [conversation] = await resultOr(
        findAll([id], call),
        isNotOffered,
        [],
      );
      if (conversation) return conversation;
      let pages = 0;
      for await (const { items } of list(
        {},
        { ...call, size: maxRowsPerRequest },
      )) {
        const row = items.find((item) => sameId(item.id, id));
        if (row || ++pages === maxPagesSearched) return row;
      }
      return undefined;
    },
  };
}
