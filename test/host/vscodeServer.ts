/** A VS Code server from the npm registry: the workbench in a browser, with a real extension host. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionId } from '../../src/editor/manifest.ts';
import { cache, root } from './paths.ts';
import { type Group, npm, run, start, waitForOutput } from './processes.ts';
import { type Progress, step } from './steps.ts';

/** Of the package code-server, of which only the VS Code server inside is used. 4.139.1 is VS Code 1.139.1. */
const version = '4.139.1';
const advice = 'Check that this machine reaches its npm registry ("npm ping"), and run the command again.';

/** The folder of the server; fetches it where it is not there yet. */
export async function ensureServer(): Promise<string> {
  const home = join(cache, `vscode-server-${version}`);
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetch-'));
  try {
    const server = join(work, 'package/lib/vscode');
    await step('Fetching the VS Code server (47 MB)', async (progress) => {
      const npmCache = join(work, 'npm-cache');
      const stop = watchSize(npmCache, progress);
      try {
        await npm(['pack', `code-server@${version}`, '--cache', npmCache], work, advice);
      } finally {
        stop();
      }
      await rm(npmCache, { recursive: true });
    });
    await step('Unpacking the VS Code server', async () => {
      await run('tar', ['-xzf', `code-server-${version}.tgz`], 'Check that "tar" works here.', { cwd: work });
    });
    await step('Installing the packages of the VS Code server (400 MB)', async (progress) => {
      const stop = watchSize(join(server, 'node_modules'), progress);
      try {
        await npm(['install', '--omit=dev', '--ignore-scripts'], server, advice);
      } finally {
        stop();
      }
    });
    // Whoever comes second finds the folder there, complete.
    await rename(server, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return home;
}

/** Reports how much has arrived in a folder; returns how to stop. */
function watchSize(folder: string, progress: Progress): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    void sizeOf(folder).then((bytes) => {
      busy = false;
      progress(`${(bytes / 1e6).toFixed(0)} MB`);
    });
  }, 500);
  return () => {
    clearInterval(timer);
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

export interface ServerOptions {
  /** Keeps settings, state and secrets; made where it is missing. */
  readonly userData: string;
  /** Keeps the installed extensions. */
  readonly extensions: string;
  /** Lets windows take extensions under development; they then show no notifications, and no colour theme of the settings. */
  readonly development?: boolean;
  /** User settings of the window, besides those that make it quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the extension host finds in its environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Server {
  readonly group: Group;
  /** The address of a window. `payload` names extensions under development and the like. */
  address(target: WindowTarget): string;
  /** Replaces the user settings; windows take them when they are loaded. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
}

export interface WindowTarget {
  readonly folder?: string | undefined;
  readonly extensionDevelopmentPath?: string | undefined;
  readonly extensionTestsPath?: string | undefined;
}

/** No AI panels, no start page, no tips: what stays is what an extension shows. */
const quiet = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
};

/** Starts a VS Code server on a loopback port of its own choice, behind a random token. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const home = await ensureServer();
  const configure = async (settings: Readonly<Record<string, unknown>>) => {
    // Settings of machine scope, as all of ours are, are those of the machine that the extensions run on.
    for (const place of ['User', 'Machine']) {
      const folder = join(options.userData, place);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'settings.json'), JSON.stringify({ ...quiet, ...settings }, null, 2));
    }
  };
  await configure(options.settings ?? {});
  const token = randomBytes(16).toString('hex');
  // VS Code leaves sockets in the folder for temporary files.
  const temporary = await mkdtemp(join(tmpdir(), 'vscode-server-'));
  const group = start(
    process.execPath,
    [
      join(home, 'out/server-main.js'),
      ...['--host', '127.0.0.1'],
      ...['--port', '0'],
      ...['--connection-token', token],
      ...['--server-data-dir', options.userData],
      ...['--user-data-dir', options.userData],
      ...['--extensions-dir', options.extensions],
      '--accept-server-license-terms',
      '--disable-workspace-trust',
      '--disable-telemetry',
      ...(options.development === true ? ['--enable-smoke-test-driver'] : []),
    ],
    {
      cwd: options.userData, // An empty gallery: the window asks nobody for extensions.
      env: { ...process.env, EXTENSIONS_GALLERY: '{}', TMPDIR: temporary, ...options.env },
      cleanUp: () => rm(temporary, { recursive: true, force: true }),
    },
  );
  const [, port = ''] = await waitForOutput(group, /Extension host agent listening on (\d+)/);
  return {
    group,
    address: ({ folder, ...paths }) => {
      const url = new URL(`http://127.0.0.1:${port}/`);
      url.searchParams.set('tkn', token);
      if (folder === undefined) url.searchParams.set('ew', 'true');
      else url.searchParams.set('folder', folder);
      const payload = Object.entries(paths)
        .filter(([, path]) => path !== undefined)
        .map(([key, path]) => [key, `vscode-remote://127.0.0.1:${port}${path}`]);
      url.searchParams.set('payload', JSON.stringify(payload));
      return url.href;
    },
    configure,
    stop: () => group.stop(),
  };
}

/** Puts the extension as it was built last into a folder of extensions, as if it were installed. */
export async function linkExtension(extensions: string, userData: string): Promise<void> {
  // What VS Code remembers of the folder and of the package.json in it.
  await rm(join(userData, 'CachedProfilesData'), { recursive: true, force: true });
  await rm(extensions, { recursive: true, force: true });
  await mkdir(extensions, { recursive: true });
  await symlink(root, join(extensions, `${extensionId}-0.0.0`), 'junction');
}

/** Installs a package into the extensions folder that servers are started with. */
export async function installExtension(file: string, extensions: string, userData: string): Promise<string> {
  return await run(
    process.execPath,
    [
      join(await ensureServer(), 'out/server-main.js'),
      ...['--install-extension', file],
      ...['--extensions-dir', extensions],
      ...['--server-data-dir', userData],
      '--accept-server-license-terms',
      '--force',
    ],
    'Make the package again with "npm run package".',
  );
}
