import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { signalGroup } from '../host/processes.ts';
import {
  type StandInOptions,
  writeStandIn,
} from '../support/standInInstaller.ts';
import {
  answer,
  asks,
  choose,
  type Desk,
  eventually,
  messages,
  openSideBar,
  press,
  reload,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  view,
} from './support.ts';

describe('an Agent Server on this machine', function () {
  let programs: string;
  let desk: Desk;
  let page: Page;

  before(async () => {
    desk = await setUpDesk({
      settings: {
        'switchboard.refreshInterval': 1,
        // Only three messages are visible at once.
        'remote.autoForwardPorts': false,
      },
    });
    programs = join(desk.home, '.local', 'bin');
    await change({ newest: '1.58.2', docker: true });
    ({ page } = await desk.open({ height: 900 }));
    await openSideBar(page);
  });

  after(async () => {
    const pid = await serverPid();
    await desk.clear();
    if (pid !== undefined) signalGroup(pid, 'SIGTERM');
  });

  const change = (options: StandInOptions) => writeStandIn(programs, options);
  const dialog = () => page.locator('.monaco-dialog-box');
  const button = (name: string) => dialog().getByRole('button', { name });
  const anyRow = () => rows(page, 'Conversations').first();

  const record = () => recordOf(desk);
  const serverPid = async () => (await record()).pid;

  async function manage(action: string): Promise<void> {
    await runCommand(page, 'Switchboard: Manage Services');
    await choose(page, 'Manage Services', 'This Machine');
    await choose(page, 'This Machine', action);
  }

  it('installs, starts and connects one after a question that shows the commands', async () => {
    await view(page, 'Conversations')
      .getByRole('button', { name: 'Start an Agent Server' })
      .click();
    await button('Install and Start').waitFor();
    await button('Use a Container Instead').waitFor();
    await takePicture(page, 'start-server-question');
    const question = await dialog().innerText();
    for (const words of [
      'run commands with your rights',
      'about 540 MB',
      '~/.local/bin/uv pip install --python versions/',
      'bin/python -m openhands.agent_server --host 127.0.0.1 --port',
    ])
      assert.ok(question.includes(words), words);
    await button('Install and Start').click();
    await anyRow().waitFor();
    await messages(
      page,
      'Agent Server 1.58.2 is running at 127.0.0.1',
    ).waitFor();
    const { port } = await record();
    assert.match(question, new RegExp(`--port ${port}$`, 'm'));
    await takePicture(page, 'start-server-running');
    await press(page, 'Keep it running', 'Keep Running');
  });

  it('tells another VS Code that it lacks the key', async () => {
    const pid = await serverPid();
    const second = await desk.open();
    await openSideBar(second.page);
    await rows(second.page, 'Conversations', /^Key required, /).waitFor();
    await runCommand(second.page, 'Switchboard: Start an Agent Server');
    await messages(second.page, 'was started with another key').waitFor();
    assert.equal(await serverPid(), pid);
    await second.close();
  });

  it('offers to restart it after a crash', async () => {
    const pid = await serverPid();
    assert.ok(pid);
    process.kill(-pid, 'SIGKILL');
    await messages(page, 'The Agent Server ended').waitFor();
    await takePicture(page, 'start-server-crash');
    await press(page, 'The Agent Server ended', 'Restart');
    await eventually(async () => {
      assert.notEqual(await serverPid(), pid);
    });
    // An update is refused until this start has ended.
    await messages(page, 'is running at').waitFor();
    await anyRow().waitFor();
  });

  it('tells of a crash after the window that started it was reloaded', async () => {
    const pid = await serverPid();
    assert.ok(pid);
    await reload(page);
    // A browser forgets its secrets.
    await runCommand(page, 'Switchboard: Set API Key');
    await answer(page, 'Set API Key', await keyOf(pid));
    await rows(page, 'Conversations', /^(?!Key required)/)
      .first()
      .waitFor();
    process.kill(-pid, 'SIGKILL');
    await messages(page, 'The Agent Server ended').waitFor();
    await press(page, 'The Agent Server ended', 'Restart');
    await messages(page, 'is running at').waitFor();
    await anyRow().waitFor();
  });

  it('updates after a question that names both versions, and goes back', async () => {
    await change({ newest: '1.60.0' });
    await manage('Update');
    await button('Update and Restart').waitFor();
    await takePicture(page, 'start-server-update');
    assert.match(await dialog().innerText(), /from 1\.58\.2 to 1\.60\.0\?/);
    await button('Update and Restart').click();
    await eventually(async () => {
      assert.equal((await record()).current?.version, '1.60.0');
    });
    await messages(page, 'Agent Server 1.60.0 is running').waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    await manage('Go Back to 1.58.2');
    await button('Go Back and Restart').click();
    await eventually(async () => {
      assert.equal((await record()).current?.version, '1.58.2');
    });
    await messages(page, 'Agent Server 1.58.2 is running').waitFor();
  });

  it('keeps running its version when the newer one does not start', async () => {
    await runCommand(page, 'Notifications: Clear All Notifications');
    await change({ newest: '1.61.0', broken: { '1.61.0': 'No module: mcp' } });
    await manage('Update');
    await button('Update and Restart').click();
    await messages(
      page,
      /1\.61\.0 did not start, and 1\.58\.2 was started again.*No module: mcp/,
    ).waitFor();
    assert.equal((await record()).current?.version, '1.58.2');
    await anyRow().waitFor();
  });

  it('stops and starts again from Manage Services', async () => {
    await manage('Stop');
    await view(page, 'Conversations')
      .getByText('See which OpenHands agents need you')
      .waitFor();
    await manage('Start');
    await anyRow().waitFor();
    await manage('Show Its Terminal');
    await page.locator('.terminal-wrapper.active').waitFor();
    await takePicture(page, 'start-server-terminal');
  });

  it('runs in a container that has the chosen folder, and without it again', async () => {
    await change({ newest: '1.58.2', docker: true });
    await manage('Run in a Container');
    await asks(page, 'Folders That Agents in the Container Can Change');
    await takePicture(page, 'start-server-folders');
    const input = page.locator('.quick-input-widget input[type=text]');
    const folder = join(desk.home, 'shop');
    await mkdir(folder);
    await input.fill(`${folder}/`);
    await page.getByRole('button', { name: 'Select Folders' }).click();
    await button('Download and Start').waitFor();
    await takePicture(page, 'start-server-container');
    const question = await dialog().innerText();
    for (const words of [
      'everything in ~/shop',
      'docker pull ghcr.io/openhands/agent-server:latest-python',
      '-e OH_SECRET_KEY -e',
      `-v ${folder}:${folder}`,
    ])
      assert.ok(question.includes(words), words);
    await button('Download and Start').click();
    await messages(
      page,
      'The Agent Server is running in a container at 127.0.0.1',
    ).waitFor();
    await anyRow().waitFor();
    await manage('Run Without a Container');
    await button('Restart Without It').click();
    await messages(page, 'Agent Server 1.58.2 is running').waitFor();
  });

  it('stops with the window and starts with the next one if that is chosen', async () => {
    const pid = await serverPid();
    assert.ok(pid);
    await manage('Start With the Window');
    await manage('Stop With the Window');
    // The setting is stored a moment later.
    await eventually(async () => {
      await runCommand(page, 'Switchboard: Manage Services');
      await choose(page, 'Manage Services', 'This Machine');
      await asks(page, 'This Machine');
      const stops = page.getByRole('option', { name: /Stop With the Window/ });
      assert.match(await stops.innerText(), /on$/);
    });
    await page.keyboard.press('Escape');
    await reload(page);
    await eventually(async () => {
      assert.throws(() => process.kill(pid, 0));
      assert.notEqual(await serverPid(), pid);
    });
    await anyRow().waitFor();
  });
});

