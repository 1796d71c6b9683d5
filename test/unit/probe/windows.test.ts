import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { findProgram } from '../../../src/probe/findProgram.ts';
import { startProgram } from '../../../src/probe/processGroup.ts';
import { programEnvironment } from '../../../src/probe/programEnvironment.ts';
import { windowsCommand } from '../../../src/probe/windowsCommand.ts';
import { isRunning } from '../../support/isRunning.ts';
import { itOnPosix, itOnWindows } from '../../support/posix.ts';
import { makeScratch } from './support.ts';

const run = promisify(execFile);

const oddArguments = [
  ...[
    '-y',
    '{"url":"https://x?a=1&b=2"}',
    'a"&calc&"',
    '%PATH%',
    'a^b',
    '!x!',
    'a|b>c<d',
    '(e)',
    'f g',
  ],
  ...['', '"', 'h\\', '\\"', "'"],
];

/**
 * Arguments as a program gets them from a batch file with `program %*`, by the
 * rules of the command processor.
 */
function batchArguments(line: string): {
  readonly file: string;
  readonly args: readonly string[];
} {
  const [file = '', ...words] = wordsOf(
    readLine(line.slice(1, -1).replace(/%PATH%/gi, 'C:\\Windows')),
  );
  // The file of a name with a blank is one word here, because the blank is
  // escaped.
  return {
    file: file.replaceAll('\0', ' '),
    args: argumentsOf(readLine(words.join(' ').replaceAll('\0', ' '))),
  };
}

/**
 * Removes carets. Fails for a sign that would begin another command or name a
 * file. Blanks that were escaped are NUL.
 */
function readLine(line: string): string {
  let isQuoted = false;
  let text = '';
  for (let index = 0; index < line.length; index++) {
    let sign = line[index] ?? '';
    if (!isQuoted && sign === '^') {
      sign = line[++index] ?? '';
      text += sign === ' ' ? '\0' : sign;
      continue;
    }
    if (sign === '"') isQuoted = !isQuoted;
    assert.ok(
      isQuoted || !/[&|<>]/.test(sign),
      `${line} has ${sign} at ${index}`,
    );
    text += sign;
  }
  return text;
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ');
}

/** Splits a command line as the C runtime does. */
function argumentsOf(line: string): readonly string[] {
  const args: string[] = [];
  for (const [word] of line
    .replaceAll('\0', ' ')
    .matchAll(/(?:\\.|"(?:\\[^]|[^"\\])*"|[^\s"])+/g)) {
    assert.ok(word.startsWith('"') && word.endsWith('"'), word);
    args.push(
      word
        .slice(1, -1)
        .replace(/(\\+)("|$)/g, (_, slashes: string, quote: string) => {
          return '\\'.repeat(slashes.length >> 1) + quote;
        }),
    );
  }
  return args;
}

