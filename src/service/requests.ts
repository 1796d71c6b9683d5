/** The requests of one ability of a service. */
import type { Clock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import type { Log } from '../base/log.ts';
import { type Failure, ServiceError } from './serviceError.ts';
import type { ReceivedPage } from './pages.ts';
import type { CallOptions, Download, ServiceRequest, ServiceTransport } from './transport.ts';
import { isObject, type Reader } from './wireValues.ts';

/** What every kind of service uses to talk to the server. */
export interface Wire {
  readonly transport: ServiceTransport;
  readonly log: Log;
  readonly clock: Clock;
  /** Whether a person has allowed that the key of a sandbox goes to this origin. */
  readonly isAllowed: (origin: string) => boolean;
}

/** How many rows or ids a request asks for at most: some versions fail at 100. */
export const mostPerRequest = 99;

/** Where a service sends more rows than it was asked for, so many are read; the others are skipped. */
const mostRows = 1_000;

/** What a request sends, apart from its name. */
type SentRequest = Omit<ServiceRequest, 'operation' | 'couldNot'>;

export class Requests<Operation extends string> {
  readonly #transport: ServiceTransport;
  readonly #couldNot: Readonly<Record<Operation, string>>;

  /** `couldNot` is how the error of each operation begins. */
  constructor(transport: ServiceTransport, couldNot: Readonly<Record<Operation, string>>) {
    this.#transport = transport;
    this.#couldNot = couldNot;
  }

  async send(operation: Operation, sent: SentRequest, call: CallOptions): Promise<unknown> {
    return await this.#transport.send({ ...sent, operation, couldNot: this.#couldNot[operation] }, call);
  }

  /** A file, byte for byte. */
  async download(operation: Operation, sent: SentRequest, call: CallOptions): Promise<Download> {
    return await this.#transport.download({ ...sent, operation, couldNot: this.#couldNot[operation] }, call);
  }

  /** A change that is answered with whether it was done, or with nothing. */
  async change(operation: Operation, sent: SentRequest, call: CallOptions): Promise<void> {
    const answer = await this.send(operation, sent, call);
    if (!isObject(answer) || answer.success !== false) return;
    const detail = t('it says that it was not done');
    throw this.error(operation, { kind: 'rejected', fields: [], detail });
  }

  /** A list, or one page of it: `{results}`, `{items}` or an array. Records that cannot be read are skipped. */
  async page<T>(
    operation: Operation,
    sent: SentRequest,
    call: CallOptions,
    read: Reader<T>,
  ): Promise<ReceivedPage<T>> {
    const answer = await this.send(operation, sent, call);
    const { results, items, next_page_id } = isObject(answer) ? answer : { items: answer };
    const records = Array.isArray(results) ? (results as unknown[]) : items;
    if (!Array.isArray(records)) {
      throw this.error(operation, { kind: 'notUnderstood', why: t('it does not contain a list') });
    }
    const allowed = Math.max(mostRows, Number(sent.query?.limit ?? 0));
    const given = (records.slice(0, allowed) as unknown[]).filter((record) => record !== null);
    const { source } = this.#transport;
    const readable = given.map((record) => read(record, source)).filter((item) => item !== undefined);
    return {
      items: readable,
      skipped: Math.max(0, records.length - allowed) + given.length - readable.length,
      cursor: typeof next_page_id === 'string' && next_page_id !== '' ? next_page_id : undefined,
    };
  }

  /** An error for a problem with an answer that only the caller can see. */
  error(operation: Operation, failure: Failure, outcomeUnknown = false): ServiceError {
    return this.#transport.error(this.#couldNot[operation], failure, outcomeUnknown);
  }
}

/** Where a service lacks an interface, it answers 404, 405 or 410, or with the page of a web application. */
export function isAbsent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.kind === 'notFound' || error.kind === 'notThisService');
}

export function isRejected(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === 'rejected';
}

/** The path does not list: it only looks up ids. */
export function wantsIds(error: unknown): error is ServiceError {
  if (!isRejected(error) || error.failure.kind !== 'rejected') return false;
  return error.failure.fields.some(({ name }) => name.split('.')[0] === 'ids');
}
