/**
 * Agents in sandboxes: read at the app server, steered at the Agent Server of
 * the sandbox.
 */
import { sleep } from '../../base/clock.ts';
import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import { Secret } from '../../base/secret.ts';
import type { Agents, AgentLocation } from '../abilities/agentService.ts';
import { AgentServerFileChanges } from '../agentServer/fileChanges.ts';
import { contentOf, agentsAtAgentServer } from '../agentServer/agents.ts';
import { type Conversation, idKey } from '../model/entities.ts';
import {
  eventReader,
  EventTimes,
  requestOfOneEvent,
} from '../records/eventReader.ts';
import {
  isAbsent,
  isUnknownId,
  Requests,
  type Wire,
} from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import {
  array,
  integer,
  isObject,
  type WireRecord,
} from '../http/wireValues.ts';
import type { ConversationReader } from './conversations.ts';
import { modelsV1 } from './models.ts';

const couldNot = words({
  readEvents: 'Could not read what has happened in the conversation',
  findSandbox: 'Could not find the sandbox of the conversation',
  queueMessage: 'Could not send the message',
  forkConversation: 'Could not fork the conversation',
  switchProfile: 'Could not switch the model',
});

const forkLookPausesMs = [0, 500, 1_500, 3_000, 5_000];

/**
 * `whereOnlyListed` explains why a conversation that is listed but unknown to
 * V1 cannot be followed.
 */
export function agentsV1(
  wire: Wire,
  conversations: ConversationReader,
  whereOnlyListed?: () => string,
): Agents {
  const { transport, log, isAllowed } = wire;
  const requests = new Requests(wire, couldNot);
  const eventTimes = new EventTimes();
  const models = modelsV1(wire);
  const pathOf = (id: string, ...rest: readonly string[]) => [
    'api',
    'v1',
    'conversation',
    id,
    ...rest,
  ];
  const reader = eventReader({
    requests,
    eventTimes,
    log,
    path: (id) => pathOf(id, 'events', 'search'),
    isCursorId: false,
  });

  async function exposedAgentServer(
    { sandbox_id }: WireRecord,
    call: CallOptions,
  ): Promise<URL | undefined> {
    if (typeof sandbox_id !== 'string') return undefined;
    const sent = {
      path: ['api', 'v1', 'sandboxes'],
      query: { id: [sandbox_id] },
    };
    const [exposed = []] = await unlessAbsent(
      requests.page('findSandbox', sent, call, (sandbox) =>
        isObject(sandbox) && sandbox.id === sandbox_id
          ? array(sandbox.exposed_urls)
          : undefined,
      ),
    );
    const entry = exposed.find(
      (entry) => isObject(entry) && entry.name === 'AGENT_SERVER',
    );
    const url =
      isObject(entry) && typeof entry.url === 'string'
        ? URL.parse(entry.url)
        : null;
    return url ? withPath(url, url.pathname) : undefined;
  }

  function agentAt(address: URL | undefined, key: unknown): AgentLocation {
    const service = transport.source.address;
    if (
      !address ||
      !service ||
      !/^https?:$/.test(address.protocol) ||
      typeof key !== 'string'
    )
      return {
        status: 'outOfReach',
        why: t('The service does not say how its sandbox can be reached.'),
      };
    const { origin } = address;
    const mayGetKey = () => isOfService(address, service) || isAllowed(origin);
    if (!mayGetKey()) {
      const why = t(
        'Its sandbox is at {0}, which is not the address of the service, so its key is not sent there.',
        origin,
      );
      return { status: 'outOfReach', why, origin };
    }
    const there = transport.to(
      address,
      key !== '' ? new Secret(key) : undefined,
    );
    const wireThere = { ...wire, transport: there };
    const steering = agentsAtAgentServer(eventTimes, wireThere);
    return {
      status: 'ready',
      steering: {
        ...steering,
        listFork: async (id, title, call = {}) => {
          // The service notices changes at the sandbox, but not forks.
          const path = ['api', 'conversations', id];
          const atSandbox = new Requests(wireThere, couldNot);
          await atSandbox.send(
            'forkConversation',
            { method: 'PATCH', path, body: { title } },
            call,
          );
          return await listedFork(id, title, call);
        },
        // A sandbox has none of its own.
        profiles: async (call) => (await models.list(call)).models,
        switchProfile: async (id, profile_name, call = {}) => {
          const path = ['api', 'v1', 'app-conversations', id, 'switch_profile'];
          const sent = {
            method: 'POST',
            path,
            body: { profile_name },
          } as const;
          await requests.change('switchProfile', sent, call);
        },
      },
      changes: new AgentServerFileChanges(wireThere),
      isAllowed: mayGetKey,
    };
  }

  async function recordOf(id: string, call: CallOptions) {
    const sent = {
      path: ['api', 'v1', 'app-conversations'],
      query: { ids: [id] },
    };
    const [listing] = await unlessAbsent(
      requests.page('findSandbox', sent, call, (record, source) => {
        const row = conversations.read(record, source);
        return row && isObject(record) && idKey(row.id) === idKey(id)
          ? { row, record }
          : undefined;
      }),
      whereOnlyListed !== undefined,
    );
    return listing;
  }

  async function listedFork(
    id: string,
    title: string,
    call: CallOptions,
  ): Promise<Conversation> {
    for (const pause of forkLookPausesMs) {
      await sleep(wire.clock, pause, call.signal);
      const listing = await recordOf(id, call);
      if (!listing) continue;
      const path = ['api', 'v1', 'app-conversations', listing.row.id];
      await requests.send(
        'forkConversation',
        { method: 'PATCH', path, body: { title } },
        call,
      );
      return { ...listing.row, title };
    }
    const why = t(
      'the service does not list the fork yet. Refresh the list in a minute',
    );
    throw requests.error(
      'forkConversation',
      { kind: 'notUnderstood', why },
      true,
    );
  }

  return {
    events: (id, call = {}) => reader.pages(id, call),
    cursorAt: (_, count) => (count > 1 ? String(count - 1) : undefined),
    event: async (id, eventId, call = {}) => {
      const sent = {
        path: pathOf(id, 'events'),
        query: { id: [eventId] },
        ...requestOfOneEvent,
      };
      const { items } = await requests.page(
        'readEvents',
        sent,
        call,
        (event) => event,
      );
      return reader.read(id, items)[0];
    },
    listedAgent: (id) => {
      const fields = conversations.runningAgent(id);
      const address = fields && agentServerIn(fields);
      if (!address) return undefined;
      const location = agentAt(address, fields.session_api_key);
      return location.status === 'ready' ? location : undefined;
    },
    locateAgent: async (id, call = {}) => {
      const listing = await recordOf(id, call);
      if (!listing)
        return whereOnlyListed
          ? { status: 'outOfReach', why: whereOnlyListed() }
          : { status: 'gone' };
      const { row, record } = listing;
      eventTimes.note(row);
      if (row.execution === 'lost')
        return {
          status: 'outOfReach',
          why: t('Its sandbox no longer has this conversation.'),
        };
      switch (row.status) {
        case 'running':
          return agentAt(
            agentServerIn(record) ?? (await exposedAgentServer(record, call)),
            record.session_api_key,
          );
        case 'starting':
          return { status: 'sandboxStarting' };
        case 'stopped':
          return { status: 'sandboxPaused', sandboxId: row.sandboxId };
        case 'archived':
          return { status: 'archived' };
        case 'unknown':
          return {
            status: 'outOfReach',
            why: t('Its sandbox does not answer at the moment.'),
          };
        case 'error':
        default:
          return {
            status: 'outOfReach',
            why: t('Its sandbox has failed, or cannot be reached.'),
          };
      }
    },
    queue: async (id, message, call = {}) => {
      const path = ['api', 'v1', 'conversations', id, 'pending-messages'];
      const body = { role: 'user', content: contentOf(message) };
      const answer = await requests.send(
        'queueMessage',
        { method: 'POST', path, body, once: true },
        call,
      );
      return isObject(answer) ? integer(answer.position) : undefined;
    },
  };
}

