import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { cacheFolder } from '../../../src/terminal/cacheFolder.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { root } from '../../host/paths.ts';
import { canary } from './support.ts';
import { itOnPosix } from '../../support/posix.ts';

const source = join(root, 'src', 'cli.ts');

describe('the program of the terminal', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchboard-cli-'));
  });

  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  async function run(
    args: readonly string[],
    { program = source, command = [process.execPath], env = {}, closed = false } = {},
  ) {
    const [name = '', ...first] = command;
    const child = spawn(name, [...first, program, ...args], {
      cwd: home,
      env: { ...process.env, HOME: home, USERPROFILE: home, LOCALAPPDATA: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { out: '', err: '' };
    if (closed) child.stdout.destroy();
    child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
    return { code, ...written };
  }

  it('adds, lists, toggles and removes in the home folder', async () => {
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
    assert.partialDeepStrictEqual(JSON.parse(out), { servers: [{ name: 'a', enabled: false }] });
    assert.match(
      (await run(['mcp', 'list'], { env: { FORCE_COLOR: '1' } })).out,
      /^a {5}○ disabled {2}stdio {6}x -y$/m,
    );
    assert.equal((await run(['mcp', 'remove', 'a'])).code, 0);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { mcpServers: {} });
    assert.deepEqual(await readdir(join(home, '.agent')), ['mcp.json']);
  });

  it('has different exit codes for success, refusal and wrong usage', async () => {
    assert.equal((await run(['mcp', 'list'])).code, 0);
    assert.equal((await run(['mcp', 'get', 'a'])).code, 1);
    assert.equal((await run(['mcp', 'add', 'a'])).code, 2);
    assert.deepEqual(await run(['--version']), { code: 0, out: `${manifest.version}\n`, err: '' });
  });

  it('loses none of the servers added at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `server-${index}`);
    const answers = await Promise.all(
      names.map((name) => run(['mcp', 'add', name, '--transport', 'http', 'https://h'])),
    );
    assert.deepEqual(
      answers.map(({ code, err }) => [code, err]),
      names.map(() => [0, '']),
    );
    const { mcpServers } = JSON.parse(await readFile(join(home, '.agent', 'mcp.json'), 'utf8')) as {
      mcpServers: object;
    };
    assert.deepEqual(Object.keys(mcpServers).sort(), names);
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const servers = Array.from({ length: 20_000 }, (_, index) => [`server-${index}`, { command: 'x' }]);
    const file = join(home, 'many.json');
    await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(servers) as unknown }), {
      mode: 0o600,
    });
    assert.deepEqual(await run(['mcp', 'list', '--file', file], { closed: true }), {
      code: 0,
      out: '',
      err: '',
    });
  });

  itOnPosix('runs in a folder that was deleted, unless a path is relative to it', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const inGone = (...args: string[]) =>
      run(args, { command: ['sh', '-c', script, 'sh', process.execPath] });
    for (const args of [[], ['--file', join(home, 'a.json')], ['--file', '~/a.json']]) {
      const { code, out, err } = await inGone('mcp', 'list', ...args);
      assert.deepEqual([code, err], [0, ''], args.join(' '));
      assert.match(out, /^There are no MCP servers/);
    }
    const message = 'The current folder no longer exists. Go to another folder, or give --file a full path.';
    const { code, out, err } = await inGone('mcp', 'list', '--file', 'a.json', '--json');
    assert.deepEqual([code, err], [1, `Error: ${message}\n`]);
    assert.deepEqual(JSON.parse(out), { error: { kind: 'failed', message } });
  });

  itOnPosix('runs when nothing can be cached', async () => {
    await mkdir(join(home, 'shut'), { mode: 0o500 });
    const { code, err } = await run(['mcp', 'list'], { env: { XDG_CACHE_HOME: join(home, 'shut') } });
    assert.deepEqual([code, err], [0, '']);
    await chmod(join(home, 'shut'), 0o700);
  });

  describe('as built', () => {
    let program: string;
    let built: esbuild.Metafile;

    beforeEach(async () => {
      const config = pathToFileURL(join(root, 'esbuild.terminal.mjs')).href;
      const { terminal } = (await import(config)) as { readonly terminal: esbuild.BuildOptions };
      const outdir = join(home, 'package', 'dist');
      const { metafile } = await esbuild.build({ ...terminal, absWorkingDir: root, outdir, minify: true });
      await writeFile(join(outdir, '../package.json'), '{"type": "module", "version": "1.0.0"}');
      assert.ok(metafile);
      built = metafile;
      program = join(outdir, 'cli.js');
    });

    it('runs', async () => {
      assert.match(await readFile(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
      assert.match((await run(['mcp', 'list'], { program })).out, /^There are no MCP servers/);
      assert.equal((await run(['--version'], { program })).out, '1.0.0\n');
    });

    it('loads nothing for a list that changes the file', () => {
      const loaded = loadedToList(built);
      assert.ok(loaded.has('src/terminal/list.ts') && loaded.has('src/mcp/document.ts'));
      for (const input of [
        'src/terminal/changes.ts',
        'src/terminal/helpTexts.ts',
        'src/mcp/edit.ts',
        'src/mcp/proof.ts',
      ]) {
        assert.ok(input in built.inputs);
        assert.ok(!loaded.has(input), input);
      }
      // zod's description of the format is for the editor, and the other parser is for the tests.
      assert.ok(!Object.keys(built.inputs).some((input) => /zod|schema|jsonc-parser/i.test(input)));
    });

    it('loads no part of Node for a list that takes longer than the list itself', async () => {
      const file = join(home, 'mcp.json');
      const servers = { a: { command: 'x', args: ['-y', 'a'] }, b: { url: 'https://h/mcp' } };
      await writeFile(file, JSON.stringify({ mcpServers: servers }), { mode: 0o600 });
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
      const { code, err } = await run(['mcp', 'list', '--file', file], { program, command });
      assert.deepEqual([code, err], [0, '']);
      const loaded = JSON.parse(await readFile(join(home, 'loaded.json'), 'utf8')) as string[];
      assert.ok(loaded.includes('NativeModule os'), 'It does not say what was loaded.');
      const slow = /promises|stream|crypto|readline|worker|net|tty|zlib/;
      assert.deepEqual(
        loaded.filter((name) => slow.test(name)),
        [],
      );
    });
  });
});

