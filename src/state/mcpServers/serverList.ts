/** The MCP servers of the configuration file: the last good ones, whatever happens to the file. */
import { Emitter } from '../../base/event.ts';
import { UserError } from '../../base/errors.ts';
import type { Time } from '../../service/entities.ts';
import type { Document } from '../../mcp/format/document.ts';
import type { Problem } from '../../mcp/problems/findProblems.ts';
import { type Position, positionAt, Refusal } from '../../mcp/text/refusal.ts';

/** A file that was read. */
export interface ConfigRead {
  readonly path: string;
  /** Undefined if there is no such file. */
  readonly text: string | undefined;
  /** Whether programs that read the file find this text there. */
  readonly saved: boolean;
  /** Since when it has been like that, if that is known. */
  readonly since?: Time;
}

/** Why the servers are unknown or out of date, or why no agent gets them. */
export interface ServerProblem {
  readonly message: string;
  /** Where in the file. */
  readonly position?: Position | undefined;
}

/** What is different from what was told before. */
interface ServersChange {
  /** Servers that were there before, and whose text or fault is different. */
  readonly servers: ReadonlySet<string>;
}

const nothing: Document = { entries: [], remarks: [] };

export class ServerList {
  readonly #read: () => Promise<ConfigRead>;
  readonly #changed = new Emitter<ServersChange>();
  /** Fires once for each time that the file says something else, or cannot be read for another reason. */
  readonly onChange = this.#changed.on;
  #file: ConfigRead | undefined;
  #document = nothing;
  /** The entries of the document, by the name of the server. */
  #texts: ReadonlyMap<string, string> = new Map();
  /** The same, each with its fault, as it was when this list told last. */
  #told: ReadonlyMap<string, string> = new Map();
  #faults: ReadonlyMap<string, string> = new Map();
  #problem: ServerProblem | undefined;
  #refusal: ServerProblem | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(read: () => Promise<ConfigRead>) {
    this.#read = read;
  }

  /** The file that was read last; undefined until then. */
  get file(): ConfigRead | undefined {
    return this.#file;
  }

  get document(): Document {
    return this.#document;
  }

  /** Problems of single entries, each a sentence, by the name of the server. */
  get faults(): ReadonlyMap<string, string> {
    return this.#faults;
  }

  get problem(): ServerProblem | undefined {
    return this.#problem;
  }

  /** Why the program that reads the file refuses it, so that agents get none of the servers. */
  get refusal(): ServerProblem | undefined {
    return this.#refusal;
  }

  /** Reads the file again; if it is being read already, once more after that. */
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
      // The last good view of another file says nothing about this one.
      if (file.path !== this.#file?.path) this.#take(nothing);
      this.#file = file;
      this.#problem = undefined;
      this.#refusal = undefined;
      this.#faults = new Map();
      if (file.text === undefined) this.#take(nothing);
      else {
        // Loaded when there is something to read, so that nothing waits for it at the start.
        const { readDocument } = await import('../../mcp/format/document.ts');
        this.#take(readDocument(file.text), file.text);
        const { findProblems } = await import('../../mcp/problems/findProblems.ts');
        const problems = findProblems(file.text);
        this.#faults = faultsOf(this.#document, problems);
        this.#refusal = refusalOf(file.text, problems);
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { position, what } = error instanceof Refusal ? error : { what: '' };
      if (error.message === this.#problem?.message) return;
      this.#problem = { message: error.message, position };
      this.#refusal = position && { message: what, position };
    }
    this.#tell();
  }

  #take(document: Document, text = ''): void {
    this.#document = document;
    this.#texts = new Map(document.entries.map(({ name, start, end }) => [name, text.slice(start, end)]));
  }

  #tell(): void {
    const before = this.#told;
    const refusal = JSON.stringify(this.#refusal);
    this.#told = new Map(
      [...this.#texts].map(([name, text]) => [name, `${text}\n${this.#faults.get(name) ?? ''}\n${refusal}`]),
    );
    const servers = new Set<string>();
    for (const [name, told] of this.#told) {
      if (before.has(name) && before.get(name) !== told) servers.add(name);
    }
    this.#changed.fire({ servers });
  }
}

function refusalOf(text: string, problems: readonly Problem[]): ServerProblem | undefined {
  const first = problems.find(({ severity }) => severity === 'error');
  if (!first) return undefined;
  return { message: first.message, position: positionAt(text, first.start) };
}

/** The first of what keeps an entry from working: why it is refused, or else what is lost. */
function faultsOf({ entries }: Document, problems: readonly Problem[]): ReadonlyMap<string, string> {
  const serious = problems.filter(
    ({ severity, code }) =>
      (severity === 'error' || severity === 'warning') && code !== 'comment' && code !== 'trailingComma',
  );
  const errors = serious.filter(({ severity }) => severity === 'error');
  return new Map(
    entries.flatMap(({ name, start, end }) => {
      const isInside = (problem: Problem) => problem.start >= start && problem.end <= end;
      const found = errors.find(isInside) ?? serious.find(isInside);
      return found ? [[name, found.message] as const] : [];
    }),
  );
}
