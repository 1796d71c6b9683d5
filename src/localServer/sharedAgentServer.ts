/**
 * The Agent Server that the windows of this machine share: its installations,
 * its process, and the file that says which are in use.
 */
import { spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { closeSync, openSync, statSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
} from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { sleep, systemClock } from '../base/clock.ts';
import { reason, UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { changeShared, readShared } from '../files/sharedFile.ts';
import { runProgram } from '../files/systemPrograms.ts';
import { newToken } from '../files/temporary.ts';
import { Redactor } from '../probe/shown.ts';
import {
  type Container,
  imageDownload,
  containerStop,
  image,
  containerRemoval,
  containerRun,
} from './container.ts';
import {
  type Command,
  commandLine,
  installation,
  type Installer,
  pythonIn,
  versionPlaceholder,
} from './installCommands.ts';
import { installedVersion } from './installer.ts';
import { type Output, outputOf, runToEnd } from './runToEnd.ts';
import {
  containerVariables,
  serverEnvironment,
  type ServerKeys,
  serverVariables,
} from './serverEnvironment.ts';

interface Installed {
  /** The name of its folder. */
  readonly folder: string;
  readonly version: string;
}

export interface InstallationPlan {
  /** The folder. */
  readonly name: string;
  readonly commands: readonly Command[];
}

/** The content of the file that the windows share. */
interface ServerRecord {
  readonly current?: Installed;
  /** The one that an update replaced. */
  readonly previous?: Installed;
  /** Used instead of an installation. */
  readonly container?: Container | undefined;
  /** The name of the container that was started last. */
  readonly containerName?: string;
  readonly port?: number | undefined;
  /** The process that was started last, which may have ended. */
  readonly pid?: number;
  /** The ends that were told of as crashes, the newest last. */
  readonly crashes?: readonly {
    readonly pid: number;
    readonly time: number;
  }[];
}

const serverModule = 'openhands.agent_server';
const firstPort = 8000;
const portsToTry = 100;
/** A first start compiles all of its Python code. */
const startTimeoutMs = 180_000;
const answerTimeoutMs = 2_000;
const stopTimeoutMs = 10_000;
const pollIntervalMs = 200;
const maxInstallationMs = 3_600_000;
const crashMemoryMs = 3_600_000;
/** A longer log is emptied by the next start. */
const maxLogBytes = 5_000_000;

/** Another program listens at the port that the server had. */
export class PortTaken extends UserError {
  readonly freePort: number;

  constructor(port: number, freePort: number) {
    super(t('Another program on this machine uses port {0}.', port));
    this.freePort = freePort;
  }
}

/** A process that this window has started. */
export interface StartedProcess {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  /** Ends the server without waiting for that. */
  end(): void;
}

interface StartedServer {
  readonly url: URL;
  /** Missing if another window has started the server. */
  readonly process: StartedProcess | undefined;
}

export class SharedAgentServer {
  readonly logFile: string;
  readonly folder: string;
  readonly #file: string;
  /** Holds the process that a window has stopped last. */
  readonly #stoppedFile: string;
  /** Belongs to this window: no other window removes its container. */
  readonly #containerName = `agent-switchboard-${newToken().slice(0, 6)}`;

  /** The crash that this window has claimed last. */
  #claimedPid: number | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.#file = join(folder, 'server.json');
    this.#stoppedFile = join(folder, 'stopped');
    this.logFile = join(folder, 'server.log');
  }

  async read(): Promise<ServerRecord> {
    return recordOf((await readShared(this.#file)).text);
  }

  /** True if it can be started. */
  async isSetUp(): Promise<boolean> {
    const { current, container } = await this.read();
    return (container ?? current) !== undefined;
  }

  /** The address that the server has, or had last. */
  async address(): Promise<string | undefined> {
    const { port } = await this.read();
    return port === undefined ? undefined : addressAt(port);
  }

  async isRunning(): Promise<boolean> {
    const { pid } = await this.read();
    return pid !== undefined && (await this.#isServer(pid));
  }

  /** A folder for one more installation, and the commands that make it. */
  plan(installer: Installer, version?: string): InstallationPlan {
    const name = newToken().slice(0, 6);
    return {
      name,
      commands: installation(installer, this.versionFolder(name), version),
    };
  }

  /** Installs, and makes this the version in use. */
  async install(
    { name, commands }: InstallationPlan,
    output: Output,
  ): Promise<void> {
    const folder = this.versionFolder(name);
    await this.#makeFolder();
    await this.#removeAbandoned();
    try {
      let version = '';
      for (const { file, args } of commands) {
        const command = {
          file,
          args: args.map((arg) => arg.replace(versionPlaceholder, version)),
        };
        output.write(`\n> ${commandLine(command, this.folder)}\n`);
        await runToEnd(command, output);
        version = await installedVersion(folder);
      }
      output.signal.throwIfAborted();
      await this.#change(({ current, previous, ...record }) => {
        if (previous) this.#removeLater(previous);
        return {
          ...record,
          current: { folder: name, version },
          ...(current && { previous: current }),
        };
      });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Downloads the newest image, and runs the server in it from now on. */
  async useContainer(container: Container, output: Output): Promise<void> {
    await mkdir(this.#containerFolder, { recursive: true, mode: 0o700 });
    const command = imageDownload(container);
    output.write(`\n> ${commandLine(command)}\n`);
    await runToEnd(command, output);
    output.signal.throwIfAborted();
    await this.#change((record) => ({ ...record, container }));
  }

  /** Runs an installed server from now on. */
  async leaveContainer(): Promise<void> {
    await this.#change((record) => ({ ...record, container: undefined }));
  }

  /** Makes the replaced version the one in use, and keeps the other. */
  async goBack(): Promise<void> {
    await this.#change(({ current, previous, ...record }) => ({
      ...record,
      ...(previous && { current: previous }),
      ...(current && { previous: current }),
    }));
  }

  /** Gives up on a full disk. */
  async log(text: string): Promise<void> {
    await this.#makeFolder();
    await appendFile(this.logFile, text, { mode: 0o600 }).catch(
      () => undefined,
    );
  }

  /** The last lines of its log, safe to show. */
  async lastLines(keys: ServerKeys): Promise<readonly string[]> {
    const text = await readFile(this.logFile, 'utf8').catch(() => '');
    return new Redactor([keys.session, keys.storage]).lastLines(text).slice(-5);
  }

  /**
   * Starts the server, unless it runs, and resolves when it answers. A canceled
   * start leaves nothing running.
   */
  async start(
    keys: ServerKeys,
    signal: AbortSignal,
    newPort?: number,
  ): Promise<StartedServer> {
    const record = await this.read();
    const { pid: oldPid, port: savedPort, container, containerName } = record;
    const isRunning = oldPid !== undefined && (await this.#isServer(oldPid));
    let process: StartedProcess | undefined;
    if (!isRunning) {
      if (container && containerName !== undefined)
        await outputOf(containerRemoval(container, containerName));
      const port = newPort ?? (await freePort(savedPort));
      await this.#makeFolder();
      try {
        await this.#change((now) => {
          // Another window may have been faster.
          if (now.pid !== oldPid) return now;
          const spawned = this.#spawn(record, port, keys);
          process = spawned;
          return {
            ...now,
            port,
            pid: spawned.pid,
            containerName: this.#containerName,
          };
        });
      } catch (error) {
        // No window would know of it.
        process?.end();
        throw error;
      }
    }
    const { port = firstPort, pid } = await this.read();
    const url = new URL(addressAt(port));
    try {
      await untilReady(url, keys, pid, signal);
    } catch (error) {
      if (!process) {
        signal.throwIfAborted();
        if (await this.isRunning()) throw error;
        // A window that was closed has stopped it.
        return await this.start(keys, signal, newPort);
      }
      await this.stop();
      signal.throwIfAborted();
      if (newPort === undefined && !(await isFree(port))) {
        // Another program took the port at the same moment.
        await this.#change((now) => ({ ...now, port: savedPort }));
        return await this.start(keys, signal);
      }
      const lines = await this.lastLines(keys);
      throw new UserError([reason(error), ...lines].join(' · '));
    }
    return { url, process };
  }

  /** Resolves when the server and what it started have ended. */
  async stop(): Promise<void> {
    const { pid, container, containerName } = await this.read();
    if (pid === undefined) return;
    this.#markStopped(pid);
    if (!(await this.#isServer(pid))) return;
    if (container && containerName !== undefined)
      await outputOf(containerStop(container, containerName));
    signalGroup(pid, 'SIGTERM');
    const until = systemClock.now() + stopTimeoutMs;
    while (isAlive(pid) && systemClock.now() < until)
      await sleep(systemClock, pollIntervalMs);
    if (isAlive(pid)) signalGroup(pid, 'SIGKILL');
  }

  /**
   * Resolves with the number of crashes in the last hour for one window, which
   * tells of the last one; with 0 if there is nothing to tell.
   */
  async claimCrash(): Promise<number> {
    const { pid } = await this.read();
    if (pid === undefined || pid === this.#claimedPid) return 0;
    if (await this.#isServer(pid)) return 0;
    const stopped = await readFile(this.#stoppedFile, 'utf8').catch(() => '');
    if (Number(stopped) === pid) return 0;
    this.#claimedPid = pid;
    // Told by each window if the disk is full.
    let count = 1;
    await this.#change((record) => {
      const { crashes = [] } = record;
      const time = systemClock.now();
      const recent = crashes.filter(
        (crash) => time - crash.time < crashMemoryMs,
      );
      const isClaimed = record.pid !== pid || crashes.at(-1)?.pid === pid;
      count = isClaimed ? 0 : recent.length + 1;
      return isClaimed
        ? record
        : { ...record, crashes: [...recent, { pid, time }] };
    }).catch(() => undefined);
    return count;
  }

  /** Leaves out the lock of the record: a window that closes cannot wait. */
  #markStopped(pid: number): void {
    try {
      writeFileSync(this.#stoppedFile, String(pid), { mode: 0o600 });
    } catch {
      // A full disk does not keep it running.
    }
  }

  #spawn(
    { container, current }: ServerRecord,
    port: number,
    keys: ServerKeys,
  ): StartedProcess {
    const size = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
    const flags = size > maxLogBytes ? 'w' : 'a';
    const log = openSync(this.logFile, flags, 0o600);
    const variables = container
      ? containerVariables(keys)
      : serverVariables(this.folder, keys);
    try {
      const command = container
        ? this.containerCommand(container, keys, port)
        : current && this.command(current.folder, port);
      if (!command)
        throw new UserError(t('The Agent Server is not installed.'));
      const { file, args } = command;
      const child = spawn(file, args, {
        cwd: this.folder,
        env: { ...serverEnvironment(), ...variables },
        // Outlives this window, which then must not wait for it.
        detached: true,
        windowsHide: true,
        stdio: ['ignore', log, log],
      });
      child.unref();
      const { pid } = child;
      const ended = happens(child, 'exit');
      if (pid !== undefined)
        return {
          pid,
          ended,
          end: () => {
            this.#markStopped(pid);
            if (container)
              startAlone(containerStop(container, this.#containerName));
            signalGroup(pid, 'SIGTERM');
          },
        };
      throw new UserError(
        t('{0} cannot be started. Update the Agent Server.', file),
      );
    } finally {
      closeSync(log);
    }
  }

  /** The command that runs the server of an installation. */
  command(folder: string, port = firstPort): Command {
    return {
      file: pythonIn(this.versionFolder(folder)),
      args: ['-m', serverModule, '--host', '127.0.0.1', '--port', String(port)],
    };
  }

  /** The command that runs the server in a container. */
  containerCommand(
    container: Container,
    keys: ServerKeys,
    port = firstPort,
  ): Command {
    const names = Object.keys(containerVariables(keys));
    return containerRun(
      container,
      this.#containerName,
      this.#containerFolder,
      port,
      names,
    );
  }

  /** False for another process that got the same id later. */
  async #isServer(pid: number): Promise<boolean> {
    if (!isAlive(pid)) return false;
    if (process.platform === 'win32') {
      const filter = ['/FI', ['PID', 'eq', pid].join(' '), '/NH'];
      return /python|docker/i.test(
        (await runProgram('tasklist', filter)) ?? '',
      );
    }
    const text =
      process.platform === 'linux'
        ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        : await runProgram('ps', ['-o', 'args=', '-p', String(pid)]);
    return [serverModule, image].some((word) => text?.includes(word));
  }

  get #containerFolder(): string {
    return join(this.folder, 'container');
  }

  versionFolder(name: string): string {
    return join(this.folder, 'versions', name);
  }

  /** Removes what windows have left that were closed while they installed. */
  async #removeAbandoned(): Promise<void> {
    const { current, previous } = await this.read();
    const versions = join(this.folder, 'versions');
    for (const name of await readdir(versions).catch(() => [])) {
      if ([current?.folder, previous?.folder].includes(name)) continue;
      const { mtimeMs = Infinity } =
        (await stat(join(versions, name)).catch(() => undefined)) ?? {};
      // Another window may be installing a younger one.
      if (systemClock.now() - mtimeMs < maxInstallationMs) continue;
      await rm(join(versions, name), { recursive: true, force: true });
    }
  }

  #removeLater({ folder }: Installed): void {
    void rm(this.versionFolder(folder), { recursive: true, force: true });
  }

  async #makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  async #change(change: (record: ServerRecord) => ServerRecord): Promise<void> {
    await withFileErrors(this.#file, 'written', () =>
      changeShared(this.#file, ({ text }) =>
        JSON.stringify(change(recordOf(text))),
      ),
    );
  }
}

/** Signals the whole group of a process that a window has started. */
function signalGroup(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    startAlone({ file: 'taskkill', args: ['/pid', String(pid), '/T', '/F'] });
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // The process has ended.
  }
}

