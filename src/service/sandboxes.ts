/** The operations on sandboxes and their specs. */
import { t } from '../base/l10n.ts';
import type { Log } from '../base/log.ts';
import type { Operation } from './errors.ts';
import { type PageRequest, Pages } from './pages.ts';
import { readPage } from './received.ts';
import { type Reader, readSandbox, readSandboxSpec } from './records.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { Sandbox, SandboxSpec } from './types.ts';

/** Some versions fail at 100. */
const mostPerRequest = 99;

export class Sandboxes {
  readonly #transport: Transport;
  readonly #log: Log;

  constructor(transport: Transport, log: Log) {
    this.#transport = transport;
    this.#log = log;
  }

  /** `options` hold for every page, where `next` says nothing else. */
  search(options: PageRequest): Pages<Sandbox> {
    return this.#search('listSandboxes', 'sandboxes', readSandbox, options);
  }

  specs(options: PageRequest): Pages<SandboxSpec> {
    return this.#search('listSandboxSpecs', 'sandbox-specs', readSandboxSpec, options);
  }

  async byId(id: string, options: CallOptions): Promise<Sandbox | undefined> {
    for await (const { items } of this.search(options)) {
      const found = items.find((item) => item.id === id);
      if (found) return found;
    }
    return undefined;
  }

  /** Starts one from this spec, or from the default one. */
  async start(specId: string | undefined, options: CallOptions): Promise<Sandbox> {
    const operation = 'startSandbox';
    const answer = await this.#transport.request({
      ...options,
      operation,
      method: 'POST',
      path: ['api', 'v1', 'sandboxes'],
      query: { sandbox_spec_id: specId },
    });
    const started = readSandbox(answer);
    if (started) return started;
    throw this.#transport.error(operation, { kind: 'notUnderstood', why: t('it holds no sandbox') }, true);
  }

  /** Resolves when the service has taken the request; the state follows later. */
  async pause(id: string, options: CallOptions): Promise<void> {
    await this.#change('pause', id, options);
  }

  /** As `pause`. */
  async resume(id: string, options: CallOptions): Promise<void> {
    await this.#change('resume', id, options);
  }

  async #change(verb: 'pause' | 'resume', id: string, options: CallOptions): Promise<void> {
    const operation = verb === 'pause' ? 'pauseSandbox' : 'resumeSandbox';
    const answer = await this.#transport.request({
      ...options,
      operation,
      method: 'POST',
      path: ['api', 'v1', 'sandboxes', id, verb],
    });
    if (
      typeof answer === 'object' &&
      answer !== null &&
      (answer as { success?: unknown }).success === false
    ) {
      throw this.#transport.error(operation, {
        kind: 'rejected',
        fields: [],
        detail: t('it says that it did not do it'),
      });
    }
  }

  #search<T extends { readonly id: string }>(
    operation: Operation,
    collection: string,
    read: Reader<T>,
    options: PageRequest,
  ): Pages<T> {
    return new Pages(
      async (cursor, request) => {
        const { size = mostPerRequest, ...call } = { ...options, ...request };
        const path = ['api', 'v1', collection, 'search'];
        const query = { page_id: cursor, limit: Math.min(Math.max(size, 1), mostPerRequest) };
        const page = readPage(await this.#transport.request({ ...call, operation, path, query }), read);
        if (page) return page;
        throw this.#transport.error(operation, { kind: 'notUnderstood', why: t('it holds no list') });
      },
      ({ id }) => id,
      this.#log,
    );
  }
}
