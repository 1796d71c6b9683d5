/** Events of an Agent Server by WebSocket, as a real one sends them. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Call } from '../wire/http.ts';
import type { RouteContext } from './route.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import { localTime } from '../agentServer/eventLog.ts';
import { heldConversation } from '../agentServer/records.ts';

/** Milliseconds of world time between two checks for new events. */
const look = 25;
/** Milliseconds of real time. */
const untilKey = 10_000;

export interface SocketRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly call: Call;
  readonly key: string;
}

export class Sockets {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #context: RouteContext;

  constructor(context: RouteContext) {
    this.#context = context;
  }

  open({ request, socket, head, call, key }: SocketRequest): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.accept(opened, call, key);
    });
  }

  stop(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  /** Follows the conversation of this call once the key has arrived. */
  protected accept(socket: WebSocket, call: Call, key: string): void {
    const timer = setTimeout(() => {
      socket.close(4001, 'Authentication failed');
    }, untilKey);
    socket.once('close', () => {
      clearTimeout(timer);
    });
    socket.once('message', (data: Buffer) => {
      clearTimeout(timer);
      if (!isKey(data.toString(), key)) {
        socket.close(4001, 'Authentication failed');
        return;
      }
      const held = this.#context.agentServer.find(call.segments[2] ?? '');
      if (held) this.#follow(socket, held, call);
      else socket.close(4004, 'Conversation not found');
    });
  }

  protected sender(socket: WebSocket): (frame: string) => void {
    return (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    };
  }

  #follow(socket: WebSocket, held: FolderConversation, { query }: Call): void {
    const { agentServer, world } = this.#context;
    const sendFrame = this.sender(socket);
    const send = (event: object) => {
      sendFrame(JSON.stringify(event));
    };
    const sendState = () => {
      const now = agentServer.at(held.position);
      send({
        id: randomUUID(),
        timestamp: localTime(world.now()),
        source: 'environment',
        key: 'full_state',
        value: heldConversation(now),
        kind: 'ConversationStateUpdateEvent',
      });
    };
    sendState();
    const { events } = agentServer.work(held);
    const since = query.get('after_timestamp');
    const first =
      since === null
        ? -1
        : events.findIndex(({ timestamp }) => timestamp >= since);
    let sent = first < 0 ? events.length : first;
    let written = '';
    let cancel: (() => void) | undefined;
    const goOn = () => {
      const work = agentServer.work(held);
      work.advance(world.now());
      for (; sent < work.events.length; sent++) {
        const event = work.events[sent] as (typeof work.events)[number] & {
          key?: string;
          value?: unknown;
        };
        send(event);
        if (event.key === 'execution_status' && event.value !== 'running')
          sendState();
      }
      const words = work.writing;
      // Events such as new tags come while a message is written.
      if (!words.startsWith(written)) written = '';
      if (words.length > written.length) {
        const content = words.slice(written.length);
        written = words;
        const timestamp = localTime(world.now());
        send({
          id: randomUUID(),
          timestamp,
          source: 'agent',
          content,
          kind: 'StreamingDeltaEvent',
        });
      }
      cancel = world.after(look, goOn);
    };
    goOn();
    socket.once('close', () => cancel?.());
  }
}

function isKey(frame: string, key: string): boolean {
  try {
    const { type, session_api_key } = JSON.parse(frame) as Record<
      string,
      unknown
    >;
    return type === 'auth' && session_api_key === key;
  } catch {
    return false;
  }
}
