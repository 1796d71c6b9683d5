import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inParallel } from '../../../../src/base/inParallel.ts';
import {
  type AcceptRule,
  coversCommand,
} from '../../../../src/state/approvalRules/acceptRules.ts';
import { plainCommands } from '../../../../src/state/approvalRules/plainCommands.ts';
import { countDone } from '../../../support/done.ts';
import { testRounds } from '../../../support/testRounds.ts';

const lineCount = testRounds(500);

const rules: readonly AcceptRule[] = [
  { command: 'npm test *' },
  { command: 'npm run lint' },
  { command: 'git status *' },
  { command: 'make' },
];

const covered = [
  'npm test',
  'npm run lint',
  'git status',
  'make',
  'npm test -- x',
  'git status "a b"',
  "git status 'a'",
];
const separators = ['; ', ' && ', ' || ', ' | ', ' & ', '\n', ';', '&', ' '];
const oddParts = [
  ...['rm', 'x', '-rf', 'rm x', 'echo hi', 'A=1', 'eval', 'exec', '.', ':'],
  ...["'", '"', '\\', '\\\n', '$', '$(', '`', '(', ')', '{', '}', '${IFS}'],
  ...['<', '>', '>>', '2>&1', '<<x', '&>', '|&', ';;', '#', ' #', '!', '*'],
  ...['~', '=', '?', '[', ']', '[[', ']]', 'if', 'then', 'fi', 'time', 'do'],
  ...['coproc', 'function', 'case', 'in', 'esac', 'for', 'done', 'while'],
  ...['\r', '\t', '\u00a0', '\u200b', '{a,b}', '$$', "$'a'"],
];

/** Lists the commands that a shell would run, and runs none of them. */
const listing = [
  'command_not_found_handle() {',
  String.raw`  /usr/bin/printf '%s\0' "$@" '' >&3`,
  '  "/usr/bin/$OUTCOME"',
  '}',
  'enable -n $(compgen -b)',
].join('\n');

describe('a command line that rules accept', function () {
  this.timeout(120_000);
  let folder: string;
  let startFile: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lines-'));
    startFile = join(folder, 'start.sh');
    await writeFile(startFile, listing);
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** The words of each command that a real shell runs for a line. */
  async function commandsOf(
    line: string,
    outcome: 'true' | 'false',
  ): Promise<readonly (readonly string[])[]> {
    const shell = spawn('/bin/bash', ['-c', line], {
      cwd: folder,
      env: { BASH_ENV: startFile, PATH: '/nowhere', OUTCOME: outcome },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      timeout: 10_000,
    });
    const words = (await text(shell.stdio[3] as Readable)).split('\0');
    const commands: string[][] = [[]];
    for (const word of words.slice(0, -1)) {
      if (word === '') commands.push([]);
      else commands.at(-1)?.push(word);
    }
    return commands.filter(({ length }) => length > 0);
  }

  const isAccepted = (line: string) =>
    plainCommands(line)?.every((words) =>
      rules.some((rule) => coversCommand(rule, words)),
    ) ?? false;

  const pick = <T>(from: readonly T[]): T =>
    from[randomInt(from.length)] ?? assert.fail();

  function randomLine(): string {
    const parts: string[] = [pick(covered)];
    for (let count = randomInt(5); count > 0; count--) {
      parts.push(pick(separators));
      parts.push(pick(randomInt(3) === 0 ? oddParts : covered));
    }
    // Damages some lines anywhere.
    const line = parts.join('');
    const at = randomInt(line.length * 3);
    return (
      line.slice(0, at) +
      (at < line.length ? pick(oddParts) : '') +
      line.slice(at)
    );
  }

  it('runs no command that is not covered, in random lines', async () => {
    const lines = Array.from({ length: lineCount }, randomLine);
    const accepted = lines.filter(isAccepted);
    assert.ok(accepted.length > lineCount / 20, String(accepted.length));
    await inParallel(accepted, 8, async (line) => {
      const commands = await commandsOf(line, pick(['true', 'false']));
      assert.ok(commands.length > 0, line);
      for (const words of commands)
        assert.ok(
          rules.some((rule) => coversCommand(rule, words)),
          JSON.stringify({ line, words }),
        );
    });
    assert.deepEqual(await readdir(folder), ['start.sh']);
    countDone(lineCount, 'random command lines against a shell');
  });

  it('differs from a line with one part that is not covered', async () => {
    for (const line of [
      'npm test; rm x',
      'npm test && rm x',
      'npm test | tee x',
      'npm test & rm x',
      'npm test\nrm x',
      'npm test > x',
      'npm test $(rm x)',
      'npm test `rm x`',
      'npm test $X',
      'npm test "$X"',
      'npm test {a,b}',
      'npm test *',
      "npm test #'\nrm x\n'",
      'npm test \\\nrm',
      'X=1 npm test',
      'time npm test',
      'if npm test; then npm test; fi',
      'npm test && npm run lintx',
      'npm testx',
      'make all',
    ])
      assert.ok(!isAccepted(line), line);
    for (const line of [
      'npm test',
      '  npm   test  ',
      'npm test -- --grep "a b; c"',
      "npm test 'a $b'",
      'npm test; npm run lint && make',
      'npm test &',
      '"npm" test',
    ]) {
      assert.ok(isAccepted(line), line);
      assert.ok((await commandsOf(line, 'true')).length > 0, line);
    }
  });
});