/** The sources of runOnNode.ts and of all that it imports statically. */
function loadedToList({ outputs }: esbuild.Metafile): Set<string> {
  const loaded = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string) => {
    const output = outputs[path];
    if (!output || seen.has(path)) return;
    seen.add(path);
    for (const input of Object.keys(output.inputs)) loaded.add(input);
    for (const { kind, path } of output.imports) if (kind === 'import-statement') visit(path);
  };
  visit(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === 'src/terminal/runOnNode.ts') ?? '');
  return loaded;
}

describe('the folder for compiled code', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchboard-cache-'));
  });

  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  const uid = process.getuid?.();
  const folder = (platform: NodeJS.Platform, env = {}) => cacheFolder({ platform, env, home, uid });

  it('is one of the user’s', () => {
    const given = join(home, 'given');
    assert.equal(folder('linux'), join(home, '.cache/agent-switchboard'));
    assert.equal(folder('linux', { XDG_CACHE_HOME: given }), join(given, 'agent-switchboard'));
    assert.equal(folder('linux', { XDG_CACHE_HOME: 'given' }), join(home, '.cache/agent-switchboard'));
    assert.equal(folder('darwin'), join(home, 'Library/Caches/agent-switchboard'));
    assert.equal(folder('win32'), join(home, 'AppData/Local/agent-switchboard/Cache'));
    assert.equal(folder('win32', { LOCALAPPDATA: given }), join(given, 'agent-switchboard/Cache'));
  });

  it('is not used if the home folder is not an absolute path', () => {
    for (const relative of ['', 'home']) {
      assert.equal(cacheFolder({ platform: 'linux', env: {}, home: relative, uid }), undefined);
      assert.equal(cacheFolder({ platform: 'win32', env: {}, home: relative, uid }), undefined);
    }
  });

  itOnPosix('is created for this user only, and is not used if others can open it', async () => {
    const path = folder('linux') ?? '';
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    assert.equal(folder('linux'), path);
    assert.equal(cacheFolder({ platform: 'linux', env: {}, home, uid: Number(uid) + 1 }), undefined);
    await chmod(path, 0o770);
    assert.equal(folder('linux'), undefined);
    await rm(path, { recursive: true });
    await mkdir(join(home, 'elsewhere'), { mode: 0o700 });
    await symlink(join(home, 'elsewhere'), path);
    assert.equal(folder('linux'), undefined);
    await rm(path);
    await writeFile(path, '');
    assert.equal(folder('linux'), undefined);
  });
});
