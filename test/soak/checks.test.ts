import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probe, type ProbeResult } from '../../src/probe/probe.ts';
import { root } from '../host/paths.ts';
import { countDone } from '../support/done.ts';
import { itOnPosix } from '../support/posix.ts';
import { inWords, times } from './times.ts';

/** The outcome of the check for each kind of hostile server. */
const hostile: Readonly<Record<string, string>> = {
  silent: 'timedOut',
  deaf: 'timedOut',
  late: 'timedOut',
  other: 'notProtocol',
  exits: 'exited',
  exitsLate: 'exited',
  crashes: 'exited',
  floodsOut: 'tooMuch',
  floodsErr: 'tooMuch',
  endlessLine: 'tooMuch',
  floodsRequests: 'tooMuch',
  manyTools: 'tooMuch',
  endlessPages: 'tooMuch',
  forks: 'works',
  forksAndHangs: 'timedOut',
  forksAndExits: 'exited',
  stubborn: 'works',
  version: 'protocolVersion',
};

const program = join(root, 'test/support/servers/program.ts');
const together = 4;

describe('a check of a hostile MCP server', () => {
  const checks = times(200);

  itOnPosix(
    `leaves no process and no file in ${inWords(checks)} checks`,
    async () => {
      const before = process.env.TMPDIR;
      const scratch = await mkdtemp(join(tmpdir(), 'switchboard-soak-'));
      const notes = await mkdtemp(join(tmpdir(), 'switchboard-soak-notes-'));
      // Whatever is written to the folder for temporary files is found.
      process.env.TMPDIR = scratch;
      try {
        const kinds = Array.from(
          { length: checks },
          (_, i) => Object.keys(hostile)[i % Object.keys(hostile).length] ?? '',
        );
        const wrong: string[] = [];
        let started = 0;
        const work = async () => {
          for (let kind = kinds.pop(); kind !== undefined; kind = kinds.pop()) {
            // No path begins with another one.
            const note = join(notes, String(started++).padStart(5, '0'));
            // Some are cancelled while they are on their way.
            const signal =
              started % 7 === 0 ? AbortSignal.timeout(started * 5) : undefined;
            const found = await check(kind, { scratch, note, signal });
            const expected = signal
              ? [hostile[kind], 'cancelled']
              : [hostile[kind]];
            if (!expected.includes(found)) wrong.push(`${kind}: ${found}`);
            const left = processesWith(note);
            if (left.length > 0) wrong.push(`${kind} left ${left.join(', ')}`);
          }
        };
        await Promise.all(Array.from({ length: together }, work));
        assert.deepEqual(wrong, []);
        assert.deepEqual(processesWith(notes), []);
        assert.deepEqual(await readdir(scratch), []);
        countDone(started, 'checks, 0 processes and 0 files left');
      } finally {
        if (before === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = before;
        await rm(scratch, { recursive: true });
        await rm(notes, { recursive: true });
      }
    },
  );
});

interface Circumstances {
  /** Its home, where it is started. */
  readonly scratch: string;
  /**
   * The file that lists the processes that it starts. All of them have its path
   * among their arguments.
   */
  readonly note: string;
  readonly signal: AbortSignal | undefined;
}

async function check(
  kind: string,
  { scratch, note, signal }: Circumstances,
): Promise<string> {
  // One that answers late takes a number.
  const args =
    kind === 'late' ? [program, kind, '60000', note] : [program, kind, note];
  const result: ProbeResult = await probe(
    {
      server: {
        transport: 'stdio',
        command: process.execPath,
        args,
        env: new Map(),
      },
    },
    {
      environment: { PATH: process.env.PATH, HOME: scratch },
      platform: process.platform,
      home: scratch,
      deadline: /^(?:timedOut|notProtocol)$/.test(hostile[kind] ?? '')
        ? 3_000
        : 30_000,
      ...(signal && { signal }),
    },
  );
  return result.kind === 'works' ? 'works' : result.failure.reason;
}

/** The processes that have this among their arguments and still run. */
function processesWith(text: string): string[] {
  const { stdout } = spawnSync('ps', ['-axo', 'stat=,pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'));
}
