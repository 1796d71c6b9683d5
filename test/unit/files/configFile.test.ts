import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFilePath, createConfigFile } from '../../../src/files/configFile.ts';

describe('the configuration file', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchboard-files-'));
  });

  afterEach(async () => {
    await chmod(home, 0o700);
    await rm(home, { recursive: true });
  });

  const choose = (choice: { file?: string; cliDirectory?: string }) =>
    configFilePath({ home, file: '', cliDirectory: '', ...choice });

  it('is the one in .agent when nothing says otherwise', () => {
    assert.equal(choose({}), join(home, '.agent/mcp.json'));
  });

  it('is the one in .openhands where that is there', async () => {
    await mkdir(join(home, '.openhands'));
    assert.equal(choose({}), join(home, '.agent/mcp.json'));
    await writeFile(join(home, '.openhands/mcp.json'), '{}');
    assert.equal(choose({}), join(home, '.openhands/mcp.json'));
  });

  it('is in the folder that is named, with or without its dot', () => {
    assert.equal(choose({ cliDirectory: '.mine' }), join(home, '.mine/mcp.json'));
    assert.equal(choose({ cliDirectory: 'mine' }), join(home, '.mine/mcp.json'));
  });

  it('is the file that is named, before all else', () => {
    const file = join(home, 'dotfiles/servers.json');
    assert.equal(choose({ file, cliDirectory: 'mine' }), file);
    assert.equal(choose({ file: '~/dotfiles/servers.json' }), file);
  });

  it('is refused, with the setting to change, where the name is none', () => {
    assert.throws(() => choose({ file: 'servers.json' }), {
      name: 'UserError',
      message: '"servers.json" is not an absolute path. Change the setting "switchboard.mcp.file".',
      setting: 'switchboard.mcp.file',
    });
    for (const cliDirectory of ['../other', 'a/b', 'a\\b', '.', '..']) {
      assert.throws(() => choose({ cliDirectory }), /switchboard\.cliDirectory/);
    }
  });

  it('is made for its owner alone, in a folder for its owner alone', async () => {
    const path = join(home, '.agent/mcp.json');
    assert.equal(await createConfigFile(path), 'created');
    assert.equal(await readFile(path, 'utf8'), '{\n  "mcpServers": {}\n}\n');
    if (process.platform !== 'win32') {
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.equal((await stat(join(home, '.agent'))).mode & 0o777, 0o700);
    }
  });

  it('is left alone where it is there', async () => {
    const path = join(home, 'mcp.json');
    await writeFile(path, 'anything');
    assert.equal(await createConfigFile(path), 'existed');
    assert.equal(await readFile(path, 'utf8'), 'anything');
  });

  it('cannot be made where a file stands in the way, and the error says where and why', async () => {
    await writeFile(join(home, '.agent'), '');
    await assert.rejects(createConfigFile(join(home, '.agent/mcp.json')), {
      name: 'UserError',
      message:
        /^The configuration file .*\.agent.mcp\.json could not be written: a file stands where a folder/,
    });
  });
});
