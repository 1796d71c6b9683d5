/** A connected service: its kind as soon as it has answered, and what works before that. */
import { type Clock, systemClock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { type Log, noLog } from '../base/log.ts';
import type { AgentService, ConversationQuery, Interface } from './agentService.ts';
import { agentServer } from './agentServer/service.ts';
import { ServiceError } from './serviceError.ts';
import { followStart } from './followStart.ts';
import { interfaceName } from './interfaceName.ts';
import { noPage, type PageRequest, Pages, type ReceivedPage } from './pages.ts';
import { isAbsent, wantsIds, type Wire } from './requests.ts';
import { type CallOptions, ServiceTransport, type TransportOptions } from './transport.ts';
import { type Conversation, idKey, type Sandbox, type StartTask } from './entities.ts';
import { serviceV0 } from './v0/service.ts';
import { serviceV1 } from './v1/service.ts';

function servicesOver(wire: Wire): Readonly<Record<Interface, AgentService>> {
  return { v0: serviceV0(wire), v1: serviceV1(wire), agentServer: agentServer(wire) };
}

export interface ClientOptions extends Omit<TransportOptions, 'clock' | 'log'> {
  /** `auto` takes the first kind whose conversations can be listed. */
  readonly interface: Interface | 'auto';
  readonly clock?: Clock;
  readonly log?: Log;
  /** Whether a person has allowed that the key of a sandbox goes to this origin; without it, to none but that of the service. */
  readonly isAllowed?: (origin: string) => boolean;
}

/** Every function rejects with a ServiceError. */
export interface ServiceClient {
  /** Undefined until the service has answered once; never changes after that. */
  readonly service: AgentService | undefined;
  /** For how long polls have waited for their turn so far, in milliseconds: what is asked of a service has a pace. */
  readonly pollsWaited: number;
  /** The service, after requesting one conversation if it is not known yet. */
  recognise(call?: CallOptions): Promise<AgentService>;
  /** The service's own list. The first page also tells which kind it is, at no extra request. */
  conversations(query?: ConversationQuery, call?: PageRequest): Pages<Conversation>;
  /** None where the service has no sandboxes. */
  sandboxes(call?: PageRequest): Pages<Sandbox>;
  /** Yields the task each time it changes: see `followStart`. */
  followStart(task: StartTask, call?: CallOptions): AsyncGenerator<StartTask, void>;
}

interface FirstAnswer {
  readonly service: AgentService;
  readonly page: ReceivedPage<Conversation>;
}

export function createClient({
  interface: wanted,
  clock = systemClock,
  log = noLog,
  isAllowed = () => false,
  ...options
}: ClientOptions): ServiceClient {
  const transport = new ServiceTransport({ ...options, clock, log });
  const services = servicesOver({ transport, log, clock, isAllowed });
  const chosen = wanted === 'auto' ? undefined : services[wanted];
  let service: AgentService | undefined;
  /** The recognition that is under way. */
  let recognition: Promise<FirstAnswer> | undefined;

  /** The first page of conversations, and the kind that answered it. */
  async function firstAnswer(query: ConversationQuery, request: PageRequest): Promise<FirstAnswer> {
    const candidates = chosen ? [chosen] : [services.v0, services.v1];
    let absence = new Error('There is no such kind of service.');
    for (let candidate = candidates.shift(); candidate; candidate = candidates.shift()) {
      try {
        const page = await candidate.conversations.list(query).fetch(undefined, request);
        service ??= candidate;
        if (service === services.agentServer) transport.liftQuota();
        return { service: candidate, page };
      } catch (error) {
        // For another kind, the same path only looks up ids.
        const looksUp = wantsIds(error);
        if (!isAbsent(error) && !looksUp) throw error;
        absence = error;
        if (!chosen && looksUp && candidate === services.v0) candidates.unshift(services.agentServer);
      }
    }
    // This already says why it is not the service that was expected.
    if (!(absence instanceof ServiceError) || absence.kind === 'notThisService') throw absence;
    throw notThisService(absence);
  }

  /** A list that is not found means that the interface is missing. */
  function notThisService({ circumstances }: ServiceError): ServiceError {
    const why =
      wanted === 'auto'
        ? t('it has none of the supported interfaces')
        : t('it does not have the {0} interface', interfaceName(wanted));
    return new ServiceError({ kind: 'notThisService', why }, circumstances);
  }

  /** Begins to recognise the service. Whoever needs to know its kind in the meantime waits for this. */
  async function begin(query: ConversationQuery, request: PageRequest): Promise<FirstAnswer> {
    const begun = firstAnswer(query, request);
    recognition = begun;
    try {
      return await begun;
    } finally {
      if (recognition === begun) recognition = undefined;
    }
  }

  /** The service, by the recognition that is under way or by one of its own. */
  async function recognised(couldNot: string, call: CallOptions): Promise<AgentService> {
    try {
      while (!service && recognition) {
        try {
          return (await unlessAborted(recognition, couldNot, call)).service;
        } catch (error) {
          // Another caller giving up does not answer this one.
          const isOthers =
            error instanceof ServiceError && error.kind === 'cancelled' && !call.signal?.aborted;
          if (!isOthers) throw error;
        }
      }
      return service ?? (await begin({}, { ...call, size: 1 })).service;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(error.failure, { ...error.circumstances, couldNot }, { cause: error });
    }
  }

  async function unlessAborted<T>(
    promise: Promise<T>,
    couldNot: string,
    { signal }: CallOptions,
  ): Promise<T> {
    if (!signal) return await promise;
    const cancelled = Promise.withResolvers<never>();
    const abort = () => {
      cancelled.reject(transport.error(couldNot, { kind: 'cancelled' }));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([promise, cancelled.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    get service() {
      return service;
    },
    get pollsWaited() {
      return transport.pollsWaited;
    },
    recognise: (call = {}) => recognised(t('Could not connect to the service'), call),
    conversations: (query = {}, defaults = {}) =>
      new Pages(
        async (cursor, request) => {
          if (recognition) await recognised(t('Could not list the conversations'), request);
          return service
            ? await service.conversations.list(query).fetch(cursor, request)
            : (await begin(query, request)).page;
        },
        ({ id }) => idKey(id),
        log,
        defaults,
      ),
    sandboxes: (defaults = {}) =>
      new Pages(
        async (cursor, request) => {
          const { sandboxes } = chosen ?? (await recognised(t('Could not list the sandboxes'), request));
          return (await sandboxes?.list().fetch(cursor, request)) ?? noPage();
        },
        ({ id }) => id,
        log,
        defaults,
      ),
    followStart: (task, { signal } = {}) => {
      const couldNot = t('Could not follow the start of the conversation');
      return followStart(task, {
        look: async (call) => (chosen ?? (await recognised(couldNot, call))).creation?.task(task.id, call),
        fail: (sentence, failure) => transport.error(sentence, failure),
        clock,
        signal,
      });
    },
  };
}
