import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPython } from '../../real/python.ts';
import { itOnPosix } from '../../support/posix.ts';

describe('the search for a Python for the real program', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-python-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const find = (versions: readonly string[], pyenv?: string) =>
    findPython(versions, {
      home: join(folder, 'home'),
      env: {
        PATH: join(folder, 'path'),
        ...(pyenv !== undefined && { PYENV_ROOT: pyenv }),
      },
    });

  /** A command that answers like a Python, or like one that is not set up. */
  async function command(path: string, script: string): Promise<void> {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }

  it('says in one line where no Python was found', async () => {
    await assert.rejects(find(['3.12', '3.13']), {
      message:
        'There is no Python 3.12 or 3.13 with pip on the PATH, in $PYENV_ROOT/versions or in ~/.pyenv/versions, so the real program was not run.',
    });
  });

  itOnPosix(
    'finds Python on the PATH under any name, but only with a wanted version',
    async () => {
      await command(
        'path/python3.12',
        'echo "pyenv: python3.12: command not found" >&2; exit 127',
      );
      await command('path/python3', 'echo "Python 3.11 /opt/python3.11"');
      await command('path/python', 'echo "Python 3.13 /opt/python3.13"');
      assert.equal(await find(['3.12', '3.13']), '/opt/python3.13');
      await assert.rejects(find(['3.12']));
    },
  );

  itOnPosix('finds Python in pyenv, the preferred version first', async () => {
    await command(
      'home/.pyenv/versions/3.13.0/bin/python',
      'echo "Python 3.13 /opt/python3.13"',
    );
    assert.equal(await find(['3.12', '3.13']), '/opt/python3.13');
    await command(
      'other/versions/3.12.1/bin/python',
      'echo "Python 3.12 /opt/python3.12"',
    );
    assert.equal(
      await find(['3.12', '3.13'], join(folder, 'other')),
      '/opt/python3.12',
    );
  });
});
