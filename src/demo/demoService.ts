/**
 * The demo service: a real HTTP server on a loopback port, with a world made
 * from a seed and driven by a clock.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { systemClock, type Clock } from '../base/clock.ts';
import { reason, UserError } from '../base/errors.ts';
import type { ServiceInterface } from '../service/abilities/agentService.ts';
import type { WrittenConversation } from './world/afternoon.ts';
import type { Executed } from './agentServer/agents.ts';
import { AgentServerConversations } from './agentServer/conversations.ts';
import { historyOf, importStream } from './agentServer/demoHistory.ts';
import { projectAround } from './agentServer/folders.ts';
import { type AgentScript, scriptOfDemo } from './agentServer/script.ts';
import { StoredModels } from './agentServer/storedModels.ts';
import { firstAutomations } from './agentServer/storedAutomations.ts';
import { Sockets } from './routes/sockets.ts';
import {
  apiWith,
  exchange as usualExchange,
  type AnswerCall,
  readRequest,
  sendAnswer,
} from './exchange.ts';
import { type Call, failed, type HttpAnswer } from './wire/http.ts';
import { WireRecords } from './routes/wireRecords.ts';
import type { RouteContext } from './routes/route.ts';
import { filesInSandbox, heldInSandbox } from './routes/sandboxRoutes.ts';
import { firstServers } from './toolServers/record.ts';
import { World } from './world/world.ts';

export interface DemoOptions {
  /** The interface, by default V0 with V1 beside it. */
  readonly interface?: ServiceInterface;
  /** Determines all invented data. */
  readonly seed?: number;
  /**
   * The number of conversations at the start, by default 60. A hundred thousand
   * start just as fast.
   */
  readonly conversations?: number;
  /** The newest conversations, by default the whole afternoon. */
  readonly written?: readonly WrittenConversation[];
  /** Drives everything that happens over time. */
  readonly clock?: Clock;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** The key that callers must send, random by default. */
  readonly key?: string;
  /** True for an Agent Server that has automations. */
  readonly automations?: boolean;
  readonly onServer?: (server: Server) => void;
  readonly onRequest?: (call: Call) => void;
  readonly script?: AgentScript;
  readonly exchange?: AnswerCall;
  /** Replaces the usual WebSockets. */
  readonly sockets?: (context: RouteContext) => Sockets;
}

export interface DemoService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly key: string;
  /**
   * Executed actions of an Agent Server with their causes, in order. Grows over
   * time.
   */
  readonly executed: readonly Executed[];
  /**
   * Returns the repository of a conversation's agent, as it was before the
   * work.
   */
  repositoryOf(conversationId: string): DemoClone | undefined;
  /** Ends every exchange immediately. Nothing stays open. */
  stop(): Promise<void>;
}

export interface DemoClone {
  /** The name of its folder. */
  readonly name: string;
  /** The commit that agents start from. */
  readonly base: string;
  /** The commits on the branch `main`, for `git fast-import`. */
  readonly stream: string;
}

export async function startDemo(
  options: DemoOptions = {},
): Promise<DemoService> {
  const {
    seed = 1,
    conversations = 60,
    clock = systemClock,
    port = 0,
  } = options;
  const { exchange = usualExchange, script = scriptOfDemo } = options;
  const name = options.interface ?? 'v0';
  const server = createServer();
  options.onServer?.(server);
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new UserError(
      `The demo service cannot use port ${port}: ${reason(cause)}.`,
      { cause },
    );
  }

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = options.key ?? `demo-${randomBytes(18).toString('base64url')}`;
  const world = new World({
    seed,
    conversations,
    clock,
    written: options.written,
  });
  const agentServer = new AgentServerConversations(
    world,
    name !== 'agentServer',
    script,
  );
  const context: RouteContext = {
    world,
    records: new WireRecords(world, url, (id) => agentServer.livingWork(id)),
    agentServer,
    toolServers: firstServers(),
    models: new StoredModels(),
    automations: options.automations
      ? firstAutomations(agentServer, clock.now())
      : undefined,
  };
  const api = apiWith(key, name, context);

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const call = readRequest(request);
    if (!call) {
      sendAnswer(failed(400, 'Bad Request'), response);
      return;
    }
    options.onRequest?.(call);
    const body = await text(request);
    const there = name === 'agentServer' ? undefined : sandboxOf(call, context);
    if (there)
      await exchange(
        { ...there.call, body },
        response,
        apiWith(there.key, 'agentServer', context),
      );
    else if (isForBrowsers(name, call)) sendAnswer(pageForBrowsers, response);
    else await exchange({ ...call, body }, response, api);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      // The caller left, or the demo has a bug.
      if (response.headersSent) response.destroy();
      else
        sendAnswer(
          failed(500, `The demo service cannot answer: ${reason(error)}`),
          response,
        );
    });
  });

  const sockets = options.sockets?.(context) ?? new Sockets(context);
  server.on(
    'upgrade',
    (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      const call = readRequest(request);
      const there =
        name === 'agentServer'
          ? call && { call, key }
          : call && sandboxOf(call, context);
      if (!there || !/^\/sockets\/events\/[^/]+$/.test(there.call.path)) {
        socket.end(
          'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        );
        return;
      }
      if (call) options.onRequest?.(call);
      sockets.open({ request, socket, head, ...there });
    },
  );

  return {
    url,
    key,
    get executed() {
      return context.agentServer.executed;
    },
    repositoryOf: (id) => {
      const held =
        agentServer.find(id) ??
        (name === 'agentServer' ? undefined : heldInSandbox(context, id));
      const project = held && projectAround(held.folder);
      if (project === undefined) return undefined;
      const history = historyOf(project);
      return {
        name: basename(project),
        base: history[0].sha,
        stream: importStream(history),
      };
    },
    stop: async () => {
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      server.closeAllConnections();
      sockets.stop();
      await closed;
    },
  };
}

/**
 * Maps a request to the Agent Server of a running sandbox, which has the rest
 * of the address and its own key.
 */
function sandboxOf(
  call: Call,
  context: RouteContext,
): { readonly call: Call; readonly key: string } | undefined {
  const [, sandboxId = '', rest = ''] =
    /^\/exposed\/([^/]+)\/AGENT_SERVER(\/.+)$/.exec(call.path) ?? [];
  const key = context.records.sandboxKey(sandboxId);
  if (key === null) return undefined;
  const asSent = call.segments.slice(3);
  const segments = filesInSandbox(
    { ...call, segments: asSent },
    sandboxId,
    context,
  );
  // The Agent Server holds conversations created by V1.
  const id = segments[2];
  if (id !== undefined) heldInSandbox(context, id);
  const path = segments === asSent ? rest : `/${segments.join('/')}`;
  return { call: { ...call, path, segments }, key };
}

/** An Agent Server has no pages. */
function isForBrowsers(name: ServiceInterface, { segments }: Call): boolean {
  return (
    name !== 'agentServer' &&
    segments[0] !== 'api' &&
    segments.join('/') !== 'server_info'
  );
}

const pageForBrowsers: HttpAnswer = {
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  },
  content: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Agent Switchboard demo service</title>
<h1>Agent Switchboard demo service</h1>
<p>A real service would show the conversation, the app or the editor here.</p>
</html>
`,
};
