import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { programsOnPath } from '../../../../src/editor/mcpJson/programsOnPath.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

describe('the search for programs of servers', () => {
  let folder: string;
  let clock: SteppedClock;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-programs-'));
    clock = new SteppedClock();
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function program(name: string, mode = 0o755): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, 'exit 1');
    await chmod(path, mode);
    return path;
  }

  const on = (platform: NodeJS.Platform, PATH: string, PATHEXT?: string) =>
    programsOnPath({
      platform,
      clock,
      environment: { PATH, ...(PATHEXT && { PATHEXT }) },
    });

  it('finds a program in any folder of the PATH, or by its full path', async () => {
    const path = await program('there');
    const isInstalled = on('linux', ['/nowhere', '', folder].join(delimiter));
    assert.ok(await isInstalled('there'));
    assert.ok(await isInstalled(path));
    assert.ok(!(await isInstalled('elsewhere')));
    assert.ok(!(await isInstalled(`${path}-not`)));
    assert.ok(!(await on('linux', '')('there')));
  });

  it('ignores folders, and files that are not executable', async () => {
    await program('text', 0o644);
    await mkdir(join(folder, 'folder'));
    const isInstalled = on('linux', folder);
    assert.ok(!(await isInstalled('folder')));
    if (process.getuid?.() !== 0) assert.ok(!(await isInstalled('text')));
  });

  it('never reports a relative path as missing', async () => {
    assert.ok(await on('linux', folder)('./server'));
    assert.ok(await on('linux', folder)('bin/server'));
  });

  it('looks for a program again only after 5 s', async () => {
    const isInstalled = on('linux', folder);
    assert.ok(!(await isInstalled('late')));
    await program('late');
    assert.ok(!(await isInstalled('late')));
    clock.advance(5_000);
    assert.ok(await isInstalled('late'));
  });

  it('assumes on Windows that a network path exists, and reports a missing program', async () => {
    assert.ok(await on('win32', folder)('\\\\elsewhere\\share\\server.exe'));
    assert.ok(!(await on('win32', folder, '.EXE')('there')));
  });
});
