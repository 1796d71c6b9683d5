import { t, words } from '../../base/l10n.ts';
import type { Steering } from '../agentService.ts';
import { type AgentEvent, readEvent } from '../events.ts';
import { type FetchPage, Pages } from '../pages.ts';
import { mostPerRequest, Requests, type Wire } from '../requests.ts';
import { ServiceError } from '../serviceError.ts';
import type { CallOptions } from '../transport.ts';
import { isObject } from '../wireValues.ts';
import { Fewer } from './fewer.ts';
import type { Rows } from './rows.ts';

const couldNot = words({
  readEvents: 'Could not read what has happened in the conversation',
  stopAgent: 'Could not stop the agent',
  answerAgent: 'Could not answer the agent',
});

export function steeringAtAgentServer({ eventTimes }: Rows, { transport, log }: Wire): Steering {
  const requests = new Requests(transport, couldNot);
  const fewer = new Fewer();
  const pathOf = (id: string, ...rest: readonly string[]) => ['api', 'conversations', id, ...rest];

  async function learnTimes(id: string, call: CallOptions): Promise<void> {
    const sent = { path: pathOf(id, 'events', 'search'), query: { limit: 1, sort_order: 'TIMESTAMP' } };
    try {
      const { items } = await requests.page('readEvents', sent, call, (event) => event);
      eventTimes.learn(id, timestampOf(items[0]));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind !== 'cancelled') eventTimes.learn(id, undefined);
    }
  }

  function readAll(events: readonly unknown[], id: string): readonly AgentEvent[] {
    try {
      return events.map((event) => readEvent(event, (at) => eventTimes.at(id, at)));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw requests.error('readEvents', { kind: 'notUnderstood', why: t('it is nested too deeply') });
    }
  }

  const fetchPage =
    (id: string): FetchPage<AgentEvent> =>
    async (cursor, { size = 20, ...call }) => {
      const wanted = Math.min(Math.max(size, 1), mostPerRequest);
      const page = await fewer.ask(wanted, (limit) => {
        const query = { page_id: cursor, limit, sort_order: 'TIMESTAMP_DESC' };
        const sent = { path: pathOf(id, 'events', 'search'), query };
        return requests.page('readEvents', sent, call, (event) => event);
      });
      if (eventTimes.wantsFirst(id)) {
        if (page.cursor === undefined) eventTimes.learn(id, timestampOf(page.items.at(-1)));
        else await learnTimes(id, call);
      }
      const items = readAll(page.items, id);
      // It gives the first page for a cursor that it does not know, and what is missing then looks as if it had not been.
      const isAnotherPage = cursor !== undefined && items[0]?.id !== cursor;
      if (isAnotherPage || page.skipped > 0) {
        const why = isAnotherPage ? t('it is not the page that was asked for') : t('it is too long');
        throw requests.error('readEvents', { kind: 'notUnderstood', why });
      }
      return { ...page, items };
    };

  return {
    events: (id, call = {}) => new Pages(fetchPage(id), (event) => event.id, log, call),
    stop: async (id, call = {}) => {
      await requests.change('stopAgent', { method: 'POST', path: pathOf(id, 'interrupt') }, call);
    },
    answer: async (id, { accept, reason }, call = {}) => {
      const path = pathOf(id, 'events', 'respond_to_confirmation');
      const body = accept ? { accept } : { accept, reason };
      await requests.change('answerAgent', { method: 'POST', path, body, once: true }, call);
    },
  };
}

function timestampOf(event: unknown): unknown {
  return isObject(event) ? event.timestamp : undefined;
}
