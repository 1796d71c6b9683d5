/**
 * A connected service: its kind as soon as it has answered, and the calls that
 * work before that.
 */
import { type Clock, sleep, systemClock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { type Log, noLog } from '../base/log.ts';
import {
  type AgentService,
  type ConversationQuery,
  interfaceName,
  type ServiceInterface,
} from './abilities/agentService.ts';
import { agentServer } from './agentServer/service.ts';
import { type Failure, isBrief, ServiceError } from './http/serviceError.ts';
import { pauseAfter } from './http/pacer.ts';
import {
  noPage,
  type PageRequest,
  Pager,
  type ReceivedPage,
} from './http/pager.ts';
import { isAbsent, wantsIds, type Wire } from './http/requests.ts';
import {
  type CallOptions,
  ServiceTransport,
  type TransportOptions,
} from './http/transport.ts';
import {
  type Conversation,
  idKey,
  type Sandbox,
  type StartTask,
} from './model/entities.ts';
import { serviceV0 } from './v0/service.ts';
import { serviceV1 } from './v1/service.ts';

/**
 * Kinds in the order of trying. A kind with `after` is only tried if that
 * accepts the last failure.
 */
const probes: readonly {
  readonly kind: ServiceInterface;
  readonly after?: (failure: unknown) => boolean;
}[] = [
  { kind: 'v0' },
  // The list of V0 only looks up ids at an Agent Server.
  { kind: 'agentServer', after: wantsIds },
  { kind: 'v1' },
];

const startTimeoutMs = 10 * 60_000;
const maxFailuresInARow = 3;

export interface ClientOptions extends Omit<TransportOptions, 'clock' | 'log'> {
  /** `auto` takes the first kind whose conversations can be listed. */
  readonly interface: ServiceInterface | 'auto';
  readonly clock?: Clock;
  readonly log?: Log;
  /**
   * True if the user has allowed the key of a sandbox to be sent to this
   * origin. By default none but the service's.
   */
  readonly isAllowed?: (origin: string) => boolean;
}

export type ServiceClient = ReturnType<typeof createClient>;

/** Every function of the client rejects with a ServiceError. */
export function createClient({
  interface: kind,
  clock = systemClock,
  log = noLog,
  isAllowed = () => false,
  ...options
}: ClientOptions) {
  const transport = new ServiceTransport({ ...options, clock, log });
  const recognition = new Recognition(kind, {
    transport,
    log,
    clock,
    isAllowed,
  });
  return {
    /**
     * Undefined until the service has answered once; never changes after that.
     */
    get service(): AgentService | undefined {
      return recognition.service;
    },
    /**
     * Milliseconds that polls have waited for their turn so far, because
     * requests to a service are paced.
     */
    get pollsWaited() {
      return transport.pollsWaited;
    },
    /**
     * The service, after requesting one conversation if it is not known yet.
     */
    recognise: (call: CallOptions = {}) =>
      recognition.recognise(t('Could not connect to the service'), call),
    /**
     * The service's own list. Its first page also recognises the service, at no
     * extra request.
     */
    conversations: (
      query: ConversationQuery = {},
      defaults: PageRequest = {},
    ) => {
      const fetch = (cursor: string | undefined, request: PageRequest) =>
        recognition.page(query, cursor, request);
      return new Pager(fetch, ({ id }) => idKey(id), log, defaults);
    },
    /** Empty if the service has no sandboxes. */
    sandboxes: (defaults: PageRequest = {}) => {
      const fetch = async (
        cursor: string | undefined,
        request: PageRequest,
      ) => {
        const { sandboxes } = await recognition.chosen(
          t('Could not list the sandboxes'),
          request,
        );
        return (
          (await sandboxes?.list().fetch(cursor, request)) ?? noPage<Sandbox>()
        );
      };
      return new Pager(fetch, ({ id }) => id, log, defaults);
    },
    /**
     * Yields the task each time it changes; the last one is ready or failed.
     * Asks again when the service fails briefly. Throws when it keeps failing,
     * forgets the task, or does not finish within ten minutes.
     */
    async *followStart(
      first: StartTask,
      { signal }: CallOptions = {},
    ): AsyncGenerator<StartTask, void> {
      const couldNot = t('Could not follow the start of the conversation');
      const fail = (failure: Failure) => transport.error(couldNot, failure);
      const call = { signal, priority: 'poll' } as const;
      const begin = clock.now();
      let current = first;
      let failures = 0;
      let tookMs = 0;
      yield current;
      while (current.stage !== 'ready' && current.stage !== 'error') {
        const waitedMs = clock.now() - begin;
        if (waitedMs >= startTimeoutMs)
          throw fail({
            kind: 'timedOut',
            seconds: startTimeoutMs / 1000,
            answering: true,
          });
        await sleep(clock, pauseAfter(waitedMs, tookMs), signal).catch(() => {
          throw fail({ kind: 'cancelled' });
        });
        const requestedAt = clock.now();
        try {
          const next = await (
            await recognition.chosen(couldNot, call)
          ).creation?.task(first.id, call);
          if (!next) throw fail({ kind: 'notFound' });
          failures = 0;
          const isChanged =
            next.stage !== current.stage || next.detail !== current.detail;
          current = next;
          tookMs = clock.now() - requestedAt;
          if (isChanged) yield current;
        } catch (error) {
          const mayBeOver =
            error instanceof ServiceError &&
            (isBrief(error) || error.kind === 'notFound');
          if (!mayBeOver || ++failures >= maxFailuresInARow) throw error;
          tookMs = clock.now() - requestedAt;
        }
      }
    },
  };
}

interface FirstAnswer {
  readonly service: AgentService;
  readonly page: ReceivedPage<Conversation>;
}

/** Finds out the kind of a service from its answers. */
class Recognition {
  service: AgentService | undefined;
  readonly #kind: ServiceInterface | 'auto';
  readonly #transport: ServiceTransport;
  readonly #services: Readonly<Record<ServiceInterface, AgentService>>;
  #underWay: Promise<FirstAnswer> | undefined;

  constructor(kind: ServiceInterface | 'auto', wire: Wire) {
    this.#kind = kind;
    this.#transport = wire.transport;
    this.#services = {
      v0: serviceV0(wire),
      v1: serviceV1(wire),
      agentServer: agentServer(wire),
    };
  }

  /**
   * The kind that was set, even before it has answered, or else the recognised
   * one.
   */
  async chosen(couldNot: string, call: CallOptions): Promise<AgentService> {
    return this.#kind === 'auto'
      ? await this.recognise(couldNot, call)
      : this.#services[this.#kind];
  }

  /** A page of conversations. The first one recognises the service. */
  async page(
    query: ConversationQuery,
    cursor: string | undefined,
    request: PageRequest,
  ): Promise<ReceivedPage<Conversation>> {
    if (this.#underWay)
      await this.recognise(t('Could not list the conversations'), request);
    return this.service
      ? await this.service.conversations.list(query).fetch(cursor, request)
      : (await this.#begin(query, request)).page;
  }

  /** The service, from the recognition that is under way or from a new one. */
  async recognise(couldNot: string, call: CallOptions): Promise<AgentService> {
    try {
      while (!this.service && this.#underWay) {
        try {
          return (await this.#unlessAborted(this.#underWay, couldNot, call))
            .service;
        } catch (error) {
          // Another caller giving up does not answer this one.
          const isOthers =
            error instanceof ServiceError &&
            error.kind === 'cancelled' &&
            !call.signal?.aborted;
          if (!isOthers) throw error;
        }
      }
      return (
        this.service ?? (await this.#begin({}, { ...call, size: 1 })).service
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(
        error.failure,
        { ...error.circumstances, couldNot },
        { cause: error },
      );
    }
  }

  async #begin(
    query: ConversationQuery,
    request: PageRequest,
  ): Promise<FirstAnswer> {
    const begun = this.#probe(query, request);
    this.#underWay = begun;
    try {
      return await begun;
    } finally {
      if (this.#underWay === begun) this.#underWay = undefined;
    }
  }

  /** Lists the conversations as each kind until one answers. */
  async #probe(
    query: ConversationQuery,
    request: PageRequest,
  ): Promise<FirstAnswer> {
    const isAuto = this.#kind === 'auto';
    let failure: ServiceError | undefined;
    for (const { kind, after } of isAuto
      ? probes
      : [{ kind: this.#kind, after: undefined }]) {
      if (after?.(failure) === false) continue;
      const service = this.#services[kind];
      try {
        const page = await service.conversations
          .list(query)
          .fetch(undefined, request);
        this.service ??= service;
        if (kind === 'agentServer') this.#transport.liftQuota();
        return { service, page };
      } catch (error) {
        if (!isAbsent(error) && !wantsIds(error)) throw error;
        failure = error;
      }
    }
    // The failure already explains that this is another service.
    if (!failure || failure.kind === 'notThisService')
      throw failure ?? new Error('no kind of service');
    const why = isAuto
      ? t('it has none of the supported interfaces')
      : t('it does not have the {0} interface', interfaceName(this.#kind));
    throw new ServiceError(
      { kind: 'notThisService', why },
      failure.circumstances,
    );
  }

  async #unlessAborted<T>(
    promise: Promise<T>,
    couldNot: string,
    { signal }: CallOptions,
  ): Promise<T> {
    if (!signal) return await promise;
    const cancelled = Promise.withResolvers<never>();
    const abort = () => {
      cancelled.reject(this.#transport.error(couldNot, { kind: 'cancelled' }));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([promise, cancelled.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
