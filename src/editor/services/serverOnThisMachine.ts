/** Starts, stops and updates the Agent Server that the windows here share. */
import type { SecretStorage } from 'vscode';
import { reason } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import { present } from '../../base/parts.ts';
import { type Container, imageDownload } from '../../localServer/container.ts';
import { findDocker, newestVersion } from '../../localServer/installer.ts';
import type { ServerKeys } from '../../localServer/serverEnvironment.ts';
import { PortTaken } from '../../localServer/serverPort.ts';
import {
  SharedAgentServer,
  type StartedProcess,
} from '../../localServer/sharedAgentServer.ts';
import { changeSetting, setting } from '../settings.ts';
import {
  confirm,
  offerActions,
  showError,
  showInformation,
  withProgress,
} from '../ui/messages.ts';
import type { Connector } from './connector.ts';
import { readServerKeys } from './serverKeys.ts';
import { searchPlaces, shownCommand } from './serverQuestions.ts';
import { ServerSetup } from './serverSetup.ts';
import { ServerWork } from './serverWork.ts';

interface Parts {
  readonly folder: string;
  readonly secrets: SecretStorage;
  readonly connector: Connector;
}

interface ServerAction {
  readonly label: string;
  readonly description?: string;
  readonly run: () => unknown;
}

const maxRestartsAfterCrashes = 3;

