/**
 * The Agent Server that the windows of this machine share: its installations,
 * its process, and the file that says which are in use.
 */
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { reason, UserError } from '../base/errors.ts';
import { userError } from '../base/l10n.ts';
import { newToken } from '../files/temporary.ts';
import { Redactor } from '../probe/shown.ts';
import {
  type Container,
  containerRemoval,
  containerRun,
  containerStop,
  imageDownload,
} from './container.ts';
import {
  type Command,
  commandLine,
  installation,
  type Installer,
  pythonIn,
  serverModule,
  versionPlaceholder,
} from './installCommands.ts';
import { installedVersion } from './installer.ts';
import { type Output, outputOf, runToEnd } from './runToEnd.ts';
import {
  containerVariables,
  type ServerKeys,
  serverVariables,
} from './serverEnvironment.ts';
import { addressAt, firstPort, freePort, isFree } from './serverPort.ts';
import {
  endServer,
  isServer,
  signalGroup,
  sinceStart,
  startAlone,
  startServer,
  untilReady,
} from './serverProcess.ts';
import { type ServerRecord, ServerRecordFile } from './serverRecord.ts';

export interface InstallationPlan {
  /** The folder. */
  readonly name: string;
  readonly commands: readonly Command[];
}

const maxInstallationMs = 3_600_000;

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
  readonly #record: ServerRecordFile;
  /** Belongs to this window: no other window removes its container. */
  readonly #containerName = `agent-switchboard-${newToken().slice(0, 6)}`;

  constructor(folder: string) {
    this.folder = folder;
    this.#record = new ServerRecordFile(folder);
    this.logFile = join(folder, 'server.log');
  }

  read(): Promise<ServerRecord> {
    return this.#record.read();
  }

  /** True if it can be started. */
  async isSetUp(): Promise<boolean> {
    const { current, container } = await this.read();
    return (container ?? current) !== undefined;
  }

  /** The port that the server has, had last, or gets if it is free then. */
  async port(): Promise<number> {
    return (await this.read()).port ?? (await freePort(undefined));
  }

  /** The address that the server has, or had last. */
  async address(): Promise<string | undefined> {
    const { port } = await this.read();
    return port === undefined ? undefined : addressAt(port);
  }

  async isRunning(): Promise<boolean> {
    const { pid } = await this.read();
    return pid !== undefined && (await isServer(pid));
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
      await this.#record.change(({ current, previous, ...record }) => {
        if (previous)
          void rm(this.versionFolder(previous.folder), {
            recursive: true,
            force: true,
          });
        return {
          ...record,
          current: { folder: name, version },
          previous: current,
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
    await this.#record.change((record) => ({ ...record, container }));
  }

  /** Runs an installed server from now on. */
  async leaveContainer(): Promise<void> {
    await this.#record.change((record) => ({
      ...record,
      container: undefined,
    }));
  }

  /** Makes the replaced version the one in use, and keeps the other. */
  async goBack(): Promise<void> {
    await this.#record.change(({ current, previous, ...record }) => ({
      ...record,
      current: previous,
      previous: current,
    }));
  }

  /** Gives up on a full disk. */
  async log(text: string): Promise<void> {
    await this.#makeFolder();
    await appendFile(this.logFile, text, { mode: 0o600 }).catch(
      () => undefined,
    );
  }

  /** The last lines that it wrote since its start, safe to show. */
  async lastLines(keys: ServerKeys): Promise<readonly string[]> {
    const log = await readFile(this.logFile, 'utf8').catch(() => '');
    const text = sinceStart(log);
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
    const isRunning = oldPid !== undefined && (await isServer(oldPid));
    let process: StartedProcess | undefined;
    if (!isRunning) {
      if (container && containerName !== undefined)
        await outputOf(containerRemoval(container, containerName));
      const port = newPort ?? (await freePort(savedPort));
      await this.#makeFolder();
      try {
        await this.#record.change((now) => {
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
        await this.#record.change((now) => ({ ...now, port: savedPort }));
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
    this.#record.noteStop(pid);
    if (!(await isServer(pid))) return;
    if (container && containerName !== undefined)
      await outputOf(containerStop(container, containerName));
    await endServer(pid);
  }

  /**
   * Resolves with the number of crashes in the last hour for one window, which
   * tells of the last one; with 0 if there is nothing to tell.
   */
  async claimCrash(): Promise<number> {
    const { pid } = await this.read();
    if (pid === undefined || (await isServer(pid))) return 0;
    return await this.#record.claimCrash(pid);
  }

  #spawn(
    { container, current }: ServerRecord,
    port: number,
    keys: ServerKeys,
  ): StartedProcess {
    const command = container
      ? this.containerCommand(container, keys, port)
      : current && this.command(current.folder, port);
    if (!command) throw userError('The Agent Server is not installed.');
    const variables = container
      ? containerVariables(keys)
      : serverVariables(this.folder, keys);
    const { pid, ended } = startServer(
      command,
      this.folder,
      variables,
      this.logFile,
    );
    const end = () => {
      this.#record.noteStop(pid);
      if (container) startAlone(containerStop(container, this.#containerName));
      signalGroup(pid, 'SIGTERM');
    };
    return { pid, ended, end };
  }

  /** The command that runs the server of an installation. */
  command(folder: string, port: number): Command {
    return {
      file: pythonIn(this.versionFolder(folder)),
      args: ['-m', serverModule, '--host', '127.0.0.1', '--port', String(port)],
    };
  }

  /** The command that runs the server in a container. */
  containerCommand(
    container: Container,
    keys: ServerKeys,
    port: number,
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

  async #makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }
}
