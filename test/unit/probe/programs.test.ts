import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { probe, type ProbeStep } from '../../../src/probe/probe.ts';
import { itOnPosix } from '../../support/posix.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import {
  check,
  command,
  failureOf,
  makeScratch,
  serverOf,
  timeToStart,
  toolsOf,
} from './support.ts';

describe('the check of a program', () => {
  let scratch: string;

  beforeEach(async () => {
    scratch = await makeScratch();
  });

  afterEach(async () => {
    await rm(scratch, { recursive: true });
  });

  describe('of a working program', () => {
    it('reports the tools with their descriptions, and the name and version of the server', async () => {
      const steps: string[] = [];
      const result = await check(serverOf('good'), {
        onProgress: (step) => steps.push(step),
      });
      assert.equal(result.kind, 'works');
      assert.deepEqual(result.tools, [
        { name: 'read_it', description: 'Reads a file', readOnly: true },
        { name: 'delete_it', title: 'Delete it', destructive: true },
      ]);
      assert.equal(result.serverName, 'test server');
      assert.equal(result.serverVersion, '1.2.3');
      assert(result.milliseconds > 0);
      assert.deepEqual(steps, ['starting', 'initialising', 'listing']);
    });

    it('supports the newer version of the protocol', async () => {
      const result = await check(serverOf('modern'));
      assert.equal(result.kind, 'works');
      assert.equal(result.serverName, 'modern server');
      assert.equal(result.tools.length, 2);
    });

    it('notices a server that ignores the newer handshake, and leaves it out the next time', async () => {
      const server = serverOf('ignoresUnknown');
      const result = await check(server, { deadline: 3 * timeToStart });
      assert.ok(
        result.kind === 'works' && result.ignoresFirstQuestion === true,
      );
      assert.ok(result.milliseconds >= timeToStart);
      const next = await probe(
        { server, ignoresFirstQuestion: true },
        { environment: process.env, platform: process.platform, home: scratch },
      );
      assert.ok(next.kind === 'works' && next.ignoresFirstQuestion === true);
      assert.ok(next.milliseconds < 9_000, String(next.milliseconds));
      const good = await check(serverOf('good'));
      assert.ok(good.kind === 'works' && !('ignoresFirstQuestion' in good));
    });

    it('lists the tools of a server that sends 15,000 notifications', async () => {
      assert.equal((await toolsOf(serverOf('floodsNotifications'))).length, 2);
    });

    it('passes only the safe environment variables and those of the entry', async () => {
      const environment = {
        ...process.env,
        SECRET_OF_THE_EDITOR: 'x',
        HOME: scratch,
        BASE_URL: 'https://b',
      };
      const server = serverOf('environment', {
        env: { OWN: 'a', URL: '${BASE_URL}/${VERSION:-v1}' },
      });
      const found = new Map(
        (await toolsOf(server, { environment })).map(
          ({ name, description }) => [name, description],
        ),
      );
      assert.equal(found.get('OWN'), 'a');
      assert.equal(found.get('URL'), 'https://b/v1');
      assert.equal(found.get('HOME'), scratch);
      assert.deepEqual(
        [...found.keys()].filter(
          (name) =>
            !/^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|OWN|URL|__CF_USER_TEXT_ENCODING)$/.test(
              name,
            ),
        ),
        process.platform === 'win32' ? [...found.keys()] : [],
      );
    });

    it('passes arguments without a shell and replaces variable references', async () => {
      const args = [
        'a b',
        '$HOME',
        '"quoted"',
        "it's",
        '; rm -rf x',
        '*',
        '${WHO}',
        '${NOBODY:-no}',
        'ü',
      ];
      const tools = await toolsOf(serverOf('arguments', { args }), {
        environment: { ...process.env, WHO: 'me' },
        cwd: scratch,
      });
      const expected = [...args.slice(0, 6), 'me', 'no', 'ü', scratch];
      assert.deepEqual(
        tools.map(({ name }) => name),
        expected,
      );
    });

    it('starts the program in the home folder when the entry names no folder', async () => {
      const tools = await toolsOf(serverOf('arguments'), { home: scratch });
      assert.deepEqual(
        tools.map(({ name }) => name),
        [scratch],
      );
    });

    it('skips output before the first protocol message', async () => {
      assert.equal((await toolsOf(serverOf('banner'))).length, 2);
    });

    it('lists the tools of all pages', async () => {
      const tools = await toolsOf(serverOf('pages'));
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['tool_0', 'tool_1', 'tool_2'],
      );
    });

    it('refuses requests of the server for models, folders and user input', async () => {
      assert.equal((await toolsOf(serverOf('asks'))).length, 2);
    });

    it('removes control characters from tool texts and shortens long descriptions', async () => {
      const tools = await toolsOf(serverOf('controls'));
      const [evil, ...others] = tools;
      assert.deepEqual(others, [{ name: 'twice' }]);
      assert.equal(evil?.name, 'evil\u001b[2J\u202etool');
      for (const text of [evil.shownName, evil.title, evil.description])
        assert.doesNotMatch(text ?? '', /[\p{Cc}\p{Cf}]/u);
      const long = await toolsOf(serverOf('longDescriptions'));
      assert.equal(long.length, 50);
      assert(long.every(({ description = '' }) => description.length <= 2_000));
    });

    it('masks a key of the entry in the description of a tool', async () => {
      const tools = await toolsOf(
        serverOf('repeatsKey', { env: { API_KEY: 'canary-Zx81' } }),
      );
      assert.deepEqual(tools, [
        { name: 'login', description: 'Signs in with ••••••' },
      ]);
    });

    it('keeps the exact names of tools, and masks a key in them for showing', async () => {
      const env = { API_KEY: 'canary-Zx81', OTHER_KEY: 'canary-Zx82' };
      const tools = await toolsOf(serverOf('repeatsKeysInNames', { env }));
      assert.deepEqual(tools, [
        { name: 'canary-Zx81_search', shownName: '••••••_search' },
        { name: 'canary-Zx82_search', shownName: '••••••_search' },
      ]);
    });
  });

  describe('of a failing program', () => {
    it('reports a missing program and the searched folders', async () => {
      const failure = await failureOf(
        command(['no-such-program-here', 'x'], { PATH: '/nowhere:/elsewhere' }),
      );
      if (process.platform === 'win32')
        assert.equal(failure.reason, 'programNotFound');
      else {
        const lookedIn = ['/nowhere', '/elsewhere'];
        assert.deepEqual(failure, {
          reason: 'programNotFound',
          program: 'no-such-program-here',
          lookedIn,
        });
      }
    });

    it('reports a missing program file', async () => {
      const program = join(scratch, 'server');
      assert.deepEqual(await failureOf(command([program])), {
        reason: 'programNotFound',
        program,
        lookedIn: [],
      });
    });

    itOnPosix('reports a program that exists but cannot run', async () => {
      const program = join(scratch, 'server');
      await writeFile(program, '#!/bin/sh\n', { mode: 0o600 });
      const failure = { reason: 'programNotExecutable', program };
      assert.deepEqual(await failureOf(command([program])), failure);
      assert.deepEqual(
        await failureOf(command(['server'], { PATH: scratch })),
        failure,
      );
      await writeFile(join(scratch, 'script'), '#!/no/such/interpreter\n', {
        mode: 0o700,
      });
      const script = {
        reason: 'programNotExecutable',
        program: join(scratch, 'script'),
      };
      assert.deepEqual(
        await failureOf(command(['script'], { PATH: scratch })),
        script,
      );
    });

    it('reports a missing working folder', async () => {
      const folder = join(scratch, 'none');
      assert.deepEqual(await failureOf(serverOf('good'), { cwd: folder }), {
        reason: 'folderNotFound',
        folder,
      });
    });

    it('reports the exit code and the last lines, without the key or control characters', async () => {
      assert.deepEqual(
        await failureOf(serverOf('exits', { env: { API_KEY: 'canary-Zx81' } })),
        {
          reason: 'exited',
          code: 3,
          lastLines: [
            'Usage: server --root PATH',
            'Error: the key •••••• is wrong',
          ],
        },
      );
    });

    it('reports an exit while listing the tools', async () => {
      const failure = await failureOf(serverOf('exitsLate'));
      assert.deepEqual(failure, {
        reason: 'exited',
        code: 1,
        lastLines: ['out of memory'],
      });
    });

    itOnPosix('reports the signal that ended the program', async () => {
      const failure = await failureOf(serverOf('crashes'));
      assert.equal(failure.reason, 'exited');
      assert.equal(failure.killedBy, 'SIGSEGV');
      assert.equal(failure.code, null);
    });

    it('reports a program that prints something other than the protocol', async () => {
      const failure = await failureOf(serverOf('other'), {
        deadline: timeToStart,
      });
      assert.deepEqual(failure, {
        reason: 'notProtocol',
        lastLines: ['Listening on http://localhost:3000', '>'],
      });
    });

    it('reports the unfinished step when the deadline passes', async () => {
      const deadline = 20_000;
      const waited = {
        silent: 'initialising',
        deaf: 'initialising',
        late: 'listing',
      } as const;
      await Promise.all(
        Object.entries(waited).map(async ([kind, waitingFor]) => {
          const clock = new SteppedClock();
          const onProgress = (step: ProbeStep) => {
            if (step === waitingFor) clock.advance(deadline);
          };
          const failure = await failureOf(serverOf(kind), {
            deadline,
            clock,
            onProgress,
          });
          assert.deepEqual(failure, {
            reason: 'timedOut',
            waitingFor,
            milliseconds: deadline,
            lastLines: [],
          });
        }),
      );
    });

    it('reports the missing variables and does not start the program', async () => {
      const file = join(scratch, 'started');
      const script = `require('fs').writeFileSync(${JSON.stringify(file)}, '')`;
      const server = command(
        [
          process.execPath,
          '-e',
          script,
          '${NOT_SET}',
          '${HOME}',
          '${ALSO:-here}',
        ],
        {
          KEY: '${NEITHER_SET}',
        },
      );
      assert.deepEqual(await failureOf(server), {
        reason: 'variableMissing',
        names: ['NOT_SET', 'NEITHER_SET'],
      });
      await assert.rejects(readFile(file));
    });

    itOnPosix(
      'leaves the variables in a shell script to the shell',
      async () => {
        const failure = await failureOf(
          command(['sh', '-c', 'A=seen; echo "${A}" >&2; exit 4']),
        );
        assert.deepEqual(failure, {
          reason: 'exited',
          code: 4,
          lastLines: ['seen'],
        });
      },
    );

    it('reports an unsupported version of the protocol', async () => {
      assert.deepEqual(await failureOf(serverOf('version')), {
        reason: 'protocolVersion',
        theirs: '2099-01-01',
      });
    });

    it('fails when a program sends too many bytes, messages, tools or pages', async () => {
      const kinds = [
        'floodsOut',
        'floodsErr',
        'endlessLine',
        'floodsRequests',
        'manyTools',
        'endlessPages',
      ];
      const failures = await Promise.all(
        kinds.map((kind) => failureOf(serverOf(kind))),
      );
      assert.deepEqual(
        failures.map((failure) => failure.reason === 'tooMuch' && failure.of),
        ['bytes', 'bytes', 'bytes', 'messages', 'tools', 'pages'],
      );
    });

    it('quotes the error of a program that cannot list tools', async () => {
      const failure = await failureOf(serverOf('noTools'));
      assert.equal(failure.reason, 'other');
      assert.match(failure.detail, /Method not found/);
    });

    it('fails with a reason when the list of tools is invalid', async () => {
      const failure = await failureOf(serverOf('badTools'));
      assert.equal(failure.reason, 'other');
      assert.notEqual(failure.detail, '');
    });

    it('fails when an argument cannot be passed to the program', async () => {
      const failure = await failureOf(command([process.execPath, 'a\u0000b']));
      assert.equal(failure.reason, 'other');
    });
  });
});
