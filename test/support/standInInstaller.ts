/**
 * A folder with a program `uv` that installs a stand-in for the Agent Server: a
 * demo service in a process of its own, with the key that it is given. Its
 * `docker` runs the same.
 *   node test/support/standInInstaller.ts uv|python|docker FOLDER ...
 */
import { existsSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { until } from './eventually.ts';
import { isRunning } from './isRunning.ts';

const node = join(root, 'node_modules/.bin/node');
const script = import.meta.filename;

export interface StandInOptions {
  /** The version in the package index. */
  readonly newest: string;
  /** Makes every installation fail with these words. */
  readonly failure?: string;
  /** Versions whose server ends at once with these words. */
  readonly broken?: Readonly<Record<string, string>>;
  /** A server that no longer answers does not end while this file exists. */
  readonly lingersFor?: string;
  /** True if Docker is running. */
  readonly docker?: boolean;
}

/** Makes the folder, or changes what its `uv` does from now on. */
export async function writeStandIn(
  folder: string,
  options: StandInOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'options.json'), JSON.stringify(options));
  await writeProgram(join(folder, 'uv'), ['uv', folder]);
  await writeProgram(join(folder, 'docker'), ['docker', folder]);
}

async function writeProgram(
  path: string,
  args: readonly string[],
): Promise<void> {
  const words = [node, script, ...args].map((word) => `'${word}'`).join(' ');
  await writeFile(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
}

async function runUv(folder: string, args: readonly string[]): Promise<void> {
  const { newest, failure } = await optionsIn(folder);
  const place = args.at(-1) ?? '';
  if (args[0] === 'venv') {
    await mkdir(join(place, 'bin'), { recursive: true });
    await writeProgram(join(place, 'bin/python'), ['python', folder, place]);
    return;
  }
  const [, version = newest] =
    /openhands-agent-server==(\S+)/.exec(args.join(' ')) ?? [];
  if (args.includes('--dry-run')) {
    console.error(` + openhands-agent-server==${newest}`);
    return;
  }
  console.error('Resolved 3 packages');
  if (failure !== undefined) {
    console.error(failure);
    process.exit(1);
  }
  const environment = args[args.indexOf('--python') + 1] ?? '';
  await writeFile(join(environment, 'version'), version);
  console.error(` + openhands-agent-server==${version}`);
}

async function runPython(
  folder: string,
  environment: string,
  args: readonly string[],
): Promise<void> {
  const version = await readFile(join(environment, 'version'), 'utf8').catch(
    () => '',
  );
  if (args[0] === '-c') {
    console.log(version.trim());
    return;
  }
  const { broken = {}, lingersFor = '' } = await optionsIn(folder);
  const words = broken[version];
  if (words !== undefined) {
    console.error(words);
    process.exit(3);
  }
  await serve(version, args.at(-1), process.env, lingersFor);
}

async function serve(
  version: string,
  port: string | undefined,
  environment: NodeJS.ProcessEnv,
  lingersFor = '',
): Promise<void> {
  const { startDemo } = await import('../../src/demo/demoService.ts');
  const demo = await startDemo({
    interface: 'agentServer',
    port: Number(port),
    key: environment.OH_SESSION_API_KEYS_0 ?? '',
  });
  console.log(`Agent Server ${version} at ${demo.url}`);
  process.on('SIGTERM', () => {
    void demo.stop();
    void until(() => !existsSync(lingersFor)).then(() => process.exit(0));
  });
}

/** Docker with its service, which knows one container of each name. */
async function runDocker(
  folder: string,
  args: readonly string[],
): Promise<void> {
  const { newest, docker, failure } = await optionsIn(folder);
  if (!docker) {
    console.error('Cannot connect to the Docker daemon');
    process.exit(1);
  }
  const [command = ''] = args;
  const valuesOf = (option: string) =>
    args.filter((_, index) => args[index - 1] === option);
  const [name = args.at(-1)] = valuesOf('--name');
  const running = join(folder, `container-${name}`);
  if (command === 'version') console.log('29.1.0');
  else if (command === 'pull') {
    console.log(failure ?? 'Status: Downloaded newer image');
    if (failure !== undefined) process.exit(1);
  } else if (command === 'run') {
    await writeFile(running, String(process.pid), { flag: 'wx' });
    const environment = Object.fromEntries(
      valuesOf('-e').map((name) => [name, process.env[name]]),
    );
    const [, port] = (valuesOf('-p')[0] ?? '').split(':');
    process.on('exit', () => {
      rmSync(running);
    });
    await serve(newest, port, environment);
  } else {
    const pid = await readFile(running, 'utf8').catch(() => '');
    if (pid === '') process.exit(1);
    if (isRunning(Number(pid))) {
      process.kill(Number(pid), 'SIGTERM');
      await until(() => !isRunning(Number(pid)));
    }
    await rm(running, { force: true });
  }
}

async function optionsIn(folder: string): Promise<StandInOptions> {
  const text = await readFile(join(folder, 'options.json'), 'utf8');
  return JSON.parse(text) as StandInOptions;
}

if (process.argv[1] === script) {
  const [, , program, folder = '', ...args] = process.argv;
  const [environment = '', ...serverArgs] = args;
  if (program === 'uv') await runUv(folder, args);
  else if (program === 'docker') await runDocker(folder, args);
  else await runPython(folder, environment, serverArgs);
}
