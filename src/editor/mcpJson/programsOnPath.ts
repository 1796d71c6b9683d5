/** Looks for programs as a shell would, in the folders of the PATH. It reads folders and runs nothing. */
import { access, constants, readdir, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';

interface System {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Partial<Record<string, string>>>;
  readonly clock: Clock;
}

const thisSystem: System = { platform: process.platform, environment: process.env, clock: systemClock };

/** How long what was read of a folder is taken to be so still, in milliseconds. */
const fresh = 5_000;

export class Programs {
  readonly #system: System;
  readonly #folders = new Map<
    string,
    { readonly at: number; readonly names: Promise<ReadonlySet<string>> }
  >();

  constructor(system = thisSystem) {
    this.#system = system;
  }

  /** Whether the command is there, or cannot be looked for: one that is relative to a folder that only the agent knows. */
  async has(command: string): Promise<boolean> {
    const paths = this.#isWindows ? win32 : posix;
    if (paths.isAbsolute(command)) {
      // Looking for it would send the name of the person to another machine.
      if (this.#isWindows && /^[/\\]{2}/.test(command)) return true;
      return await some(this.#namesOf(command), (name) => this.#isProgram(name));
    }
    if (/[/\\]/.test(command)) return true;
    return await some(this.#path(), async (folder) => {
      const names = await this.#read(folder);
      const there = this.#namesOf(command).filter((name) => names.has(this.#folded(name)));
      return await some(there, (name) => this.#isProgram(paths.join(folder, name)));
    });
  }

  get #isWindows(): boolean {
    return this.#system.platform === 'win32';
  }

  #path(): string[] {
    const { environment } = this.#system;
    const value = environment.PATH ?? (this.#isWindows ? environment.Path : undefined) ?? '';
    return value.split(this.#isWindows ? ';' : ':').filter((folder) => folder !== '');
  }

  /** What the file of a command can be called. */
  #namesOf(command: string): string[] {
    if (!this.#isWindows) return [command];
    const endings = (this.#system.environment.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';');
    return [command, ...endings.map((ending) => command + ending)];
  }

  async #read(folder: string): Promise<ReadonlySet<string>> {
    const now = this.#system.clock.now();
    const known = this.#folders.get(folder);
    if (known && now - known.at < fresh) return await known.names;
    const names = readdir(folder).then(
      (all) => new Set(all.map((name) => this.#folded(name))),
      () => new Set<string>(),
    );
    this.#folders.set(folder, { at: now, names });
    return await names;
  }

  async #isProgram(path: string): Promise<boolean> {
    try {
      await access(path, this.#isWindows ? constants.F_OK : constants.X_OK);
      return (await stat(path)).isFile();
    } catch {
      return false;
    }
  }

  #folded(name: string): string {
    return this.#isWindows ? name.toLowerCase() : name;
  }
}

async function some<T>(items: readonly T[], isIt: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await isIt(item)) return true;
  return false;
}
