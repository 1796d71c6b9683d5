import type { HttpAnswer } from '../../../../src/demo/wire/http.ts';
import { specs } from '../../../../src/demo/world/specs.ts';
import { bare } from '../../../../src/demo/world/world.ts';
import type { Effect, Effects } from './effect.ts';
import {
  asList,
  eachRecord,
  isJsonObject,
  listOf,
  type JsonFields,
} from './shapes.ts';

/**
 * Behaviour of real services, above all of those that people run themselves.
 */
export const seenEffects: Effects<
  | 'interfaceLinks'
  | 'twoPartCursors'
  | 'errorWhileStarting'
  | 'busySandboxes'
  | 'forgottenConversations'
  | 'unknownSandboxes'
  | 'placeholderTitles'
  | 'oneSpec'
  | 'nullTitles'
> = {
  interfaceLinks: () =>
    onRecords((record) => {
      if ('conversation_id' in record)
        return {
          ...record,
          url: `/api/conversations/${String(record.conversation_id)}`,
        };
      if (!('conversation_url' in record)) return record;
      return {
        ...record,
        conversation_url: `http://localhost:8000/api/conversations/${String(record.id)}`,
      };
    }),

  twoPartCursors: () => ({
    ask: (call) => {
      const cursor = call.query.get('page_id');
      if (listOf(call) !== 'v0' || cursor === null) return call;
      const query = new URLSearchParams(call.query);
      query.set('page_id', firstPart(cursor));
      return { ...call, query };
    },
    change: (answer, { call }) => {
      const list = asList(answer);
      if (listOf(call) !== 'v0' || typeof list?.next !== 'string')
        return answer;
      const parts = JSON.stringify({ v0: list.next, v1: null });
      return list.with({ next: Buffer.from(parts).toString('base64') });
    },
  }),

  errorWhileStarting: () =>
    onRecords((record) => {
      const failed = fields(record, {
        status: ['STARTING', 'ERROR'],
        sandbox_status: ['STARTING', 'ERROR'],
      });
      return failed === record ? record : without(failed, 'status_detail');
    }),

  busySandboxes: () =>
    onRecords((record) => {
      const failed = fields(record, {
        status: ['RUNNING', 'ERROR'],
        sandbox_status: ['RUNNING', 'ERROR'],
      });
      if (failed === record) return record;
      if ('sandbox_spec_id' in record)
        return without(
          { ...failed, session_api_key: null, exposed_urls: null },
          'status_detail',
        );
      if (!('sandbox_status' in record)) return failed;
      return { ...failed, execution_status: null, session_api_key: null };
    }),

  forgottenConversations: () =>
    onRecords((record, index) =>
      index % 3 === 0 && record.sandbox_status === 'RUNNING'
        ? { ...record, execution_status: null }
        : record,
    ),

  unknownSandboxes: () =>
    onRecords((record) => {
      if ('sandbox_spec_id' in record)
        return without(
          {
            ...record,
            status: 'UNKNOWN',
            session_api_key: null,
            exposed_urls: null,
          },
          'status_detail',
        );
      if (!('sandbox_status' in record)) return record;
      return {
        ...record,
        sandbox_status: 'UNKNOWN',
        execution_status: null,
        session_api_key: null,
      };
    }),

  placeholderTitles: () =>
    onRecords((record) => {
      const id = record.conversation_id ?? record.id;
      return 'title' in record && typeof id === 'string'
        ? { ...record, title: `Conversation ${bare(id).slice(0, 5)}` }
        : record;
    }),

  oneSpec: () => ({
    change: (answer, { call }) => {
      const list = asList(answer);
      if (listOf(call) === 'specs' && list)
        return list.with({ rows: list.rows.slice(0, 1), next: null });
      return eachRecord(answer, (record) =>
        'sandbox_spec_id' in record
          ? { ...record, sandbox_spec_id: specs[0].name }
          : record,
      );
    },
  }),

  nullTitles: () =>
    onRecords((record) =>
      'title' in record ? { ...record, title: null } : record,
    ),
};

function onRecords(
  change: (record: JsonFields, index: number) => JsonFields,
): Effect {
  return {
    change: (answer: HttpAnswer) => eachRecord(answer, change),
  };
}

/**
 * The record with these values of these fields replaced; the same record if it
 * has none of them.
 */
function fields(
  record: JsonFields,
  replaced: Readonly<Record<string, readonly [string, string]>>,
): JsonFields {
  const changed = Object.entries(replaced).filter(
    ([name, [value]]) => record[name] === value,
  );
  if (changed.length === 0) return record;
  return {
    ...record,
    ...Object.fromEntries(changed.map(([name, [, value]]) => [name, value])),
  };
}

function without(record: JsonFields, field: string): JsonFields {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== field),
  );
}

/** A cursor that is none stays as it is. */
function firstPart(cursor: string): string {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64').toString());
    return isJsonObject(parts) && typeof parts.v0 === 'string'
      ? parts.v0
      : cursor;
  } catch {
    return cursor;
  }
}
