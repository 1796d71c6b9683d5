/**
 * The last check of each MCP server, and what the person agreed to have started or asked for it. What a check found is
 * valid until the entry says something else; the tools it found are known until the next one.
 */
import { Cancellation } from '../../base/cancellation.ts';
import { reason, UserError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { plainText } from '../../base/plainText.ts';
import { same } from '../../base/same.ts';
import { Serial } from '../../base/serial.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { Server } from '../../mcp/format/server.ts';
import type { Probed, ProbeResult, ProbeStep } from '../../probe/probe.ts';
import { shownStart } from '../../probe/shownStart.ts';
import { type CheckChanges, changesSince } from './checkChanges.ts';
import {
  type Check,
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

/** Where the memory is kept, for all windows of the machine. */
export interface CheckStore {
  read(): Promise<string>;
  /** Nobody else changes it in the meantime. */
  change(change: (text: string) => string): Promise<void>;
}

/** What is known of a server. */
export interface CheckedServer {
  /** Checks of the entry as it is now. */
  readonly here: Check | undefined;
  readonly elsewhere: readonly Check[];
  /** Of the last check that worked, also if the entry has changed since. */
  readonly tools: readonly KnownTool[] | undefined;
  /** What is different since the person agreed. */
  readonly changes: CheckChanges | undefined;
  /** How far the check is that goes on. */
  readonly underWay: ProbeStep | undefined;
}

/** Does the check. Resolves also when the signal is aborted, once nothing of it is left. */
export type Probe = (
  wanted: Probed,
  signal: AbortSignal,
  onProgress: (step: ProbeStep) => void,
) => Promise<ProbeResult>;

const unknown: CheckedServer = {
  here: undefined,
  elsewhere: [],
  tools: undefined,
  changes: undefined,
  underWay: undefined,
};

export class ServerChecks {
  readonly #servers: ServerList;
  readonly #store: CheckStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  /** Fires with the names of the servers of which something else is known. */
  readonly onChange = this.#changed.on;
  /** How far the checks are that go on. */
  readonly #underWay = new Map<string, ProbeStep>();
  readonly #probing = new Set<Promise<unknown>>();
  readonly #work = new Cancellation();
  /** Keeps what is old from being taken for new. */
  readonly #serial = new Serial();
  #memory = readMemory('');
  /** By path and name. */
  #remembered: ReadonlyMap<string, RememberedServer> = new Map();
  #digests = new WeakMap<Entry, string>();

  constructor(servers: ServerList, store: CheckStore, clock: Clock, log: Log) {
    this.#servers = servers;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Reads what was remembered, also by other windows. */
  load(): Promise<void> {
    return this.#serial.run(() => this.#load());
  }

  async #load(): Promise<void> {
    let text = '';
    try {
      text = await this.#store.read();
    } catch (error) {
      this.#log.warn(`What checks of MCP servers found could not be read: ${reason(error)}`);
    }
    this.#take(text === '' ? this.#memory : readMemory(text));
  }

  /** What is known of the server with this entry, which is one of the file that was read last. */
  of(entry: Entry): CheckedServer {
    const remembered = this.#remembered.get(this.#keyOf(entry.name));
    const underWay = this.#underWay.get(entry.name);
    if (!remembered) return underWay === undefined ? unknown : { ...unknown, underWay };
    const digest = this.#digestOf(entry);
    const valid = remembered.checks.filter((check) => check.digest === digest);
    const { agreed, tools } = remembered;
    const probed = probedOf(entry);
    return {
      here: valid.find(({ where }) => where === 'here'),
      elsewhere: valid.filter(({ where }) => where !== 'here'),
      tools,
      changes: agreed && probed && changesSince(agreed, { digest, start: shownStart(probed), tools }),
      underWay,
    };
  }

  /** As `of` has them, but for very many servers at once. */
  toolsOf(name: string): readonly KnownTool[] | undefined {
    return this.#remembered.get(this.#keyOf(name))?.tools;
  }

  /** Whether the person has agreed to a check of exactly this, and nothing that matters for it has changed since. */
  isAgreed(entry: Entry): boolean {
    const agreed = this.#remembered.get(this.#keyOf(entry.name))?.agreed;
    return agreed?.digest === this.#digestOf(entry) && this.of(entry).changes === undefined;
  }

  /** The person has seen what will be started or asked, and what is different. */
  async agree(entries: readonly Entry[]): Promise<void> {
    await this.#remember(entries, (entry, before, { salt }) => {
      const probed = probedOf(entry);
      if (!probed) return before;
      const agreed = { digest: digestOfEntry(entry, salt), start: shownStart(probed), tools: before.tools };
      return { ...before, agreed };
    });
  }

  isUnderWay(name: string): boolean {
    return this.#underWay.has(name);
  }

  /** Checks a server on this machine, and remembers what was found; nothing of a check that was cancelled. */
  async check(entry: Entry, probe: Probe, signal: AbortSignal): Promise<ProbeResult> {
    const { name } = entry;
    const probed = probedOf(entry);
    if (!probed) {
      throw new UserError(
        t('"{0}" has neither a command nor a URL, so there is nothing to check.', plainText(name, 80)),
      );
    }
    if (this.isUnderWay(name)) throw new UserError(t('"{0}" is being checked already.', plainText(name, 80)));
    const saved = this.#servers.file?.saved !== false;
    const both = this.#work.with(signal);
    this.#tellStep(name, probed.server.transport === 'stdio' ? 'starting' : 'connecting');
    const probing = probe(probed, both, (step) => {
      this.#tellStep(name, step);
    });
    this.#probing.add(probing);
    try {
      const result = await probing;
      const isCancelled = result.kind === 'fails' && result.failure.reason === 'cancelled';
      if (!isCancelled) await this.record(entry, 'here', result, saved);
      return result;
    } finally {
      this.#probing.delete(probing);
      this.#underWay.delete(name);
      this.#changed.fire(new Set([name]));
    }
  }

  /** Remembers what a check has found, wherever it was done. */
  async record(entry: Entry, where: CheckPlace, found: ProbeResult, saved: boolean): Promise<void> {
    const at = this.#clock.now();
    await this.#remember([entry], (_, before, { salt }) => {
      const digest = digestOfEntry(entry, salt);
      // Elsewhere, a server may be another version.
      const isKnown = found.kind === 'works' && where === 'here';
      const known = isKnown ? knownTools(found.tools, salt) : before.tools;
      const result = found.kind === 'works' ? { ...found, tools: found.tools.length } : found;
      const others = before.checks.filter((check) => !same(check.where, where));
      const { agreed } = before;
      return {
        ...before,
        checks: [...others, { where, at, digest, saved, result }],
        tools: known,
        agreed: agreed && { ...agreed, tools: agreed.tools ?? known },
      };
    });
  }

  /** Cancels what goes on, and waits until nothing of it is left. */
  async end(): Promise<void> {
    this.#work.cancel();
    await Promise.allSettled(this.#probing);
  }

  #tellStep(name: string, step: ProbeStep): void {
    if (this.#underWay.get(name) === step) return;
    this.#underWay.set(name, step);
    this.#changed.fire(new Set([name]));
  }

  async #remember(
    entries: readonly Entry[],
    change: (entry: Entry, before: RememberedServer, memory: CheckMemory) => RememberedServer,
  ): Promise<void> {
    const path = this.#path;
    const names = new Set(entries.map(({ name }) => name));
    const isMeant = (server: RememberedServer) => server.path === path && names.has(server.name);
    const changed = (memory: CheckMemory): CheckMemory => {
      const meant = new Map(memory.servers.filter(isMeant).map((server) => [server.name, server]));
      const servers = entries.map((entry) =>
        change(entry, meant.get(entry.name) ?? { path, name: entry.name, checks: [] }, memory),
      );
      return { ...memory, servers: [...memory.servers.filter((server) => !isMeant(server)), ...servers] };
    };
    await this.#serial.run(async () => {
      try {
        await this.#store.change((text) => {
          const memory = changed(text === '' ? this.#memory : readMemory(text));
          this.#take(memory);
          return memoryText(memory);
        });
      } catch (error) {
        // It is known as long as this window is open.
        this.#log.warn(`What a check of an MCP server found could not be kept: ${reason(error)}`);
        this.#take(changed(this.#memory));
      }
    });
  }

  #take(memory: CheckMemory): void {
    if (memory.salt !== this.#memory.salt) this.#digests = new WeakMap();
    const before = this.#remembered;
    this.#memory = memory;
    this.#remembered = new Map(memory.servers.map((server) => [key(server.path, server.name), server]));
    const names = [...before, ...this.#remembered].map(([, { name }]) => name);
    const changed = [...new Set(names)].filter(
      (name) => !same(before.get(this.#keyOf(name)), this.#remembered.get(this.#keyOf(name))),
    );
    if (changed.length > 0) this.#changed.fire(new Set(changed));
  }

  get #path(): string {
    return this.#servers.file?.path ?? '';
  }

  #keyOf(name: string): string {
    return key(this.#path, name);
  }

  #digestOf(entry: Entry): string {
    let digest = this.#digests.get(entry);
    if (digest === undefined) {
      digest = digestOfEntry(entry, this.#memory.salt);
      this.#digests.set(entry, digest);
    }
    return digest;
  }
}

/** What a check starts or asks; undefined for an entry that names no server. */
export function probedOf(entry: Entry): (Probed & { readonly server: Server }) | undefined {
  const { name, server } = entry;
  const cwd = entry.string('cwd');
  return server && { name, server, ...(cwd !== undefined && { cwd }) };
}

function key(path: string, name: string): string {
  return `${path}\n${name}`;
}