describe('a program on Windows', () => {
  it('starts with its file and arguments unchanged', () => {
    const file = 'C:\\Program Files\\nodejs\\node.exe';
    const args = ['a b', '"c"', '%PATH%', 'd\\'];
    assert.deepEqual(windowsCommand(file, args), {
      file,
      args,
      verbatim: false,
    });
  });

  it('starts a script through cmd.exe with all arguments escaped', () => {
    const { file, args, verbatim } = windowsCommand('C:\\nodejs\\npx.cmd', [
      '-y',
      'a & b',
      '%PATH%',
      '"q" \\',
    ]);
    assert.equal(file, 'cmd.exe');
    assert.equal(verbatim, true);
    assert.deepEqual(args.slice(0, 3), ['/d', '/s', '/c']);
    const line = args[3] ?? '';
    assert.deepEqual(batchArguments(line), {
      file: 'C:\\nodejs\\npx.cmd',
      args: ['-y', 'a & b', '%PATH%', '"q" \\'],
    });
  });

  it('passes every argument unchanged through a batch file that passes all of them on', () => {
    const hostile = fc.constantFrom(
      '"',
      '\\',
      '&',
      '|',
      '<',
      '>',
      '^',
      '%',
      '!',
      '(',
      ')',
      ' ',
      'a',
      '%PATH%',
      'calc',
    );
    const argument = fc
      .array(hostile, { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.constantFrom('C:\\a b\\npx.cmd', 'C:\\x\\run.BAT'),
        fc.array(argument),
        (file, args) => {
          const started = windowsCommand(file, args, 'C:\\Windows\\cmd.exe');
          assert.deepEqual(batchArguments(started.args[3] ?? ''), {
            file,
            args,
          });
        },
      ),
      { numRuns: 2_000, examples: [['C:\\npx.cmd', oddArguments]] },
    );
  });

  itOnWindows(
    'passes every argument unchanged through a real batch file',
    async () => {
      const folder = await makeScratch();
      try {
        const script = join(folder, 'print.mjs');
        const batch = join(folder, 'run it.cmd');
        await writeFile(
          script,
          'console.log(JSON.stringify(process.argv.slice(2)));',
        );
        await writeFile(
          batch,
          `@echo off\r\n"${process.execPath}" "${script}" %*\r\n`,
        );
        const { file, args, verbatim } = windowsCommand(
          batch,
          oddArguments,
          process.env.COMSPEC,
        );
        const { stdout } = await run(file, args, {
          windowsVerbatimArguments: verbatim,
          cwd: folder,
        });
        assert.deepEqual(JSON.parse(stdout), oddArguments);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('gets only the safe variables, whatever the case of their names', () => {
    const from = {
      Path: 'C:\\Windows',
      SystemRoot: 'C:\\Windows',
      SECRET: 'x',
      Temp: 'C:\\T',
      HOME: '/h',
    };
    assert.deepEqual(programEnvironment({}, from, 'win32'), {
      PATH: 'C:\\Windows',
      SYSTEMROOT: 'C:\\Windows',
      TEMP: 'C:\\T',
    });
    assert.deepEqual(programEnvironment({ Path: 'D:\\' }, from, 'win32'), {
      SYSTEMROOT: 'C:\\Windows',
      TEMP: 'C:\\T',
      Path: 'D:\\',
    });
  });

  it('never gets a variable that contains a shell function', () => {
    assert.deepEqual(
      programEnvironment({}, { HOME: '() { :; }; x', USER: 'me' }, 'linux'),
      { USER: 'me' },
    );
  });
});

describe('the search for a program on Windows', () => {
  const files = new Set([
    'C:\\b\\npx',
    'C:\\b\\npx.CMD',
    'C:\\a\\npx.ps1',
    'D:\\work\\tools\\serve.bat',
  ]);
  const found = (
    command: string,
    environment: Readonly<Record<string, string>> = {},
  ) =>
    findProgram({
      ...{ command, platform: 'win32', folder: 'D:\\work' },
      environment: { Path: 'C:\\a;C:\\b;;C:\\a', ...environment },
      // Names have no case there.
      isFile: (path) =>
        Promise.resolve(
          [...files].some((file) => file.toLowerCase() === path.toLowerCase()),
        ),
    });

  it('finds the first file in PATH with an executable extension', async () => {
    assert.deepEqual(await found('npx'), { path: 'C:\\b\\npx.CMD' });
    assert.deepEqual(await found('npx', { PATHEXT: '.EXE;.PS1' }), {
      path: 'C:\\a\\npx.PS1',
    });
  });

  it('finds a program in the working folder or at a relative path', async () => {
    files.add('D:\\work\\npx.EXE');
    assert.deepEqual(await found('npx'), { path: 'D:\\work\\npx.EXE' });
    files.delete('D:\\work\\npx.EXE');
    assert.deepEqual(await found('tools/serve.bat'), {
      path: 'D:\\work\\tools\\serve.bat',
    });
    assert.deepEqual(await found('.\\tools\\serve', { PATHEXT: '.bat' }), {
      path: 'D:\\work\\tools\\serve.bat',
    });
  });

  it('lists each folder of PATH once when nothing is found', async () => {
    assert.deepEqual(await found('uvx'), { lookedIn: ['C:\\a', 'C:\\b'] });
    assert.deepEqual(await found('C:\\none\\uvx.exe'), { lookedIn: [] });
  });
});

describe('the end of a program on Windows', () => {
  let scratch: string;
  const before = process.env.PATH;

  beforeEach(async () => {
    scratch = await makeScratch();
    // It ends the process that it is given, like the one of Windows.
    const script = `#!/bin/sh\necho "$@" >> '${join(scratch, 'called')}'\nkill -9 "$2"\n`;
    await writeFile(join(scratch, 'taskkill'), script, { mode: 0o755 });
    process.env.PATH = `${scratch}:${before ?? ''}`;
  });

  afterEach(async () => {
    process.env.PATH = before;
    await rm(scratch, { recursive: true });
  });

  const start = (code: string) =>
    startProgram(
      { file: process.execPath, args: ['-e', code], verbatim: false },
      {},
      scratch,
      'win32',
    );

  itOnPosix(
    'kills the process tree of a program that keeps running',
    async () => {
      const group = await start('setInterval(() => {}, 1000)');
      await group.end(undefined);
      const { pid = 0 } = group.child;
      assert.equal(
        await readFile(join(scratch, 'called'), 'utf8'),
        `/pid ${pid} /T /F\n`,
      );
      assert.equal(isRunning(pid), false);
    },
  );

  itOnPosix(
    'does not kill a program that exits when its input is closed',
    async () => {
      const group = await start('process.stdin.resume(); console.log("up")');
      // Starting can take longer on a busy machine than a program is given to
      // end.
      assert.ok(group.child.stdout);
      await once(group.child.stdout, 'data');
      await group.end(undefined);
      await assert.rejects(readFile(join(scratch, 'called')), /ENOENT/);
      assert.deepEqual(await group.exited, { code: 0, signal: null });
    },
  );
});

describe('the search for a program', () => {
  let scratch: string;

  beforeEach(async () => {
    scratch = await makeScratch();
  });

  afterEach(async () => {
    await rm(scratch, { recursive: true });
  });

  it('searches each folder of PATH once, in order', async () => {
    const sought = {
      command: 'server',
      platform: process.platform,
      folder: scratch,
    } as const;
    const environment = {
      PATH: ['/no', scratch, '/no'].join(
        process.platform === 'win32' ? ';' : ':',
      ),
    };
    assert.deepEqual(await findProgram({ ...sought, environment }), {
      lookedIn: ['/no', scratch],
    });
    await writeFile(join(scratch, 'server'), '', { mode: 0o700 });
    await writeFile(join(scratch, 'server.EXE'), '');
    assert.match(
      (await findProgram({ ...sought, environment })).path ?? '',
      /server/,
    );
  });
});
