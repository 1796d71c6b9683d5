import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

const day = 24 * 60 * 60 * 1000;

interface Keeping {
  /** Undefined where nothing can be kept. */
  readonly folder: string | undefined;
  /** What is used together is kept together. */
  readonly command: string;
}

type Require = (path: string) => unknown;

/**
 * Loads the scripts of the program, and keeps their compiled code for the next run: a list takes a seventh less time then
 * than with Node's own cache (`module.enableCompileCache`), which keeps what was compiled before a script has run, so
 * that each run compiles each of its functions.
 */
export class CompiledScripts {
  readonly #keeping: Keeping;
  readonly #loaded = new Map<string, { exports: unknown }>();
  readonly #unkept: { readonly script: Script; readonly file: string }[] = [];

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  /** What the script exports. What it requires are other scripts, and modules of Node. */
  load(path: string): unknown {
    const known = this.#loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    this.#loaded.set(path, module);
    const run = this.#compile(path).runInThisContext() as (module: object, require: Require) => void;
    run(module, (name) => this.#require(name, path));
    return module.exports;
  }

  /** Call this when the command is done: what has run is what is kept. */
  keep(): void {
    const { folder } = this.#keeping;
    if (folder === undefined || this.#unkept.length === 0) return;
    try {
      for (const { script, file } of this.#unkept) {
        const unfinished = `${file}.${process.pid}`;
        const code = script.createCachedData();
        writeFileSync(unfinished, Buffer.concat([code, code]), { mode: 0o600 });
        renameSync(unfinished, file);
      }
      for (const name of readdirSync(folder)) removeUnused(join(folder, name));
    } catch {
      // The next run takes a little longer.
    }
  }

  #require(name: string, from: string): unknown {
    return name.startsWith('.') ? this.load(join(dirname(from), name)) : process.getBuiltinModule(name);
  }

  #compile(path: string): Script {
    const text = readFileSync(path, 'utf8');
    const file = this.#fileFor(text);
    const kept = file === undefined ? undefined : readKept(file);
    const script = new Script(`(function (module, require) {${text}\n})`, {
      filename: path,
      ...(kept && { cachedData: kept.code }),
    });
    if (file !== undefined && (kept?.isFresh !== true || script.cachedDataRejected === true)) {
      this.#unkept.push({ script, file });
    }
    return script;
  }

  /** V8 refuses what another version or other flags have compiled, but of the script it compares only the length. */
  #fileFor(text: string): string | undefined {
    const { folder, command } = this.#keeping;
    // The build begins each script with a comment that is different for each content.
    const [, id] = /^\/\*([\w-]{16})\*\//.exec(text) ?? [];
    const { arch, versions } = process;
    return folder === undefined || id === undefined
      ? undefined
      : join(folder, `${versions.v8}-${arch}-${command}-${id}`);
  }
}

/**
 * V8 crashes on code that the disk has damaged, so it is there twice: to compare is quicker than to compute a checksum. After
 * a day it is made again: the command may have run more functions since.
 */
function readKept(file: string): { readonly code: Buffer; readonly isFresh: boolean } | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(0, bytes.length / 2);
    return code.equals(bytes.subarray(code.length)) ? { code, isFresh: ageOf(file) < day } : undefined;
  } catch {
    return undefined;
  }
}

/** What is used is made again each day. */
function removeUnused(path: string): void {
  if (ageOf(path) > 30 * day) rmSync(path, { recursive: true, force: true });
}

function ageOf(path: string): number {
  return Date.now() - statSync(path).mtimeMs;
}
