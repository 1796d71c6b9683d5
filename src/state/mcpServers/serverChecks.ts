/**
 * The last check of each MCP server, and the user's consent to it. A result is
 * valid until the entry changes; its tools are known until the next check.
 */
import { Cancellation } from '../../base/cancellation.ts';
import { reason } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { userError } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { plainText } from '../../base/plainText.ts';
import { isEqual } from '../../base/same.ts';
import { Serial } from '../../base/serial.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { Server } from '../../mcp/format/server.ts';
import type { Probed, ProbeResult, ProbeStep } from '../../probe/probe.ts';
import { shownStart } from '../../probe/shownStart.ts';
import {
  type CheckChanges,
  changesSince,
  type ServerCheck,
  type CheckMemory,
  digestOfEntry,
  type KnownTool,
  knownTools,
  memoryText,
  readMemory,
  type RememberedServer,
  type CheckPlace,
} from './checkMemory.ts';
import type { ServerList } from './serverList.ts';

/** The storage that all windows share. */
export interface CheckStore {
  read(): Promise<string>;
  /** Changes the text atomically. */
  change(change: (text: string) => string): Promise<void>;
}

export interface CheckedServer {
  readonly here: ServerCheck | undefined;
  readonly elsewhere: readonly ServerCheck[];
  /** The tools of the last successful check, even of an older entry. */
  readonly tools: readonly KnownTool[] | undefined;
  readonly changes: CheckChanges | undefined;
  readonly underWay: ProbeStep | undefined;
}

/** Also resolves after an abort, once everything has ended. */
export type ProbeRunner = (
  target: Probed,
  signal: AbortSignal,
  onProgress: (step: ProbeStep) => void,
) => Promise<ProbeResult>;

export class ServerChecks {
  readonly #servers: ServerList;
  readonly #store: CheckStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  /** Fires with the names of servers that changed. */
  readonly onChange = this.#changed.on;
  readonly #underWay = new Map<string, ProbeStep>();
  readonly #probing = new Set<Promise<unknown>>();
  readonly #work = new Cancellation();
  readonly #queue = new Serial();
  #memory = readMemory('');

