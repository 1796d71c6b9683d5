/** Installs the Agent Server of this machine, after a question. */
import type { SecretStorage } from 'vscode';
import { t, userError } from '../../base/l10n.ts';
import { type Container, imageDownload } from '../../localServer/container.ts';
import type { Command, Installer } from '../../localServer/installCommands.ts';
import { findDocker, findInstaller } from '../../localServer/installer.ts';
import type { Output } from '../../localServer/runToEnd.ts';
import type {
  InstallationPlan,
  SharedAgentServer,
} from '../../localServer/sharedAgentServer.ts';
import { askModal, confirm, withProgress } from '../ui/messages.ts';
import { shownPath } from '../words/shownPath.ts';
import { readServerKeys } from './serverKeys.ts';
import {
  askForFolders,
  keysNote,
  searchPlaces,
  shownCommand,
  tellHowToGetUv,
} from './serverQuestions.ts';
import type { ServerWork } from './serverWork.ts';

export class ServerSetup {
  readonly #server: SharedAgentServer;
  readonly #work: ServerWork;
  readonly #secrets: SecretStorage;

  constructor(
    server: SharedAgentServer,
    work: ServerWork,
    secrets: SecretStorage,
  ) {
    this.#server = server;
    this.#work = work;
    this.#secrets = secrets;
  }

  /** False if the user gave up. */
  async setUp(): Promise<boolean> {
    const [installer, docker] = await withProgress(
      t('Looking for uv, Python, and Docker'),
      () =>
        Promise.all([
          findInstaller(searchPlaces()),
          findDocker(searchPlaces()),
        ]),
    );
    const useContainer = t('Use a Container Instead');
    const buttons = docker === undefined ? [] : [useContainer];
    if (!installer) {
      const answer = await tellHowToGetUv(...buttons);
      return answer === useContainer && (await this.setUpContainer(docker));
    }
    const answer = await this.installFirst(installer, ...buttons);
    return answer === useContainer
      ? await this.setUpContainer(docker)
      : answer === true;
  }

  /** Tells how to get one if there is none. */
  async findInstaller(): Promise<Installer | undefined> {
    const installer = await withProgress(t('Looking for uv and Python'), () =>
      findInstaller(searchPlaces()),
    );
    if (!installer) await tellHowToGetUv();
    return installer;
  }

  /** Resolves with true, or with another button that was pressed. */
  async installFirst(
    installer: Installer,
    ...buttons: readonly string[]
  ): Promise<boolean | string> {
    const plan = this.#server.plan(installer);
    const install = t('Install and Start');
    const answer = await askModal(
      t('Install and start an Agent Server on this machine?'),
      [
        t(
          'Its agents run commands with your rights: they can read, change, and delete everything that you can. Use a container or a virtual machine for anything you do not trust.',
        ),
        '',
        ...this.planLines(installer, [
          ...plan.commands,
          this.#server.command(plan.name, await this.#server.port()),
        ]),
        t('VERSION is the newest.'),
        '',
        keysNote(),
      ],
      install,
      ...buttons,
    );
    if (answer === install) return await this.install(plan);
    return answer ?? false;
  }

  /** Asks for its folders, and downloads it. False if the user gave up. */
  async setUpContainer(docker: string | undefined): Promise<boolean> {
    if (docker === undefined)
      throw userError('Docker is not installed, or is not running.');
    const folders = await askForFolders();
    if (folders.length === 0) return false;
    const container = { docker, folders };
    const runs = this.#server.containerCommand(
      container,
      await readServerKeys(this.#secrets),
      await this.#server.port(),
    );
    const interruption = (await this.#server.isRunning())
      ? [t('It is restarted, which interrupts agents at work.'), '']
      : [];
    const agreed = await confirm(
      t('Run the Agent Server in a container?'),
      [
        ...interruption,
        t(
          'Its agents can read, change, and delete everything in {0}, but no other files of this machine. They reach the network, and programs on this machine that listen on a port.',
          folders.map((folder) => shownPath(folder)).join(', '),
        ),
        t('What they write elsewhere is lost when the container stops.'),
        '',
        t('Docker downloads the newest image from ghcr.io, and runs it:'),
        '',
        shownCommand(imageDownload(container)),
        shownCommand(runs),
        '',
        keysNote(),
      ],
      t('Download and Start'),
    );
    return agreed && (await this.download(container));
  }

  download(container: Container): Promise<boolean> {
    return this.#prepare(t('Downloading the Agent Server'), (output) =>
      this.#server.useContainer(container, output),
    );
  }

  install(plan: InstallationPlan): Promise<boolean> {
    return this.#prepare(t('Installing the Agent Server'), (output) =>
      this.#server.install(plan, output),
    );
  }

  /** Shows the output in the terminal. False if canceled. */
  async #prepare(
    title: string,
    prepare: (output: Output) => Promise<void>,
  ): Promise<boolean> {
    const done = await this.#work.run(title, async (signal, report) => {
      await prepare({ signal, write: this.#work.writer(report) });
      return true;
    });
    return done === true;
  }

  planLines({ uv }: Installer, planned: readonly Command[]): readonly string[] {
    const place = shownPath(this.#server.folder);
    return [
      uv !== undefined
        ? t(
            'This installs about 540 MB with uv into {0}, from PyPI or the package index that uv is set to, with Python if it is missing:',
            place,
          )
        : t(
            'This installs about 540 MB with pip into {0}, from PyPI or the package index that pip is set to:',
            place,
          ),
      '',
      ...planned.map((command) => shownCommand(command, this.#server.folder)),
    ];
  }
}
