import assert from 'node:assert/strict';
import {
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';
import { untilSettled } from './support.ts';

const withServers = (...names: string[]) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(
      names.map((name) => [name, { command: name }]),
    ),
  });

describe('the watcher of the configuration file', () => {
  let desk: Desk;
  let scratch: string;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
    scratch = await mkdtemp(join(tmpdir(), 'switchboard-watching-'));
  });

  afterEach(async () => {
    await desk.clear();
    await rm(scratch, { recursive: true });
  });

  async function watch(...path: string[]): Promise<string> {
    const file = join(scratch, ...path);
    await desk.configure({ 'mcp.file': file });
    await until(() => desk.servers.file?.path === file);
    return file;
  }

  async function shows(...names: string[]): Promise<void> {
    const now = () => desk.servers.entries.map(({ name }) => name).join();
    await until(() => now() === names.join());
  }

  it('shows the file when it and its folder are created, and again after both were removed', async () => {
    const file = await watch('one', 'two', 'mcp.json');
    for (const name of ['first', 'second']) {
      await mkdir(join(scratch, 'one', 'two'), { recursive: true });
      await writeFile(file, withServers(name));
      await shows(name);
      await writeFile(file, withServers(name, 'changed'));
      await shows(name, 'changed');
      await rm(join(scratch, 'one'), { recursive: true });
      await shows();
    }
  });

  it('shows the current file when it is replaced, removed and written again', async () => {
    const file = await watch('mcp.json');
    await writeFile(file, withServers('first'));
    await shows('first');
    await writeFile(join(scratch, 'new'), withServers('second'));
    await rename(join(scratch, 'new'), file);
    await shows('second');
    await writeFile(file, withServers('third'));
    await shows('third');
    await rm(file);
    await shows();
    await writeFile(file, withServers('fourth'));
    await shows('fourth');
  });

  it('shows the current file when its folder is replaced by another one', async () => {
    const file = await watch('folder', 'mcp.json');
    await mkdir(join(scratch, 'folder'));
    await writeFile(file, withServers('first'));
    await shows('first');
    await mkdir(join(scratch, 'other'));
    await writeFile(join(scratch, 'other', 'mcp.json'), withServers('second'));
    await rm(join(scratch, 'folder'), { recursive: true });
    await rename(join(scratch, 'other'), join(scratch, 'folder'));
    await shows('second');
    await writeFile(file, withServers('third'));
    await shows('third');
  });

  if (process.platform !== 'win32') {
    it('shows the current target of a chain of symbolic links when a link or the target changes', async () => {
      for (const folder of ['home', 'dotfiles', 'others'])
        await mkdir(join(scratch, folder));
      const target = join(scratch, 'dotfiles', 'mcp.json');
      await writeFile(target, withServers('first'));
      await symlink(target, join(scratch, 'middle.json'));
      await symlink('../middle.json', join(scratch, 'home', 'mcp.json'));
      await watch('home', 'mcp.json');
      await shows('first');
      await writeFile(target, withServers('second'));
      await shows('second');
      const other = join(scratch, 'others', 'mcp.json');
      await writeFile(other, withServers('third'));
      await rm(join(scratch, 'middle.json'));
      await symlink(other, join(scratch, 'middle.json'));
      await shows('third');
      await writeFile(other, withServers('fourth'));
      await shows('fourth');
    });

    it('shows the current file when its folder is a symbolic link that gets another target', async () => {
      for (const folder of ['first', 'second']) {
        await mkdir(join(scratch, folder));
        await writeFile(join(scratch, folder, 'mcp.json'), withServers(folder));
      }
      await symlink(join(scratch, 'first'), join(scratch, '.agent'));
      await watch('.agent', 'mcp.json');
      await shows('first');
      await rm(join(scratch, '.agent'));
      await symlink(join(scratch, 'second'), join(scratch, '.agent'));
      await shows('second');
      await writeFile(
        join(scratch, 'second', 'mcp.json'),
        withServers('third'),
      );
      await shows('third');
    });
  }

  it('reports one change when the extension itself writes the file', async () => {
    const file = await watch('mcp.json');
    await writeFile(file, withServers('first'));
    await shows('first');
    let changes = 0;
    const subscription = desk.servers.onChange(() => changes++);
    await desk.run('switchboard.mcp.disable', 'first');
    await until(() => desk.servers.entries[0]?.enabled === false);
    await untilSettled(() => changes);
    subscription.dispose();
    assert.equal(changes, 1);
  });
});
