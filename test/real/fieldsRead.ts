/**
 * Records the fields of answers that our client reads. For that, its answers
 * are found again where it parses them.
 */
import { join } from './shapes.ts';

export class FieldsRead {
  /**
   * The paths that were read in the answers of each request, as `GET
   * /api/conversations/*`.
   */
  readonly read = new Map<string, Set<string>>();
  readonly #requests = new Map<string, string>();
  readonly #parse = JSON.parse;

  /** Fetches, and remembers what asked for the answer. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.text();
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    this.#requests.set(text, `${init?.method ?? 'GET'} ${endpoint(pathname)}`);
    return new Response(text === '' ? null : text, response);
  };

  /** Notes what is read while this runs. */
  async during(run: () => Promise<void>): Promise<void> {
    JSON.parse = (text: string, ...rest) => {
      const value: unknown = this.#parse(text, ...rest);
      const request = this.#requests.get(text);
      return request === undefined ? value : this.#watched(value, request, '');
    };
    try {
      await run();
    } finally {
      JSON.parse = this.#parse;
    }
  }

  #watched(value: unknown, request: string, path: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const paths = this.read.get(request) ?? new Set();
    this.read.set(request, paths);
    const isList = Array.isArray(value);
    return new Proxy(value, {
      get: (target, name, receiver) => {
        const found: unknown = Reflect.get(target, name, receiver);
        if (
          typeof name !== 'string' ||
          (isList && !/^\d+$/.test(name)) ||
          typeof found === 'function'
        )
          return found;
        const below = isList ? `${path}[]` : join(path, name);
        paths.add(below);
        return this.#watched(found, request, below);
      },
    });
  }
}

/** A path with `*` for what names one thing. */
export function endpoint(path: string): string {
  return path
    .split('/')
    .map((part, index) =>
      index > 2 && /^[0-9a-f-]{32,36}$|^[0-9A-Za-z]{22}$|^box-/.test(part)
        ? '*'
        : part,
    )
    .join('/');
}
