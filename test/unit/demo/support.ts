import assert from 'node:assert/strict';
import { type DemoOptions, type DemoService, startDemo } from '../../../src/demo/server.ts';
import type {
  AppConversation,
  ConversationInfo,
  SandboxInfo,
  SandboxSpecInfo,
  StartTask,
} from '../../../src/demo/wire.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

export const key = 'key-of-the-tests';

export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A page of V0 or of V1. */
export interface Page<Row> {
  readonly results: readonly Row[];
  readonly items: readonly Row[];
  readonly next_page_id: string | null;
}

/** A demo service on a clock that stands still, and a caller with its key. */
export class Demo {
  readonly clock: SteppedClock;
  readonly service: DemoService;

  constructor(clock: SteppedClock, service: DemoService) {
    this.clock = clock;
    this.service = service;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { 'x-session-api-key': key, ...(init.headers as Record<string, string> | undefined) };
    return fetch(this.service.url + path, { redirect: 'manual', ...init, headers });
  }

  async ask<Body>(path: string, init?: RequestInit): Promise<Reply<Body>> {
    const response = await this.fetch(path, init);
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(await response.text()) as Body,
    };
  }

  /** What is answered with status 200. */
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
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  }

  /** A page of V0. */
  async rows(query = ''): Promise<readonly ConversationInfo[]> {
    return (await this.get<Page<ConversationInfo>>(`/api/conversations${query}`)).results;
  }

  async conversations(query = ''): Promise<readonly AppConversation[]> {
    return (await this.get<Page<AppConversation>>(`/api/v1/app-conversations/search${query}`)).items;
  }

  async sandboxes(): Promise<readonly SandboxInfo[]> {
    return (await this.get<Page<SandboxInfo>>('/api/v1/sandboxes/search')).items;
  }

  async specs(): Promise<readonly SandboxSpecInfo[]> {
    return (await this.get<Page<SandboxSpecInfo>>('/api/v1/sandbox-specs/search')).items;
  }

  async task(id: string): Promise<StartTask> {
    const [task] = await this.get<StartTask[]>(`/api/v1/app-conversations/start-tasks?ids=${id}`);
    assert.ok(task);
    return task;
  }

  /** Asks for a conversation; `more` goes beside the message. */
  create(text: string, more: object = {}): Promise<Reply<StartTask>> {
    return this.post('/api/v1/app-conversations', {
      initial_message: { content: [{ type: 'text', text }] },
      ...more,
    });
  }

  /** Every page of a list, from this path and query on. */
  async pages<Row>(path: string, most = 1_000): Promise<readonly (readonly Row[])[]> {
    const pages: (readonly Row[])[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Row> = await this.get(cursor === null ? path : next(path, cursor));
      pages.push(page.results ?? page.items);
      cursor = page.next_page_id;
    } while (cursor !== null && pages.length < most);
    return pages;
  }
}

/** The path of a following page. */
export function next(path: string, cursor: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}page_id=${encodeURIComponent(cursor)}`;
}

const running: Demo[] = [];

export async function start(options: DemoOptions = {}): Promise<Demo> {
  const clock = new SteppedClock();
  const demo = new Demo(clock, await startDemo({ key, clock, ...options }));
  running.push(demo);
  return demo;
}

/** Stops what `start` started. */
export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(({ service }) => service.stop()));
}
