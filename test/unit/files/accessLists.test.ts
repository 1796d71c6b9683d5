import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import type { Machine } from '../../../src/files/machine.ts';
import { runProgram } from '../../../src/files/systemPrograms.ts';
import { lossText } from '../../../src/files/losses.ts';
import { updateConfig } from '../../../src/files/update.ts';
import {
  hasAccessList,
  setAccessList,
} from '../../support/files/accessList.ts';
import { modeOf, scratchFolder } from '../../support/files/scratch.ts';
import { itOnPosix } from '../../support/posix.ts';

/** The output of each installed program for its parameters. */
type Programs = Readonly<
  Record<string, (parameters: readonly string[]) => string | undefined>
>;

describe('changing a file with an access control list', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  /** Changes a file of this mode on a Linux with these programs. */
  async function change(
    mode: number,
    programs: Programs,
    platform: NodeJS.Platform = 'linux',
  ) {
    await writeFile(file(), '{}');
    await chmod(file(), mode);
    const asked: string[] = [];
    const { losses, openToOthers } = await updateConfig(
      file(),
      (text) => `${text}\n`,
      {
        platform,
        runProgram: (name, parameters) => {
          asked.push(name);
          return Promise.resolve(programs[name]?.(parameters));
        },
      },
    );
    return { mode: await modeOf(file()), losses, openToOthers, asked };
  }

  /** A program that fails if a file is missing. */
  const onFiles =
    (print: (paths: readonly string[], options: readonly string[]) => string) =>
    (parameters: readonly string[]): string | undefined => {
      const paths = parameters.filter(
        (parameter) => !parameter.startsWith('-'),
      );
      const options = parameters.filter((parameter) =>
        parameter.startsWith('-'),
      );
      return paths.every((path) => existsSync(path))
        ? print(paths, options)
        : undefined;
    };

  const plus: Programs = {
    ls: onFiles(([first = '', second = '']) => {
      return `-rw-rw----+ 1 a a a 2 Nov 22 10:00 ${first}\n-rw------- 1 a a a 2 Nov 22 10:00 ${second}\n`;
    }),
  };
  const none: Programs = {
    ls: onFiles((paths) =>
      paths.map((path) => `-rw-rw---- 1 a a a 2 ${path}\n`).join(''),
    ),
  };

  /** Prints more than `setfacl` takes unless its options are given. */
  const getfacl = onFiles(([path = ''], options) => {
    const has = (option: string) => options.includes(option);
    return [
      ...(has('--omit-header') ? [] : [`# file: ${path.slice(1)}`]),
      'user::rw-',
      `user:${has('--numeric') ? '1234' : 'somebody'}:rw-${has('--no-effective') ? '' : '\t#effective:r--'}`,
      'group::---\nmask::rw-\nother::---',
      ...(has('--access') ? [] : ['default:user::rw-']),
      '\n',
    ].join('\n');
  });

  /** Its `ls` has few options, and never shows a plus. */
  const busyBox: Programs = {
    ls: (parameters) =>
      parameters.includes('--author') ? undefined : none.ls?.(parameters),
  };

  itOnPosix('runs no program for a private file, or on macOS', async () => {
    for (const mode of [0o600, 0o700]) {
      assert.deepEqual(await change(mode, {}), {
        mode,
        losses: [],
        openToOthers: false,
        asked: [],
      });
    }
    const elsewhere = await change(0o640, {}, 'darwin');
    assert.deepEqual(elsewhere, {
      mode: 0o640,
      losses: [],
      openToOthers: true,
      asked: [],
    });
  });

  itOnPosix('runs only ls if the file has no list', async () => {
    const expected = {
      mode: 0o664,
      losses: [],
      openToOthers: true,
      asked: ['ls'],
    };
    assert.deepEqual(await change(0o664, none), expected);
  });

  itOnPosix(
    'copies the list if the system has getfacl and setfacl',
    async () => {
      const set: string[] = [];
      const programs: Programs = {
        ...plus,
        getfacl,
        setfacl: onFiles((paths, [option = '']) => {
          set.push(option, ...paths);
          return '';
        }),
      };
      const { losses, asked } = await change(0o660, programs);
      assert.deepEqual([losses, asked], [[], ['ls', 'getfacl', 'setfacl']]);
      const [option, path = '', ...others] = set;
      assert.equal(
        option,
        '--set=user::rw-,user:1234:rw-,group::---,mask::rw-,other::---',
      );
      assert.match(path, /\.mcp\.json\.[\w-]+\.\d+\.[0-9a-f]{16}\.tmp$/);
      assert.deepEqual(others, []);
    },
  );

  itOnPosix(
    'makes the file private if the list cannot be copied, and says so',
    async () => {
      const cases: readonly Programs[] = [
        plus,
        { ...plus, getfacl, setfacl: () => undefined },
      ];
      for (const programs of cases) {
        const { mode, losses, openToOthers } = await change(0o660, programs);
        assert.deepEqual(
          [mode, losses, openToOthers],
          [0o600, ['access'], false],
        );
      }
      assert.match(
        lossText('access'),
        /^Fewer users than before can use the file, .*Install them/,
      );
    },
  );

  itOnPosix(
    'gives the group only what others have if ls cannot detect a list',
    async () => {
      for (const [before, after] of [
        [0o660, 0o600],
        [0o640, 0o600],
        [0o664, 0o644],
        [0o644, 0o644],
        [0o666, 0o666],
        [0o755, 0o755],
      ] as const) {
        for (const programs of [{}, busyBox]) {
          const { mode, losses } = await change(before, programs);
          assert.deepEqual(
            [mode, losses],
            [after, before === after ? [] : ['access']],
            before.toString(8),
          );
        }
      }
    },
  );

  if (process.platform !== 'linux') return;

  /** True if a user can read the file; `undefined` if the test may not try. */
  function canRead(uid: number, gid: number): boolean | undefined {
    if (process.getuid?.() !== 0) return undefined;
    return spawnSync('cat', [file()], { uid, gid }).status === 0;
  }

  const onlyLs: Partial<Machine> = {
    runProgram: (name, parameters) =>
      name === 'ls' ? runProgram(name, parameters) : Promise.resolve(undefined),
  };

  for (const [programs, options] of [
    ['all programs of this machine', {}],
    ['only its ls', onlyLs],
  ] as const) {
    it(`gives no access to a user without it, with ${programs}`, async () => {
      await chmod(folder.path(), 0o711);
      await writeFile(file(), '{}', { mode: 0o600 });
      setAccessList(file());
      assert.ok(
        hasAccessList(file()) && (await modeOf(file())) === 0o660,
        'The list was not set.',
      );
      const { gid } = await stat(file());
      assert.notEqual(canRead(4_321, gid), true);
      const { losses } = await updateConfig(
        file(),
        (text) => `${text}\n`,
        options,
      );
      assert.notEqual(canRead(4_321, gid), true);
      if (losses.length === 0) assert.ok(hasAccessList(file()));
      else
        assert.deepEqual([losses, await modeOf(file())], [['access'], 0o600]);
    });

    it(`copies no default list from the folder, with ${programs}`, async () => {
      await chmod(folder.path(), 0o711);
      await writeFile(file(), '{}');
      await chmod(file(), 0o660);
      setAccessList(folder.path(), 'default');
      const { losses } = await updateConfig(
        file(),
        (text) => `${text}\n`,
        options,
      );
      assert.notEqual(canRead(1_234, 1_234), true);
      assert.equal(hasAccessList(file()), false);
      assert.equal(await modeOf(file()), losses.length === 0 ? 0o660 : 0o600);
    });
  }
});

describe('a system program', () => {
  const folder = scratchFolder();

  itOnPosix(
    'returns its output, or nothing if it fails or is missing',
    async () => {
      assert.match((await runProgram('ls', ['-ld', '/'])) ?? '', /^drwx/);
      assert.equal(await runProgram('ls', [folder.path('missing')]), undefined);
      assert.equal(await runProgram('no-such-program', []), undefined);
      assert.equal(await runProgram('ls', ['\0']), undefined);
    },
  );

  itOnPosix('comes from the system folders, not from the PATH', async () => {
    await mkdir(folder.path('bin'));
    await writeFile(folder.path('bin/ls'), '#!/bin/sh\necho mine\n', {
      mode: 0o700,
    });
    const before = process.env.PATH;
    process.env.PATH = `${folder.path('bin')}:${before}`;
    try {
      assert.match((await runProgram('ls', ['-ld', '/'])) ?? '', /^drwx/);
      assert.equal(await runProgram('ls', [], [folder.path('bin')]), 'mine\n');
    } finally {
      process.env.PATH = before;
    }
  });
});
