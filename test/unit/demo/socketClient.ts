import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';

export interface Frame {
  readonly id: string;
  readonly kind: string;
  readonly timestamp: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly content?: string;
}

export const key = 'key-of-the-tests';

/** An Agent Server with one conversation. */
export class SocketDemo {
  readonly service: MisbehavingDemo;
  readonly id: string;
  readonly #sockets: WebSocket[] = [];

  constructor(service: MisbehavingDemo, id: string) {
    this.service = service;
    this.id = id;
  }

  static async start(): Promise<SocketDemo> {
    const service = await startMisbehavingDemo({
      interface: 'agentServer',
      key,
      conversations: 3,
    });
    const demo = new SocketDemo(service, '');
    const profiles = await demo.ask<{ active_agent_profile_id: string }>(
      '/api/agent-profiles',
    );
    const { id } = await demo.ask<{ id: string }>('/api/conversations', {
      workspace: { working_dir: '/srv/agent' },
      agent_profile_id: profiles.active_agent_profile_id,
      confirmation_policy: { kind: 'NeverConfirm' },
    });
    return new SocketDemo(service, id);
  }

  async ask<T>(path: string, body?: unknown, method = 'POST'): Promise<T> {
    const response = await fetch(this.service.url + path, {
      headers: { 'x-session-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { method, body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }

  async say(text: string): Promise<void> {
    const content = [{ type: 'text', text }];
    await this.ask(`/api/conversations/${this.id}/events`, {
      role: 'user',
      content,
      run: true,
    });
  }

  async events(): Promise<readonly Frame[]> {
    const { items } = await this.ask<{ items: Frame[] }>(
      `/api/conversations/${this.id}/events/search`,
    );
    return items;
  }

  /** Returns what the socket receives, and the code that closes it. */
  open(query = '', id = this.id, sent = key) {
    const socket = new WebSocket(
      `${this.service.url.replace('http', 'ws')}/sockets/events/${id}${query}`,
    );
    this.#sockets.push(socket);
    const frames: Frame[] = [];
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'auth', session_api_key: sent }));
    });
    socket.on('message', (data: Buffer) =>
      frames.push(JSON.parse(data.toString()) as Frame),
    );
    const closed = once(socket, 'close').then(([code]) => code as number);
    closed.catch(() => undefined);
    return { socket, frames, closed };
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    await this.service.stop();
  }
}
