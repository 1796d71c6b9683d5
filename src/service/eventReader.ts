/** Reads the events of conversations, which V1 and the Agent Server answer alike. */
import { t } from '../base/l10n.ts';
import type { Log } from '../base/log.ts';
import type { AgentEvent } from './events.ts';
import type { EventTimes } from './eventTimes.ts';
import { type FetchPage, type PageRequest, Pager } from './pager.ts';
import { AdaptivePageSize, type Requests, rowLimit } from './requests.ts';
import { readEvent } from './readEvent.ts';
import { ServiceError } from './serviceError.ts';
import type { CallOptions } from './transport.ts';
import { isObject } from './wireValues.ts';

/** In bytes. One event has what an agent has read or written. */
const maxEventSize = 32_000_000;

/** The settings of a request for one event. */
export const requestOfOneEvent = { bodyLimit: maxEventSize, keepsNumbers: true } as const;

interface EventReaderOptions {
  readonly requests: Requests<'readEvents'>;
  readonly eventTimes: EventTimes;
  readonly log: Log;
  /** The path of the search. */
  readonly path: (id: string) => readonly string[];
  /** True if a cursor is the id of the first event of its page. */
  readonly isCursorId: boolean;
}

export class EventReader {
  readonly #options: EventReaderOptions;

  constructor(options: EventReaderOptions) {
    this.#options = options;
  }

  /** The newest first. */
  pages(id: string, call: PageRequest): Pager<AgentEvent> {
    return new Pager(this.#fetchPage(id), (event) => event.id, this.#options.log, call);
  }

  read(id: string, events: readonly unknown[]): readonly AgentEvent[] {
    const { requests, eventTimes } = this.#options;
    try {
      return events.map((event) => readEvent(event, (at) => eventTimes.at(id, at)));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw requests.error('readEvents', { kind: 'notUnderstood', why: t('it is nested too deeply') });
    }
  }

  #fetchPage(id: string): FetchPage<AgentEvent> {
    const { requests, eventTimes, path, isCursorId } = this.#options;
    const pageSize = new AdaptivePageSize();
    return async (cursor, { size = 20, ...call }) => {
      const page = await pageSize.request(rowLimit(size), (limit) => {
        const query = { page_id: cursor, limit, sort_order: 'TIMESTAMP_DESC' };
        const sent = {
          path: path(id),
          query,
          keepsNumbers: true,
          ...(limit === 1 && requestOfOneEvent),
        } as const;
        return requests.page('readEvents', sent, call, (event) => event);
      });
      if (eventTimes.wantsFirst(id)) {
        if (page.cursor === undefined) eventTimes.learn(id, timestampOf(page.items.at(-1)));
        else await this.#learnTimes(id, call);
      }
      const items = this.read(id, page.items);
      // It gives the first page for a cursor that it does not know, and what is missing then looks as if it had not been.
      const isAnotherPage = isCursorId && cursor !== undefined && items[0]?.id !== cursor;
      if (isAnotherPage || page.skipped > 0) {
        const why = isAnotherPage ? t('it is not the page that was asked for') : t('it is too long');
        throw requests.error('readEvents', { kind: 'notUnderstood', why });
      }
      return { ...page, items };
    };
  }

  async #learnTimes(id: string, call: CallOptions): Promise<void> {
    const { requests, eventTimes, path } = this.#options;
    const sent = { path: path(id), query: { limit: 1, sort_order: 'TIMESTAMP' } };
    try {
      const { items } = await requests.page('readEvents', sent, call, (event) => event);
      eventTimes.learn(id, timestampOf(items[0]));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind !== 'cancelled') eventTimes.learn(id, undefined);
    }
  }
}

function timestampOf(event: unknown): unknown {
  return isObject(event) ? event.timestamp : undefined;
}
