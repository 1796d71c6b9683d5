import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '../host/browser.ts';
import { cache, root } from '../host/paths.ts';
import { run, start, waitForOutput } from '../host/processes.ts';
import { eventually } from '../support/eventually.ts';
import {
  messages,
  rows,
  runCommand,
  statusBar,
  takePicture,
  typeInPalette,
  view,
} from './support.ts';

/**
 * The environments of the processes that have this variable, which child
 * processes inherit.
 */
async function processesWith(variable: string): Promise<string[]> {
  const all =
    process.platform === 'linux'
      ? await readEnvironments()
      : (await listWithEnvironment()).split('\n');
  return all.filter((environment) => environment.includes(variable));
}

async function readEnvironments(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // The file of a process that has just ended is missing, and that of a zombie
  // is empty.
  return await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
}

async function listWithEnvironment(): Promise<string> {
  return await run('ps', ['axeww'], 'Install "ps".');
}

/** Runs `npm start` as in a terminal on a machine without a display. */
function npmStart(
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
) {
  const mark = `SWITCHBOARD_MARK=${randomUUID()}`;
  const group = start(
    process.execPath,
    [join(root, 'test/host/start.ts'), ...args],
    {
      env: {
        ...process.env,
        DISPLAY: undefined,
        WAYLAND_DISPLAY: undefined,
        SWITCHBOARD_MARK: mark.split('=')[1],
        ...environment,
      },
    },
  );
  return { group, mark };
}

describe('npm start', () => {
  it('opens a window with the demo and the walkthrough, and leaves nothing running after Ctrl-C', async () => {
    await rm(join(cache, 'start'), { recursive: true, force: true });
    const { group, mark } = npmStart();
    const [, address = ''] = await waitForOutput(
      group,
      /is open at (http:\S+)\nPress Ctrl-C to stop\.\n/,
    );
    assert.match(
      group.output(),
      /Building the extension…[^]*done, \d+\.\d s\n/,
    );
    assert.equal(new URL(address).hostname, '127.0.0.1');

    const browser = await launchBrowser();
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
    });
    await page.goto(address);
    // Nobody clicks anything.
    for (const service of ['Demo', 'Demo Agent Server'])
      await rows(
        page,
        'Conversations',
        new RegExp(`Waiting for you, .*, at ${service}, `),
      )
        .first()
        .waitFor();
    await page
      .locator('.getting-started-step')
      .filter({ hasText: 'Open a conversation' })
      .waitFor();
    // That there is a service is ticked, so the next step is open.
    const connect = page
      .locator('.getting-started-step')
      .filter({ hasText: 'Connect to a service' });
    await connect.locator('[role=checkbox].complete').waitFor();
    await view(page, 'Sandboxes').getByRole('treeitem').first().waitFor();
    await statusBar(page).getByText('Demo Service').waitFor();
    await takePicture(page, 'npm-start');

    // The TypeScript of the editor works, instead of showing an error.
    await runCommand(page, 'Go to File...');
    await page.keyboard.type('src/base/clock.ts');
    await page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'clock.ts' })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const version = 'TypeScript: Select TypeScript Version';
    await eventually(async () => {
      // The palette lists what was enabled when it opened.
      const offered = await typeInPalette(page, version);
      await offered.filter({ hasText: version }).waitFor({ timeout: 5_000 });
    });
    await page.keyboard.press('Escape');
    assert.equal(await messages(page, 'tsserver').count(), 0);
    await browser.close();

    const withoutToken = new URL(address);
    withoutToken.searchParams.delete('tkn');
    assert.equal((await fetch(withoutToken)).status, 403);

    assert.notDeepEqual(await processesWith(mark), []);
    group.process.kill('SIGINT');
    await group.ended;
    assert.equal(group.process.exitCode, 0);
    assert.match(group.output(), /\nStopped\.\n$/);
    assert.deepEqual(await processesWith(mark), []);
    await assert.rejects(fetch(address));
  });

  it('opens the window in the VS Code named on the command line', async () => {
    const { group, mark } = npmStart([
      '--vscode',
      join(root, 'test/host/code.ts'),
    ]);
    await waitForOutput(
      group,
      /is open in .*code\.ts\nClose its window or press Ctrl-C to stop\.\n/,
    );
    group.process.kill('SIGINT');
    await group.ended;
    assert.equal(group.process.exitCode, 0);
    assert.deepEqual(await processesWith(mark), []);
  });

  it('explains what to do if the named VS Code does not exist', async () => {
    const { group } = npmStart(['--vscode', '/nowhere/code']);
    await group.ended;
    assert.equal(group.process.exitCode, 1);
    assert.match(
      group.output(),
      /There is no VS Code at \/nowhere\/code\.\nName its executable with --vscode PATH\./,
    );
    assert.doesNotMatch(group.output(), /Building/);
  });

  it('explains its options if one is unknown', async () => {
    const { group } = npmStart(['--nonsense']);
    await group.ended;
    assert.equal(group.process.exitCode, 1);
    assert.match(group.output(), /--nonsense[^]*--vscode PATH/);
  });
});
