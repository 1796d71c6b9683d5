import { t, userError } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import { showInformation, withProgress } from '../ui/messages.ts';
import { pickConfiguredService } from './pickService.ts';
import type { Connector } from './connector.ts';
import {
  environmentNames,
  type ConfiguredService,
} from './configuredServices.ts';
import {
  agreesToExposure,
  askForKey,
  connectFlow,
  findAuthentication,
  offersChange,
} from './connectFlow.ts';
import { findOnThisMachine } from './findOnThisMachine.ts';
import { openDemo, type ShowConversations } from './openDemo.ts';
import type { CommandHandlers } from '../manifest.ts';
import type { LogOutputChannel } from 'vscode';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ServerOnThisMachine } from './serverOnThisMachine.ts';
import { manageServices, removeService } from './manageServices.ts';

export interface ServiceParts {
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  readonly showConversations: ShowConversations;
  readonly log: LogOutputChannel;
  readonly serverOnThisMachine: () => Promise<ServerOnThisMachine>;
}

export function connectionCommands({
  switchboard,
  connector,
  showConversations,
  log,
  serverOnThisMachine,
}: ServiceParts) {
  const pick = (address: string | undefined, placeHolder: string) =>
    pickConfiguredService(connector, address, placeHolder);
  const startServer = async () => {
    const server = await serverOnThisMachine();
    if (await server.start()) await showConversations();
  };
  const connect = connectFlow(connector, showConversations);
  return {
    'switchboard.connect': () => connect(),
    'switchboard.disconnect': async (address) => {
      const service = await pick(address, t('Select the service to remove'));
      if (service) await removeService(connector, service);
    },
    'switchboard.findServices': () =>
      findOnThisMachine(switchboard, connector, connect, startServer),
    'switchboard.manageServices': async (address) =>
      manageServices(
        switchboard,
        connector,
        await serverOnThisMachine(),
        address,
      ),
    'switchboard.setApiKey': async (address) => {
      const service = await pick(
        address,
        t('Select the service whose key to set'),
      );
      if (service) await setApiKey(connector, service);
    },
    'switchboard.clearApiKey': async (address) => {
      const service = await pick(
        address,
        t('Select the service whose key to remove'),
      );
      if (!service) return;
      refuseEnvironment(service);
      await connector.keys.clear(service.address);
      await connector.restore();
      void showInformation(t('The key of {0} was removed.', service.name));
    },
    'switchboard.startServer': startServer,
    'switchboard.startDemo': () => openDemo(connector.demo, showConversations),
    'switchboard.stopDemo': () => connector.demo.stop(),
    'switchboard.showLog': () => {
      log.show();
    },
  } satisfies Partial<CommandHandlers>;
}

async function setApiKey(connector: Connector, service: ConfiguredService) {
  refuseEnvironment(service);
  const { name, url, address, interface: kind } = service;
  const answers = { key: new Secret('') };
  while (
    (await askForKey(answers, name, { title: t('Set API Key') })) === 'next'
  ) {
    if (!(await agreesToExposure(url))) return;
    try {
      const { access } = await withProgress(
        t('Connecting to {0}', name),
        (signal) =>
          // The settings may name an interface that cannot be detected.
          findAuthentication(
            connector,
            { url, key: answers.key, interface: kind },
            signal,
          ),
      );
      await connector.keep(access);
      return;
    } catch (error) {
      if (!(await offersChange(error, address))) return;
    }
  }
}

function refuseEnvironment({ name, fromEnvironment }: ConfiguredService) {
  if (!fromEnvironment) return;
  throw userError(
    'The key of {0} comes from the environment variable {1}. Change it there.',
    name,
    environmentNames.key,
  );
}
