/** One request to the service: paced, with one deadline, within one origin, and answered by JSON or a ServiceError. */
import { type Clock, sleep } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import type { Log } from '../base/log.ts';
import { plainText } from '../base/plainText.ts';
import type { Secret } from '../base/secret.ts';
import { showAddress } from './address.ts';
import { isHtml, readBody, readComplaint, retryAfter, TooLarge } from './body.ts';
import { type Failure, type Operation, ServiceError } from './errors.ts';
import { explainNetworkFailure } from './network.ts';
import { Pacer, type Priority } from './pacer.ts';

export type Authentication = 'sessionKey' | 'bearer' | 'accessToken' | 'none';

export interface TransportOptions {
  /** As `serviceAddress` gives it. */
  readonly address: URL;
  readonly authentication: Authentication;
  readonly key: Secret | undefined;
  readonly log: Log;
  readonly clock: Clock;
  /** Asked for at each request, because the editor replaces the global one by its own. */
  readonly fetch?: typeof globalThis.fetch;
  readonly random?: () => number;
  readonly requestsPerSecond?: number;
  /** Of one exchange, redirects and body included, in milliseconds. */
  readonly deadline?: number;
  /** Of the body after decompression, in bytes. */
  readonly bodyLimit?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /** Aborted when a person starts to wait for what was a poll: it then takes its turn as theirs. */
  readonly promoted?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  readonly operation: Operation;
  readonly method?: 'GET' | 'POST';
  /** Of the path below the address; encoded here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: unknown;
}

/** What can be the value of a header. */
const sendable = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

const tries = 3;
const redirects = 5;
/** A service that asks for more patience than this gets its answer from the person. */
const longestPause = 15_000;

export class Transport {
  readonly #options: TransportOptions;
  readonly #pacer: Pacer;
  readonly #shown: string;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#pacer = new Pacer(options.clock, options.requestsPerSecond ?? 8);
    this.#shown = showAddress(options.address);
  }