export class ServerOnThisMachine {
  readonly #parts: Parts;
  readonly #server: SharedAgentServer;
  readonly #work: ServerWork;
  readonly #setup: ServerSetup;
  /** The process that this window has started. */
  #process: StartedProcess | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#server = new SharedAgentServer(parts.folder);
    this.#work = new ServerWork(this.#server, () => {
      void this.#reporting(() => this.stop());
    });
    this.#setup = new ServerSetup(this.#server, this.#work, parts.secrets);
  }

  /**
   * Sets the server up first if needed, after a question. False if the user
   * gave up.
   */
  async start(): Promise<boolean> {
    if (!(await this.#server.isSetUp()) && !(await this.#setup.setUp()))
      return false;
    return await this.#startAndTell();
  }

  /** Starts an installed server if the user has chosen that. */
  async startWithWindow(): Promise<void> {
    if (await this.#server.isSetUp()) await this.#launch();
  }

  /** The choices for the service at this address; none for any other. */
  async actions(address: string): Promise<readonly ServerAction[]> {
    if ((await this.#server.address()) !== address) return [];
    const isRunning = await this.#server.isRunning();
    const { current, previous, container } = await this.#server.read();
    const startsWithWindow = setting('server.startWithWindow');
    const stopsWithWindow = setting('server.whenWindowCloses') === 'stop';
    return present(
      !isRunning && { label: t('$(play) Start'), run: () => this.start() },
      isRunning && { label: t('$(debug-stop) Stop'), run: () => this.stop() },
      isRunning && {
        label: t('$(debug-restart) Restart'),
        run: () => this.#restart(),
      },
      {
        label: t('$(terminal) Show Its Terminal'),
        run: () => {
          this.#work.showTerminal();
        },
      },
      {
        label: t('$(cloud-download) Update…'),
        description: container ? '' : (current?.version ?? ''),
        run: () =>
          container ? this.#updateContainer(container) : this.#update(),
      },
      container && {
        label: t('$(folder) Change Folders of the Container…'),
        run: () => this.#enterContainer(container.docker),
      },
      container && {
        label: t('$(package) Run Without a Container…'),
        run: () => this.#leaveContainer(),
      },
      !container && {
        label: t('$(package) Run in a Container…'),
        run: () => this.#enterContainer(),
      },
      previous &&
        !container && {
          label: t('$(history) Go Back to {0}…', previous.version),
          run: () => this.#goBack(),
        },
      {
        label: t('$(window) Start With the Window'),
        description: startsWithWindow ? t('on') : t('off'),
        run: () => changeSetting('server.startWithWindow', !startsWithWindow),
      },
      {
        label: t('$(close) Stop With the Window'),
        description: stopsWithWindow ? t('on') : t('off'),
        run: () =>
          changeSetting(
            'server.whenWindowCloses',
            stopsWithWindow ? 'keepRunning' : 'stop',
          ),
      },
    );
  }

  async stop(): Promise<void> {
    const address = await this.#server.address();
    await this.#end();
    if (address !== undefined)
      await this.#parts.connector.change(address, { enabled: false });
  }

  /** Stops the server with the window that started it, if that is wanted. */
  dispose(): void {
    this.#work.dispose();
    const started = this.#process;
    this.#process = undefined;
    if (setting('server.whenWindowCloses') === 'stop') started?.end();
  }

  async #enterContainer(known?: string) {
    const docker =
      known ??
      (await withProgress(t('Looking for Docker'), () =>
        findDocker(searchPlaces()),
      ));
    if (await this.#setup.setUpContainer(docker)) await this.#restart();
  }

  async #leaveContainer() {
    const { current } = await this.#server.read();
    const agreed = await confirm(
      t('Run the Agent Server without a container?'),
      t(
        'It is restarted, which interrupts agents at work. Conversations in the container are not listed then.',
      ),
      t('Restart Without It'),
    );
    if (!agreed) return;
    if (!current) {
      const installer = await this.#setup.findInstaller();
      if (!installer || (await this.#setup.installFirst(installer)) !== true)
        return;
    }
    await this.#end();
    await this.#server.leaveContainer();
    await this.start();
  }

  async #updateContainer(container: Container) {
    const agreed = await confirm(
      t('Update the Agent Server to the newest image?'),
      [
        t('It is restarted, which interrupts agents at work.'),
        '',
        shownCommand(imageDownload(container)),
      ],
      t('Update and Restart'),
    );
    if (agreed && (await this.#setup.download(container)))
      await this.#restart();
  }

  /** Starts the server and says so. False if the user gave up. */
  async #startAndTell(): Promise<boolean> {
    const url = await this.#launch().catch((error: unknown) => {
      if (error instanceof PortTaken) return this.#launchElsewhere(error);
      throw error;
    });
    if (!url) return false;
    const { current, container } = await this.#server.read();
    void this.#askToKeepRunning(
      container
        ? t('The Agent Server is running in a container at {0}.', url.host)
        : t(
            'Agent Server {0} is running at {1}.',
            current?.version ?? '',
            url.host,
          ),
    );
    return true;
  }

  /** Starts the server and connects it. Undefined if canceled. */
  async #launch(newPort?: number): Promise<URL | undefined> {
    const keys = await readServerKeys(this.#parts.secrets);
    const start = this.#work.run(t('Starting the Agent Server'), (signal) =>
      this.#server.start(keys, signal, newPort),
    );
    const started = await start.catch(async (error: unknown) => {
      await this.#listUnstarted(keys);
      throw error;
    });
    if (!started) return undefined;
    const { url, process } = started;
    if (process) {
      this.#process = process;
      void process.ended.then(() => {
        if (this.#process === process) this.#process = undefined;
        return this.explainEnd();
      });
    }
    await this.#connect(url, keys);
    return url;
  }

  /** Lets Manage Services update it, or change its folders. */
  async #listUnstarted(keys: ServerKeys) {
    const address = await this.#server.address();
    const isListed = this.#parts.connector.configured.some(
      (service) => service.address === address,
    );
    if (address !== undefined && !isListed)
      await this.#connect(new URL(address), keys);
  }

  async #connect(url: URL, { session: key }: ServerKeys) {
    await this.#parts.connector.keep(
      { url, authentication: 'sessionKey', key },
      t('This Machine'),
    );
  }

  async #launchElsewhere({
    message,
    freePort,
  }: PortTaken): Promise<URL | undefined> {
    const button = t('Use Port {0}', freePort);
    const detail = t(
      'At another port it counts as another service: marks such as pins are kept for its old address.',
    );
    if (!(await confirm(message, detail, button))) return undefined;
    const oldAddress = await this.#server.address();
    if (oldAddress !== undefined)
      await this.#parts.connector.remove(oldAddress);
    return await this.#launch(freePort);
  }

  async #end() {
    this.#process = undefined;
    await withProgress(t('Stopping the Agent Server'), () =>
      this.#server.stop(),
    );
  }

  async #restart() {
    await this.#end();
    await this.#startAndTell();
  }

  async #update() {
    const installer = await this.#setup.findInstaller();
    const { current } = await this.#server.read();
    if (!installer || !current) return;
    const version = await this.#work.run(
      t('Looking for a newer Agent Server'),
      (signal) =>
        newestVersion(
          installer,
          this.#server.versionFolder(current.folder),
          signal,
        ),
    );
    if (version === undefined) return;
    if (version === current.version) {
      void showInformation(
        t('Agent Server {0} is the newest.', current.version),
      );
      return;
    }
    const plan = this.#server.plan(installer, version);
    const agreed = await confirm(
      t('Update the Agent Server from {0} to {1}?', current.version, version),
      [
        t(
          'It is restarted, which interrupts agents at work. You can go back to {0} later.',
          current.version,
        ),
        '',
        ...this.#setup.planLines(installer, plan.commands),
      ],
      t('Update and Restart'),
    );
    if (!agreed || !(await this.#setup.install(plan))) return;
    try {
      await this.#restart();
    } catch (error) {
      await this.#server.goBack();
      await this.#restart();
      throw userError(
        'Agent Server {0} did not start, and {1} was started again: {2}',
        version,
        current.version,
        reason(error),
      );
    }
  }

  async #goBack() {
    const { current, previous } = await this.#server.read();
    const agreed = await confirm(
      t(
        'Go back from Agent Server {0} to {1}?',
        current?.version ?? '',
        previous?.version ?? '',
      ),
      t(
        'It is restarted, which interrupts agents at work. It may not read what the newer version has written.',
      ),
      t('Go Back and Restart'),
    );
    if (!agreed) return;
    await this.#server.goBack();
    await this.#restart();
  }

  /**
   * Offers to restart a server that ended on its own, whichever window started
   * it. Does nothing if it runs, or if a window has told of that.
   */
  async explainEnd(): Promise<void> {
    if (this.#work.isRunning) return;
    const crashes = await this.#server.claimCrash();
    if (crashes === 0) return;
    const keys = await readServerKeys(this.#parts.secrets);
    const lines = await this.#server.lastLines(keys);
    const message =
      lines.length === 0
        ? t('The Agent Server ended.')
        : t('The Agent Server ended: {0}', lines.join(' · '));
    await offerActions(showError, message, {
      ...(crashes <= maxRestartsAfterCrashes && {
        [t('Restart')]: () => this.#reporting(() => this.#startAndTell()),
      }),
      [t('Show Its Terminal')]: () => {
        this.#work.showTerminal();
      },
    });
  }

  /** Asks once whether the server outlives the window that started it. */
  async #askToKeepRunning(message: string) {
    if (setting('server.whenWindowCloses') !== 'ask') {
      void showInformation(message);
      return;
    }
    await offerActions(
      showInformation,
      t('{0} Keep it running when this window closes?', message),
      {
        [t('Keep Running')]: () =>
          changeSetting('server.whenWindowCloses', 'keepRunning'),
        [t('Stop With the Window')]: () =>
          changeSetting('server.whenWindowCloses', 'stop'),
      },
    );
  }

  async #reporting(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (error) {
      void showError(reason(error));
    }
  }
}