describe('an Agent Server that does not start at first', function () {
  let desk: Desk;
  let page: Page;

  before(async () => {
    desk = await setUpDesk();
    await change({ newest: '1.0.0', broken: { '1.0.0': 'No module: mcp' } });
    ({ page } = await desk.open());
    await openSideBar(page);
  });

  after(async () => {
    const { pid } = await recordOf(desk);
    await desk.clear();
    if (pid !== undefined) signalGroup(pid, 'SIGTERM');
  });

  const change = (options: StandInOptions) =>
    writeStandIn(join(desk.home, '.local', 'bin'), options);
  const click = (name: string) =>
    page.locator('.monaco-dialog-box').getByRole('button', { name }).click();

  it('can be updated in Manage Services', async () => {
    await runCommand(page, 'Switchboard: Start an Agent Server');
    await click('Install and Start');
    await messages(page, /ended before it answered.*No module: mcp/).waitFor();
    await change({ newest: '1.0.1' });
    await runCommand(page, 'Switchboard: Manage Services');
    await choose(page, 'Manage Services', 'This Machine');
    await choose(page, 'This Machine', 'Update');
    await click('Update and Restart');
    await messages(page, 'Agent Server 1.0.1 is running').waitFor();
    await rows(page, 'Conversations').first().waitFor();
  });
});

async function keyOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8');
  return /OH_SESSION_API_KEYS_0=([^\0]+)/.exec(text)?.[1] ?? '';
}

interface ServerRecord {
  readonly pid?: number;
  readonly port?: number;
  readonly current?: { readonly version: string };
}

async function recordOf({ home }: Desk): Promise<ServerRecord> {
  const file = join(
    home,
    '../user-data/User/globalStorage/agent-switchboard.agent-switchboard/agentServer/server.json',
  );
  const text = await readFile(file, 'utf8').catch(() => '{}');
  return JSON.parse(text) as ServerRecord;
}
