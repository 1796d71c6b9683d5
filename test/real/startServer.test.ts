/** An Agent Server that a window installs from the package index, and starts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Secret } from '../../src/base/secret.ts';
import { SharedAgentServer } from '../../src/localServer/sharedAgentServer.ts';
import { signalGroup } from '../host/processes.ts';
import {
  answer,
  choose,
  type Desk,
  eventually,
  messages,
  openChoice,
  openSideBar,
  press,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
  view,
  writeNew,
} from '../ui/support.ts';
import { newestVariable } from './environment.ts';
import { lockFile } from './locks.ts';
import { theModel } from './services.ts';
import { ensureUv, findPython, uvEnvironment } from './python.ts';

/** Odd characters, and long enough to be found. */
const modelKey = `the "model's" \\key ${randomUUID()}`;
/** Milliseconds to install from an empty cache, on a slow line. */
const installing = 500_000;

interface ServerRecord {
  readonly pid: number;
  readonly port: number;
  readonly current: { readonly version: string };
}

describe('an Agent Server from the package index in a window', function () {
  this.timeout(600_000);
  let desk: Desk;
  let page: Page;

  before(async () => {
    const python = await findPython(['3.12', '3.13']);
    desk = await setUpDesk({
      settings: {
        'switchboard.refreshInterval': 1,
        'switchboard.notifications': 'off',
      },
      env: Object.fromEntries(
        Object.entries({
          ...(await uvEnvironment(python)),
          // The newest of each only where a run asks for that.
          UV_CONSTRAINT: process.env[newestVariable]
            ? undefined
            : lockFile('agentServer'),
        }).filter(([name]) => /^(?:UV|SSL)_/.test(name)),
      ),
    });
    const programs = join(desk.home, '.local', 'bin');
    await mkdir(programs, { recursive: true });
    await symlink(await ensureUv(python), join(programs, 'uv'));
    await symlink(python, join(programs, 'python3.13'));
    ({ page } = await desk.open({ height: 900 }));
    await openSideBar(page);
  });

  after(async () => {
    const { pid } = await record();
    await desk.clear();
    signalGroup(pid, 'SIGTERM');
  });

  const data = () => join(desk.home, '..', 'user-data');
  const folder = () =>
    join(
      data(),
      'User/globalStorage/agent-switchboard.agent-switchboard/agentServer',
    );
  const record = async () =>
    JSON.parse(
      await readFile(join(folder(), 'server.json'), 'utf8'),
    ) as ServerRecord;
  const dialog = () => page.locator('.monaco-dialog-box');
  const isRunning = () =>
    messages(page, /Agent Server \S+ is running at 127\.0\.0\.1/);

  async function manage(action: string): Promise<void> {
    await runCommand(page, 'Switchboard: Manage Services');
    await choose(page, 'Manage Services', 'This Machine');
    await choose(page, 'This Machine', action);
  }

  it('installs, starts and connects it after two clicks', async () => {
    const begin = performance.now();
    await view(page, 'Conversations')
      .getByRole('button', { name: 'Start an Agent Server' })
      .click();
    const start = dialog().getByRole('button', { name: 'Install and Start' });
    await start.waitFor();
    await start.click();
    await isRunning()
      .or(messages(page, /failed:|ended before/))
      .waitFor({ timeout: installing });
    await isRunning().waitFor();
    console.log(
      `      running after ${Math.round((performance.now() - begin) / 1000)} s`,
    );
    await takePicture(page, 'real-server-running');
    await press(page, 'Keep it running', 'Keep Running');
    await view(page, 'Conversations')
      .getByText('There are no conversations yet.')
      .waitFor();
    const { port } = await record();
    const refused = await fetch(`http://127.0.0.1:${port}/api/profiles`);
    assert.equal(refused.status, 401);
  });

  it('leads from the first message to a model, and to its answer', async () => {
    const begin = performance.now();
    const { url: baseUrl } = await theModel();
    const project = join(desk.home, 'shop');
    await mkdir(project);
    const frame = await writeNew(page, 'say: Hello from the stand-in.');
    await frame.getByText('The profile “default” has no model yet.').waitFor();
    await takePicture(page, 'real-server-draft');
    await frame.getByRole('button', { name: 'Choose a Model…' }).click();
    await choose(page, 'Models of This Machine', 'Add Model…');
    await answer(page, /^Provider/, 'openai');
    await answer(page, /^Model of openai/, 'rule');
    await answer(page, /^Base URL/, baseUrl);
    await answer(page, /^Key for the model/, modelKey);
    await answer(page, /^Dollars per million tokens/, '');
    await answer(page, /^Name of the model/, 'rule');
    await page.getByRole('option', { name: /The test passed/ }).waitFor();
    await page.keyboard.press('Escape');
    await openChoice(frame, /^Folder: |Choose a Folder/);
    await answer(page, 'Folder to work in', project);
    await frame.getByRole('button', { name: /^Folder: / }).waitFor();
    await frame.getByRole('button', { name: 'Create', exact: true }).click();
    const agent = frame.locator('.entry.by-agent');
    await agent
      .filter({ hasText: 'Hello from the stand-in.' })
      .last()
      .waitFor({ timeout: 60_000 });
    console.log(
      `      answered after ${Math.round((performance.now() - begin) / 1000)} s`,
    );
    await takePicture(page, 'real-server-answer');
  });

  it('keeps its keys out of the files, the command line and the log', async () => {
    const { pid } = await record();
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    const keys = ['OH_SESSION_API_KEYS_0', 'OH_SECRET_KEY'].map(
      (name) => new RegExp(`${name}=([^\\0]+)`).exec(environment)?.[1] ?? '',
    );
    assert.ok(keys.every((key) => key.length > 40));
    keys.push(modelKey);
    const names = [
      ...(await filesIn(join(data(), 'User'))),
      ...(await filesIn(join(data(), 'logs'))),
      ...(await filesIn(desk.home)),
    ];
    assert.ok(names.some((name) => name.endsWith('server.log')));
    for (const name of names) {
      const text = await readFile(name, 'utf8').catch(() => '');
      for (const key of keys) assert.ok(!text.includes(key), name);
    }
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    for (const key of keys) assert.ok(!line.includes(key));
  });

  it('offers to restart it when it was killed', async () => {
    const { pid } = await record();
    process.kill(-pid, 'SIGKILL');
    await messages(page, 'The Agent Server ended').waitFor();
    await press(page, 'The Agent Server ended', 'Restart');
    await isRunning().waitFor({ timeout: installing });
    assert.notEqual((await record()).pid, pid);
  });

  it('stops it with everything that it has started', async () => {
    const { pid, port } = await record();
    await manage('Stop');
    await eventually(async () => {
      await assert.rejects(fetch(`http://127.0.0.1:${port}/server_info`));
      assert.throws(() => process.kill(-pid, 0));
    });
    await rows(page, 'Conversations').first().waitFor({ state: 'detached' });
  });
});

// Nothing pins for pip what an index has today.
if (process.env[newestVariable]) {
  describe('the newest Agent Server, installed with pip', function () {
    this.timeout(400_000);

    it('starts with packages of one version', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'switchboard-pip-'));
      const server = new SharedAgentServer(folder);
      const python = await findPython(['3.12', '3.13']);
      const signal = new AbortController().signal;
      const keys = {
        session: new Secret(randomUUID()),
        storage: new Secret(randomUUID()),
      };
      try {
        await server.install(server.plan({ uv: undefined, python }), {
          signal,
          write: () => undefined,
        });
        const { url } = await server.start(keys, signal);
        const { current } = await server.read();
        const answer = await fetch(new URL('/server_info', url));
        const info = (await answer.json()) as Record<string, string>;
        for (const part of ['version', 'sdk_version', 'tools_version'])
          assert.equal(info[part], current?.version);
      } finally {
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}

/** The files in a folder, without installed packages. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) files.push(path);
    else if (entry.name !== 'site-packages')
      files.push(...(await filesIn(path)));
  }
  return files;
}
