/**
 * A VS Code server from the npm registry: the workbench in a browser, with a
 * real extension host.
 */
import { randomBytes } from 'node:crypto';
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
import { extensionId } from '../../src/editor/manifest.ts';
import { neededExtensions } from './builtInExtensions.ts';
import { ensureServer } from './fetchServer.ts';
import { root } from './paths.ts';
import { type Group, run, start, waitForOutput } from './processes.ts';

export interface ServerOptions {
  /** The version of VS Code. Defaults to that of `ensureServer`. */
  readonly version?: string | undefined;
  /** The folder for settings, state and secrets. Created if missing. */
  readonly userData: string;
  /** The folder for installed extensions. */
  readonly extensions: string;
  /**
   * Keeps all extensions that come with VS Code, instead of only those that
   * ours works with.
   */
  readonly whole?: boolean;
  /**
   * Lets windows load extensions under development. They then show no
   * notifications and ignore the colour theme setting.
   */
  readonly development?: boolean;
  /**
   * Asks whether to trust a folder, as VS Code does. Otherwise all folders are
   * trusted.
   */
  readonly asksForTrust?: boolean;
  /**
   * The display language, such as `de`. The editor's own text stays English,
   * because its translations are not installed.
   */
  readonly language?: string;
  /** User settings of the window, in addition to those that make it quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The environment of the extension host. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Server {
  readonly group: Group;
  /**
   * The address of a window. `payload` contains extensions under development
   * and other options.
   */
  address(target: WindowTarget): string;
  /** Replaces the user settings. Windows apply them when they load. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
}

export interface WindowTarget {
  readonly folder?: string | undefined;
  readonly extensionDevelopmentPath?: string | undefined;
  readonly extensionTestsPath?: string | undefined;
}

/**
 * No AI panels, no start page and no tips, so only the extension's own UI is
 * shown; and nothing that keeps the machine busy.
 */
const quiet = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  // In a browser, VS Code would save for the user after a second.
  'files.autoSave': 'off',
  // Otherwise the extension host looks through all processes for open ports
  // every other second.
  'remote.autoForwardPortsSource': 'output',
  'editor.cursorBlinking': 'solid',
};

/**
 * Starts a VS Code server on a free loopback port, protected by a random token.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { node, program } = await ensureServer(options.version);
  const configure = async (settings: Readonly<Record<string, unknown>>) => {
    // All of our settings have machine scope: they are read from the machine
    // that the extensions run on.
    for (const place of ['User', 'Machine']) {
      const folder = join(options.userData, place);
      await mkdir(folder, { recursive: true });
      // Replaced in one step, because a window may be reading it.
      const file = join(folder, 'settings.json');
      await writeFile(
        `${file}.new`,
        JSON.stringify({ ...quiet, ...settings }, null, 2),
      );
      await rename(`${file}.new`, file);
    }
  };
  await configure(options.settings ?? {});
  if (options.language !== undefined)
    await offerLanguage(options.language, options.userData);
  const token = randomBytes(16).toString('hex');
  // VS Code leaves sockets behind in the folder for temporary files.
  const builtIn =
    options.whole === true
      ? []
      : ['--builtin-extensions-dir', await neededExtensions(program)];
  const temporary = await mkdtemp(join(tmpdir(), 'vscode-server-'));
  const group = start(
    node,
    [
      program,
      ...['--host', '127.0.0.1'],
      ...['--port', '0'],
      ...['--connection-token', token],
      ...['--server-data-dir', options.userData],
      ...['--user-data-dir', options.userData],
      ...['--extensions-dir', options.extensions],
      ...builtIn,
      '--accept-server-license-terms',
      ...(options.asksForTrust === true ? [] : ['--disable-workspace-trust']),
      '--disable-telemetry',
      ...(options.language === undefined ? [] : ['--locale', options.language]),
      ...(options.development === true ? ['--enable-smoke-test-driver'] : []),
    ],
    {
      cwd: options.userData,
      // With an empty gallery, the window does not look for extensions online.
      env: {
        ...process.env,
        EXTENSIONS_GALLERY: '{}',
        TMPDIR: temporary,
        ...options.env,
      },
      cleanUp: () => rm(temporary, { recursive: true, force: true }),
    },
  );
  const [, port = ''] = await waitForOutput(
    group,
    /Extension host agent listening on (\d+)/,
  );
  return {
    group,
    address: ({ folder, ...paths }) => {
      const url = new URL(`http://127.0.0.1:${port}/`);
      url.searchParams.set('tkn', token);
      if (folder === undefined) url.searchParams.set('ew', 'true');
      else url.searchParams.set('folder', folder);
      const payload = Object.entries(paths)
        .filter(([, path]) => path !== undefined)
        .map(([key, path]) => [
          key,
          `vscode-remote://127.0.0.1:${port}${path}`,
        ]);
      // In its log files, the extension tells of each request.
      const logLevel = ['logLevel', `${extensionId}=debug`];
      url.searchParams.set('payload', JSON.stringify([logLevel, ...payload]));
      return url.href;
    },
    configure,
    stop: () => group.stop(),
  };
}

/**
 * Makes VS Code believe that a language pack is installed. The pack is empty.
 */
async function offerLanguage(
  language: string,
  userData: string,
): Promise<void> {
  const translations = join(userData, `${language}.i18n.json`);
  await writeFile(
    translations,
    JSON.stringify({ version: '1.0.0', contents: {} }),
  );
  const pack = {
    hash: language,
    extensions: [
      { extensionIdentifier: { id: `empty.${language}` }, version: '1.0.0' },
    ],
    translations: { vscode: translations },
    label: language,
  };
  await writeFile(
    join(userData, 'languagepacks.json'),
    JSON.stringify({ [language]: pack }),
  );
}

/**
 * Links the last build of the extension into a folder of extensions, as if it
 * were installed.
 */
export async function linkExtension(
  extensions: string,
  userData: string,
  folder = root,
): Promise<void> {
  // VS Code caches the folder and its package.json here.
  await rm(join(userData, 'CachedProfilesData'), {
    recursive: true,
    force: true,
  });
  await rm(extensions, { recursive: true, force: true });
  await mkdir(extensions, { recursive: true });
  await symlink(folder, join(extensions, `${extensionId}-0.0.0`), 'junction');
}

/** Installs a package into the extensions folder of a server. */
export async function installExtension(
  file: string,
  extensions: string,
  userData: string,
): Promise<string> {
  const { node, program } = await ensureServer();
  return await run(
    node,
    [
      program,
      ...['--install-extension', file],
      ...['--extensions-dir', extensions],
      ...['--server-data-dir', userData],
      '--accept-server-license-terms',
      '--force',
    ],
    'Build the package again with "npm run package".',
  );
}
