/**
 * Sends requests to a service: paced, with a deadline, within one origin. The
 * answer is JSON or a ServiceError.
 */
import { type Clock, sleep } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { plainText } from '../../base/plainText.ts';
import type { Secret } from '../../base/secret.ts';
import { requestAddress, showAddress } from './serviceAddress.ts';
import {
  isHtml,
  readBody,
  readComplaint,
  retryAfter,
  TooLarge,
} from './body.ts';
import { type Failure, ServiceError } from './serviceError.ts';
import { parseExactly } from './exactJson.ts';
import { explainNetworkFailure } from './network.ts';
import { Pacer, type Priority } from './pacer.ts';
import { complaint, type Source } from './wireValues.ts';

export type Authentication = 'sessionKey' | 'bearer' | 'accessToken' | 'none';

export interface TransportOptions {
  readonly address: URL;
  readonly authentication: Authentication;
  readonly key: Secret | undefined;
  readonly log: Log;
  readonly clock: Clock;
  /**
   * The global one by default, looked up at each request, because the editor
   * replaces it.
   */
  readonly fetch?: typeof globalThis.fetch;
  readonly random?: () => number;
  readonly requestsPerSecond?: number;
  /** Milliseconds for one exchange, including redirects and the body. */
  readonly deadline?: number;
  /**
   * Bytes of the body after decompression. By default 40 kB for each row of the
   * longest page.
   */
  readonly bodyLimit?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /**
   * Aborted when a user starts to wait for a poll, which then gets their
   * priority.
   */
  readonly promoted?: AbortSignal | undefined;
}

export interface ServiceRequest {
  readonly operation: string;
  /** The beginning of its error, such as "Could not list the sandboxes". */
  readonly couldNot: string;
  /** GET by default. Every other method changes something. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The segments of the path below the address, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<
    Record<string, string | number | readonly string[] | undefined>
  >;
  readonly body?: unknown;
  /** Extra headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds, for slow requests. */
  readonly deadline?: number;
  /** Bytes, for large answers. */
  readonly bodyLimit?: number;
  /**
   * Numbers in its answer that JavaScript would round are kept as they were
   * sent: see `parseExactly`.
   */
  readonly keepsNumbers?: true;
  /** True to send it once: a retry might do something else. */
  readonly once?: true;
}

export interface Download {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

function isChange({ method = 'GET' }: ServiceRequest): boolean {
  return method !== 'GET';
}

const sendable = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

const maxAttempts = 3;
const maxRedirects = 5;
/** Longer pauses are left to the user. */
const maxRetryPauseMs = 15_000;

export class ServiceTransport {
  readonly #options: TransportOptions;
  readonly #pacer: Pacer;
  readonly #shown: string;
  readonly #target: string;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#pacer = new Pacer(options.clock, options.requestsPerSecond ?? 8);
    this.#shown = showAddress(options.address);
    this.#target = showAddress(requestAddress(options.address));
  }

  get pollsWaited(): number {
    return this.#pacer.pollsWaited;
  }

  /** Lifts all limits except that for polls, for an Agent Server. */
  liftQuota(): void {
    this.#pacer.liftQuota();
  }

