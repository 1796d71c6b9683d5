/**
 * Counts the answers of a server, and keeps one that explains why the server
 * does not work.
 */

/** Characters read of a page. */
const maxPageLength = 64_000;
const pageTimeoutMs = 1_000;

/** An answer that does not belong to the protocol. */
export interface OtherAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body. */
  readonly text: string;
}

interface FetchWatcher {
  /**
   * The transport: messages come in a stream (sse) or in the answers (http).
   */
  readonly transport: 'http' | 'sse';
  readonly mostBytes: number;
  readonly onTooMuch: () => void;
  /** Called for every answer to a message. */
  readonly onAnswer: () => void;
}

export class WatchedFetch {
  /**
   * The answer to the last request that matters, if it does not belong to the
   * protocol.
   */
  other: OtherAnswer | undefined;
  /** Error of the last request that could not be made. */
  failure: unknown;
  readonly #fetch: typeof fetch;
  readonly #watcher: FetchWatcher;
  readonly #headers: Headers;
  #bytes = 0;

  /**
   * `headers` are those of the entry. They override those of the client in
   * every request.
   */
  constructor(base: typeof fetch, headers: Headers, watcher: FetchWatcher) {
    this.#fetch = base;
    this.#headers = headers;
    this.#watcher = watcher;
  }

  readonly fetch = async (
    url: string | URL,
    init: RequestInit = {},
  ): Promise<Response> => {
    const headers = new Headers(init.headers);
    for (const [name, value] of this.#headers) headers.set(name, value);
    let response: Response;
    try {
      response = await this.#fetch(url, {
        ...init,
        headers,
        redirect: 'manual',
      });
    } catch (error) {
      if (!init.signal?.aborted && this.#matters(init)) this.failure = error;
      throw error;
    }
    if (init.method === 'POST') this.#watcher.onAnswer();
    const counted = this.#counted(response);
    if (this.#isExpected(response, init)) {
      if (response.ok) this.failure = this.other = undefined;
      return counted;
    }
    const text = await beginningOf(counted);
    const { status, statusText, headers: responseHeaders } = response;
    this.other = { url: new URL(url), status, headers: responseHeaders, text };
    return new Response(nullBody.has(status) ? null : text, {
      status,
      statusText,
      headers: responseHeaders,
    });
  };

  /**
   * True for a request that carries messages, whose failure explains that of
   * the server.
   */
  #matters({ method }: RequestInit): boolean {
    return this.#watcher.transport === 'sse' || method === 'POST';
  }

  #isExpected(
    { ok, headers }: Response,
    { method, body }: RequestInit,
  ): boolean {
    const kind = /^(application\/json|text\/event-stream)\b/i
      .exec(headers.get('content-type') ?? '')?.[1]
      ?.toLowerCase();
    if (this.#watcher.transport === 'sse')
      return ok && (method === 'POST' || kind === 'text/event-stream');
    // A server may have no stream for messages of its own.
    if (method !== 'POST') return true;
    const isRequest = typeof body === 'string' && body.includes('"id":');
    return ok && (!isRequest || kind !== undefined);
  }

  #counted(response: Response): Response {
    if (response.body === null) return response;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#watcher.mostBytes) {
          controller.error(new Error('too much'));
          this.#watcher.onTooMuch();
        } else {
          controller.enqueue(chunk);
        }
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(count), {
      status,
      statusText,
      headers,
    });
  }
}

const nullBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** The beginning of a body, as far as it comes in time. */
export async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const timer = setTimeout(
    () => void reader.cancel().catch(() => undefined),
    pageTimeoutMs,
  );
  try {
    while (text.length < maxPageLength) {
      const piece = (await reader.read()) as { readonly value?: Uint8Array };
      if (!piece.value) break;
      text += decoder.decode(piece.value, { stream: true });
    }
  } catch {
    // The received part is enough.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return text.slice(0, maxPageLength);
}
