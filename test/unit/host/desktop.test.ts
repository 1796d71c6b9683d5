import assert from 'node:assert/strict';
import {
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chooseDesktop, type Machine } from '../../host/desktop.ts';

describe('the VS Code of npm start', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(
      await mkdtemp(join(tmpdir(), 'switchboard-desktop-')),
    );
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function put(path: string): Promise<string> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), '');
    return join(folder, path);
  }

  const machine = (
    env: NodeJS.ProcessEnv,
    platform: NodeJS.Platform = 'linux',
  ): Machine => ({
    platform,
    env,
  });
  const fetched = () => Promise.resolve('fetched');
  const notToBeHad = () => Promise.resolve(undefined);
  const never = () => Promise.reject(new Error('nothing should be fetched'));

  it('uses the program named on the command line, even without a display', async () => {
    const named = await put('named');
    assert.equal(await chooseDesktop(machine({}), named, never), named);
  });

  it('uses an installed VS Code if there is a display', async () => {
    const code = await put('bin/code');
    assert.equal(
      await chooseDesktop(
        machine({ PATH: dirname(code), DISPLAY: ':0' }),
        undefined,
        never,
      ),
      code,
    );
    assert.equal(
      await chooseDesktop(
        machine({ PATH: dirname(code), WAYLAND_DISPLAY: 'w' }),
        undefined,
        never,
      ),
      code,
    );
  });

  it('uses the program itself instead of its launcher', async () => {
    const program = await put('share/code/code');
    await put('share/code/bin/code');
    await mkdir(join(folder, 'bin'));
    await symlink(
      join(folder, 'share/code/bin/code'),
      join(folder, 'bin/code'),
    );
    assert.equal(
      await chooseDesktop(
        machine({ PATH: join(folder, 'bin'), DISPLAY: ':0' }),
        undefined,
        never,
      ),
      program,
    );

    const electron = await put('Code.app/Contents/MacOS/Electron');
    const launcher = await put('Code.app/Contents/Resources/app/bin/code');
    assert.equal(
      await chooseDesktop(
        machine({ PATH: dirname(launcher) }, 'darwin'),
        undefined,
        never,
      ),
      electron,
    );
  });

  it('downloads VS Code if there is a display but no installation', async () => {
    assert.equal(
      await chooseDesktop(
        machine({ PATH: folder, DISPLAY: ':0' }),
        undefined,
        fetched,
      ),
      'fetched',
    );
  });

  it('falls back to the server without a display or a download', async () => {
    const code = await put('bin/code');
    assert.equal(
      await chooseDesktop(machine({ PATH: dirname(code) }), undefined, never),
      undefined,
    );
    assert.equal(
      await chooseDesktop(
        machine({ PATH: folder, DISPLAY: ':0' }),
        undefined,
        notToBeHad,
      ),
      undefined,
    );
  });
});
