/** The MCP servers of the configuration file, as far as they are known: the last good ones, whatever happens to the file. */
import { Emitter } from '../base/event.ts';
import { UserError } from '../base/errors.ts';
import type { Time } from '../service/entities.ts';
import type { Document } from '../mcp/document.ts';
import type { Problem } from '../mcp/problems/findProblems.ts';
import { type Position, Refusal } from '../mcp/refusal.ts';

/** A file that was read. */
export interface ConfigRead {
  readonly path: string;
  /** Undefined where there is no such file. */
  readonly text: string | undefined;
  /** Whether programs that read the file find this text there. */
  readonly saved: boolean;
  /** Since when it is like that, where it is known. */
  readonly since?: Time;
}

/** Why the servers are not known, or old. */
export interface ServerProblem {
  readonly message: string;
  /** Where in the file. */
  readonly position?: Position | undefined;
}

const nothing: Document = { entries: [], remarks: [] };

export class ServerList {
  readonly #read: () => Promise<ConfigRead>;
  readonly #changed = new Emitter();
  #file: ConfigRead | undefined;
  #document = nothing;
  #faults: ReadonlyMap<string, string> = new Map();
  #problem: ServerProblem | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(read: () => Promise<ConfigRead>) {
    this.#read = read;
  }

  /** Tells that something of it is different. */
  get onChange(): Emitter['on'] {
    return this.#changed.on;
  }

  /** The file that was read last; undefined before that. */
  get file(): ConfigRead | undefined {
    return this.#file;
  }

  get document(): Document {
    return this.#document;
  }

  /** What is wrong with single entries, by the name of the server: a sentence. */
  get faults(): ReadonlyMap<string, string> {
    return this.#faults;
  }

  get problem(): ServerProblem | undefined {
    return this.#problem;
  }

  /** Reads the file again. One that is asked for during another begins when that is done. */
  async refresh(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#run();
    await this.#reading;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#readOnce();
      }
    } finally {
      this.#reading = undefined;
    }
  }

  async #readOnce(): Promise<void> {
    try {
      const file = await this.#read();
      const same =
        !this.#problem &&
        file.path === this.#file?.path &&
        file.text === this.#file.text &&
        file.saved === this.#file.saved;
      if (same) return;
      // What another file had is no last good view of this one.
      if (file.path !== this.#file?.path) this.#document = nothing;
      this.#file = file;
      this.#problem = undefined;
      this.#faults = new Map();
      if (file.text === undefined) this.#document = nothing;
      else {
        // Loaded when there is something to read: nobody waits for it at the start.
        const { readDocument } = await import('../mcp/document.ts');
        this.#document = readDocument(file.text);
        const { findProblems } = await import('../mcp/problems/findProblems.ts');
        this.#faults = faultsOf(this.#document, findProblems(file.text));
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const position = error instanceof Refusal ? error.position : undefined;
      if (error.message === this.#problem?.message) return;
      this.#problem = { message: error.message, position };
    }
    this.#changed.fire();
  }
}

/** The first of what keeps an entry from working. What is wrong with the file as a whole is said elsewhere. */
function faultsOf({ entries }: Document, problems: readonly Problem[]): ReadonlyMap<string, string> {
  const serious = problems.filter(
    ({ severity, code }) =>
      (severity === 'error' || severity === 'warning') && code !== 'comment' && code !== 'trailingComma',
  );
  return new Map(
    entries.flatMap(({ name, start, end }) => {
      const found = serious.find((problem) => problem.start >= start && problem.end <= end);
      return found ? [[name, found.message] as const] : [];
    }),
  );
}
