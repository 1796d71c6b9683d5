import { resultOr } from '../../base/errors.ts';
import { words } from '../../base/l10n.ts';
import type {
  ConversationQuery,
  Conversations,
  Editing,
} from '../abilities/agentService.ts';
import { type FetchPage, Pager } from '../http/pager.ts';
import {
  isNotFound,
  isUnknownId,
  maxRowsPerRequest,
  Requests,
  rowLimit,
  wantsIds,
  type Wire,
} from '../http/requests.ts';
import type { ServiceError } from '../http/serviceError.ts';
import type { CallOptions, ServiceRequest } from '../http/transport.ts';
import { type Conversation, idKey, type Time } from '../model/entities.ts';
import { isObject, type Reader, type WireRecord } from '../http/wireValues.ts';
import { BriefStates } from '../records/briefStates.ts';
import { readConversationV1 } from '../records/conversationRecord.ts';
import type { SandboxStates } from '../records/sandboxStates.ts';

const couldNot = words({
  listConversations: 'Could not list the conversations',
  lookUpConversations: 'Could not look up conversations',
  renameConversation: 'Could not rename the conversation',
  removeConversation: 'Could not delete the conversation',
});

const path = ['api', 'v1', 'app-conversations'];

export function conversationsV1(
  wire: Wire,
  reader: ConversationReader,
): Conversations {
  const { read } = reader;
  const requests = new Requests(wire, couldNot);
  /** The path that lists: that of the contract, or only its `search`. */
  let listing: 'plain' | 'search' | undefined;

  const fetchPage =
    ({ title, order }: ConversationQuery): FetchPage<Conversation> =>
    async (cursor, { size = 20, ...call }) => {
      const sort_order = order && 'UPDATED_AT_DESC';
      const sent = {
        path,
        query: {
          page_id: cursor,
          limit: rowLimit(size),
          title__contains: title,
          sort_order,
        },
      };
      if (listing !== 'search') {
        try {
          const page = await requests.page(
            'listConversations',
            sent,
            call,
            read,
          );
          listing = 'plain';
          return page;
        } catch (error) {
          if (listing === 'plain' || !wantsIds(error)) throw error;
        }
      }
      const query = { ...sent.query, include_sub_conversations: 'true' };
      const searched = { path: [...path, 'search'], query };
      const page = await requests.page(
        'listConversations',
        searched,
        call,
        read,
      );
      listing = 'search';
      return page;
    };

  const findAll = findAllV1(wire, reader);

  return {
    filters: new Set(['title', 'order']),
    list: (query = {}, call = {}) =>
      new Pager(fetchPage(query), ({ id }) => idKey(id), wire.log, call),
    // A few versions reject unknown or malformed ids.
    find: async (id, call = {}) =>
      (await resultOr(findAll([id], call), isUnknownId, []))[0],
  };
}

/** The fields of a record that tell where its agent is. */
type AgentFields = Pick<WireRecord, 'conversation_url' | 'session_api_key'>;

/**
 * A sandbox that is too busy to answer the service seems to have lost its
 * conversations for some seconds.
 */
const lossPatienceMs = 30_000;

/** Reads the conversations of one service, by any request. */
export class ConversationReader {
  readonly #states: SandboxStates;
  /** Fields of the newest records, by conversation. */
  readonly #runningAgents = new Map<string, AgentFields>();
  readonly #losses = new BriefStates(lossPatienceMs);

  constructor(states: SandboxStates) {
    this.#states = states;
  }

  /** Hides failures of sandboxes and losses that may only seem so. */
  readonly read: Reader<Conversation> = (record, source) => {
    const row = readConversationV1(record, source);
    if (!row || !isObject(record)) return undefined;
    const settled = this.#withoutBriefLoss(
      this.#states.settle(row, row.sandboxId),
      source?.now,
    );
    const { conversation_url, session_api_key } = record;
    const key = idKey(settled.id);
    if (settled.status === 'running' && settled.execution !== 'lost')
      this.#runningAgents.set(key, { conversation_url, session_api_key });
    else this.#runningAgents.delete(key);
    return settled;
  };

  runningAgent(id: string): AgentFields | undefined {
    return this.#runningAgents.get(idKey(id));
  }

  #withoutBriefLoss(row: Conversation, now: Time = 0): Conversation {
    const key = idKey(row.id);
    if (row.execution !== 'lost') {
      if (row.execution !== undefined) this.#losses.end(key);
      return row;
    }
    return this.#losses.lasts(key, now)
      ? row
      : { ...row, execution: undefined };
  }
}

/**
 * The conversations with these ids, in no particular order; those that do not
 * exist are missing.
 */
export function findAllV1(wire: Wire, { read }: ConversationReader) {
  const requests = new Requests(wire, couldNot);
  return async (
    ids: readonly string[],
    call: CallOptions,
  ): Promise<Conversation[]> => {
    const conversations: Conversation[] = [];
    for (let start = 0; start < ids.length; start += maxRowsPerRequest) {
      const some = ids.slice(start, start + maxRowsPerRequest);
      const keys = new Set(some.map(idKey));
      const sent = { path, query: { ids: some } };
      const { items } = await requests.page(
        'lookUpConversations',
        sent,
        call,
        read,
      );
      conversations.push(...items.filter(({ id }) => keys.has(idKey(id))));
    }
    return conversations;
  };
}

/** Milliseconds: the service may have to end processes in the sandbox. */
const deadline = 120_000;

/**
 * `whereOnlyListed` explains why a conversation that is listed but unknown to
 * V1 cannot be changed.
 */
export function editingV1(
  wire: Wire,
  conversations: Conversations,
  whereOnlyListed?: () => string,
): Editing {
  const requests = new Requests(wire, couldNot);

  /** Sends a change. Resolves to the error if the conversation is gone. */
  async function change(
    operation: 'renameConversation' | 'removeConversation',
    id: string,
    sent: Pick<ServiceRequest, 'method' | 'body' | 'deadline'>,
    call: CallOptions,
  ): Promise<ServiceError | undefined> {
    try {
      await requests.change(operation, { path: [...path, id], ...sent }, call);
      return undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if ((await conversations.find(id, call)) === undefined) return error;
      if (!whereOnlyListed) throw error;
      throw requests.error(operation, {
        kind: 'rejected',
        fields: [],
        detail: whereOnlyListed(),
      });
    }
  }

  return {
    rename: async (id, title, call = {}) => {
      const gone = await change(
        'renameConversation',
        id,
        { method: 'PATCH', body: { title } },
        call,
      );
      if (gone) throw gone;
    },
    remove: async (id, call = {}) => {
      await change(
        'removeConversation',
        id,
        { method: 'DELETE', deadline },
        call,
      );
    },
  };
}
