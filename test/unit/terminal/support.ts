/** A terminal in memory, on a home folder of its own on the disk. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { disk as realDisk, type Disk } from '../../../src/files/disk.ts';
import { runCommand } from '../../../src/terminal/runCommand.ts';

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  /** Columns of the terminal; `undefined` if the output goes elsewhere. */
  readonly columns?: number;
  readonly version?: () => string;
  readonly workingFolder?: () => string;
  readonly disk?: Disk;
  /** The user's answer to a question; `undefined` without a terminal. */
  readonly answer?: string;
  /** Ends the program as Ctrl+C does. */
  readonly interrupt?: AbortSignal;
}

export class Terminal {
  readonly home: string;
  readonly file: string;
  /** The text of the last run on both outputs. */
  all = '';

  private constructor(home: string) {
    this.home = home;
    this.file = join(home, '.agent', 'mcp.json');
  }

  static async open(): Promise<Terminal> {
    return new Terminal(await mkdtemp(join(tmpdir(), 'switchboard-terminal-')));
  }

  async close(): Promise<void> {
    await rm(this.home, { recursive: true });
  }

  /** Writes the configuration, for its owner only. */
  async write(text: string | Uint8Array, mode = 0o600): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true });
    await writeFile(this.file, text, { mode });
  }

  async read(): Promise<string> {
    return await readFile(this.file, 'utf8');
  }

  /** Runs `switchboard` with these arguments. */
  async run(
    args: readonly string[],
    {
      env = {},
      columns,
      version = () => '1.2.3',
      workingFolder = () => this.home,
      disk = realDisk,
      answer,
      interrupt,
    }: Circumstances = {},
  ): Promise<Answer> {
    const written = { out: '', err: '' };
    this.all = '';
    const output = (name: 'out' | 'err') => ({
      write: (text: string) => {
        written[name] += text;
        this.all += text;
      },
      isTTY: columns !== undefined,
      columns,
    });
    const code = await runCommand({
      args,
      env,
      home: this.home,
      platform: process.platform,
      workingFolder,
      version,
      disk,
      stdout: output('out'),
      stderr: output('err'),
      ask: (question) => {
        if (answer !== undefined) output('err').write(question);
        return Promise.resolve(answer);
      },
      onInterrupt: (callback) => {
        interrupt?.addEventListener('abort', callback);
        return () => interrupt?.removeEventListener('abort', callback);
      },
    });
    return { code, ...written };
  }

  /** Runs `switchboard mcp`. */
  async mcp(...args: string[]): Promise<Answer> {
    return await this.run(['mcp', ...args]);
  }
}

export const canary = 'canary-Zx81';

/** Secrets in every place where a server can have them. */
export const secretive = {
  mcpServers: {
    local: {
      command: 'npx',
      args: [
        '-y',
        'a server',
        '--token',
        canary,
        `--url=https://u:${canary}@h/?k=${canary}#${canary}`,
      ],
      env: { API_TOKEN: canary, EMPTY: '' },
      clientSecret: canary,
      cwd: '/srv',
    },
    remote: {
      url: `https://${canary}@example.com/sse?key=${canary}`,
      headers: { Authorization: `Bearer ${canary}` },
      auth: canary,
      enabled: false,
    },
    signIn: {
      url: 'https://example.com/mcp',
      transport: 'http',
      auth: 'oauth',
    },
  },
};
