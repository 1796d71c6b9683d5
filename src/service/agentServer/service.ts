/**
 * The Agent Server: conversations that work in folders of its machine. It has
 * no sandboxes.
 */
import { resultOr } from '../../base/errors.ts';
import { t, words } from '../../base/l10n.ts';
import type { Secret } from '../../base/secret.ts';
import type {
  AgentService,
  ToolServerChanges,
  ToolServers,
} from '../abilities/agentService.ts';
import { isNotFound, Requests, type Wire } from '../http/requests.ts';
import { ServiceError } from '../http/serviceError.ts';
import {
  changeBody,
  hasMask,
  masksIn,
  readServiceServers,
  replacementBody,
  type SentServer,
  serverBody,
  serversIn,
  type ServiceCheck,
} from '../records/serviceServer.ts';
import type { CallOptions } from '../http/transport.ts';
import { complaint, isObject, type WireRecord } from '../http/wireValues.ts';
import { automationsOfAgentServer } from './automations.ts';
import {
  conversationsOfAgentServer,
  editingAtAgentServer,
} from './conversations.ts';
import { creationAtAgentServer } from './creation.ts';
import { modelsOfAgentServer } from './models.ts';
import { Rows } from './rows.ts';
import { agentsAtAgentServer } from './agents.ts';

export function agentServer(wire: Wire) {
  const rows = new Rows(wire);
  const conversations = conversationsOfAgentServer(rows, wire.log);
  return {
    interface: 'agentServer',
    conversations,
    creation: creationAtAgentServer(rows, wire),
    editing: editingAtAgentServer(conversations, wire),
    agents: agentsAtAgentServer(rows.eventTimes, wire),
    models: modelsOfAgentServer(wire),
    automations: automationsOfAgentServer(wire),
    toolServers: toolServersOfAgentServer(wire),
  } as const satisfies AgentService;
}

const couldNot = words({
  listToolServers: 'Could not list the MCP servers of the service',
  addToolServer: 'Could not add the MCP server to the service',
  changeToolServer: 'Could not change the MCP server of the service',
  removeToolServer: 'Could not remove the MCP server from the service',
  checkToolServer: 'Could not check the MCP server at the service',
});

type Changing = 'addToolServer' | 'changeToolServer' | 'removeToolServer';

const settings = ['api', 'settings'];

/** Seconds that the service waits for the tools of a server, as agents do. */
const timeoutSeconds = 30;
/** The service ends the checked server before it answers. */
const deadline = 120_000;

const reasons: Readonly<Record<string, 'timedOut' | 'noConnection'>> = {
  timeout: 'timedOut',
  connection: 'noConnection',
};

