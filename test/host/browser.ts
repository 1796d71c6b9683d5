/** The browser that shows windows of the VS Code server. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { run } from './processes.ts';
import { step, StepError } from './steps.ts';

/**
 * Chromium without a user interface of its own, which would take a tenth of the
 * machine. It can only be driven.
 */
const headless = 'chromium-headless-shell';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

const applications: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    (folder) =>
      [
        'Google\\Chrome\\Application\\chrome.exe',
        'Microsoft\\Edge\\Application\\msedge.exe',
      ].map((program) => join(process.env[folder] ?? 'C:\\', program)),
  ),
};

/**
 * The path of an installed Chromium, Chrome or Edge. `shown` if a person is to
 * see it.
 */
export function findBrowser({ shown = false } = {}): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = [...(shown ? [] : [headless]), ...names].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  return [...onPath, ...(applications[process.platform] ?? [])].find(
    existsSync,
  );
}

/**
 * Like `findBrowser`, but installs Chromium from Debian's packages if there is
 * no browser.
 */
export async function ensureBrowser({ shown = false } = {}): Promise<string> {
  const found = findBrowser({ shown });
  if (found !== undefined) return found;
  const advice =
    'Install Chrome, Chromium or Edge, then run the command again.';
  if (!existsSync('/usr/bin/apt-get'))
    throw new StepError('There is no browser on this machine.', advice);
  await step("Installing Chromium from Debian's packages", async (progress) => {
    const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
    const apt = async (...args: string[]) => {
      const [command = '', ...rest] = [...sudo, 'apt-get', '-qq', ...args];
      await run(command, rest, advice, {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    };
    progress('updating the list of packages');
    await apt('update');
    progress('downloading and installing');
    await apt(
      'install',
      '-y',
      '--no-install-recommends',
      shown ? 'chromium' : headless,
      'fonts-dejavu-core',
    );
  });
  const installed = findBrowser({ shown });
  if (installed === undefined)
    throw new StepError('Chromium was installed but cannot be found.', advice);
  return installed;
}

export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: await ensureBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
