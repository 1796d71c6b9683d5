import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  configFilePath,
  type ConfigFileChoice,
} from '../../../src/files/configPath.ts';
import { homeFolder } from '../../../src/files/homeFolder.ts';
import { createConfigFile, restoredConfig } from '../../../src/files/update.ts';
import { readConfig } from '../../../src/files/read.ts';
import { itOnPosix } from '../../support/posix.ts';

describe('the configuration file', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchboard-files-'));
  });

  afterEach(async () => {
    await chmod(home, 0o700);
    await rm(home, { recursive: true });
  });

  const choose = (choice: Partial<ConfigFileChoice>) =>
    configFilePath({ home, ...choice });

  it('lives in .agent by default', () => {
    assert.equal(choose({}), join(home, '.agent/mcp.json'));
  });

  it('lives in .openhands if it exists there', async () => {
    await mkdir(join(home, '.openhands'));
    assert.equal(choose({}), join(home, '.agent/mcp.json'));
    await writeFile(join(home, '.openhands/mcp.json'), '{}');
    assert.equal(choose({}), join(home, '.openhands/mcp.json'));
  });

  itOnPosix(
    'lives in .openhands even if it is a broken link or a link loop there',
    async () => {
      const openHands = join(home, '.openhands/mcp.json');
      await mkdir(join(home, '.openhands'));
      await symlink(join(home, 'nowhere.json'), openHands);
      assert.equal(choose({}), openHands);
      await assert.rejects(
        readConfig(choose({})),
        /it is a link to a file that does not exist/,
      );
      await assert.rejects(
        createConfigFile(choose({})),
        /it is a link to a file that does not exist/,
      );
      await rm(join(home, '.openhands'), { recursive: true });
      await symlink('.openhands', join(home, '.openhands'));
      assert.equal(choose({}), openHands);
      await assert.rejects(readConfig(choose({})), /its links form a loop/);
    },
  );

  it('lives in .agent if .openhands is a file', async () => {
    await writeFile(join(home, '.openhands'), '');
    assert.equal(choose({}), join(home, '.agent/mcp.json'));
  });

  it('lives in the given folder, with or without its dot', () => {
    assert.equal(
      choose({ cliDirectory: '.mine' }),
      join(home, '.mine/mcp.json'),
    );
    assert.equal(
      choose({ cliDirectory: 'mine' }),
      join(home, '.mine/mcp.json'),
    );
    assert.equal(
      choose({ cliDirectory: 'mine.' }),
      join(home, '.mine./mcp.json'),
    );
  });

  it('lives at the given path, even if a folder is given too', () => {
    const file = join(home, 'dotfiles/servers.json');
    assert.equal(choose({ file, cliDirectory: 'mine' }), file);
    assert.equal(choose({ file: '~/dotfiles/servers.json' }), file);
    assert.equal(
      choose({ file: join(home, 'backup~/a.json') }),
      join(home, 'backup~/a.json'),
    );
  });

  it('comes from --file, then the environment, then the settings', () => {
    const option = {
      path: 'a/servers.json',
      workingFolder: () => join(home, 'work'),
    };
    const environment = {
      SWITCHBOARD_MCP_FILE: join(home, 'environment.json'),
    };
    const file = join(home, 'setting.json');
    assert.equal(
      choose({ option, environment, file }),
      join(home, 'work/a/servers.json'),
    );
    assert.equal(choose({ environment, file }), join(home, 'environment.json'));
    assert.equal(
      choose({ environment: { SWITCHBOARD_MCP_FILE: '' }, file }),
      file,
    );
    assert.equal(choose({ environment: {}, file }), file);
  });

  it('accepts an absolute path or one with "~" from every source', () => {
    const there = join(home, 'a.json');
    const workingFolder = () => join(home, 'work');
    for (const path of [there, '~/a.json']) {
      assert.equal(choose({ option: { path, workingFolder } }), there);
      assert.equal(
        choose({ environment: { SWITCHBOARD_MCP_FILE: path } }),
        there,
      );
      assert.equal(choose({ file: path }), there);
    }
  });

  it('needs no working folder if --file gives a full path', () => {
    const workingFolder = () => {
      throw new Error('There is none.');
    };
    for (const path of [join(home, 'a.json'), '~/a.json']) {
      assert.equal(
        choose({ option: { path, workingFolder } }),
        join(home, 'a.json'),
      );
    }
    assert.throws(
      () => choose({ option: { path: 'a.json', workingFolder } }),
      /There is none/,
    );
    const option = { path: 'C:\\a.json', workingFolder };
    assert.equal(
      configFilePath({ home: 'C:\\Users\\me', platform: 'win32', option }),
      'C:\\a.json',
    );
  });

  it('has a path in the style of the platform', () => {
    const windows = (choice: Partial<ConfigFileChoice>) =>
      configFilePath({ home: 'C:\\Users\\me', platform: 'win32', ...choice });
    assert.equal(windows({}), 'C:\\Users\\me\\.agent\\mcp.json');
    assert.equal(windows({ file: '~\\a.json' }), 'C:\\Users\\me\\a.json');
    assert.equal(windows({ file: 'D:/a.json' }), 'D:/a.json');
    const option = (path: string) => ({
      option: { path, workingFolder: () => 'D:\\work' },
    });
    assert.equal(windows(option('a.json')), 'D:\\work\\a.json');
    assert.equal(windows(option('\\a.json')), 'D:\\a.json');
    assert.equal(windows(option('C:\\b\\..\\a.json')), 'C:\\a.json');
    assert.throws(
      () =>
        configFilePath({
          home: '/home/me',
          platform: 'linux',
          file: 'D:/a.json',
        }),
      /absolute/,
    );
  });

  it('reports the option or the variable to change if the path is invalid', () => {
    assert.throws(
      () => choose({ option: { path: '', workingFolder: () => home } }),
      {
        name: 'UserError',
        message: '--file needs a path. Add it after the option.',
      },
    );
    assert.throws(
      () => choose({ environment: { SWITCHBOARD_MCP_FILE: 'a.json' } }),
      {
        name: 'UserError',
        message:
          '"a.json" is not an absolute path. Change the environment variable SWITCHBOARD_MCP_FILE.',
      },
    );
  });

  it('reports the setting to change if the path is invalid', () => {
    assert.throws(() => choose({ file: 'servers.json' }), {
      name: 'UserError',
      message:
        '"servers.json" is not an absolute path. Change the setting "switchboard.mcp.file".',
      setting: 'switchboard.mcp.file',
    });
    for (const cliDirectory of ['../other', 'a/b', 'a\\b', '.', '..']) {
      assert.throws(() => choose({ cliDirectory }), {
        name: 'UserError',
        message:
          /^"[./\\ab]+(?:other)?" is not the name of a folder in your home folder\. /,
        setting: 'switchboard.cliDirectory',
      });
    }
  });

  it('needs a full path if the home folder is unknown', () => {
    const none = (choice: Partial<ConfigFileChoice> = {}) =>
      configFilePath({ ...choice, home: undefined });
    const message =
      'There is no usual place for the configuration file, because your home folder is not known. Name the file: with --file or SWITCHBOARD_MCP_FILE in the terminal, or with the setting "switchboard.mcp.file".';
    assert.throws(() => none(), {
      name: 'UserError',
      message,
      setting: 'switchboard.mcp.file',
    });
    assert.throws(() => none({ cliDirectory: 'mine' }), {
      name: 'UserError',
      message,
    });
    const workingFolder = () => home;
    for (const choice of [
      { option: { path: '~/a.json', workingFolder } },
      { environment: { SWITCHBOARD_MCP_FILE: '~/a.json' } },
      { file: '~/a.json' },
    ]) {
      assert.throws(() => none(choice), {
        name: 'UserError',
        message:
          '"~/a.json" cannot be found, because your home folder is not known. Write the full path.',
      });
    }
    const there = join(home, 'a.json');
    assert.equal(none({ option: { path: 'a.json', workingFolder } }), there);
    assert.equal(none({ environment: { SWITCHBOARD_MCP_FILE: there } }), there);
    assert.equal(none({ file: there }), there);
  });

  it('ignores a home folder that is empty, relative or unknown', () => {
    assert.equal(
      homeFolder(() => home),
      home,
    );
    assert.equal(
      homeFolder(() => ''),
      undefined,
    );
    assert.equal(
      homeFolder(() => 'home'),
      undefined,
    );
    const unknown = () => {
      throw new Error('There is none.');
    };
    assert.equal(homeFolder(unknown), undefined);
    assert.equal(homeFolder(), homedir());
  });

  it('starts private to its owner, in a private folder', async () => {
    const path = join(home, '.agent/mcp.json');
    assert.equal(await createConfigFile(path), 'created');
    assert.equal(await readFile(path, 'utf8'), '{\n  "mcpServers": {}\n}\n');
    if (process.platform !== 'win32') {
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.equal((await stat(join(home, '.agent'))).mode & 0o777, 0o700);
    }
  });

  it('stays unchanged if it is not empty, or is a folder', async () => {
    const path = join(home, 'mcp.json');
    await writeFile(path, 'anything');
    assert.equal(await createConfigFile(path), 'existed');
    assert.equal(await readFile(path, 'utf8'), 'anything');
    assert.equal(await createConfigFile(home), 'existed');
    await writeFile(path, Buffer.from([0xff]));
    assert.equal(await createConfigFile(path), 'existed');
  });

  it('gets an empty mcpServers if it is empty', async () => {
    const path = join(home, 'mcp.json');
    await writeFile(path, '');
    assert.equal(await createConfigFile(path), 'created');
    assert.equal(await readFile(path, 'utf8'), '{\n  "mcpServers": {}\n}\n');
  });

  it('has no servers after an undo if there was no text, and its text otherwise', async () => {
    const path = join(home, 'mcp.json');
    await createConfigFile(path);
    const text = await readFile(path, 'utf8');
    for (const blank of ['', ' \n', '\ufeff'])
      assert.equal(restoredConfig(blank), text);
    assert.equal(restoredConfig('{ }'), '{ }');
  });

  it('cannot be created if a file is in the way, and the error says where and why', async () => {
    await writeFile(join(home, '.agent'), '');
    await assert.rejects(createConfigFile(join(home, '.agent/mcp.json')), {
      name: 'UserError',
      message:
        /^The configuration file .*\.agent.mcp\.json could not be written: there is a file where a folder/,
    });
  });
});
