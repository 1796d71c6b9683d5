/** Remembers the Agent Server on this machine for all windows. */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { SharedValue } from '../files/sharedValue.ts';
import type { Container } from './container.ts';

export interface Installed {
  /** The name of its folder. */
  readonly folder: string;
  readonly version: string;
}

/** The content of the file that the windows share. */
export interface ServerRecord {
  readonly current?: Installed | undefined;
  /** The one that an update replaced. */
  readonly previous?: Installed | undefined;
  /** Used instead of an installation. */
  readonly container?: Container | undefined;
  /** The name of the container that was started last. */
  readonly containerName?: string;
  readonly port?: number | undefined;
  /** The process that was started last, which may have ended. */
  readonly pid?: number;
  /** The ends that were told of as crashes, the newest last. */
  readonly crashes?: readonly {
    readonly pid: number;
    readonly time: number;
  }[];
}

const crashMemoryMs = 3_600_000;

/** A file that the windows share. */
export class ServerRecordFile {
  readonly #file: string;
  readonly #record: SharedValue<ServerRecord>;
  /** Holds the process that a window has stopped last. */
  readonly #stoppedFile: string;
  /** The crash that this window has claimed last. */
  #claimedPid: number | undefined;

  constructor(folder: string) {
    this.#file = join(folder, 'server.json');
    this.#record = new SharedValue(this.#file, (stored) => stored ?? {});
    this.#stoppedFile = join(folder, 'stopped');
  }

  async read(): Promise<ServerRecord> {
    await this.#record.read();
    return this.#record.value;
  }

  async change(change: (record: ServerRecord) => ServerRecord): Promise<void> {
    await withFileErrors(this.#file, 'written', () =>
      this.#record.change(change),
    );
  }

  /** Leaves out the lock: a window that closes cannot wait for it. */
  noteStop(pid: number): void {
    try {
      writeFileSync(this.#stoppedFile, String(pid), { mode: 0o600 });
    } catch {
      // A full disk does not keep the server running.
    }
  }

  /**
   * Resolves with the number of crashes in the last hour, for one of all
   * windows; with 0 for the rest, and if this process was stopped.
   */
  async claimCrash(pid: number): Promise<number> {
    const stopped = await readFile(this.#stoppedFile, 'utf8').catch(() => '');
    if (pid === Number(stopped) || pid === this.#claimedPid) return 0;
    this.#claimedPid = pid;
    // Each window tells of it if the disk is full.
    let count = 1;
    await this.change((record) => {
      const { crashes = [] } = record;
      if (record.pid !== pid || crashes.at(-1)?.pid === pid) {
        count = 0;
        return record;
      }
      const time = systemClock.now();
      const recent = crashes.filter(
        (crash) => time - crash.time < crashMemoryMs,
      );
      count = recent.length + 1;
      return { ...record, crashes: [...recent, { pid, time }] };
    }).catch(() => undefined);
    return count;
  }
}