/** Starts a program that outlives this window. */
function startAlone({ file, args }: Command): void {
  const options = { detached: true, windowsHide: true } as const;
  const child = spawn(file, args, { ...options, stdio: 'ignore' });
  child.on('error', () => undefined).unref();
}

function recordOf(text: string): ServerRecord {
  try {
    return JSON.parse(text) as ServerRecord;
  } catch {
    return {};
  }
}

function addressAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function untilReady(
  url: URL,
  keys: ServerKeys,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const until = systemClock.now() + startTimeoutMs;
  for (;;) {
    const status = await statusOf(url, keys);
    if (status === 200) return;
    if (status === 401)
      throw new UserError(
        t(
          'The Agent Server at {0} was started with another key, perhaps by another VS Code. Stop it there, or connect with its key.',
          url.host,
        ),
      );
    if (pid === undefined || !isAlive(pid))
      throw new UserError(t('The Agent Server ended before it answered.'));
    if (systemClock.now() > until)
      throw new UserError(t('The Agent Server does not answer.'));
    await sleep(systemClock, pollIntervalMs, signal);
  }
}

/** The saved port, or the first free one if none is saved. */
async function freePort(saved: number | undefined): Promise<number> {
  if (saved !== undefined && (await isFree(saved))) return saved;
  for (let port = firstPort; port < firstPort + portsToTry; port++) {
    if (!(await isFree(port))) continue;
    if (saved === undefined) return port;
    throw new PortTaken(saved, port);
  }
  const lastPort = firstPort + portsToTry - 1;
  throw new UserError(
    t('No port from {0} to {1} is free.', firstPort, lastPort),
  );
}

/** `undefined` if nothing answers there. */
async function statusOf(
  url: URL,
  { session }: ServerKeys,
): Promise<number | undefined> {
  try {
    const { status } = await fetch(new URL('/api/conversations/count', url), {
      headers: { 'x-session-api-key': session.reveal() },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return status;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asks first: some systems let two programs listen at one port. */
async function isFree(port: number): Promise<boolean> {
  const place = { host: '127.0.0.1', port };
  const socket = connect(place);
  const isTaken = await happens(socket, 'connect');
  socket.destroy();
  if (isTaken) return false;
  const server = createServer().listen(place);
  const canListen = await happens(server, 'listening');
  await server[Symbol.asyncDispose]();
  return canListen;
}

/** False if an error comes first. */
async function happens(emitter: EventEmitter, event: string): Promise<boolean> {
  return await once(emitter, event).then(
    () => true,
    () => false,
  );
}