  get #secrets(): readonly Secret[] {
    const { key } = this.#options;
    return key === undefined ? [] : [key];
  }

  /** The origin of records that are read now. */
  get source(): Source {
    const { address, clock } = this.#options;
    return {
      service: this.#shown,
      secrets: this.#secrets,
      address,
      now: clock.now(),
    };
  }

  /**
   * The JSON of the answer; undefined if a change was answered with nothing or
   * OK: it is done. A GET is retried if that may help, a change only after a
   * refusal.
   */
  async send(request: ServiceRequest, call: CallOptions): Promise<unknown> {
    return await this.#tried(request, call, (response, body) =>
      this.#judge(request, response, body.toString('utf8')),
    );
  }

  /** A file, byte for byte, with the headers of the answer. */
  async download(
    request: ServiceRequest,
    call: CallOptions,
  ): Promise<Download> {
    return await this.#tried(request, call, (response, bytes) => {
      if (!response.ok || isHtml(response, ''))
        this.#judge(request, response, bytes.toString('utf8'));
      return { bytes, headers: response.headers };
    });
  }

  async #tried<T>(
    request: ServiceRequest,
    { signal: callSignal, priority, promoted }: CallOptions,
    read: (response: Response, body: Buffer) => T,
  ): Promise<T> {
    const { clock, log } = this.#options;
    const signal = callSignal ?? new AbortController().signal;
    const url = this.#url(request);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#pacer.turn(priority ?? 'person', signal, promoted);
        const begin = clock.now();
        const { response, body } = await this.#receive(request, url, signal);
        log.debug(
          `${request.method ?? 'GET'} ${request.operation}: ${response.status}, ${body.byteLength} bytes, ${clock.now() - begin} ms`,
        );
        return read(response, body);
      } catch (error) {
        if (!(error instanceof ServiceError) && !signal.aborted) throw error;
        const failure =
          error instanceof ServiceError
            ? error
            : this.#error(request, { kind: 'cancelled' });
        const pause =
          attempt < maxAttempts && !signal.aborted && !request.once
            ? this.#pauseBeforeRetry(request, failure, attempt)
            : undefined;
        // A cancellation is not logged: the user knows it, and the log may be
        // gone when the window closes.
        if (pause === 0) {
          log.debug(
            `${request.operation}: the kept connection had been closed.`,
          );
        } else if (failure.kind !== 'cancelled') {
          log.warn(
            `${failure.message}${pause === undefined ? '' : ` Trying again in ${Math.round(pause)} ms.`}`,
          );
        }
        if (pause === undefined) throw failure;
        // A request that was cancelled during the pause gets no turn.
        await sleep(clock, pause, signal).catch(() => undefined);
      }
    }
  }

  /** Undefined if none is sent. */
  get key(): Secret | undefined {
    const { authentication, key } = this.#options;
    return authentication === 'none' ? undefined : key;
  }

  socketAddress(
    request: Pick<ServiceRequest, 'couldNot' | 'path' | 'query'>,
  ): URL {
    const url = this.#url({ ...request, operation: 'socket' });
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }

  /** A transport to the Agent Server of a sandbox, with a key of its own. */
  to(address: URL, key: Secret | undefined): ServiceTransport {
    const other = new ServiceTransport({
      ...this.#options,
      address,
      key,
      authentication: 'sessionKey',
    });
    other.liftQuota();
    return other;
  }

  /** An error of this service, for a problem that only the caller can see. */
  error(
    couldNot: string,
    failure: Failure,
    outcomeUnknown = false,
    cause?: unknown,
  ): ServiceError {
    return new ServiceError(
      failure,
      { couldNot, address: this.#target, outcomeUnknown },
      { cause },
    );
  }

  #error(
    request: ServiceRequest,
    failure: Failure,
    sent = false,
    cause?: unknown,
  ): ServiceError {
    return this.error(
      request.couldNot,
      failure,
      sent && isChange(request),
      cause,
    );
  }

  #url(request: ServiceRequest): URL {
    const segments = request.path.map((segment) => {
      // A URL would resolve dots, and lead to another operation. Half of a
      // character cannot be encoded.
      if (/^\.{0,2}$/.test(segment) || !segment.isWellFormed()) {
        const detail = t(
          '"{0}" is not a valid ID',
          plainText(segment.toWellFormed(), 60),
        );
        throw this.#error(request, { kind: 'notFound', detail });
      }
      return encodeURIComponent(segment);
    });
    const url = new URL(`${this.#target}/${segments.join('/')}`);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      for (const item of Array.isArray(value) ? value : [value]) {
        if (item !== undefined) url.searchParams.append(name, String(item));
      }
    }
    return url;
  }

  #headers(request: ServiceRequest): Record<string, string> {
    const { authentication } = this.#options;
    const { key } = this;
    const headers: Record<string, string> = {
      ...request.headers,
      accept: 'application/json',
    };
    if (request.body !== undefined)
      headers['content-type'] = 'application/json';
    if (key === undefined) return headers;
    // `fetch` would fail as if there were no connection, and its error may
    // quote the key.
    if (!sendable.test(key.reveal()))
      throw this.#error(request, {
        kind: 'unauthorised',
        withKey: true,
        unsendable: true,
      });
    if (authentication === 'sessionKey')
      headers['x-session-api-key'] = key.reveal();
    if (authentication === 'bearer')
      headers.authorization = 'Bearer ' + key.reveal();
    if (authentication === 'accessToken')
      headers['x-access-token'] = key.reveal();
    return headers;
  }

  /** Failures in here are those of the network or the service, not ours. */
  async #receive(
    request: ServiceRequest,
    url: URL,
    signal: AbortSignal,
  ): Promise<{ response: Response; body: Buffer }> {
    const { clock, deadline: usual = 30_000 } = this.#options;
    const bodyLimit = Math.max(
      this.#options.bodyLimit ?? 4_000_000,
      request.bodyLimit ?? 0,
    );
    const deadline = Math.max(usual, request.deadline ?? 0);
    const end = new AbortController();
    const cancelDeadline = clock.after(deadline, () => {
      end.abort();
    });
    let unanswered = true;
    try {
      const both = AbortSignal.any([signal, end.signal]);
      const response = await this.#fetchWithinOrigin(request, url, both);
      unanswered = false;
      return { response, body: await readBody(response, bodyLimit) };
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if (signal.aborted)
        throw this.#error(request, { kind: 'cancelled' }, true, error);
      if (end.signal.aborted)
        throw this.#error(
          request,
          { kind: 'timedOut', seconds: deadline / 1000 },
          true,
          error,
        );
      if (error instanceof TooLarge) {
        const why = t(
          'it is larger than {0} MB',
          Math.floor(bodyLimit / 1_000_000),
        );
        throw this.#error(
          request,
          { kind: 'notUnderstood', why, tooLarge: true },
          true,
          error,
        );
      }
      const { why, closed, mayHaveArrived } = explainNetworkFailure(error);
      throw this.#error(
        request,
        { kind: 'unreachable', why, closed, unanswered },
        mayHaveArrived,
        error,
      );
    } finally {
      cancelDeadline();
    }
  }

  /**
   * Follows redirects by hand: `fetch` would carry the key to another origin.
   */
  async #fetchWithinOrigin(
    request: ServiceRequest,
    url: URL,
    signal: AbortSignal,
  ): Promise<Response> {
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const init: RequestInit = {
      method: request.method ?? 'GET',
      headers: this.#headers(request),
      redirect: 'manual',
      signal,
      body: JSON.stringify(request.body),
    };
    const refuse = (why: string, sent = false) =>
      this.#error(request, { kind: 'notThisService', why }, sent);
    let current = url;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const response = await fetch(current, init);
      const location = response.headers.get('location');
      if (Math.floor(response.status / 100) !== 3 || location === null)
        return response;
      await response.body?.cancel().catch(() => undefined);
      const next = URL.parse(location, current.href);
      // `fetch` refuses an address with a user or a password.
      if (next?.username !== '' || next.password !== '')
        throw refuse(t('it redirects to an invalid address'));
      if (next.origin !== url.origin) {
        const where =
          complaint(`${next.protocol}//${next.host}`, this.#secrets) ?? '';
        throw refuse(t('it redirects to {0}', where));
      }
      if (
        isChange(request) &&
        response.status !== 307 &&
        response.status !== 308
      )
        throw refuse(t('it redirects a request that changes something'), true);
      current = next;
    }
    throw refuse(t('it redirects endlessly'));
  }

  #judge(request: ServiceRequest, response: Response, text: string): unknown {
    const { status } = response;
    const html = isHtml(response, text);
    if (response.ok) {
      if (isChange(request) && /^(?:ok)?$/i.test(text.trim())) return undefined;
      if (html)
        throw this.#error(
          request,
          { kind: 'notThisService', why: t('it answers with a web page') },
          true,
        );
      try {
        return request.keepsNumbers ? parseExactly(text) : JSON.parse(text);
      } catch {
        // The error of the parser is dropped: it quotes the text, which may
        // contain secrets.
        const why =
          text === ''
            ? t('it is empty')
            : t('it is not JSON, or not all of it');
        throw this.#error(request, { kind: 'notUnderstood', why }, true);
      }
    }
    const { detail, fields } = readComplaint(text, html, this.#secrets);
    const wait = retryAfter(response, this.#options.clock.now());
    if (status === 401)
      throw this.#error(request, {
        kind: 'unauthorised',
        withKey: this.key !== undefined,
      });
    if (status === 403)
      throw this.#error(request, { kind: 'forbidden', detail });
    if (status === 404 || status === 405 || status === 410)
      throw this.#error(request, { kind: 'notFound', detail });
    if (status === 429)
      throw this.#error(request, { kind: 'rateLimited', retryAfter: wait });
    if (status >= 500)
      throw this.#error(
        request,
        { kind: 'serverFailed', status, detail, retryAfter: wait },
        true,
      );
    if (status >= 400)
      throw this.#error(request, { kind: 'rejected', fields, detail, status });
    throw this.#error(
      request,
      { kind: 'notUnderstood', why: t('status {0}', status) },
      true,
    );
  }

  /**
   * Milliseconds before the same request is sent again; undefined if it is not.
   */
  #pauseBeforeRetry(
    request: ServiceRequest,
    { failure }: ServiceError,
    attempt: number,
  ): number | undefined {
    const { random = Math.random } = this.#options;
    const again =
      failure.kind === 'rateLimited' ||
      (!isChange(request) &&
        ((failure.kind === 'serverFailed' &&
          failure.status >= 502 &&
          failure.status <= 504) ||
          (failure.kind === 'unreachable' && failure.closed)));
    if (!again) return undefined;
    // Services close kept connections after a few seconds, which shows at the
    // next request.
    if (
      failure.kind === 'unreachable' &&
      failure.unanswered === true &&
      attempt === 1
    )
      return 0;
    const requestedPause =
      'retryAfter' in failure ? failure.retryAfter : undefined;
    if ((requestedPause ?? 0) > maxRetryPauseMs) return undefined;
    return (requestedPause ?? 250 * 2 ** attempt) + random() * 250;
  }
}
