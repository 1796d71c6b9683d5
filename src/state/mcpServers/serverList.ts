/** The MCP servers of the configuration file. Keeps the last good ones. */
import { Emitter } from '../../base/event.ts';
import { UserError } from '../../base/errors.ts';
import { Serial } from '../../base/serial.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { Problem } from '../../mcp/problems/findProblems.ts';
import { type Position, positionAt, Refusal } from '../../mcp/text/refusal.ts';

export interface ConfigRead {
  readonly path: string;
  readonly text: string | undefined;
  /** False for unsaved text, which programs do not see. */
  readonly saved: boolean;
}

/** The reason why servers are unknown, outdated or refused. */
export interface ServerProblem {
  readonly message: string;
  readonly position?: Position | undefined;
}

export class ServerList {
  readonly #read: () => Promise<ConfigRead>;
  readonly #changed = new Emitter<{ readonly servers: ReadonlySet<string> }>();
  /**
   * Fires when the text or the reason for a failure changes. `servers`: known
   * ones whose text or fault changed.
   */
  readonly onChange = this.#changed.on;
  #file: ConfigRead | undefined;
  #entries: readonly Entry[] = [];
  #lastTexts: ReadonlyMap<string, string> = new Map();
  #faults: ReadonlyMap<string, string> = new Map();
  #problem: ServerProblem | undefined;
  #refusal: ServerProblem | undefined;
  readonly #serial = new Serial();
  /** The read that has not begun yet. */
  #next: Promise<void> | undefined;

  constructor(read: () => Promise<ConfigRead>) {
    this.#read = read;
  }

  get file(): ConfigRead | undefined {
    return this.#file;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Sentences by the name of the server. */
  get faults(): ReadonlyMap<string, string> {
    return this.#faults;
  }

  get problem(): ServerProblem | undefined {
    return this.#problem;
  }

  /** The reason why the program refuses the file and agents get no servers. */
  get refusal(): ServerProblem | undefined {
    return this.#refusal;
  }

  /** Reads after the read under way. */
  refresh(): Promise<void> {
    return (this.#next ??= this.#serial.run(() => {
      this.#next = undefined;
      return this.#readOnce();
    }));
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
      // The servers of another file are not a last good view.
      if (file.path !== this.#file?.path) this.#entries = [];
      this.#file = file;
      this.#problem = this.#refusal = undefined;
      this.#faults = new Map();
      if (file.text === undefined) this.#entries = [];
      else {
        // Loaded on use, to keep the start short.
        const { readEntries } = await import('../../mcp/format/document.ts');
        this.#entries = readEntries(file.text);
        const { findProblems } =
          await import('../../mcp/problems/findProblems.ts');
        const problems = findProblems(file.text);
        this.#faults = faultsOf(this.#entries, problems);
        this.#refusal = refusalOf(file.text, problems);
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { position, what } =
        error instanceof Refusal ? error : { what: '' };
      if (error.message === this.#problem?.message) return;
      this.#problem = { message: error.message, position };
      this.#refusal = position && { message: what, position };
    }
    this.#fireChanges();
  }

  #fireChanges(): void {
    const before = this.#lastTexts;
    const refusal = JSON.stringify(this.#refusal);
    const { text = '' } = this.#file ?? {};
    this.#lastTexts = new Map(
      this.#entries.map(({ name, start, end }) => [
        name,
        `${text.slice(start, end)}\n${this.#faults.get(name) ?? ''}\n${refusal}`,
      ]),
    );
    const isChanged = ([name, text]: [string, string]) =>
      (before.get(name) ?? text) !== text;
    const changed = [...this.#lastTexts].filter(isChanged);
    this.#changed.fire({ servers: new Set(changed.map(([name]) => name)) });
  }
}

function refusalOf(
  text: string,
  problems: readonly Problem[],
): ServerProblem | undefined {
  const first = problems.find(({ severity }) => severity === 'error');
  return (
    first && { message: first.message, position: positionAt(text, first.start) }
  );
}

/** The most serious problem of each entry: an error, or else a warning. */
function faultsOf(
  entries: readonly Entry[],
  problems: readonly Problem[],
): ReadonlyMap<string, string> {
  const serious = problems.filter(
    ({ severity, code }) =>
      (severity === 'error' || severity === 'warning') &&
      code !== 'comment' &&
      code !== 'trailingComma',
  );
  const errors = serious.filter(({ severity }) => severity === 'error');
  return new Map(
    entries.flatMap(({ name, start, end }) => {
      const isInside = (problem: Problem) =>
        problem.start >= start && problem.end <= end;
      const firstProblem = errors.find(isInside) ?? serious.find(isInside);
      return firstProblem ? [[name, firstProblem.message] as const] : [];
    }),
  );
}
