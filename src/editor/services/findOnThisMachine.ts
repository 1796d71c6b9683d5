import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type QuickPickItem, window } from 'vscode';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import { Secret } from '../../base/secret.ts';
import { joinParts } from '../../base/parts.ts';
import { homeFolder } from '../../files/homeFolder.ts';
import { showAddress } from '../../service/http/serviceAddress.ts';
import {
  offerActions,
  showError,
  showInformation,
  withProgress,
} from '../ui/messages.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Connector } from './connector.ts';
import { inPick } from '../words/foreignText.ts';
import { shownPath } from '../words/shownPath.ts';
import type { Connect } from './connectFlow.ts';
import {
  findServices,
  type FoundService,
  usualPorts,
} from '../../service/findServices.ts';

/** The file with Agent Canvas's key. */
const keyFile = ['.openhands', 'agent-canvas', 'api-key.txt'] as const;
const maxKeyLength = 4_000;

interface Found extends QuickPickItem {
  readonly service: FoundService;
  readonly isConnected: boolean;
  readonly keyFile?: string;
}

export async function findOnThisMachine(
  switchboard: Switchboard,
  connector: Connector,
  connect: Connect,
  startServer: () => Promise<void>,
): Promise<void> {
  const runningServices = await withProgress(
    t('Looking for services on this machine'),
    async (signal) => {
      const services = await findServices(signal);
      return signal.aborted ? undefined : services;
    },
  );
  if (!runningServices) return;
  if (runningServices.length === 0) {
    const none = t(
      'No service was found on this machine (ports {0}). Start one, or enter its address.',
      usualPorts.join(', '),
    );
    await offerActions(showInformation, none, {
      [t('Start an Agent Server')]: startServer,
      [t('Connect to a Service')]: () => connect(),
    });
    return;
  }
  const picked = await window.showQuickPick(
    runningServices.flatMap((service) =>
      itemsOf(atConfiguredAddress(service, connector), switchboard),
    ),
    {
      title: t('Services on This Machine'),
      placeHolder: t('Select the service to connect to'),
      matchOnDescription: true,
    },
  );
  if (!picked) return;
  if (picked.isConnected) {
    void showInformation(
      t('{0} is already connected.', showAddress(picked.service.url)),
    );
    return;
  }
  const key =
    picked.keyFile === undefined ? undefined : await readKey(picked.keyFile);
  if (picked.keyFile !== undefined && !key) return;
  const { url, title } = picked.service;
  await connect({ url, key, name: title });
}

/** The settings may have it by another name of this machine. */
function atConfiguredAddress(
  service: FoundService,
  { configured }: Connector,
): FoundService {
  const known = configured.find(({ url }) => isSamePlace(url, service.url));
  return known ? { ...service, url: known.url } : service;
}

function itemsOf(service: FoundService, switchboard: Switchboard): Found[] {
  const { url, title, version, owner } = service;
  const address = showAddress(url);
  const connected = switchboard.service(address);
  const isConnected = connected !== undefined && !connected.error;
  const item: Found = {
    label: inPick(joinParts(' ', title ?? t('Agent service'), version)),
    description: inPick(
      joinParts(' · ', address, isConnected && t('connected')),
    ),
    service,
    isConnected,
  };
  const home = homeFolder();
  const path = home === undefined ? undefined : join(home, ...keyFile);
  // App servers give no title and have another key.
  if (
    isConnected ||
    title === undefined ||
    path === undefined ||
    !existsSync(path)
  )
    return [item];
  if (owner === 'other')
    return [
      {
        ...item,
        detail: t(
          'Started by another user. Asks you for its key, if it needs one',
        ),
      },
    ];
  const pathText = inPick(shownPath(path));
  const detail =
    owner === 'self'
      ? t('Reads its key from {0}', pathText)
      : t(
          'Reads its key from {0}. Any user of this machine may listen at this port',
          pathText,
        );
  return [
    { ...item, detail, keyFile: path },
    { ...item, detail: t('Asks you for its key, if it needs one') },
  ];
}

/** Ignores the name of this machine. */
function isSamePlace(one: URL, other: URL): boolean {
  return (
    one.port === other.port &&
    one.pathname === other.pathname &&
    isThisMachine(one.hostname)
  );
}

async function readKey(path: string): Promise<Secret | undefined> {
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (key !== '' && key.length <= maxKeyLength) return new Secret(key);
    await showError(
      t(
        'There is no key in {0}. Connect with the key that the service gave you.',
        path,
      ),
    );
  } catch (error) {
    await showError(t('Could not read {0}: {1}', path, reason(error)));
  }
  return undefined;
}
