import assert from 'node:assert/strict';
import {
  type MisbehavingDemoOptions,
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type {
  AppConversation,
  ConversationInfo,
  SandboxInfo,
  SandboxSpecInfo,
  WireStartTask,
} from '../../support/demo/records.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

export const key = 'key-of-the-tests';

export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A page of a list, of either interface. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** A demo service on a clock that stands still, and a caller with its key. */
export class Demo {
  readonly clock: SteppedClock;
  readonly service: MisbehavingDemo;

  constructor(clock: SteppedClock, service: MisbehavingDemo) {
    this.clock = clock;
    this.service = service;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      'x-session-api-key': key,
      ...(init.headers as Record<string, string> | undefined),
    };
    return fetch(this.service.url + path, {
      redirect: 'manual',
      ...init,
      headers,
    });
  }

  async ask<Body>(path: string, init?: RequestInit): Promise<Reply<Body>> {
    const response = await this.fetch(path, init);
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(await response.text()) as Body,
    };
  }

  /** Returns the body of an answer with status 200. */
  async get<Body>(path: string): Promise<Body> {
    const { status, body } = await this.ask<Body>(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  }

  post<Body>(path: string, body?: unknown): Promise<Reply<Body>> {
    return this.ask(path, {
      method: 'POST',
      ...(body === undefined
        ? {}
        : {
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }),
    });
  }

  async page<Row>(path: string): Promise<Page<Row>> {
    const body = await this.get<{
      results?: Row[];
      items?: Row[];
      next_page_id?: string | null;
    }>(path);
    const rows = body.results ?? body.items;
    assert.ok(rows, `${path} gave no list`);
    return { rows, next: body.next_page_id ?? null };
  }

  /** The first page of V0. */
  async rows(query = ''): Promise<readonly ConversationInfo[]> {
    return (await this.page<ConversationInfo>(`/api/conversations${query}`))
      .rows;
  }

  /** The first page of V1, with those that others have begun. */
  async conversations(query = ''): Promise<readonly AppConversation[]> {
    const all = `/api/v1/app-conversations/search?include_sub_conversations=true`;
    return (await this.page<AppConversation>(all + query.replace('?', '&')))
      .rows;
  }

  async sandboxes(): Promise<readonly SandboxInfo[]> {
    return (await this.page<SandboxInfo>('/api/v1/sandboxes/search')).rows;
  }

  async specs(): Promise<readonly SandboxSpecInfo[]> {
    return (await this.page<SandboxSpecInfo>('/api/v1/sandbox-specs/search'))
      .rows;
  }

  async task(id: string): Promise<WireStartTask> {
    const [task] = await this.get<WireStartTask[]>(
      `/api/v1/app-conversations/start-tasks?ids=${id}`,
    );
    assert.ok(task);
    return task;
  }

  /** Asks for a conversation; `more` goes beside the message. */
  create(text: string, more: object = {}): Promise<Reply<WireStartTask>> {
    return this.post('/api/v1/app-conversations', {
      initial_message: { content: [{ type: 'text', text }] },
      ...more,
    });
  }

  /** The pages of a list to its end, but no more than `most`. */
  async pages<Row>(
    path: string,
    most = 1_000,
  ): Promise<readonly (readonly Row[])[]> {
    const pages: (readonly Row[])[] = [];
    let page: Page<Row> | undefined;
    do {
      page = await this.page<Row>(
        page?.next ? pathOfNextPage(path, page.next) : path,
      );
      pages.push(page.rows);
    } while (page.next !== null && pages.length < most);
    return pages;
  }
}

/** The path of a following page. */
export function pathOfNextPage(path: string, cursor: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}page_id=${encodeURIComponent(cursor)}`;
}

const running: Demo[] = [];

export async function start(
  options: MisbehavingDemoOptions = {},
): Promise<Demo> {
  const clock = new SteppedClock();
  const demo = new Demo(
    clock,
    await startMisbehavingDemo({ key, clock, ...options }),
  );
  running.push(demo);
  return demo;
}

/** Stops what `start` started. */
export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(({ service }) => service.stop()));
}
