/** What agents do in sandboxes: read at the app server, steered at the Agent Server of the sandbox. */
import { t, words } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import { Secret } from '../../base/secret.ts';
import type { Agents, Where } from '../agentService.ts';
import { contentOf, steeringAtAgentServer } from '../agentServer/steering.ts';
import { idKey } from '../entities.ts';
import { EventReader, longestEvent } from '../eventReader.ts';
import { EventTimes } from '../eventTimes.ts';
import { isAbsent, isRejected, Requests, type Wire } from '../requests.ts';
import { integer, isObject, type WireRecord } from '../wireValues.ts';
import { readConversationV1 } from './conversationRecord.ts';

const couldNot = words({
  readEvents: 'Could not read what has happened in the conversation',
  readEvent: 'Could not read all of it',
  findSandbox: 'Could not find the sandbox of the conversation',
  queueMessage: 'Could not send the message',
});

/** `whereOnlyListed` says why what the service lists and V1 does not know cannot be followed. */
export function agentsV1(wire: Wire, whereOnlyListed?: () => string): Agents {
  const { transport, log } = wire;
  const requests = new Requests(transport, couldNot);
  const eventTimes = new EventTimes();
  const pathOf = (id: string, ...rest: readonly string[]) => ['api', 'v1', 'conversation', id, ...rest];
  const reader = new EventReader({
    requests,
    eventTimes,
    log,
    path: (id) => pathOf(id, 'events', 'search'),
    isCursorId: false,
  });

  function running(record: WireRecord): Where {
    const { address, why } = addressOf(record, transport.source.address);
    if (!address) return { status: 'outOfReach', why };
    const { session_api_key: key } = record;
    // Only for as long as it is needed.
    const there = transport.to(address, typeof key === 'string' && key !== '' ? new Secret(key) : undefined);
    return {
      status: 'ready',
      steering: steeringAtAgentServer(eventTimes, { ...wire, transport: there }),
    };
  }

  return {
    events: (id, call = {}) => reader.pages(id, call),
    cursorAt: (_, count) => (count > 1 ? String(count - 1) : undefined),
    event: async (id, eventId, call = {}) => {
      const sent = { path: pathOf(id, 'events'), query: { id: [eventId] }, bodyLimit: longestEvent };
      const { items } = await requests.page('readEvents', sent, call, (event) => event);
      return reader.read(id, items)[0];
    },
    where: async (id, call = {}) => {
      const sent = { path: ['api', 'v1', 'app-conversations'], query: { ids: [id] } };
      const [found] = await unlessAbsent(
        requests.page('findSandbox', sent, call, (record, source) => {
          const row = readConversationV1(record, source);
          return row && isObject(record) && idKey(row.id) === idKey(id) ? { row, record } : undefined;
        }),
      );
      if (!found)
        return whereOnlyListed ? { status: 'outOfReach', why: whereOnlyListed() } : { status: 'gone' };
      const { row, record } = found;
      eventTimes.note(row);
      if (row.execution === 'lost')
        return { status: 'outOfReach', why: t('Its sandbox does not know this conversation any more.') };
      switch (row.status) {
        case 'running':
          return running(record);
        case 'starting':
          return { status: 'sandboxStarting' };
        case 'stopped':
          return { status: 'sandboxPaused', sandboxId: row.sandboxId };
        case 'archived':
          return { status: 'archived' };
        default:
          return { status: 'outOfReach', why: t('Its sandbox has failed, or cannot be reached.') };
      }
    },
    queue: async (id, message, call = {}) => {
      const path = ['api', 'v1', 'conversations', id, 'pending-messages'];
      const body = { role: 'user', content: contentOf(message) };
      const answer = await requests.send('queueMessage', { method: 'POST', path, body, once: true }, call);
      return isObject(answer) ? integer(answer.position) : undefined;
    },
  };
}

/** None if V1 is missing, or does not take the id for one. */
async function unlessAbsent<T>(page: Promise<{ readonly items: readonly T[] }>): Promise<readonly T[]> {
  try {
    return (await page).items;
  } catch (error) {
    if (isAbsent(error) || isRejected(error)) return [];
    throw error;
  }
}

/**
 * That of the Agent Server, unless the key of the sandbox must not go there: it goes to the host of the service, or stays on
 * this machine as the service does.
 */
function addressOf(
  { conversation_url, session_api_key }: WireRecord,
  service: URL | undefined,
): { readonly address?: URL; readonly why: string } {
  const given = typeof conversation_url === 'string' ? URL.parse(conversation_url) : null;
  if (!given || !service || !/^https?:$/.test(given.protocol) || typeof session_api_key !== 'string')
    return { why: t('The service does not say how its sandbox can be reached.') };
  const isLocal = isThisMachine(given.hostname) && isThisMachine(service.hostname);
  const isSameHost = given.hostname === service.hostname;
  const isWeaker = service.protocol === 'https:' && given.protocol === 'http:' && !isLocal;
  const path = /^(.*)\/api\/conversations\/[^/]+\/?$/.exec(given.pathname)?.[1];
  if (given.username !== '' || given.password !== '' || path === undefined)
    return { why: t('The service does not say how its sandbox can be reached.') };
  if ((!isLocal && !isSameHost) || isWeaker)
    return {
      why: t(
        'Its sandbox is at {0}, which is not the address of the service, so its key is not sent there.',
        given.origin,
      ),
    };
  return { address: new URL(`${given.origin}${path}`), why: '' };
}