  /** The JSON that the service answers. A GET is tried again where that may help, a POST only where it was refused. */
  async request(call: Call): Promise<unknown> {
    const { clock, log } = this.#options;
    const signal = call.signal ?? new AbortController().signal;
    const url = this.#url(call);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#pacer.turn(call.priority ?? 'person', signal, call.promoted);
        return await this.#exchange(call, url, signal);
      } catch (error) {
        const failure = error instanceof ServiceError ? error : this.#error(call, { kind: 'cancelled' });
        const pause =
          attempt < tries && !signal.aborted ? this.#pauseBeforeRetry(call, failure, attempt) : undefined;
        // Whoever has cancelled it knows that; and when the window closes, there may be no log any more.
        if (failure.kind !== 'cancelled') {
          log.warn(
            `${failure.message}${pause === undefined ? '' : ` Trying again in ${Math.round(pause)} ms.`}`,
          );
        }
        if (pause === undefined) throw failure;
        await sleep(clock, pause, signal).catch(() => {
          throw this.#error(call, { kind: 'cancelled' });
        });
      }
    }
  }

  /** An error of this service, for what only the caller can see is wrong. */
  error(operation: Operation, failure: Failure, outcomeUnknown = false): ServiceError {
    return new ServiceError(failure, { operation, address: this.#shown, outcomeUnknown });
  }

  #error(call: Call, failure: Failure, sent = false, cause?: unknown): ServiceError {
    const { operation, method } = call;
    const outcomeUnknown = sent && method === 'POST';
    return new ServiceError(failure, { operation, address: this.#shown, outcomeUnknown }, { cause });
  }

  #url(call: Call): URL {
    const { address } = this.#options;
    const segments = call.path.map((segment) => {
      // A URL would swallow these, and lead to another operation.
      if (/^\.{0,2}$/.test(segment))
        throw this.#error(call, { kind: 'notFound', detail: t('"{0}" is no id', segment) });
      return encodeURIComponent(segment);
    });
    const url = new URL(address);
    url.pathname = `${address.pathname.replace(/\/$/, '')}/${segments.join('/')}`;
    for (const [name, value] of Object.entries(call.query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) url.searchParams.append(name, String(one));
      }
    }
    return url;
  }

  #headers(call: Call): Record<string, string> {
    const { authentication, key } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    if (key === undefined || authentication === 'none') return headers;
    // `fetch` would fail as if there was no connection, and quote some keys.
    if (!sendable.test(key.reveal()))
      throw this.#error(call, { kind: 'unauthorised', withKey: true, unsendable: true });
    if (authentication === 'sessionKey') headers['x-session-api-key'] = key.reveal();
    if (authentication === 'bearer') headers.authorization = 'Bearer ' + key.reveal();
    if (authentication === 'accessToken') headers['x-access-token'] = key.reveal();
    return headers;
  }

  async #exchange(call: Call, url: URL, signal: AbortSignal): Promise<unknown> {
    const { clock, log, deadline = 30_000, bodyLimit = 32_000_000 } = this.#options;
    const end = new AbortController();
    const cancelDeadline = clock.after(deadline, () => {
      end.abort();
    });
    const begin = clock.now();
    let sent = false;
    try {
      const both = AbortSignal.any([signal, end.signal]);
      const fetching = this.#fetchWithinOrigin(call, url, both);
      sent = true;
      const response = await fetching;
      const text = await readBody(response, bodyLimit);
      log.debug(
        `${call.method ?? 'GET'} ${call.operation}: ${response.status}, ${text.length} characters, ${clock.now() - begin} ms`,
      );
      return this.#judge(call, response, text);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if (signal.aborted) throw this.#error(call, { kind: 'cancelled' }, sent, error);
      if (end.signal.aborted)
        throw this.#error(call, { kind: 'timedOut', seconds: deadline / 1000 }, sent, error);
      if (error instanceof TooLarge) {
        const why = t('it has more than {0} MB', Math.floor(bodyLimit / 1_000_000));
        throw this.#error(call, { kind: 'notUnderstood', why }, sent, error);
      }
      const { why, closed, mayHaveArrived } = explainNetworkFailure(error);
      throw this.#error(call, { kind: 'unreachable', why, closed }, mayHaveArrived, error);
    } finally {
      cancelDeadline();
    }
  }

  /** Follows redirects by hand: `fetch` would carry the key to another origin. */
  async #fetchWithinOrigin(call: Call, url: URL, signal: AbortSignal): Promise<Response> {
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const init: RequestInit = {
      method: call.method ?? 'GET',
      headers: this.#headers(call),
      redirect: 'manual',
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
    let current = url;
    for (let hop = 0; hop <= redirects; hop++) {
      const response = await fetch(current, init);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel().catch(() => undefined);
      const next = URL.parse(location, current.href);
      if (next?.origin !== url.origin) {
        const why = next
          ? t('it redirects to {0}', plainText(`${next.protocol}//${next.host}`))
          : t('it redirects to an address that is none');
        throw this.#error(call, { kind: 'notThisService', why });
      }
      if (call.method === 'POST' && response.status !== 307 && response.status !== 308) {
        throw this.#error(
          call,
          { kind: 'notThisService', why: t('it redirects where something was to be changed') },
          true,
        );
      }
      current = next;
    }
    throw this.#error(call, { kind: 'notThisService', why: t('it redirects without end') });
  }

  #judge(call: Call, response: Response, text: string): unknown {
    const { status } = response;
    const html = isHtml(response, text);
    if (response.ok) {
      if (html)
        throw this.#error(call, { kind: 'notThisService', why: t('it answers with a web page') }, true);
      try {
        return JSON.parse(text);
      } catch {
        // The error of the parser is dropped: it quotes the text, which may hold secrets.
        const why = text === '' ? t('it is empty') : t('it is no JSON, or only a part of it');
        throw this.#error(call, { kind: 'notUnderstood', why }, true);
      }
    }
    const { key, clock } = this.#options;
    const { detail, fields } = readComplaint(text, html, key ? [key] : []);
    const wait = retryAfter(response, clock.now());
    const withKey = key !== undefined && this.#options.authentication !== 'none';
    if (status === 401) throw this.#error(call, { kind: 'unauthorised', withKey });
    if (status === 403) throw this.#error(call, { kind: 'forbidden', detail });
    if (status === 404 || status === 405 || status === 410)
      throw this.#error(call, { kind: 'notFound', detail });
    if (status === 429) throw this.#error(call, { kind: 'rateLimited', retryAfter: wait });
    if (status >= 500)
      throw this.#error(call, { kind: 'serverFailed', status, detail, retryAfter: wait }, true);
    if (status >= 400) throw this.#error(call, { kind: 'rejected', fields, detail });
    throw this.#error(call, { kind: 'notUnderstood', why: t('status {0}', status) }, true);
  }

  /** How long to wait before the same request is sent again; undefined where it is not. */
  #pauseBeforeRetry(call: Call, { failure }: ServiceError, attempt: number): number | undefined {
    const { random = Math.random } = this.#options;
    const again =
      failure.kind === 'rateLimited' ||
      (call.method !== 'POST' &&
        ((failure.kind === 'serverFailed' && failure.status >= 502 && failure.status <= 504) ||
          (failure.kind === 'unreachable' && failure.closed)));
    if (!again) return undefined;
    const asked = 'retryAfter' in failure ? failure.retryAfter : undefined;
    if (asked !== undefined && asked > longestPause) return undefined;
    return (asked ?? 250 * 2 ** attempt) + random() * 250;
  }
}
