/**
 * An Agent Server as far as lists and creation go, as the real one was seen to
 * answer.
 */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

interface StubRecord {
  id: string;
  title: string | null;
  execution_status: string;
  created_at: string;
  updated_at: string;
  tags: Record<string, string>;
  [field: string]: unknown;
}

export interface AgentServerStub {
  readonly url: string;
  /** Requests, as `METHOD /path?query`. */
  readonly asked: string[];
  /** The bodies of the requests that created something. */
  readonly created: Record<string, unknown>[];
  /** Bytes answered so far. */
  bytes: number;
  /** The newest first. */
  readonly records: StubRecord[];
  /**
   * The answers of paths below `/api` that differ; `undefined` for the usual
   * one.
   */
  answer: (
    request: IncomingMessage,
    path: string,
    body: string,
  ) => readonly [number, unknown] | 'close' | 'never' | undefined;
  /** True if it obeys, and closes the connection instead of answering. */
  loses: (request: IncomingMessage) => boolean;
  /** The answer goes out once this resolves. */
  hold: (request: IncomingMessage) => Promise<unknown>;
  /** Adds one that is newer than all others. */
  add(change?: Partial<StubRecord>): StubRecord;
  /** Changes one, and notes that. */
  change(record: StubRecord | undefined, change: Partial<StubRecord>): void;
  remove(record: StubRecord | undefined): void;
  stop(): Promise<void>;
}

const begin = Date.UTC(2026, 0, 1);

export async function startAgentServerStub(
  count = 0,
): Promise<AgentServerStub> {
  let time = begin;
  const tick = () => new Date((time += 1_000)).toISOString();
  const make = (change: Partial<StubRecord> = {}): StubRecord => {
    const at = tick();
    return {
      id: randomUUID(),
      title: 'Fix the build',
      execution_status: 'finished',
      created_at: at,
      updated_at: at,
      tags: {},
      workspace: { working_dir: '/srv/agent/shop', kind: 'LocalWorkspace' },
      agent: {
        llm: {
          model: 'model-1',
          api_key: 'canary-model-key',
          usage_id: 'x'.repeat(3_000),
        },
      },
      stats: {},
      current_model_id: null,
      parent_conversation_id: null,
      ...change,
    };
  };
  const stub: AgentServerStub = {
    url: '',
    asked: [],
    created: [],
    bytes: 0,
    records: [],
    answer: () => undefined,
    loses: () => false,
    hold: () => Promise.resolve(),
    add: (change) => {
      const record = make(change);
      stub.records.unshift(record);
      return record;
    },
    change: (record, change) => {
      if (record) Object.assign(record, { updated_at: tick() }, change);
    },
    remove: (record) => {
      if (record) stub.records.splice(stub.records.indexOf(record), 1);
    },
    stop: () => Promise.resolve(),
  };
  for (let i = 0; i < count; i++) stub.records.push(make());
  stub.records.reverse();

  function search(query: URLSearchParams): unknown {
    const byChange = query.get('sort_order') === 'UPDATED_AT_DESC';
    const rows = byChange
      ? stub.records.toSorted((a, b) =>
          b.updated_at.localeCompare(a.updated_at),
        )
      : stub.records;
    const limit = Number(query.get('limit') ?? 100);
    const pageId = query.get('page_id');
    // One that it does not know gives the first page.
    const start = Math.max(
      0,
      rows.findIndex(({ id }) => id.replaceAll('-', '') === pageId),
    );
    const next = rows[start + limit]?.id.replaceAll('-', '') ?? null;
    return { items: rows.slice(start, start + limit), next_page_id: next };
  }

  function found(id: string): StubRecord | null {
    return stub.records.find((record) => record.id === id) ?? null;
  }

  function usual(
    method: string,
    path: string,
    query: URLSearchParams,
    body: string,
  ): readonly [number, unknown] {
    if (method === 'POST' && path === '/api/conversations') {
      const wanted = JSON.parse(body) as Record<string, unknown>;
      stub.created.push(wanted);
      const id = String(wanted.conversation_id);
      return [
        201,
        stub.add({
          id,
          title: null,
          execution_status: 'idle',
          workspace: wanted.workspace,
        }),
      ];
    }
    const ids = query.getAll('ids');
    switch (path) {
      case '/api/conversations':
        if (ids.length === 0 || ids.length > 99)
          return [
            422,
            {
              detail: [
                {
                  type: 'missing',
                  loc: ['query', 'ids'],
                  msg: 'Field required',
                  input: null,
                },
              ],
            },
          ];
        if (ids.some((id) => !/^[0-9a-f-]{32,36}$/.test(id)))
          return [
            422,
            {
              detail: [
                {
                  loc: ['query', 'ids', 0],
                  msg: 'Input should be a valid UUID',
                },
              ],
            },
          ];
        return [200, ids.map(found)];
      case '/api/conversations/search':
        return [200, search(query)];
      case '/api/conversations/count':
        return [200, stub.records.length];
      case '/api/agent-profiles':
        return [
          200,
          {
            profiles: [{ id: 'p1', name: 'default' }],
            active_agent_profile_id: 'p1',
          },
        ];
      default:
        return [404, { detail: 'Not Found' }];
    }
  }

  const server = createServer(
    (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { pathname, searchParams } = new URL(
          request.url ?? '',
          'http://stub',
        );
        stub.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
        const given =
          stub.answer(request, pathname, body) ??
          usual(request.method ?? '', pathname, searchParams, body);
        if (given === 'never') return;
        if (given === 'close' || stub.loses(request)) {
          request.socket.destroy();
          return;
        }
        const text = JSON.stringify(given[1]);
        stub.bytes += text.length;
        void stub.hold(request).then(() => {
          response
            .writeHead(given[0], { 'content-type': 'application/json' })
            .end(text);
        });
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
