/** A connected service: its kind as soon as it has answered, and what works before that. */
import { type Clock, systemClock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { type Log, noLog } from '../base/log.ts';
import type { AgentService, ConversationQuery, Interface } from './agentService.ts';
import { ServiceError } from './serviceError.ts';
import { followStart } from './followStart.ts';
import { type PageRequest, Pages } from './pages.ts';
import { isAbsent, wantsIds, type Wire } from './requests.ts';
import { type CallOptions, Transport, type TransportOptions } from './transport.ts';
import { type Conversation, idKey, type StartTask } from './entities.ts';
import { serviceV0 } from './v0/service.ts';
import { serviceV1 } from './v1/service.ts';

/** Every kind of service, in the order in which they are tried. */
function servicesOver(wire: Wire): Readonly<Record<Interface, AgentService>> {
  return { v0: serviceV0(wire), v1: serviceV1(wire) };
}

export interface ClientOptions extends Omit<TransportOptions, 'clock' | 'log'> {
  /** `auto` takes the first kind whose conversations can be listed. */
  readonly api: Interface | 'auto';
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Every function rejects with a ServiceError. */
export interface ServiceClient {
  /** Undefined until the service has answered once; never changes after that. */
  readonly service: AgentService | undefined;
  /** The service, or the kind that it is taken for until it has answered: the one that is tried first. */
  readonly assumed: AgentService;
  /** The service, after requesting one conversation if it is not known yet. */
  recognise(call?: CallOptions): Promise<AgentService>;
  /** The service's own list. The first page also tells which kind it is, at no extra request. */
  conversations(query?: ConversationQuery, call?: PageRequest): Pages<Conversation>;
  /** Yields the task each time it changes: see `followStart`. */
  followStart(task: StartTask, call?: CallOptions): AsyncGenerator<StartTask, void>;
}

export function createClient({
  api,
  clock = systemClock,
  log = noLog,
  ...options
}: ClientOptions): ServiceClient {
  const transport = new Transport({ ...options, clock, log });
  const services = servicesOver({ transport, log });
  const candidates = api === 'auto' ? Object.values(services) : [services[api]];
  let service: AgentService | undefined;
  const assumed = () => service ?? services[api === 'auto' ? 'v0' : api];

  /** The first page of conversations, and the kind that answered it. */
  async function firstAnswer(query: ConversationQuery, request: PageRequest) {
    let absence = new Error('There is no such kind of service.');
    for (const candidate of candidates) {
      try {
        const page = await candidate.conversations.list(query).fetch(undefined, request);
        service ??= candidate;
        return { candidate, page };
      } catch (error) {
        // For another kind, the same path only looks up ids.
        if (!isAbsent(error) && !wantsIds(error)) throw error;
        absence = error;
      }
    }
    // This already says why it is not the service that was expected.
    if (!(absence instanceof ServiceError) || absence.kind === 'notThisService') throw absence;
    throw notThisService(absence);
  }

  /** A list that is not found means that the interface is missing. */
  function notThisService({ circumstances }: ServiceError): ServiceError {
    const why =
      api === 'auto'
        ? t('it has none of the supported interfaces')
        : t('it does not have the {0} interface', api.toUpperCase());
    return new ServiceError({ kind: 'notThisService', why }, circumstances);
  }

  return {
    get service() {
      return service;
    },
    get assumed() {
      return assumed();
    },
    recognise: async (call = {}) => {
      try {
        return service ?? (await firstAnswer({}, { ...call, size: 1 })).candidate;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const couldNot = t('Could not connect to the service');
        throw new ServiceError(error.failure, { ...error.circumstances, couldNot }, { cause: error });
      }
    },
    conversations: (query = {}, defaults = {}) =>
      new Pages(
        async (cursor, request) =>
          service
            ? await service.conversations.list(query).fetch(cursor, request)
            : (await firstAnswer(query, request)).page,
        ({ id }) => idKey(id),
        log,
        defaults,
      ),
    followStart: (task, { signal } = {}) =>
      followStart(task, {
        look: async (call) => assumed().creation?.task(task.id, call),
        fail: (couldNot, failure) => transport.error(couldNot, failure),
        clock,
        signal,
      }),
  };
}
