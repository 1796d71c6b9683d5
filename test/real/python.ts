/**
 * A Python of this machine, and uv, which comes from the same package index as
 * all that is installed with it.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cache } from '../host/paths.ts';
import { run, start } from '../host/processes.ts';
import { step, StepError } from '../host/steps.ts';
import { lockFile, nameWithLock } from './locks.ts';

export const advice =
  'Check that this machine can reach its Python package index, then run the command again.';

/**
 * The path of a Python of one of these versions ("3.12"), the first of them if
 * it is there, with pip.
 */
export async function findPython(
  versions: readonly string[],
  {
    env = process.env,
    home = homedir(),
  }: { env?: NodeJS.ProcessEnv; home?: string } = {},
): Promise<string> {
  const pyenvs = [env.PYENV_ROOT ?? '', join(home, '.pyenv')].filter(
    (folder) => folder !== '',
  );
  const installed = (await Promise.all(pyenvs.map(pythonsIn))).flat();
  for (const version of versions) {
    for (const candidate of [
      `python${version}`,
      'python3',
      'python',
      ...installed,
    ]) {
      const found = await askPython(candidate, env);
      if (found?.version === version) return found.path;
    }
  }
  throw new StepError(
    `There is no Python ${versions.join(' or ')} with pip on the PATH, in $PYENV_ROOT/versions or in ~/.pyenv/versions, so the real program was not run.`,
    'Install one, for example with "pyenv install", then run the command again.',
  );
}

async function pythonsIn(pyenv: string): Promise<string[]> {
  const folder = join(pyenv, 'versions');
  const names = await readdir(folder).catch(() => []);
  return names.sort().map((name) => join(folder, name, 'bin', 'python'));
}

/**
 * A command of this name may be there and do nothing but say that there is no
 * such Python.
 */
async function askPython(
  command: string,
  env: NodeJS.ProcessEnv,
): Promise<{ version: string; path: string } | undefined> {
  const question =
    'import pip, sys; print("Python %d.%d" % sys.version_info[:2], sys.executable)';
  const group = start(command, ['-c', question], { env });
  await group.ended;
  const [, version, path] =
    /^Python (\d+\.\d+) (.+)$/m.exec(group.output()) ?? [];
  return version === undefined || path === undefined
    ? undefined
    : { version, path };
}

/** Runs uv. Installs it first where it is missing. */
export async function uv(
  python: string,
  args: readonly string[],
): Promise<string> {
  const program = await ensureUv(python);
  return await run(program, args, advice, { env: await uvEnvironment(python) });
}

/**
 * Writes down all that is to be installed for the packages in a file: the
 * newest of each that goes together, or that did on a day ("2025-11-20").
 */
export async function makeLock(
  python: string,
  wanted: string,
  lock: string,
  asOf?: string,
): Promise<void> {
  const options = [
    '--universal',
    '--python-version',
    '3.12',
    '--generate-hashes',
    '--upgrade',
    '--quiet',
  ];
  if (asOf !== undefined) options.push('--exclude-newer', asOf);
  // Nothing about where it was made, and from which index.
  const plain = [
    '--no-header',
    '--no-annotate',
    '--no-emit-index-url',
    '--no-emit-find-links',
  ];
  await uv(python, [
    'pip',
    'compile',
    '--python',
    python,
    ...options,
    ...plain,
    '--output-file',
    lock,
    wanted,
  ]);
}

/** The path of uv, which is installed where it is missing. */
export async function ensureUv(python: string): Promise<string> {
  const home = join(cache, 'real', nameWithLock('uv'));
  const program = join(home, 'bin', 'uv');
  if (existsSync(program)) return program;
  await step('Installing uv (20 MB)', async () => {
    await intoPlace(home, async (work) => {
      const options = [
        '--require-hashes',
        '--no-deps',
        '--only-binary',
        ':all:',
        '--quiet',
      ];
      const args = [
        '-m',
        'pip',
        'install',
        ...options,
        '--target',
        work,
        '-r',
        lockFile('uv'),
      ];
      await run(python, args, advice);
    });
  });
  return program;
}

/**
 * Passes pip's settings on this machine on to uv, which does not read them
 * itself.
 */
export async function uvEnvironment(
  python: string,
): Promise<NodeJS.ProcessEnv> {
  const settings = readPipSettings(
    await run(python, ['-m', 'pip', 'config', 'list'], advice),
  );
  const links = settings.get('find-links')?.split(/\s+/) ?? [];
  return {
    UV_DEFAULT_INDEX: settings.get('index-url'),
    UV_INDEX: settings.get('extra-index-url'),
    UV_FIND_LINKS:
      links
        .filter((link) => link.includes('://') || existsSync(link))
        .join(',') || undefined,
    SSL_CERT_FILE: settings.get('cert'),
    UV_HTTP_TIMEOUT:
      settings.get('timeout') ?? settings.get('default-timeout') ?? '120',
    UV_CACHE_DIR: join(cache, 'real', 'uv-cache'),
    ...process.env,
    UV_PYTHON_DOWNLOADS: 'never',
    VIRTUAL_ENV: undefined,
  };
}

/**
 * The output of `pip config list`, as `global.index-url='https://…'`. What the
 * environment says counts most.
 */
function readPipSettings(output: string): ReadonlyMap<string, string> {
  const strongest = [':env:', 'install', 'global'];
  const found = [
    ...output.matchAll(/^(:env:|install|global)\.([\w-]+)='(.*)'$/gm),
  ];
  const inOrder = found.sort(
    ([, one = ''], [, other = '']) =>
      strongest.indexOf(other) - strongest.indexOf(one),
  );
  return new Map(
    inOrder.map(([, , name = '', value = '']) => [
      name,
      value.replaceAll('\\n', ' ').trim(),
    ]),
  );
}

/**
 * Makes a folder that is either complete or not there. If another process was
 * faster, its folder is complete too.
 */
export async function intoPlace(
  folder: string,
  make: (work: string) => Promise<void>,
): Promise<void> {
  await mkdir(join(cache, 'real'), { recursive: true });
  const work = await mkdtemp(join(cache, 'real', 'install-'));
  try {
    await make(work);
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
