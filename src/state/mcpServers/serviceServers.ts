/** The MCP servers of a service. Keeps the last good answer. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { Serial } from '../../base/serial.ts';
import type { ToolServers } from '../../service/abilities/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Time } from '../../service/model/entities.ts';
import type { Priority } from '../../service/http/pacer.ts';
import { isRefusal, ServiceError } from '../../service/http/serviceError.ts';
import type { ServiceServer } from '../../service/records/serviceServer.ts';

/** Settings rarely change, so polls skip fresh answers and refusals. */
const minPollPauseMs = 5 * 60_000;

export class ServiceServers {
  readonly #client: ServiceClient;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  readonly #end = new AbortController();
  #rows: readonly ServiceServer[] = [];
  #error: ServiceError | undefined;
  #asOf: Time | undefined;
  #askedAt: Time | undefined;
  readonly #serial = new Serial();
  readonly #changes = new Serial();
  /** The refresh that has not begun yet. */
  #next: Promise<void> | undefined;
  #lastText = '';

  constructor(client: ServiceClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Undefined if the service has no MCP servers or is unknown. */
  get ability(): ToolServers | undefined {
    return this.#client.service?.toolServers;
  }

  get rows(): readonly ServiceServer[] {
    return this.#rows;
  }

  find(name: string): ServiceServer | undefined {
    return this.#rows.find((row) => row.name === name);
  }

  /** The reason why rows are old or missing. */
  get error(): ServiceError | undefined {
    return this.#error;
  }

  get asOf(): Time | undefined {
    return this.#asOf;
  }

  /** Refreshes after the one under way. */
  async refresh(priority: Priority = 'person'): Promise<void> {
    const hasFailed = this.#error !== undefined && !isRefusal(this.#error);
    const isDue =
      hasFailed ||
      this.#askedAt === undefined ||
      this.#clock.now() - this.#askedAt >= minPollPauseMs;
    if (priority === 'poll' && !isDue) return;
    this.#next ??= this.#serial.run(() => {
      this.#next = undefined;
      return this.#ask(priority);
    });
    await this.#next;
  }

  async refreshOrThrow(): Promise<void> {
    await this.refresh();
    if (this.#error) throw this.#error;
  }

  /** Waits for earlier changes. Refreshes afterwards, even after a failure. */
  async change(act: (servers: ToolServers) => Promise<void>): Promise<void> {
    await this.#changes.run(() => this.#change(act));
  }

  release(): void {
    this.#end.abort();
    this.#rows = [];
    this.#changed.fire();
  }

  async #change(act: (servers: ToolServers) => Promise<void>): Promise<void> {
    const { toolServers } = await this.#client.recognise({
      signal: this.#end.signal,
    });
    try {
      if (toolServers) await act(toolServers);
    } finally {
      await this.refresh();
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
    const text = `${this.#error?.message ?? ''}\n${this.#asOf === undefined}\n${this.#rows.map(serverText).join('\n')}`;
    if (text === this.#lastText) return;
    this.#lastText = text;
    this.#changed.fire();
  }
}

/** Everything known about a server; only the names of its secrets. */
export function serverText(server: ServiceServer): string {
  const texts = ([key, value]: [unknown, unknown]) => [
    key,
    typeof value === 'string' ? value : '',
  ];
  return JSON.stringify(server, (_, value: unknown) =>
    value instanceof Map ? [...value].map(texts) : value,
  );
}

/** An id that commands take. */
export function serviceServerId(address: string, name: string): string {
  return `${address}\n${name}`;
}

export function parseServiceServerId(id: string): {
  readonly address: string;
  readonly name: string;
} {
  const end = id.indexOf('\n');
  return end < 0
    ? { address: '', name: id }
    : { address: id.slice(0, end), name: id.slice(end + 1) };
}
