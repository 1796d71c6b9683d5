import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Desk } from './desk.ts';
import { eventually, settled } from './support.ts';

const withServers = (...names: string[]) =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) });

describe('the configuration file, changed by other programs', () => {
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
    await eventually(() => desk.servers.file?.path === file || undefined);
    return file;
  }

  async function shows(...names: string[]): Promise<void> {
    const now = () => desk.servers.document.entries.map(({ name }) => name).join();
    await eventually(() => now() === names.join() || undefined);
  }

  it('is shown as soon as its folder and the file are there, and again after both were removed', async () => {
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

  it('is shown as it is now when it is replaced by another file, removed and written again', async () => {
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

  it('is shown as it is now when its folder is replaced by another one at once', async () => {
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
    it('is shown as it is now when it is a link, through other links, to a file elsewhere', async () => {
      for (const folder of ['home', 'dotfiles', 'others']) await mkdir(join(scratch, folder));
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

    it('is shown as it is now when its folder is a link that is made to lead elsewhere', async () => {
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
      await writeFile(join(scratch, 'second', 'mcp.json'), withServers('third'));
      await shows('third');
    });
  }

  it('is read until it says the same, and not again, when the extension itself has written it', async () => {
    const file = await watch('mcp.json');
    await writeFile(file, withServers('first'));
    await shows('first');
    let changes = 0;
    const stop = desk.servers.onChange(() => changes++);
    await desk.run('switchboard.mcp.disable', 'first');
    await eventually(() => desk.servers.document.entries[0]?.enabled === false || undefined);
    await settled(() => changes);
    stop();
    assert.equal(changes, 1);
  });
});
