/** How many windows of the machine poll at this moment, so that they share what a service allows for all of them. */
import { chmod, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { newToken } from '../../base/token.ts';

/** In milliseconds: how often each window says that it polls, and how long that counts. */
const renewal = 5_000;
const countsFor = 20_000;
const forgottenAfter = 60_000;

export class PollingWindows {
  readonly #folder: string;
  readonly #own: string;
  readonly #clock: Clock;
  #count = 1;
  #active = false;
  #cancel: (() => void) | undefined;
  /** One after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#own = join(folder, newToken());
    this.#clock = clock;
  }

  /** With this one. */
  get count(): number {
    return this.#count;
  }

  /** Whether this window polls. */
  set active(active: boolean) {
    if (active === this.#active) return;
    this.#active = active;
    void this.#renew();
  }

  /** Resolves when what has begun is done. */
  async end(): Promise<void> {
    this.active = false;
    await this.#last;
  }

  #renew(): Promise<void> {
    this.#cancel?.();
    // Where the folder cannot be used, it is as if no other window polled.
    this.#last = this.#last
      .then(() => (this.#active ? this.#look() : rm(this.#own, { force: true })))
      .catch(() => undefined);
    return this.#last;
  }

  async #look(): Promise<void> {
    this.#cancel = this.#clock.after(renewal, () => void this.#renew());
    const now = this.#clock.now();
    await this.#touch(now / 1_000);
    const ages = await Promise.all((await readdir(this.#folder)).map((name) => this.#ageOf(name, now)));
    this.#count = Math.max(1, ages.filter((age) => age < countsFor).length);
  }

  async #touch(now: number): Promise<void> {
    try {
      await utimes(this.#own, now, now);
    } catch {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      // One that an earlier version made can be open to other users.
      await chmod(this.#folder, 0o700);
      await writeFile(this.#own, '', { mode: 0o600 });
      await utimes(this.#own, now, now);
    }
  }

  async #ageOf(name: string, now: number): Promise<number> {
    const path = join(this.#folder, name);
    try {
      const age = Math.abs(now - (await stat(path)).mtimeMs);
      if (age > forgottenAfter) await rm(path, { force: true });
      return age;
    } catch {
      return Infinity;
    }
  }
}
