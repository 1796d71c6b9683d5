/**
 * The real command-line program, which reads and writes mcp.json, and starts
 * the servers in it.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Group, start, waitForOutput } from '../host/processes.ts';
import { ensureEnvironment, type EnvironmentName } from './environment.ts';

/** The program's reading of a file. */
export type Reading =
  | {
      readonly accepted: true;
      readonly servers: Readonly<Record<string, ReadServer>>;
    }
  | {
      readonly accepted: false;
      readonly reason: string;
      readonly faults: readonly Fault[];
    };

export interface ReadServer {
  /**
   * The class of the program that it became. Names with "Transforming" obey
   * `tools` and tags.
   */
  readonly reads: string;
  /** The class that will talk to it, or why there is none. */
  readonly transport: string;
  readonly enabled: boolean;
  /**
   * The named tools that agents get; null if the server cannot be started
   * because of one.
   */
  readonly tools: Readonly<Record<string, boolean>> | null;
  /** All fields that the program keeps, those without a value as null. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Fault {
  /** The class of the program that the entry is not, and the field. */
  readonly where: string;
  readonly what: string;
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/**
 * The program with the reader that it is installed with, and the newest reader,
 * which it may not allow yet.
 */
export const readers = [
  'program',
  'reader',
] as const satisfies readonly EnvironmentName[];

export type ReaderName = (typeof readers)[number];

/** A home folder with its mcp.json, and the program for it. */
export class Program {
  readonly home: string;
  readonly file: string;
  readonly #judge: Judge;

  private constructor(home: string, judge: Judge) {
    this.home = home;
    this.file = join(home, '.openhands', 'mcp.json');
    this.#judge = judge;
  }

  static async open(reader: ReaderName = 'program'): Promise<Program> {
    const starting = running.get(reader) ?? startJudge(reader);
    running.set(reader, starting);
    const judge = await starting;
    return new Program(
      await mkdtemp(join(tmpdir(), 'switchboard-real-')),
      judge,
    );
  }

  async close(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }

  async write(text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true });
    await writeFile(this.file, text, { mode: 0o600 });
  }

  async text(): Promise<string> {
    return await readFile(this.file, 'utf8');
  }

  /** Its own reader, on the file as it is or on this text. */
  async reads(text?: string | Uint8Array): Promise<Reading> {
    if (text !== undefined) await this.write(text);
    return (await this.#judge.ask({ home: this.home })) as Reading;
  }

  /** Its own reader, on each of these texts as the file. */
  async readsAll(texts: readonly string[]): Promise<readonly Reading[]> {
    const encoded = texts.map((text) => Buffer.from(text).toString('base64'));
    return (await this.#judge.ask({
      home: this.home,
      texts: encoded,
    })) as readonly Reading[];
  }

  /** The servers in a file that it accepts. */
  async servers(text?: string): Promise<Readonly<Record<string, ReadServer>>> {
    const reading = await this.reads(text);
    if (!reading.accepted)
      throw new Error(`The program refuses the file: ${reading.reason}`);
    return reading.servers;
  }

  /** Runs one of its `mcp` commands, in the process that has it loaded. */
  async mcp(...args: readonly string[]): Promise<Ran> {
    return (await this.#judge.ask({
      home: this.home,
      run: ['mcp', ...args],
    })) as Ran;
  }

  async versions(): Promise<Readonly<Record<string, string>>> {
    return (await this.#judge.ask({ versions: true })) as Readonly<
      Record<string, string>
    >;
  }

  /**
   * Runs it as a user does, in a process of its own. Takes ten seconds to
   * start.
   */
  async start(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Ran> {
    const bin = await ensureEnvironment('program');
    const group = start(join(bin, 'openhands'), args, {
      cwd: this.home,
      env: { ...quiet(this.home), ...env },
    });
    await group.ended;
    return { code: group.process.exitCode ?? -1, output: group.output() };
  }
}

/**
 * An environment without the network and the settings of this machine's user.
 */
export function quiet(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:OPENHANDS|LLM|OH)_/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    // Otherwise it asks the network for the prices of models, for skills and
    // for its newest version.
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'url.file:///nowhere/.insteadOf',
    GIT_CONFIG_VALUE_0: 'https://',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    OPENHANDS_SUPPRESS_BANNER: '1',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: undefined,
    COLUMNS: '200',
    NO_COLOR: '1',
    TERM: 'dumb',
  };
}

interface Judge {
  readonly group: Group;
  ask(question: object): Promise<unknown>;
}

/**
 * Shared by all test files, because loading the program takes ten seconds. They
 * end with the other processes of a run.
 */
const running = new Map<ReaderName, Promise<Judge>>();

async function startJudge(reader: ReaderName): Promise<Judge> {
  const bin = await ensureEnvironment(reader);
  const home = await mkdtemp(join(tmpdir(), 'switchboard-judge-'));
  const group = start(
    join(bin, 'python'),
    [join(import.meta.dirname, 'judge.py')],
    {
      cwd: home,
      env: quiet(home),
      cleanUp: () => rm(home, { recursive: true, force: true }),
    },
  );
  const [, port = ''] = await waitForOutput(group, /^judge (\d+)$/m);
  const ask = async (question: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: JSON.stringify(question),
    });
    return await response.json();
  };
  return { group, ask };
}
