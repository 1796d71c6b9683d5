/** Checks an MCP server by starting or reaching it. */
import { type Clock, sleep, systemClock } from '../base/clock.ts';
import { reason } from '../base/errors.ts';
import type { Server } from '../mcp/format/server.ts';
import { askForTools, type FoundTools } from './askForTools.ts';
import { connectAddress } from './addressConnection.ts';
import {
  type ServerConnection,
  type OfficialClient,
  ProbeError,
} from './serverConnection.ts';
import type {
  ProbeFailure,
  ProbeResult,
  ProbeStep,
  WorkingServer,
} from './probeResult.ts';
import { connectProgram } from './programConnection.ts';
import { type Resolved, resolve } from './resolved.ts';
import { Redactor } from './shown.ts';

export type * from './probeResult.ts';

export interface Probed {
  /** The server of the file, before references to variables are replaced. */
  readonly server: Server;
  /** The working folder of a program; by default the home folder. */
  readonly cwd?: string | undefined;
  /**
   * True if an earlier check has found that it ignores the newer handshake,
   * which is left out then.
   */
  readonly ignoresFirstQuestion?: boolean | undefined;
}

export interface ProbeOptions {
  /**
   * A program gets the safe part of it, and references to variables are
   * replaced from all of it.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly signal?: AbortSignal;
  /** Milliseconds; 30,000 by default, as the agent waits. */
  readonly deadline?: number;
  /** Measures the deadline. */
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  readonly onProgress?: (step: ProbeStep) => void;
}

/**
 * Starts or reaches the server as the agent would, asks it for its tools, and
 * ends it. Never rejects: an abort of `signal` is the failure `cancelled`.
 * Resolves when nothing of the server is left.
 */
export async function probe(
  target: Probed,
  options: ProbeOptions,
): Promise<ProbeResult> {
  const begin = performance.now();
  const attempt = new Attempt(target, options);
  try {
    const answer = await attempt.run();
    const milliseconds = performance.now() - begin;
    await attempt.end();
    return { kind: 'works', ...answer, ...attempt.habits, milliseconds };
  } catch (error) {
    const milliseconds = performance.now() - begin;
    const failure = await attempt.explain(error);
    await attempt.end();
    return { kind: 'fails', failure, milliseconds };
  }
}

class Attempt {
  readonly #target: Probed;
  readonly #options: ProbeOptions;
  readonly #deadline: number;
  /** Aborted when the probe must send no more requests. */
  readonly #over = new AbortController();
  #step: ProbeStep;
  #connecting: Promise<ServerConnection> | undefined;
  #connection: ServerConnection | undefined;
  #redactor = new Redactor([]);

  constructor(target: Probed, options: ProbeOptions) {
    this.#target = target;
    this.#options = options;
    this.#deadline = options.deadline ?? 30_000;
    this.#step =
      target.server.transport === 'stdio' ? 'starting' : 'connecting';
  }

  /** Throws a ProbeError, or whatever the client throws. */
  async run(): Promise<FoundTools> {
    const { signal, clock = systemClock } = this.#options;
    const done = new AbortController();
    const over = sleep(
      clock,
      this.#deadline,
      AbortSignal.any([done.signal, ...(signal ? [signal] : [])]),
    );
    const failed = over.then(
      () => new ProbeError(this.#timedOut()),
      () => new ProbeError({ reason: 'cancelled' }),
    );
    try {
      return await Promise.race([
        failed.then((error) => Promise.reject(error)),
        this.#talk(),
      ]);
    } finally {
      done.abort();
    }
  }

  async explain(error: unknown): Promise<ProbeFailure> {
    if (error instanceof ProbeError) return error.failure;
    const failure = await this.#connection?.explain?.(error, this.#step);
    if (this.#options.signal?.aborted) return { reason: 'cancelled' };
    if (failure) return failure;
    const detail = this.#redactor.text(reason(error));
    return { reason: 'other', detail, lastLines: this.#lastLines };
  }

  /** Facts that the next check of the server uses. */
  get habits(): Pick<WorkingServer, 'ignoresFirstQuestion'> {
    return this.#target.ignoresFirstQuestion ||
      this.#connection?.ignoresFirstQuestion?.()
      ? { ignoresFirstQuestion: true }
      : {};
  }

  async end(): Promise<void> {
    this.#over.abort();
    try {
      const connection = await this.#connecting;
      await connection?.end(this.#options.signal);
    } catch {
      // The connection was never made.
    }
  }

  async #talk(): Promise<FoundTools> {
    const { server, cwd, ignoresFirstQuestion } = this.#target;
    const { environment, signal } = this.#options;
    if (signal?.aborted) throw new ProbeError({ reason: 'cancelled' });
    const resolved = resolve(server, cwd, environment);
    this.#redactor = new Redactor(resolved.secrets);
    this.#options.onProgress?.(this.#step);
    // A program can start while the client is loaded.
    const loading = import('./officialClient.ts');
    loading.catch(() => undefined);
    this.#connecting = this.#connect(resolved, loading);
    const connection = (this.#connection = await this.#connecting);
    const official = await loading;
    if (this.#over.signal.aborted)
      throw new ProbeError({ reason: 'cancelled' });
    if (server.transport === 'stdio') this.#reach('initialising');
    const isOlder = server.transport === 'sse' || ignoresFirstQuestion;
    const asking = askForTools({
      official,
      connection,
      handshake: isOlder ? 'legacy' : 'auto',
      deadline: this.#deadline,
      signal: this.#over.signal,
      redactor: this.#redactor,
      onStep: (step) => {
        this.#reach(step);
      },
    });
    asking.catch(() => undefined);
    return await Promise.race([connection.broken, asking]);
  }

  async #connect(
    { server, cwd }: Resolved,
    loading: Promise<OfficialClient>,
  ): Promise<ServerConnection> {
    const {
      environment,
      platform,
      home,
      signal,
      fetch = globalThis.fetch,
    } = this.#options;
    const redactor = this.#redactor;
    if (server.transport === 'stdio')
      return await connectProgram({
        program: server,
        folder: cwd ?? home,
        environment,
        platform,
        redactor,
      });
    return connectAddress({
      address: server,
      client: await loading,
      fetch,
      signal: AbortSignal.any([
        this.#over.signal,
        AbortSignal.timeout(this.#deadline),
        ...(signal ? [signal] : []),
      ]),
      onAnswer: () => {
        if (this.#step === 'connecting') this.#reach('initialising');
      },
      redactor,
    });
  }

  #reach(step: ProbeStep): void {
    this.#step = step;
    if (!this.#over.signal.aborted) this.#options.onProgress?.(step);
  }

  #timedOut(): ProbeFailure {
    return (
      this.#connection?.explainSilence?.() ?? {
        reason: 'timedOut',
        waitingFor: this.#step,
        milliseconds: this.#deadline,
        lastLines: this.#lastLines,
      }
    );
  }

  get #lastLines(): readonly string[] {
    return this.#connection?.lastLines?.() ?? [];
  }
}
