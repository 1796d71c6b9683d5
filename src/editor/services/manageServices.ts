import {
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  window,
} from 'vscode';
import { t, userError } from '../../base/l10n.ts';
import {
  type ServiceInterface,
  serviceInterfaces,
  interfaceName,
} from '../../service/abilities/agentService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { askPick, askText, back } from '../ui/steps.ts';
import {
  type ConfiguredService,
  environmentNames,
} from './configuredServices.ts';
import type { Connector } from './connector.ts';
import type { ServerOnThisMachine } from './serverOnThisMachine.ts';
import type { CommandId, Commands } from '../manifest.ts';
import { inPick } from '../words/foreignText.ts';
import { joinParts, present } from '../../base/parts.ts';
import { offerUndo } from '../ui/messages.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';

interface Doing extends QuickPickItem {
  readonly run?: () => unknown;
}

/** Manages the service with this address, or one that the user picks. */
export async function manageServices(
  switchboard: Switchboard,
  connector: Connector,
  server: ServerOnThisMachine,
  address?: string,
): Promise<void> {
  const { configured, demo, allowed } = connector;
  const entry = configured.find((service) => service.address === address);
  await (entry ? manage(entry) : choose());

  async function choose() {
    const items: Doing[] = present(
      ...configured.map((service) => ({
        ...itemOf(service),
        run: () => manage(service),
      })),
      demo.isRunning && {
        label: t('Demo Service'),
        iconPath: new ThemeIcon('beaker'),
        description: t('Built in. Select it to stop it.'),
        run: runs('switchboard.stopDemo'),
      },
      { label: '', kind: QuickPickItemKind.Separator },
      {
        label: t('$(add) Connect to a Service…'),
        run: runs('switchboard.connect'),
      },
      {
        label: t('$(search) Find Services on This Machine'),
        run: runs('switchboard.findServices'),
      },
      {
        label: t('$(server-process) Start an Agent Server'),
        run: runs('switchboard.startServer'),
      },
      !demo.isRunning && {
        label: t('$(beaker) Try the Demo Service'),
        run: runs('switchboard.startDemo'),
      },
    );
    const picked = await window.showQuickPick(items, {
      title: t('Manage Services'),
      placeHolder: t('Select a service to change or remove it'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    await picked?.run?.();
  }

  function itemOf({ name, address, enabled }: ConfiguredService) {
    const connected = switchboard.service(address);
    const error = connected?.error;
    const kind = connected?.client.service?.interface;
    const enabledIcon = error ? 'warning' : 'plug';
    return {
      label: inPick(name),
      iconPath: new ThemeIcon(enabled ? enabledIcon : 'debug-disconnect'),
      description: inPick(
        joinParts(
          ' · ',
          address,
          kind && interfaceName(kind),
          !enabled && t('off'),
        ),
      ),
      ...(error ? { detail: inPick(error.message) } : {}),
    };
  }

  async function manage(service: ConfiguredService) {
    const { name, address, enabled, fromEnvironment } = service;
    const ofSettings: Doing[] = fromEnvironment
      ? []
      : [
          { label: t('$(edit) Rename…'), run: () => rename(service) },
          {
            label: t('$(key) Set API Key…'),
            run: runs('switchboard.setApiKey', address),
          },
          {
            label: t('$(clear-all) Remove Its API Key'),
            run: runs('switchboard.clearApiKey', address),
          },
          {
            label: t('$(symbol-interface) Interface…'),
            description:
              service.interface === 'auto'
                ? t('automatic')
                : interfaceName(service.interface),
            run: () => chooseInterface(service),
          },
          enabled
            ? {
                label: t('$(debug-disconnect) Turn Off'),
                description: t('Stays in the settings, but gets no requests'),
                run: () => connector.change(address, { enabled: false }),
              }
            : {
                label: t('$(plug) Turn On'),
                run: () => connector.change(address, { enabled: undefined }),
              },
        ];
    const connected = switchboard.service(address);
    const origins = allowed.of(address);
    const items: Doing[] = present(
      ...(await server.actions(address)),
      enabled && {
        label: t('$(refresh) Refresh'),
        run: () => switchboard.service(address)?.refresh(),
      },
      connected?.client.service?.models && {
        label: t('$(symbol-class) Models…'),
        run: runs('switchboard.manageModels', address),
      },
      ...ofSettings,
      origins.length > 0 && {
        label: t('$(shield) Allowed Sandbox Addresses…'),
        description: origins.join(', '),
        run: () => revoke(service),
      },
      {
        label: t('$(trash) Remove'),
        run: () => removeService(connector, service),
      },
    );
    const picked = await window.showQuickPick(items, {
      title: name,
      placeHolder: itemOf(service).description,
    });
    await picked?.run?.();
  }

  async function rename({ name, address }: ConfiguredService) {
    const answer = await askText({
      title: t('Rename {0}', name),
      value: name,
      prompt: t('Display name of the service. Leave empty to use its host.'),
    });
    if (typeof answer !== 'string') return;
    await connector.change(address, { name: answer.trim() || undefined });
  }

  /** Revokes addresses that the user allowed beside the service's own. */
  async function revoke({ name, address }: ConfiguredService) {
    const picked = await window.showQuickPick(
      allowed.of(address).map((origin) => ({ label: origin })),
      {
        title: name,
        placeHolder: t('Select an address to stop sending sandbox keys to'),
      },
    );
    if (picked) await allowed.revoke(address, picked.label);
  }

  async function chooseInterface({
    name,
    address,
    interface: current,
  }: ConfiguredService) {
    const kinds: readonly (ServiceInterface | 'auto')[] = [
      'auto',
      ...serviceInterfaces,
    ];
    const items = kinds.map((chosen) => ({
      label: chosen === 'auto' ? t('Automatic') : interfaceName(chosen),
      description: chosen === current ? t('current') : '',
      chosen,
    }));
    const answer = await askPick({
      title: name,
      items,
      active: items.find(({ chosen }) => chosen === current),
      placeholder: t('Interface of the service'),
    });
    if (answer === undefined || answer === back) return;
    await connector.change(address, {
      interface: answer.chosen === 'auto' ? undefined : answer.chosen,
    });
  }
}

function runs<Id extends CommandId>(id: Id, ...args: Commands[Id]) {
  return () => runOwnCommand(id, ...args);
}

/** Keeps the key and offers Undo. */
export async function removeService(
  connector: Connector,
  { name, address, fromEnvironment }: ConfiguredService,
): Promise<void> {
  if (fromEnvironment) {
    throw userError(
      '{0} comes from the environment variable {1}. Remove it there, and start VS Code again.',
      name,
      environmentNames.url,
    );
  }
  offerUndo(
    t('Removed {0}. Its key is kept.', name),
    await connector.remove(address),
  );
}