  constructor(servers: ServerList, store: CheckStore, clock: Clock, log: Log) {
    this.#servers = servers;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Also reads checks of other windows. */
  load(): Promise<void> {
    return this.#queue.run(async () => {
      const text = await this.#store.read().catch((error: unknown) => {
        this.#log.warn(
          `Checks of MCP servers could not be read: ${reason(error)}`,
        );
        return '';
      });
      this.#adopt(text === '' ? this.#memory : readMemory(text));
    });
  }

  /** `entry` must be a current entry of the file. */
  of(entry: Entry): CheckedServer {
    const { agreed, tools, checks = [] } = this.#find(entry.name) ?? {};
    const digest = digestOfEntry(entry, this.#memory.salt);
    const valid = checks.filter((check) => check.digest === digest);
    const now = agreed && probedOf(entry);
    return {
      here: valid.find(({ where }) => where === 'here'),
      elsewhere: valid.filter(({ where }) => where !== 'here'),
      tools,
      changes:
        now && changesSince(agreed, { digest, start: shownStart(now), tools }),
      underWay: this.#underWay.get(entry.name),
    };
  }

  /** Cheaper than `of` for many servers. */
  toolsOf(name: string): readonly KnownTool[] | undefined {
    return this.#find(name)?.tools;
  }

  /** True if the user agreed to exactly this check. */
  isAgreed(entry: Entry): boolean {
    return (
      this.#find(entry.name)?.agreed?.digest ===
        digestOfEntry(entry, this.#memory.salt) &&
      this.of(entry).changes === undefined
    );
  }

  /**
   * Records that the user has seen and accepted what a check starts and
   * contacts.
   */
  async agree(entries: readonly Entry[]): Promise<void> {
    await this.#remember(this.#path, entries, (entry, before, { salt }) => {
      const probed = probedOf(entry);
      if (!probed) return before;
      const agreed = {
        digest: digestOfEntry(entry, salt),
        start: shownStart(probed),
        tools: before.tools,
      };
      return { ...before, agreed };
    });
  }

  isUnderWay(name: string): boolean {
    return this.#underWay.has(name);
  }

  /** Remembers the result unless canceled. */
  async check(
    entry: Entry,
    probe: ProbeRunner,
    signal: AbortSignal,
  ): Promise<ProbeResult> {
    const { name } = entry;
    const probed = probedOf(entry);
    if (!probed) {
      throw userError(
        '"{0}" has neither a command nor a URL, so there is nothing to check.',
        plainText(name, 80),
      );
    }
    if (this.isUnderWay(name))
      throw userError('"{0}" is already being checked.', plainText(name, 80));
    const path = this.#path;
    const saved = this.#servers.file?.saved !== false;
    const both = this.#work.with(signal);
    this.#setStep(
      name,
      probed.server.transport === 'stdio' ? 'starting' : 'connecting',
    );
    const lastCheck = this.#find(name)?.checks.find(
      ({ where }) => where === 'here',
    );
    const ignoresFirstQuestion =
      lastCheck?.result.kind === 'works' &&
      lastCheck.result.ignoresFirstQuestion &&
      lastCheck.digest === digestOfEntry(entry, this.#memory.salt);
    const probing = probe({ ...probed, ignoresFirstQuestion }, both, (step) => {
      this.#setStep(name, step);
    });
    this.#probing.add(probing);
    try {
      const result = await probing;
      const isCancelled =
        result.kind === 'fails' && result.failure.reason === 'cancelled';
      if (!isCancelled) await this.record(entry, 'here', result, saved, path);
      return result;
    } finally {
      this.#probing.delete(probing);
      this.#underWay.delete(name);
      this.#changed.fire(new Set([name]));
    }
  }

  async record(
    entry: Entry,
    where: CheckPlace,
    probeResult: ProbeResult,
    saved: boolean,
    path = this.#path,
  ): Promise<void> {
    const at = this.#clock.now();
    await this.#remember(path, [entry], (_, before, { salt }) => {
      const digest = digestOfEntry(entry, salt);
      // A service may run another version.
      const isKnown = probeResult.kind === 'works' && where === 'here';
      const tools = isKnown
        ? knownTools(probeResult.tools, salt)
        : before.tools;
      const result =
        probeResult.kind === 'works'
          ? { ...probeResult, tools: probeResult.tools.length }
          : probeResult;
      const otherChecks = before.checks.filter(
        (check) => !isEqual(check.where, where),
      );
      const { agreed } = before;
      return {
        ...before,
        checks: [...otherChecks, { where, at, digest, saved, result }],
        tools,
        agreed: agreed && { ...agreed, tools: agreed.tools ?? tools },
      };
    });
  }

  async end(): Promise<void> {
    this.#work.cancel();
    await Promise.allSettled(this.#probing);
  }

  #setStep(name: string, step: ProbeStep): void {
    if (this.#underWay.get(name) === step) return;
    this.#underWay.set(name, step);
    this.#changed.fire(new Set([name]));
  }

  async #remember(
    path: string,
    entries: readonly Entry[],
    change: (
      entry: Entry,
      before: RememberedServer,
      memory: CheckMemory,
    ) => RememberedServer,
  ): Promise<void> {
    const names = new Set(entries.map(({ name }) => name));
    const isMeant = (server: RememberedServer) =>
      server.path === path && names.has(server.name);
    const changed = (memory: CheckMemory): CheckMemory => {
      const meant = new Map(
        memory.servers.filter(isMeant).map((server) => [server.name, server]),
      );
      const servers = entries.map((entry) =>
        change(
          entry,
          meant.get(entry.name) ?? { path, name: entry.name, checks: [] },
          memory,
        ),
      );
      return {
        ...memory,
        servers: [
          ...memory.servers.filter((server) => !isMeant(server)),
          ...servers,
        ],
      };
    };
    await this.#queue.run(async () => {
      try {
        await this.#store.change((text) => {
          const memory = changed(text === '' ? this.#memory : readMemory(text));
          this.#adopt(memory);
          return memoryText(memory);
        });
      } catch (error) {
        // Keeps the check at least in this window.
        this.#log.warn(
          `A check of an MCP server could not be saved: ${reason(error)}`,
        );
        this.#adopt(changed(this.#memory));
      }
    });
  }

  #adopt(memory: CheckMemory): void {
    const before = this.#memory;
    this.#memory = memory;
    const names = [...before.servers, ...memory.servers].map(
      ({ name }) => name,
    );
    const changed = [...new Set(names)].filter(
      (name) => !isEqual(this.#find(name, before), this.#find(name)),
    );
    if (changed.length > 0) this.#changed.fire(new Set(changed));
  }

  get #path(): string {
    return this.#servers.file?.path ?? '';
  }

  #find(name: string, memory = this.#memory): RememberedServer | undefined {
    return memory.servers.find(
      (server) => server.name === name && server.path === this.#path,
    );
  }
}

/** Undefined for an entry without a command or URL. */
export function probedOf(
  entry: Entry,
): (Probed & { readonly server: Server }) | undefined {
  const { server } = entry;
  return server && { server, cwd: entry.string('cwd') };
}
