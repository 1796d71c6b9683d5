import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itOnPosix } from '../../support/posix.ts';
import { check, command, failureOf, makeScratch, serverOf, timeToStart, toolsOf } from './support.ts';

describe('the check of a program', () => {
  let scratch: string;

  beforeEach(async () => {
    scratch = await makeScratch();
  });

  afterEach(async () => {
    await rm(scratch, { recursive: true });
  });

  describe('that works', () => {
    it('says which tools it has, what they do as it says, and who it is', async () => {
      const steps: string[] = [];
      const result = await check(serverOf('good'), { onProgress: (step) => steps.push(step) });
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

    it('speaks the newer version of the protocol, too', async () => {
      const result = await check(serverOf('modern'));
      assert.equal(result.kind, 'works');
      assert.equal(result.serverName, 'modern server');
      assert.equal(result.tools.length, 2);
    });

    it('gets the safe part of the environment and what its entry sets, and nothing else', async () => {
      const environment = { ...process.env, SECRET_OF_THE_EDITOR: 'x', HOME: scratch, BASE_URL: 'https://b' };
      const server = serverOf('environment', { env: { OWN: 'a', URL: '${BASE_URL}/${VERSION:-v1}' } });
      const found = new Map(
        (await toolsOf(server, { environment })).map(({ name, description }) => [name, description]),
      );
      assert.equal(found.get('OWN'), 'a');
      assert.equal(found.get('URL'), 'https://b/v1');
      assert.equal(found.get('HOME'), scratch);
      assert.deepEqual(
        [...found.keys()].filter(
          (name) => !/^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|OWN|URL|__CF_USER_TEXT_ENCODING)$/.test(name),
        ),
        process.platform === 'win32' ? [...found.keys()] : [],
      );
    });

    it('gets its arguments as they are, without a shell, with references replaced', async () => {
      const args = ['a b', '$HOME', '"quoted"', "it's", '; rm -rf x', '*', '${WHO}', '${NOBODY:-no}', 'ü'];
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

    it('starts in the home folder where its entry names none', async () => {
      const tools = await toolsOf(serverOf('arguments'), { home: scratch });
      assert.deepEqual(
        tools.map(({ name }) => name),
        [scratch],
      );
    });

    it('may print other things before the protocol, as agents skip them', async () => {
      assert.equal((await toolsOf(serverOf('banner'))).length, 2);
    });

    it('has the tools of all pages', async () => {
      const tools = await toolsOf(serverOf('pages'));
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['tool_0', 'tool_1', 'tool_2'],
      );
    });

    it('is refused what it asks for: models, folders and answers of the user', async () => {
      assert.equal((await toolsOf(serverOf('asks'))).length, 2);
    });

    it('shows every character of what it says, and shortens it', async () => {
      const tools = await toolsOf(serverOf('controls'));
      const [evil, ...others] = tools;
      assert.deepEqual(others, [{ name: 'twice' }]);
      for (const text of [evil?.name, evil?.title, evil?.description])
        assert.doesNotMatch(text ?? '', /[\p{Cc}\p{Cf}]/u);
      const long = await toolsOf(serverOf('longDescriptions'));
      assert.equal(long.length, 50);
      assert(long.every(({ description = '' }) => description.length <= 2_000));
    });

    it('shows no key of its entry in what it says', async () => {
      const tools = await toolsOf(serverOf('repeatsKey', { env: { API_KEY: 'canary-Zx81' } }));
      assert.deepEqual(tools, [{ name: 'login', description: 'Signs in with ••••••' }]);
    });
  });

  describe('that does not work', () => {
    it('says that there is no such program, and where it was looked for', async () => {
      const failure = await failureOf(
        command(['no-such-program-here', 'x'], { PATH: '/nowhere:/elsewhere' }),
      );
      if (process.platform === 'win32') assert.equal(failure.reason, 'programNotFound');
      else {
        const lookedIn = ['/nowhere', '/elsewhere'];
        assert.deepEqual(failure, { reason: 'programNotFound', program: 'no-such-program-here', lookedIn });
      }
    });

    it('says that there is no such file', async () => {
      const program = join(scratch, 'server');
      assert.deepEqual(await failureOf(command([program])), {
        reason: 'programNotFound',
        program,
        lookedIn: [],
      });
    });

    itOnPosix('says that a program is there and cannot be run', async () => {
      const program = join(scratch, 'server');
      await writeFile(program, '#!/bin/sh\n', { mode: 0o600 });
      const failure = { reason: 'programNotExecutable', program };
      assert.deepEqual(await failureOf(command([program])), failure);
      assert.deepEqual(await failureOf(command(['server'], { PATH: scratch })), failure);
      await writeFile(join(scratch, 'script'), '#!/no/such/interpreter\n', { mode: 0o700 });
      const script = { reason: 'programNotExecutable', program: join(scratch, 'script') };
      assert.deepEqual(await failureOf(command(['script'], { PATH: scratch })), script);
    });

    it('says that its folder does not exist', async () => {
      const folder = join(scratch, 'none');
      assert.deepEqual(await failureOf(serverOf('good'), { cwd: folder }), {
        reason: 'folderNotFound',
        folder,
      });
    });

    it('says with which code it ended and what it printed last, without its key and with every character visible', async () => {
      assert.deepEqual(await failureOf(serverOf('exits', { env: { API_KEY: 'canary-Zx81' } })), {
        reason: 'exited',
        code: 3,
        lastLines: ['Usage: server --root PATH', 'Error: the key •••••• is wrong'],
      });
    });

    it('says that it ended while it was asked for its tools', async () => {
      const failure = await failureOf(serverOf('exitsLate'));
      assert.deepEqual(failure, { reason: 'exited', code: 1, lastLines: ['out of memory'] });
    });

    itOnPosix('says which signal ended it', async () => {
      const failure = await failureOf(serverOf('crashes'));
      assert.equal(failure.reason, 'exited');
      assert.equal(failure.killedBy, 'SIGSEGV');
      assert.equal(failure.code, null);
    });

    it('says that it prints something else than the protocol', async () => {
      const failure = await failureOf(serverOf('other'), { deadline: timeToStart });
      assert.deepEqual(failure, {
        reason: 'notProtocol',
        lastLines: ['Listening on http://localhost:3000', '>'],
      });
    });

    it('says what it was waiting for when the time was over', async () => {
      const deadline = timeToStart;
      const waited = { silent: 'initialising', deaf: 'initialising', late: 'listing' };
      await Promise.all(
        Object.entries(waited).map(async ([kind, waitingFor]) => {
          const failure = await failureOf(serverOf(kind), { deadline });
          assert.deepEqual(failure, {
            reason: 'timedOut',
            waitingFor,
            milliseconds: deadline,
            lastLines: [],
          });
        }),
      );
    });

    it('names the variables that are not set here, and starts nothing', async () => {
      const file = join(scratch, 'started');
      const script = `require('fs').writeFileSync(${JSON.stringify(file)}, '')`;
      const server = command([process.execPath, '-e', script, '${NOT_SET}', '${HOME}', '${ALSO:-here}'], {
        KEY: '${NEITHER_SET}',
      });
      assert.deepEqual(await failureOf(server), {
        reason: 'variableMissing',
        names: ['NOT_SET', 'NEITHER_SET'],
      });
      await assert.rejects(readFile(file));
    });

    itOnPosix('leaves to a shell what a shell replaces', async () => {
      const failure = await failureOf(command(['sh', '-c', 'A=seen; echo "${A}" >&2; exit 4']));
      assert.deepEqual(failure, { reason: 'exited', code: 4, lastLines: ['seen'] });
    });

    it('says which version of the protocol it speaks', async () => {
      assert.deepEqual(await failureOf(serverOf('version')), {
        reason: 'protocolVersion',
        theirs: '2099-01-01',
      });
    });

    it('ends one that sends too much, on whatever way', async () => {
      const kinds = ['floodsOut', 'floodsErr', 'endlessLine', 'floodsRequests', 'manyTools', 'endlessPages'];
      const failures = await Promise.all(kinds.map((kind) => failureOf(serverOf(kind))));
      assert.deepEqual(
        failures.map((failure) => failure.reason === 'tooMuch' && failure.of),
        ['bytes', 'bytes', 'bytes', 'messages', 'tools', 'pages'],
      );
    });

    it('says that it has no tools, in its own words', async () => {
      const failure = await failureOf(serverOf('noTools'));
      assert.equal(failure.reason, 'other');
      assert.match(failure.detail, /Method not found/);
    });

    it('says that its list of tools is not valid', async () => {
      const failure = await failureOf(serverOf('badTools'));
      assert.equal(failure.reason, 'other');
      assert.notEqual(failure.detail, '');
    });

    it('says that an argument cannot be passed to a program', async () => {
      const failure = await failureOf(command([process.execPath, 'a\u0000b']));
      assert.equal(failure.reason, 'other');
    });
  });
});
