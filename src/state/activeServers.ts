/**
 * The MCP servers of running conversations, as each conversation itself reports
 * them. Asks only when a user wants to know.
 */
import type { Clock } from '../base/clock.ts';
import { reason } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { AgentToolServers } from '../service/abilities/agentService.ts';
import type { Conversation, Time } from '../service/model/entities.ts';
import type { ServiceServer } from '../service/records/serviceServer.ts';
import type { ConnectedService } from './connectedService.ts';
import type { Switchboard } from './switchboard.ts';

export interface ActiveServer {
  readonly name: string;
  /**
   * The agent's tools by the names it uses; `undefined` if the agent has not
   * listed them.
   */
  readonly tools: readonly string[] | undefined;
}

/**
 * A difference between a conversation and the current settings of its service.
 */
export interface SettingsChange {
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'disabled' | 'enabled' | 'changed';
}

export type ConversationServers = { readonly conversation: Conversation } & (
  | {
      readonly kind: 'known';
      readonly servers: readonly ActiveServer[];
      /**
       * `undefined` if the settings are unknown, or the service adds servers of
       * its own to them.
       */
      readonly changes: readonly SettingsChange[] | undefined;
    }
  /** `why` is a sentence. */
  | { readonly kind: 'unknown'; readonly why: string }
);

/** Conversations asked by one refresh, with two requests each. */
export const maxAsked = 10;

export class ActiveServers {
  readonly #switchboard: Switchboard;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  #conversations: readonly ConversationServers[] = [];
  #notAsked = 0;
  #asOf: Time | undefined;
  #refresh: Promise<void> | undefined;

  constructor(switchboard: Switchboard, clock: Clock) {
    this.#switchboard = switchboard;
    this.#clock = clock;
  }

  /** Most recently active first. */
  get conversations(): readonly ConversationServers[] {
    return this.#conversations;
  }

  /** The number of running conversations beyond the limit. */
  get notAsked(): number {
    return this.#notAsked;
  }

  /** The time of the last answers; `undefined` before them. */
  get asOf(): Time | undefined {
    return this.#asOf;
  }

  /**
   * Asks the conversations that were active last, and their services for the
   * settings. Joins a refresh under way.
   */
  async refresh(): Promise<void> {
    this.#refresh ??= this.#ask().finally(() => {
      this.#refresh = undefined;
    });
    await this.#refresh;
  }

  async #ask(): Promise<void> {
    const { services } = this.#switchboard;
    const running = services
      .flatMap((service) =>
        [...service.conversations.rows.values()].map((row) => ({
          service,
          row,
        })),
      )
      .filter(({ row }) => isRunning(row))
      .sort((a, b) => activeAt(b.row) - activeAt(a.row));
    const settings = Promise.all(
      services.map(async ({ toolServers }) => {
        if (toolServers.ability) await toolServers.refresh();
      }),
    );
    const answers = running.slice(0, maxAsked).map(async ({ service, row }) => {
      try {
        const answer = await service.locations.useReady(
          row,
          {},
          ({ steering }) => steering.toolServers(row.id),
        );
        await settings;
        return knownServers(row, answer, settingsOf(service));
      } catch (error) {
        return {
          conversation: row,
          kind: 'unknown',
          why: reason(error),
        } as const;
      }
    });
    const conversations = await Promise.all(answers);
    await settings;
    this.#conversations = conversations;
    this.#notAsked = Math.max(0, running.length - maxAsked);
    this.#asOf = this.#clock.now();
    this.#changed.fire();
  }
}

function knownServers(
  conversation: Conversation,
  { servers, tools }: AgentToolServers,
  settings: readonly ServiceServer[] | undefined,
): ConversationServers {
  const enabled = servers.filter((server) => server.enabled);
  const owners = enabled.map(({ name }) => name);
  return {
    conversation,
    kind: 'known',
    servers: owners.map((name) => ({
      name,
      tools: tools?.filter((tool) => ownerOf(tool, owners) === name),
    })),
    changes: settings && changesBetween(servers, settings),
  };
}

/**
 * Finds the server of a tool. With several servers, tool names begin with the
 * server's name.
 */
function ownerOf(tool: string, servers: readonly string[]): string | undefined {
  if (servers.length === 1) return servers[0];
  const owners = servers.filter((server) => tool.startsWith(`${server}_`));
  return owners.sort((a, b) => b.length - a.length)[0];
}

/**
 * Returns the settings of new conversations; `undefined` with sandboxes, which
 * add servers of their own.
 */
function settingsOf({
  toolServers,
  client,
}: ConnectedService): readonly ServiceServer[] | undefined {
  const isKnown = toolServers.asOf !== undefined && !toolServers.error;
  return isKnown && !client.service?.sandboxes ? toolServers.rows : undefined;
}

export function changesBetween(
  before: readonly ServiceServer[],
  now: readonly ServiceServer[],
): readonly SettingsChange[] {
  const old = new Map(before.map((server) => [server.name, server]));
  const names = new Set(now.map(({ name }) => name));
  const gone = before.filter(
    ({ name, enabled }) => enabled && !names.has(name),
  );
  return [
    ...now.flatMap((server): SettingsChange[] => {
      const kind = changeOf(old.get(server.name), server);
      return kind ? [{ name: server.name, kind }] : [];
    }),
    ...gone.map(({ name }) => ({ name, kind: 'removed' }) as const),
  ];
}

function changeOf(
  before: ServiceServer | undefined,
  now: ServiceServer,
): SettingsChange['kind'] | undefined {
  if (!now.enabled) return before?.enabled ? 'disabled' : undefined;
  if (!before) return 'added';
  if (!before.enabled) return 'enabled';
  return comparedText(before) === comparedText(now) ? undefined : 'changed';
}

/** Omits secrets, which records never contain. */
function comparedText(server: ServiceServer): string {
  if (server.transport === undefined) return '';
  const { transport, extras } = server;
  const target =
    server.transport === 'stdio'
      ? [server.command, ...server.args]
      : [server.url];
  return JSON.stringify([transport, target, Object.entries(extras).sort()]);
}

/** True while the sandbox exists. A failure of the agent stops no servers. */
function isRunning({ status }: Conversation): boolean {
  return !['stopped', 'archived', 'error'].includes(status);
}

function activeAt({ updatedAt, createdAt }: Conversation): Time {
  return updatedAt ?? createdAt ?? 0;
}
