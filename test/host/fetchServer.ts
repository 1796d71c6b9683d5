/** Installs a VS Code server on this machine, with the Node that it runs on. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from './paths.ts';
import { npm, run } from './processes.ts';
import { type Progress, step } from './steps.ts';

/** The version of VS Code to use by default. */
const usual = '1.139.1';

/** The oldest version that the extension supports and that the npm registry has a server for. */
export const oldest = '1.103.2';
/** The environment variable that sets the version of VS Code to test in. */
export const versionVariable = 'SWITCHBOARD_TEST_VSCODE';

const advice = 'Check that this machine can reach its npm registry ("npm ping"), then run the command again.';

export interface ServerProgram {
  readonly node: string;
  readonly program: string;
}

/** The server for this version of VS Code. Downloads it if it is missing. */
export async function ensureServer(version = usual): Promise<ServerProgram> {
  // From the package code-server, only the VS Code server inside is used. Version 4.N.P contains VS Code 1.N.P.
  const home = join(cache, `vscode-server-${version.replace(/^1\./, '4.')}`);
  if (!existsSync(home)) await fetchServer(version.replace(/^1\./, '4.'), home);
  const own = nodeOf(home);
  return { node: existsSync(own) ? own : process.execPath, program: join(home, 'out/server-main.js') };
}

async function fetchServer(version: string, home: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetch-'));
  try {
    const server = join(work, 'package/lib/vscode');
    await step(`Downloading the VS Code server ${version} (about 45 MB)`, async (progress) => {
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
      await run('tar', ['-xzf', `code-server-${version}.tgz`], 'Check that "tar" works on this machine.', {
        cwd: work,
      });
    });
    await step('Installing the packages of the VS Code server (400 MB)', async (progress) => {
      const stop = watchSize(join(server, 'node_modules'), progress);
      try {
        await npm(['install', '--omit=dev', '--ignore-scripts'], server, advice);
      } finally {
        stop();
      }
    });
    const { engines } = JSON.parse(await readFile(join(work, 'package/package.json'), 'utf8')) as {
      engines: { node: string };
    };
    await ensureNode(engines.node, server);
    // If another process was faster, its folder is there and complete.
    await rename(server, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Each server is built for one major version of Node. On any other, its extension host starts and then hangs. */
async function ensureNode(major: string, server: string): Promise<void> {
  if (process.versions.node.split('.')[0] === major) return;
  await step(`Downloading Node ${major} for this VS Code server (120 MB)`, async () => {
    const folder = join(server, ownNode);
    await mkdir(folder);
    // A script of this package installs the executable from a package for the platform.
    await writeFile(join(folder, 'package.json'), JSON.stringify({ allowScripts: { node: true } }));
    await npm(['install', `node@${major}`], folder, advice);
    await run(nodeOf(server), ['--version'], advice);
  });
}

const ownNode = 'node-of-its-own';

function nodeOf(server: string): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(server, ownNode, 'node_modules/node/bin', name);
}

/** Reports how much has arrived in a folder. Returns a function that stops the reports. */
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