function toolServersOfAgentServer(wire: Wire): ToolServers {
  const { transport, clock } = wire;
  const requests = new Requests(wire, couldNot);

  async function records(
    operation: 'listToolServers' | 'checkToolServer',
    call: CallOptions,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireRecord> {
    // A retry does not help a service that cannot encrypt a value.
    const sent = {
      path: settings,
      ...(headers && { headers, once: true as const }),
    };
    const servers = serversIn(await requests.send(operation, sent, call));
    if (servers) return servers;
    const why = t('it does not contain the MCP servers');
    throw requests.error(operation, { kind: 'notUnderstood', why });
  }

  function refuse(
    operation: Changing | 'checkToolServer',
    detail: string,
  ): ServiceError {
    return requests.error(operation, { kind: 'rejected', fields: [], detail });
  }

  /** The service takes a mask for nothing, and so deletes the secret. */
  function refuseMasks(
    operation: Changing | 'checkToolServer',
    body: unknown,
  ): void {
    const masked = masksIn(body);
    if (masked.length === 0) return;
    throw refuse(
      operation,
      t('{0} holds only a mask: enter the value itself', masked.join(', ')),
    );
  }

  async function change(
    operation: Changing,
    name: string,
    sent: {
      readonly method: 'POST' | 'PATCH' | 'DELETE';
      readonly body?: unknown;
    },
    call: CallOptions,
  ): Promise<void> {
    if (name.includes('/'))
      throw refuse(
        operation,
        t('the service does not accept a slash in a name'),
      );
    refuseMasks(operation, sent.body);
    try {
      await requests.send(
        operation,
        { ...sent, path: [...settings, 'mcp', name] },
        call,
      );
    } catch (error) {
      // A service that has these endpoints names the missing server in its
      // answer.
      if (!(error instanceof ServiceError) || error.failure.kind !== 'notFound')
        throw error;
      if (
        !/^(?:Not Found|Method Not Allowed)?$/.test(error.failure.detail ?? '')
      )
        throw error;
      throw refuse(
        operation,
        t('it is too old for that: its MCP servers can only be read'),
      );
    }
  }

  const changing: ToolServerChanges = {
    add: async (name, server, enabled, call = {}) => {
      const body = { ...serverBody(server), ...(!enabled && { enabled }) };
      await change('addToolServer', name, { method: 'POST', body }, call);
    },
    change: async (name, edit, call = {}) => {
      await change(
        'changeToolServer',
        name,
        { method: 'PATCH', body: changeBody(edit) },
        call,
      );
    },
    replace: async (before, server, enabled, call = {}) => {
      const body = { ...replacementBody(before, server), enabled };
      await change(
        'changeToolServer',
        before.name,
        { method: 'PATCH', body },
        call,
      );
    },
    remove: async (name, call = {}) => {
      await resultOr(
        change('removeToolServer', name, { method: 'DELETE' }, call),
        isNotFound,
        undefined,
      );
    },
  };

  async function check(
    name: string,
    server: unknown,
    secrets: readonly Secret[],
    call: CallOptions,
  ): Promise<ServiceCheck> {
    refuseMasks('checkToolServer', server);
    const body = {
      name: name.slice(0, 128) || undefined,
      server,
      timeout: timeoutSeconds,
    };
    const begin = clock.now();
    const path = ['api', 'mcp', 'test'];
    const sent = { method: 'POST', path, body, deadline, once: true } as const;
    const answer = await requests.send('checkToolServer', sent, call);
    const milliseconds = clock.now() - begin;
    if (!isObject(answer) || typeof answer.ok !== 'boolean') {
      throw requests.error('checkToolServer', {
        kind: 'notUnderstood',
        why: t('it is not a result'),
      });
    }
    if (answer.ok) {
      const tools = Array.isArray(answer.tools)
        ? (answer.tools as unknown[])
        : [];
      return {
        works: true,
        tools: tools.filter((tool) => typeof tool === 'string'),
        milliseconds,
      };
    }
    const [first] =
      typeof answer.error === 'string' ? answer.error.split('\n') : [];
    return {
      works: false,
      reason: reasons[String(answer.error_kind)] ?? 'unknown',
      why:
        complaint(first, [...transport.source.secrets, ...secrets]) ??
        t('it says no more'),
      milliseconds,
    };
  }

  return {
    list: async (call = {}) =>
      readServiceServers(await records('listToolServers', call), true),
    changing,
    check: (name, server, call = {}) =>
      check(name, serverBody(server), secretsOf(server), call),
    checkOwn: async (name, call = {}) => {
      const look = async (headers?: Readonly<Record<string, string>>) => {
        const all = await records('checkToolServer', call, headers);
        return Object.hasOwn(all, name) ? all[name] : undefined;
      };
      let server = await look();
      // Encrypted, so that only the service can read it.
      if (hasMask(server))
        server = await look({ 'x-expose-secrets': 'encrypted' });
      if (!isObject(server)) {
        throw requests.error('checkToolServer', {
          kind: 'notFound',
          detail: undefined,
        });
      }
      return await check(name, server, [], call);
    },
  };
}

function secretsOf(server: SentServer): readonly Secret[] {
  if (server.transport === 'stdio') return [...server.env.values()];
  const auth = server.auth?.strategy === 'bearer' ? [server.auth.value] : [];
  return [...server.headers.values(), ...auth];
}
