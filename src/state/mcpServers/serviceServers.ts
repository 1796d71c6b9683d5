/** The MCP servers of a service: its last good answer, whatever happens to the service. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { ToolServers } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Time } from '../../service/entities.ts';
import type { Priority } from '../../service/pacer.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { ServiceServer } from '../../service/serviceServer.ts';

/** Settings change seldom: polls ask for them only where the last answer is older, in milliseconds. */
const pollEvery = 5 * 60_000;

export class ServiceServers {
  readonly #client: ServiceClient;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  /** Fires when a refresh has brought something else. */
  readonly onChange = this.#changed.on;
  readonly #end = new AbortController();
  #rows: readonly ServiceServer[] = [];
  #error: ServiceError | undefined;
  #asOf: Time | undefined;
  #askedAt: Time | undefined;
  #refreshing: Promise<void> | undefined;
  #again = false;
  #told = '';

  constructor(client: ServiceClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** What the service can do; undefined where it has no MCP servers, and as long as it is not known. */
  get ability(): ToolServers | undefined {
    return this.#client.service?.toolServers;
  }

  get rows(): readonly ServiceServer[] {
    return this.#rows;
  }

  find(name: string): ServiceServer | undefined {
    return this.#rows.find((row) => row.name === name);
  }

  /** Why the rows are old or missing. */
  get error(): ServiceError | undefined {
    return this.#error;
  }

  /** When the rows were last what the service has; undefined before its first answer. */
  get asOf(): Time | undefined {
    return this.#asOf;
  }

  /** Where one is under way, once more after it. */
  async refresh(priority: Priority = 'person'): Promise<void> {
    const isDue = this.#askedAt === undefined || this.#clock.now() - this.#askedAt >= pollEvery;
    if (priority === 'poll' && !isDue) return;
    this.#again = true;
    this.#refreshing ??= this.#run(priority);
    await this.#refreshing;
  }

  /** Does something with the service, and asks it for its servers after that, whatever came of it. */
  async change(act: (servers: ToolServers) => Promise<void>): Promise<void> {
    const { toolServers } = await this.#client.recognise({ signal: this.#end.signal });
    try {
      if (toolServers) await act(toolServers);
    } finally {
      await this.refresh();
    }
  }

  release(): void {
    this.#end.abort();
    this.#rows = [];
    this.#changed.fire();
  }

  async #run(priority: Priority): Promise<void> {
    try {
      while (this.#again && !this.#end.signal.aborted) {
        this.#again = false;
        await this.#ask(priority);
      }
    } finally {
      this.#refreshing = undefined;
    }
  }

  async #ask(priority: Priority): Promise<void> {
    const call = { signal: this.#end.signal, priority };
    this.#askedAt = this.#clock.now();
    try {
      const { toolServers } = await this.#client.recognise(call);
      const rows = (await toolServers?.list(call)) ?? [];
      if (this.#end.signal.aborted) return;
      this.#rows = rows;
      this.#error = undefined;
      this.#asOf = this.#clock.now();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (this.#end.signal.aborted) return;
      this.#error = error;
    }
    const told = `${this.#error?.message ?? ''}\n${this.#asOf === undefined}\n${this.#rows.map(serverText).join('\n')}`;
    if (told === this.#told) return;
    this.#told = told;
    this.#changed.fire();
  }
}

/** All that is told of a server; of its secrets, their names. */
export function serverText(server: ServiceServer): string {
  const texts = ([key, value]: [unknown, unknown]) => [key, typeof value === 'string' ? value : ''];
  return JSON.stringify(server, (_, value: unknown) =>
    value instanceof Map ? [...value].map(texts) : value,
  );
}

/** One word for a server of a service, as commands take it. */
export function idAtService(address: string, name: string): string {
  return `${address}\n${name}`;
}

export function atService(id: string): { readonly address: string; readonly name: string } {
  const end = id.indexOf('\n');
  return end < 0 ? { address: '', name: id } : { address: id.slice(0, end), name: id.slice(end + 1) };
}
