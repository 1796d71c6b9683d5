import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import manifest from '../../../package.json' with { type: 'json' };
import { root } from '../../host/paths.ts';
import { canary } from './support.ts';
import { circlesIn } from '../../support/circles.ts';
import { itOnPosix } from '../../support/posix.ts';

const source = join(root, 'src', 'cli.ts');

describe('the switchboard program', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchboard-cli-'));
  });

  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  interface Circumstances {
    readonly program?: string;
    readonly command?: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
    /** Nobody reads the output. */
    readonly closed?: boolean;
    /** An open file for each output, instead of what is returned. */
    readonly out?: number;
    readonly err?: number;
    readonly user?: { readonly uid?: number; readonly gid?: number };
  }

  async function run(
    args: readonly string[],
    {
      program = source,
      command = [process.execPath],
      env,
      closed,
      out,
      err,
      user,
    }: Circumstances = {},
  ) {
    const [name = '', ...first] = command;
    const child = spawn(name, [...first, program, ...args], {
      cwd: home,
      env: {
        ...process.env,
        HOME: home,
        USERPROFILE: home,
        LOCALAPPDATA: home,
        ...env,
      },
      stdio: ['ignore', out ?? 'pipe', err ?? 'pipe'],
      ...user,
    });
    const written = { out: '', err: '' };
    if (closed === true) child.stdout?.destroy();
    child.stdout
      ?.setEncoding('utf8')
      .on('data', (text: string) => (written.out += text));
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (written.err += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
    return { code, ...written };
  }

  it('adds, disables, lists and removes a server in the home folder', async () => {
    const file = join(home, '.agent', 'mcp.json');
    const added = await run([
      'mcp',
      'add',
      'a',
      '--transport',
      'stdio',
      '--env',
      `A=${canary}`,
      'x',
      '--',
      '-y',
    ]);
    assert.deepEqual([added.code, added.err], [0, '']);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
      mcpServers: { a: { command: 'x', args: ['-y'], env: { A: canary } } },
    });
    assert.equal((await run(['mcp', 'disable', 'a'])).code, 0);
    const { out } = await run(['mcp', 'list', '--json']);
    assert.partialDeepStrictEqual(JSON.parse(out), {
      servers: [{ name: 'a', enabled: false }],
    });
    assert.match(
      (await run(['mcp', 'list'], { env: { FORCE_COLOR: '1' } })).out,
      /^a {5}○ disabled {2}stdio {6}x -y$/m,
    );
    assert.equal((await run(['mcp', 'remove', 'a'])).code, 0);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
      mcpServers: {},
    });
    assert.deepEqual(await readdir(join(home, '.agent')), ['mcp.json']);
  });

  it('exits with 0 for success, 1 for refusal and 2 for wrong usage', async () => {
    assert.equal((await run(['mcp', 'list'])).code, 0);
    assert.equal((await run(['mcp', 'get', 'a'])).code, 1);
    assert.equal((await run(['mcp', 'add', 'a'])).code, 2);
    assert.deepEqual(await run(['--version']), {
      code: 0,
      out: `${manifest.version}\n`,
      err: '',
    });
  });

  it('exits with 1 after a check only if a file is refused or unreadable', async () => {
    const write = async (name: string, text: string) => {
      await writeFile(join(home, name), text);
      return name;
    };
    const sound = await write('sound.json', '{"mcpServers": {}}');
    const warned = await write(
      'warned.json',
      '{"servers": {"a": {"command": "x"}}}',
    );
    const refused = await write('refused.json', '{"mcpServers": {"a": {}}}');
    const codeFor = async (...args: string[]) =>
      (await run(['mcp', 'check', ...args])).code;
    assert.deepEqual(
      await Promise.all([
        codeFor(sound),
        codeFor(sound, warned, '--json'),
        codeFor(sound, refused),
        codeFor(refused, '--json'),
        codeFor('missing.json', sound),
        codeFor('--sound', sound),
      ]),
      [0, 0, 1, 1, 1, 2],
    );
  });

  it('keeps all servers added at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `server-${index}`);
    const answers = await Promise.all(
      names.map((name) =>
        run(['mcp', 'add', name, '--transport', 'http', 'https://h']),
      ),
    );
    assert.deepEqual(
      answers.map(({ code, err }) => [code, err]),
      names.map(() => [0, '']),
    );
    const { mcpServers } = JSON.parse(
      await readFile(join(home, '.agent', 'mcp.json'), 'utf8'),
    ) as {
      mcpServers: object;
    };
    assert.deepEqual(Object.keys(mcpServers).sort(), names);
  });

  it('exits quietly when its output is closed', async () => {
    const servers = Array.from({ length: 20_000 }, (_, index) => [
      `server-${index}`,
      { command: 'x' },
    ]);
    const file = join(home, 'many.json');
    await writeFile(
      file,
      JSON.stringify({ mcpServers: Object.fromEntries(servers) as unknown }),
      {
        mode: 0o600,
      },
    );
    assert.deepEqual(
      await run(['mcp', 'list', '--file', file], { closed: true }),
      {
        code: 0,
        out: '',
        err: '',
      },
    );
  });

  itOnPosix('runs in a deleted folder unless a path is relative', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const inGone = (...args: string[]) =>
      run(args, { command: ['sh', '-c', script, 'sh', process.execPath] });
    for (const args of [
      [],
      ['--file', join(home, 'a.json')],
      ['--file', '~/a.json'],
    ]) {
      const { code, out, err } = await inGone('mcp', 'list', ...args);
      assert.deepEqual([code, err], [0, ''], args.join(' '));
      assert.match(out, /^There are no MCP servers/);
    }
    const message =
      'The current folder no longer exists. Go to another folder, or give --file a full path.';
    const { code, out, err } = await inGone(
      'mcp',
      'list',
      '--file',
      'a.json',
      '--json',
    );
    assert.deepEqual([code, err], [1, `Error: ${message}\n`]);
    assert.deepEqual(JSON.parse(out), { error: { kind: 'failed', message } });
  });

  describe('without a home folder', () => {
    /**
     * A user whom the system does not list; where the test may not become one,
     * the system says the same as to one.
     */
    async function nobody(): Promise<Circumstances> {
      const env = { HOME: undefined };
      await chmod(home, 0o777);
      if (process.getuid?.() === 0)
        return { env, user: { uid: 12_345, gid: 12_345 } };
      const preload = join(await mkdtemp(join(home, 'preload-')), 'nobody.cjs');
      await writeFile(
        preload,
        `require('node:os').homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };
        require('node:module').syncBuiltinESMExports();`,
      );
      return { env, command: [process.execPath, '--require', preload] };
    }

    for (const [title, circumstances] of [
      ['when HOME is empty', () => ({ env: { HOME: '' } })],
      ['when HOME is not an absolute path', () => ({ env: { HOME: 'home' } })],
      ['when the system does not know the user', nobody],
    ] as const) {
      itOnPosix(
        `runs what needs no home folder, and suggests --file for the rest, ${title}`,
        async () => {
          const where = await circumstances();
          const before = await readdir(home);
          const { code, out, err } = await run(['--version'], where);
          assert.deepEqual([code, out, err], [0, `${manifest.version}\n`, '']);
          assert.equal((await run(['mcp', 'add', '--help'], where)).code, 0);
          const add = ['mcp', 'add', 'a', '--transport', 'http', 'https://h'];
          for (const args of [['mcp', 'list'], add]) {
            const { code, out, err } = await run(args, where);
            assert.deepEqual([code, out], [1, '']);
            assert.match(
              err,
              /^Error: There is no usual place for the configuration file, .*--file.*\n$/,
            );
          }
          assert.deepEqual(await readdir(home), before);
          const file = join(home, 'given.json');
          assert.deepEqual(
            (await run([...add, '--file', file], where)).err,
            '',
          );
          const { out: list } = await run(['mcp', 'list'], {
            ...where,
            env: { ...where.env, SWITCHBOARD_MCP_FILE: file },
          });
          assert.match(list, /^a {5}✓ enabled/m);
          assert.deepEqual(
            await readdir(home),
            [...before, 'given.json'].sort(),
          );
        },
      );
    }
  });

  if (process.platform === 'linux') {
    it('exits with 3 when its output cannot be written, and says what it changed', async () => {
      const full = openSync('/dev/full', 'w');
      try {
        const file = join(home, '.agent', 'mcp.json');
        const add = ['mcp', 'add', 'a', '--transport', 'http', 'https://h'];
        const { code, err } = await run(add, { out: full });
        assert.equal(code, 3);
        assert.match(
          err,
          /^Error: The answer could not be written: ENOSPC.*\. Added a \(http, ✓ enabled\) to .*\n$/,
        );
        assert.ok(err.includes(file));
        assert.partialDeepStrictEqual(
          JSON.parse(await readFile(file, 'utf8')),
          { mcpServers: { a: {} } },
        );
        for (const args of [
          ['mcp', 'list'],
          ['mcp', 'get', 'a', '--json'],
          ['--version'],
          ['--help'],
        ]) {
          const { code, err } = await run(args, { out: full });
          assert.equal(code, 3);
          assert.match(
            err,
            /^Error: The answer could not be written: ENOSPC.*\n$/,
          );
        }
        const refused = await run(['mcp', 'get', 'b', '--json'], { out: full });
        assert.equal(refused.code, 1);
        assert.match(refused.err, /^Error: There is no server "b"\..*\n$/);
        await chmod(file, 0o644);
        const warned = await run(['mcp', 'list'], { err: full });
        assert.equal(warned.code, 0);
        assert.match(warned.out, /^a {5}✓ enabled/m);
        assert.equal((await run(['mcp', 'get', 'b'], { err: full })).code, 1);
      } finally {
        closeSync(full);
      }
    });
  }

  describe('as built', () => {
    let program: string;
    let built: esbuild.Metafile;

    beforeEach(async () => {
      const config = pathToFileURL(join(root, 'build/programs.mjs')).href;
      const { programs } = (await import(config)) as Programs;
      const outdir = join(home, 'package', 'dist');
      const { metafile, outputFiles } = await esbuild.build({
        ...programs,
        absWorkingDir: root,
        outdir,
        minify: true,
      });
      await mkdir(join(outdir, 'chunks'), { recursive: true });
      for (const { path, contents } of outputFiles)
        await writeFile(path, contents);
      await writeFile(
        join(outdir, '../package.json'),
        '{"type": "module", "version": "1.0.0"}',
      );
      built = metafile;
      program = join(outdir, 'cli.cjs');
    });

    it('lists servers, checks a file and prints its version', async () => {
      assert.match(
        await readFile(program, 'utf8'),
        /^#!\/usr\/bin\/env node\n/,
      );
      assert.match(
        (await run(['mcp', 'list'], { program })).out,
        /^There are no MCP servers/,
      );
      assert.equal((await run(['--version'], { program })).out, '1.0.0\n');
      await writeFile(join(home, 'mcp.json'), '{"mcpServers": {"a": {}}}');
      const { code, out } = await run(['mcp', 'check', 'mcp.json'], {
        program,
      });
      assert.equal(code, 1);
      assert.match(
        out,
        /mcp\.json:1:17 {2}error {2}"a" has neither a command nor a URL\./,
      );
    });

    it('checks a server with the built MCP client', async () => {
      const args = [join(root, 'test/support/servers/program.ts'), 'good'];
      await writeFile(
        join(home, 'mcp.json'),
        JSON.stringify({
          mcpServers: { it: { command: process.execPath, args } },
        }),
        { mode: 0o600 },
      );
      const check = ['mcp', 'check', '--run', 'it', '--file', 'mcp.json'];
      const { code, out } = await run([...check, '--yes'], { program });
      assert.equal(code, 0);
      assert.match(out, /^✓ 2 tools in /);
      assert.equal((await run(check, { program })).code, 2);
    });

    it('lists servers without loading code for changes, checks and help', () => {
      const loaded = loadedFrom('src/cli.ts', built, ['import-statement']);
      assert.ok(
        loaded.has('src/terminal/showServers.ts') &&
          loaded.has('src/mcp/format/document.ts'),
      );
      for (const input of [
        'src/terminal/serverChanges.ts',
        'src/terminal/check.ts',
        'src/terminal/checkServer.ts',
        'src/probe/probe.ts',
        'src/terminal/otherFormat.ts',
        'src/mcp/problems/findProblems.ts',
        'src/terminal/helpTexts.ts',
        'src/mcp/edit/editText.ts',
        'src/mcp/edit/proof.ts',
      ]) {
        assert.ok(input in built.inputs);
        assert.ok(!loaded.has(input), input);
      }
    });

    it('has no cycles among its scripts', () => {
      const required = Object.entries(built.outputs).map(
        ([path, { imports }]) => {
          const atOnce = imports.filter(
            ({ kind, external }) =>
              kind === 'import-statement' && external !== true,
          );
          return [path, atOnce.map(({ path }) => path)] as const;
        },
      );
      assert.ok(required.flatMap(([, paths]) => paths).length > 50);
      assert.deepEqual(circlesIn(new Map(required)), []);
    });

    it('never loads code of the editor, state or services', () => {
      const loaded = loadedFrom('src/cli.ts', built, [
        'import-statement',
        'dynamic-import',
      ]);
      assert.ok(
        loaded.has('src/terminal/serverChanges.ts') &&
          loaded.has('src/probe/probe.ts'),
      );
      // The schema describes the format for the editor.
      const other =
        /^src\/(editor|state|service|demo)\/|^src\/mcp\/format\/(jsonS|s)chema/;
      assert.deepEqual(
        [...loaded].filter((input) => other.test(input)),
        [],
      );
    });

    it('lists servers without loading slow Node modules', async () => {
      const file = join(home, 'mcp.json');
      const servers = {
        a: { command: 'x', args: ['-y', 'a'] },
        b: { url: 'https://h/mcp' },
      };
      await writeFile(file, JSON.stringify({ mcpServers: servers }), {
        mode: 0o600,
      });
      const listener = join(home, 'listener.cjs');
      await writeFile(
        listener,
        `const { writeFileSync } = require('node:fs');
        const before = new Set(process.moduleLoadList);
        process.once('exit', () => {
          const loaded = process.moduleLoadList.filter((name) => !before.has(name));
          writeFileSync(${JSON.stringify(join(home, 'loaded.json'))}, JSON.stringify(loaded));
        });`,
      );
      const command = [process.execPath, '--require', listener];
      const { code, err } = await run(['mcp', 'list', '--file', file], {
        program,
        command,
      });
      assert.deepEqual([code, err], [0, '']);
      const loaded = JSON.parse(
        await readFile(join(home, 'loaded.json'), 'utf8'),
      ) as string[];
      assert.ok(
        loaded.includes('NativeModule os'),
        'It does not say what was loaded.',
      );
      const slow = /promises|stream|crypto|readline|worker|net|tty|zlib/;
      assert.deepEqual(
        loaded.filter((name) => slow.test(name)),
        [],
      );
    });
  });
});

interface Programs {
  readonly programs: esbuild.BuildOptions & {
    readonly metafile: true;
    readonly write: false;
  };
}

/** The sources that come with one, by imports of these kinds. */
function loadedFrom(
  source: string,
  { outputs }: esbuild.Metafile,
  kinds: readonly string[],
): ReadonlySet<string> {
  const loaded = new Set<string>();
  const files = new Set<string>();
  const visit = (path: string) => {
    const output = outputs[path];
    if (!output || files.has(path)) return;
    files.add(path);
    for (const input of Object.keys(output.inputs)) loaded.add(input);
    for (const { kind, path } of output.imports)
      if (kinds.includes(kind)) visit(path);
  };
  visit(
    Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source) ??
      '',
  );
  return loaded;
}
