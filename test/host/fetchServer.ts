/** Gets a VS Code server onto this machine, with the Node that it runs on. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from './paths.ts';
import { npm, run } from './processes.ts';
import { type Progress, step } from './steps.ts';

/** The VS Code that is taken where nobody asks for another. */
const usual = '1.139.1';

/** The oldest that the extension says it works in and that the npm registry has a server of. */
export const oldest = '1.103.2';
/** Names the version of VS Code that tests run in. */
export const versionVariable = 'SWITCHBOARD_TEST_VSCODE';

const advice = 'Check that this machine reaches its npm registry ("npm ping"), and run the command again.';

export interface ServerProgram {
  readonly node: string;
  readonly program: string;
}

/** The server of this version of VS Code; fetches it where it is not there yet. */
export async function ensureServer(version = usual): Promise<ServerProgram> {
  // The package code-server, of which only the VS Code server inside is used, counts 4.N.P for VS Code 1.N.P.
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
    await step(`Fetching the VS Code server ${version} (about 45 MB)`, async (progress) => {
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
    const { engines } = JSON.parse(await readFile(join(work, 'package/package.json'), 'utf8')) as {
      engines: { node: string };
    };
    await ensureNode(engines.node, server);
    // Whoever comes second finds the folder there, complete.
    await rename(server, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Each server is made for one major version of Node; on any other its extension host starts, and then hangs. */
async function ensureNode(major: string, server: string): Promise<void> {
  if (process.versions.node.split('.')[0] === major) return;
  await step(`Fetching Node ${major}, which this VS Code server runs on (120 MB)`, async () => {
    const folder = join(server, ownNode);
    await mkdir(folder);
    // The program comes in a package for the platform, which a script of the package puts in its place.
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
