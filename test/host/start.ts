/**
 * npm start: builds the extension and opens a VS Code window with it, connected to the services of the demo.
 *   npm start -- [--interface NAME] [--vscode PATH] [--open]
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readInterface } from '../support/demo/arguments.ts';
import { ensureBrowser } from './browser.ts';
import { chooseDesktop, hasDisplay } from './desktop.ts';
import { cache, root } from './paths.ts';
import { type Group, run, start, stopAll } from './processes.ts';
import { main, step, StepError } from './steps.ts';
import { linkExtension, startServer } from './vscodeServer.ts';

const usage = `npm start -- [--interface NAME] [--vscode PATH] [--open]

  --interface NAME  only one demo service, with this interface: v0 (with V1 beside it), v1 or agentServer
  --vscode PATH     open the window in this VS Code
  --open            if the window is a page, open it in a browser`;

const profile = join(cache, 'start');

/**
 * The server comes without one, and its extension for TypeScript would show an
 * error.
 */
const typescript = join(root, 'node_modules/typescript/lib');

await main(async () => {
  const { vscode, open, help, ...others } = options();
  if (help) {
    console.log(usage);
    return 0;
  }
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        resolve('stopped');
      });
    }
  });
  // Makes the extension start with the demo.
  const environment = {
    ...process.env,
    SWITCHBOARD_DEMO: others.interface ?? 'both',
  };
  const ended = await Promise.race([
    stopped,
    openWindow(environment, vscode, open),
  ]);
  await stopAll();
  if (ended === 'stopped') console.log('\nStopped.');
  return 0;
});

function options() {
  try {
    const { values } = parseArgs({
      options: {
        interface: { type: 'string' },
        vscode: { type: 'string' },
        open: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return {
      ...values,
      interface: values.interface && readInterface(values.interface),
    };
  } catch (error) {
    throw new StepError((error as Error).message, usage);
  }
}

/** Resolves when the window is closed, if that can be detected. */
async function openWindow(
  env: NodeJS.ProcessEnv,
  named: string | undefined,
  open = false,
): Promise<void> {
  const desktop = await chooseDesktop(process, named);
  await step('Building the extension', async () => {
    await run(process.execPath, ['esbuild.mjs'], 'Fix the errors above.', {
      cwd: root,
    });
  });
  if (desktop === undefined) await openPage(env, open);
  else await openDesktop(env, desktop);
}

async function openDesktop(
  env: NodeJS.ProcessEnv,
  program: string,
): Promise<void> {
  const window = start(
    program,
    [
      root,
      `--extensionDevelopmentPath=${root}`,
      `--user-data-dir=${join(profile, 'desktop')}`,
      `--extensions-dir=${join(profile, 'extensions')}`,
      '--new-window',
      '--skip-welcome',
      '--skip-release-notes',
      '--disable-workspace-trust',
      '--disable-updates',
    ],
    { env },
  );
  console.log(`\nAgent Switchboard is open in ${program}`);
  console.log('Close its window or press Ctrl-C to stop.');
  await endOf(window, 'VS Code');
}

async function openPage(env: NodeJS.ProcessEnv, open: boolean): Promise<void> {
  const userData = join(profile, 'server');
  const extensions = join(userData, 'extensions');
  await mkdir(userData, { recursive: true });
  await linkExtension(extensions, userData);
  const server = await step('Starting the VS Code server', () =>
    startServer({
      userData,
      extensions,
      whole: true,
      env,
      settings: { 'js/ts.tsdk.path': typescript },
    }),
  );
  const address = server.address({ folder: root });
  if (open) await step('Opening a browser', () => openBrowser(address));
  console.log(`\nAgent Switchboard is open at ${address}`);
  console.log('Press Ctrl-C to stop.');
  await endOf(server.group, 'The VS Code server');
}

/**
 * Opens a browser with a separate profile, so that it ends together with the
 * rest.
 */
async function openBrowser(address: string): Promise<void> {
  if (!hasDisplay(process)) {
    throw new StepError(
      'Cannot open a browser: this machine has no display.',
      'Leave out --open, and open the address in any browser that can reach this machine.',
    );
  }
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  start(await ensureBrowser({ shown: true }), [
    `--app=${address}`,
    `--user-data-dir=${join(profile, 'browser')}`,
    '--no-first-run',
    ...sandbox,
  ]);
}

async function endOf(group: Group, what: string): Promise<void> {
  await group.ended;
  if (group.process.exitCode !== 0) {
    throw new StepError(
      `${what} exited unexpectedly:\n${group.output().slice(-2000)}`,
      'Run "npm start" again.',
    );
  }
}