/**
 * Empty if the service does not know the id, or, with `mayLackV1`, lacks V1.
 */
async function unlessAbsent<T>(
  page: Promise<{ readonly items: readonly T[] }>,
  mayLackV1 = false,
): Promise<readonly T[]> {
  const isExpected = (error: unknown) =>
    isUnknownId(error) || (mayLackV1 && isAbsent(error));
  return (await resultOr(page, isExpected, { items: [] })).items;
}

/** Returns `undefined` for the address of a page, which some services give. */
function agentServerIn({ conversation_url }: WireRecord): URL | undefined {
  const url =
    typeof conversation_url === 'string' ? URL.parse(conversation_url) : null;
  const path =
    url && /^(.*)\/api\/conversations\/[^/]+\/?$/.exec(url.pathname)?.[1];
  return typeof path === 'string' && url ? withPath(url, path) : undefined;
}

/** Drops the query, which can contain another token. */
function withPath(url: URL, path: string): URL {
  return new URL(`${url.protocol}//${url.host}${path.replace(/\/+$/, '')}`);
}

/**
 * The key of a sandbox goes to the host of the service, or stays on this
 * machine as the service does.
 */
function isOfService(address: URL, service: URL): boolean {
  const isLocal =
    isThisMachine(address.hostname) && isThisMachine(service.hostname);
  const isExposed =
    service.protocol === 'https:' && address.protocol === 'http:';
  return isLocal || (address.hostname === service.hostname && !isExposed);
}
