import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CompiledScripts } from '../../../src/terminal/compiledScripts.ts';

const id = '0123456789abcdef';
const hour = 60 * 60 * 1000;
const program = `
  import { CompiledScripts } from ${JSON.stringify(import.meta.resolve('../../../src/terminal/compiledScripts.ts'))};
  const scripts = new CompiledScripts(JSON.parse(process.env.KEEPING));
  console.log(scripts.load(process.env.SCRIPT).double(4));
  scripts.keep();
`;

describe('a script with cached compiled code', () => {
  let home: string;
  let folder: string;
  let script: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchboard-scripts-'));
    folder = join(home, 'cache');
    await mkdir(folder);
    script = join(home, 'script.cjs');
    await writeFile(script, `/*${id}*/module.exports = { double: (n) => 2 * n };`);
  });

  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  /** Doubles 4 in a process of its own: V8 remembers what a process has compiled. */
  async function run(
    given: { readonly folder?: string | undefined; readonly command?: string } = {},
  ): Promise<number> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        env: {
          ...process.env,
          KEEPING: JSON.stringify({ folder, command: 'list', ...given }),
          SCRIPT: script,
        },
      },
    );
    return Number(stdout);
  }

  const keptFiles = async () => (await readdir(folder)).map((name) => join(folder, name));

  async function keptFile(): Promise<string> {
    const files = await keptFiles();
    assert.equal(files.length, 1);
    return files[0] ?? '';
  }

  it('runs as usual, and reuses the same cache file', async () => {
    assert.equal(await run(), 8);
    const file = await keptFile();
    const { ino, mode } = await stat(file);
    if (process.platform !== 'win32') assert.equal(mode & 0o777, 0o600);
    assert.equal(await run(), 8);
    assert.equal((await stat(await keptFile())).ino, ino);
  });

  it('caches only the functions that have run', async () => {
    const functions = ['first', 'second'].map((name) => `${name}: () => ['the text of ${name}'].join()`);
    await writeFile(script, `/*${id}*/module.exports = { double: (n) => 2 * n, ${functions.join()} };`);
    const scripts = new CompiledScripts({ folder, command: 'list' });
    (scripts.load(script) as { readonly first: () => string }).first();
    scripts.keep();
    const kept = await readFile(await keptFile(), 'latin1');
    assert.match(kept, /the text of first/);
    assert.doesNotMatch(kept, /the text of second/);
  });

  it('has a cache file for each command', async () => {
    await run();
    await run({ command: 'add' });
    assert.equal((await keptFiles()).length, 2);
  });

  it('shares the scripts that it requires, and can require Node modules', async () => {
    await writeFile(join(home, 'shared.cjs'), 'module.exports = { list: [] };');
    await writeFile(join(home, 'other.cjs'), 'require("./shared.cjs").list.push("other");');
    await writeFile(
      script,
      'require("./other.cjs"); module.exports = { ...require("./shared.cjs"), join: require("node:path").join };',
    );
    const scripts = new CompiledScripts({ folder, command: 'list' });
    assert.deepEqual(scripts.load(script), { list: ['other'], join });
  });

  it('compiles again after a change, even to the same length', async () => {
    await run();
    const changed = (await readFile(script, 'utf8'))
      .replace('2 * n', '3 * n')
      .replace(id, id.replace('0', '1'));
    await writeFile(script, changed);
    assert.equal(await run(), 12);
  });

  for (const [what, damage] of Object.entries({
    'was cut off': (code: Buffer) => code.subarray(0, code.length / 2 - 10),
    'is empty': () => Buffer.alloc(0),
    'contains only zeros': (code: Buffer) => Buffer.alloc(code.length),
    'ends in zeros': (code: Buffer) => Buffer.from(code).fill(0, Math.floor(code.length / 3)),
    'has one wrong bit': (code: Buffer) => Buffer.from(code).fill((code[200] ?? 0) ^ 1, 200, 201),
    'belongs to another program': () => Buffer.from('another'.repeat(100)),
  })) {
    it(`runs when its cache ${what}, and repairs the cache`, async () => {
      await run();
      const file = await keptFile();
      const good = await readFile(file);
      await writeFile(file, damage(good));
      assert.equal(await run(), 8);
      assert.equal((await readFile(file)).length, good.length);
    });
  }

  it('rewrites its cache file after a day', async () => {
    await run();
    const file = await keptFile();
    const { ino } = await stat(file);
    const passed = (hours: number) => new Date(Date.now() - hours * hour);
    await utimes(file, passed(23), passed(23));
    await run();
    assert.equal((await stat(file)).ino, ino);
    await utimes(file, passed(25), passed(25));
    await run();
    assert.notEqual((await stat(file)).ino, ino);
  });

  it('removes cache folders that were unused for a month', async () => {
    const used = join(folder, 'used');
    const unused = join(folder, 'unused');
    for (const [path, days] of [
      [used, 29],
      [unused, 31],
    ] as const) {
      await mkdir(path);
      await writeFile(join(path, 'file'), '');
      const then = new Date(Date.now() - days * 24 * hour);
      await utimes(path, then, then);
    }
    await run();
    const left = await readdir(folder);
    assert.ok(left.includes('used') && !left.includes('unused'));
  });

  it('runs without a cache folder, and caches nothing without its leading comment', async () => {
    assert.equal(await run({ folder: undefined }), 8);
    assert.equal(await run({ folder: join(home, 'none') }), 8);
    // Without its comment, nobody knows whether a script is still the same.
    await writeFile(script, 'module.exports = { double: (n) => n + n };');
    assert.equal(await run(), 8);
    assert.deepEqual(await keptFiles(), []);
  });
});
