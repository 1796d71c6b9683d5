import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { type PageRequest, Pager, type ReceivedPage } from './pager.ts';
import { type Failure, ServiceError } from './serviceError.ts';
import type {
  CallOptions,
  Download,
  ServiceRequest,
  ServiceTransport,
} from './transport.ts';
import { isObject, type Reader } from './wireValues.ts';

/** The means of every kind of service to talk to the server. */
export interface Wire {
  readonly transport: ServiceTransport;
  readonly log: Log;
  readonly clock: Clock;
  /**
   * True if the user has allowed the key of a sandbox to be sent to this
   * origin.
   */
  readonly isAllowed: (origin: string) => boolean;
}

/** Rows or ids per request: some versions fail at 100. */
export const maxRowsPerRequest = 99;

/** Rows read of a page, if the service sends more than were requested. */
const maxRowsRead = 1_000;

type SentRequest = Omit<ServiceRequest, 'operation' | 'couldNot'>;

/** `size` is the default number of rows in a page. */
type Search = Pick<SentRequest, 'path' | 'query'> & { readonly size?: number };

/** The number of rows to request, which must be at least 1. */
export function rowLimit(size: number): number {
  return Math.min(Math.max(size, 1), maxRowsPerRequest);
}

export class Requests<Operation extends string> {
  readonly #transport: ServiceTransport;
  readonly #log: Log;
  readonly #couldNot: Readonly<Record<Operation, string>>;

  /** `couldNot` has the beginning of each operation's error. */
  constructor(
    { transport, log }: Pick<Wire, 'transport' | 'log'>,
    couldNot: Readonly<Record<Operation, string>>,
  ) {
    this.#transport = transport;
    this.#log = log;
    this.#couldNot = couldNot;
  }

  async send(
    operation: Operation,
    sent: SentRequest,
    call: CallOptions,
  ): Promise<unknown> {
    return await this.#transport.send(
      { ...sent, operation, couldNot: this.#couldNot[operation] },
      call,
    );
  }

  async download(
    operation: Operation,
    sent: SentRequest,
    call: CallOptions,
  ): Promise<Download> {
    return await this.#transport.download(
      { ...sent, operation, couldNot: this.#couldNot[operation] },
      call,
    );
  }

  /** Sends a change. Throws if the service answers that it was not done. */
  async change(
    operation: Operation,
    sent: SentRequest,
    call: CallOptions,
  ): Promise<void> {
    const answer = await this.send(operation, sent, call);
    if (!isObject(answer) || answer.success !== false) return;
    const detail = t('it reports that it was not done');
    throw this.error(operation, { kind: 'rejected', fields: [], detail });
  }

  /**
   * Requests a list or a page of it: `{results}`, `{items}` or an array.
   * Records that cannot be read are skipped.
   */
  async page<T>(
    operation: Operation,
    sent: SentRequest,
    call: CallOptions,
    read: Reader<T>,
  ): Promise<ReceivedPage<T>> {
    const answer = await this.send(operation, sent, call);
    const { results, items, next_page_id } = isObject(answer)
      ? answer
      : { items: answer };
    const records = Array.isArray(results) ? (results as unknown[]) : items;
    if (!Array.isArray(records)) {
      throw this.error(operation, {
        kind: 'notUnderstood',
        why: t('it does not contain a list'),
      });
    }
    const allowed = Math.max(maxRowsRead, Number(sent.query?.limit ?? 0));
    const rows = (records.slice(0, allowed) as unknown[]).filter(
      (record) => record !== null,
    );
    const { source } = this.#transport;
    const readable = rows
      .map((record) => read(record, source))
      .filter((item) => item !== undefined);
    return {
      items: readable,
      skipped:
        Math.max(0, records.length - allowed) + rows.length - readable.length,
      cursor:
        typeof next_page_id === 'string' && next_page_id !== ''
          ? next_page_id
          : undefined,
    };
  }

  /** The rows of a search that takes `page_id` and `limit`. */
  pager<T>(
    operation: Operation,
    { path, query = {}, size: usual = maxRowsPerRequest }: Search,
    read: Reader<T>,
    key: (row: T) => string,
    defaults: PageRequest,
  ): Pager<T> {
    const fetch = async (
      cursor: string | undefined,
      { size = usual, ...call }: PageRequest,
    ) => {
      const sent = {
        path,
        query: { ...query, page_id: cursor, limit: rowLimit(size) },
      };
      return await this.page(operation, sent, call, read);
    };
    return new Pager(fetch, key, this.#log, defaults);
  }

  /** An error about an answer that only the caller can judge. */
  error(
    operation: Operation,
    failure: Failure,
    outcomeUnknown = false,
  ): ServiceError {
    return this.#transport.error(
      this.#couldNot[operation],
      failure,
      outcomeUnknown,
    );
  }
}

/**
 * Requests fewer rows until the answer is not too large, and remembers that
 * size.
 */
export class AdaptivePageSize {
  #tooMany = Infinity;

  async request<T>(
    size: number,
    send: (count: number) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const count = Math.max(1, Math.min(size, Math.floor(this.#tooMany / 4)));
      try {
        return await send(count);
      } catch (error) {
        if (count === 1 || !isTooLarge(error)) throw error;
        this.#tooMany = count;
      }
    }
  }
}

/** True if the answer exceeded the limit. */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.failure.kind === 'notUnderstood' &&
    error.failure.tooLarge === true
  );
}

/**
 * True if the service lacks an interface: it answers 404, 405 or 410, or with
 * the page of a web application.
 */
export function isAbsent(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    (error.kind === 'notFound' || error.kind === 'notThisService')
  );
}

/** True if the service lacks an interface, or does not take such a request. */
export function isNotOffered(error: unknown): boolean {
  return isAbsent(error) || isRejected(error);
}

export function isRejected(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === 'rejected';
}

/**
 * True if the service answers 404, 405 or 410, as it also does for an unknown
 * method.
 */
export function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === 'notFound';
}

/** True if the service does not know an id, or rejects it. */
export function isUnknownId(error: unknown): error is ServiceError {
  return isNotFound(error) || isRejected(error);
}

/** True if the path does not list, but only looks up ids. */
export function wantsIds(error: unknown): error is ServiceError {
  if (!isRejected(error) || error.failure.kind !== 'rejected') return false;
  return error.failure.fields.some(({ name }) => name.split('.')[0] === 'ids');
}
