import { env, ThemeIcon, window } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { t, userError } from '../../base/l10n.ts';
import { present } from '../../base/parts.ts';
import { type Entry, placeIn } from '../../mcp/format/entry.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ActiveServers } from '../../state/activeServers.ts';
import { configPath } from '../mcpJson/places.ts';
import { pickServer, pickServers } from './ofFile/pickServer.ts';
import {
  readersOfFile,
  readersOfService,
  serverName,
} from '../words/mcpServers/serverWords.ts';
import { inMessage, inPick } from '../words/foreignText.ts';
import { askForServer } from './add/addServer.ts';
import { askForText } from './add/addServersFromText.ts';
import {
  fileDestination,
  type ServerDestination,
} from './add/confirmChanges.ts';
import type { UnfinishedFlows } from './add/pastedBatch.ts';
import {
  changeServers,
  changeUrl,
  type ServerFileParts,
} from './ofFile/changeServers.ts';
import type { CommandHandlers } from '../manifest.ts';
import type { ServerPages } from './serverPages.ts';
import { shownPath } from '../words/shownPath.ts';
import { showConfig } from '../mcpJson/openConfig.ts';
import {
  editAtService,
  enableAtService,
  removeAtService,
} from './ofServices/changeServiceServers.ts';
import {
  checkAtService,
  checkServiceServer,
} from './ofServices/checkAtService.ts';
import {
  type CopyParts,
  copyToFile,
  copyToService,
} from './ofServices/copyServers.ts';
import {
  pickServiceToAddTo,
  serviceDestination,
} from './ofServices/sendServers.ts';
import type { Connector } from '../services/connector.ts';
import { checkServers, checkAllServers } from './check/checkServers.ts';
import { chooseTools, switchToolsInFile } from './ofFile/chooseTools.ts';
import { findServer, readEntries } from '../../mcp/format/document.ts';
import { makePrivate } from '../../files/update.ts';
import { formatAdd } from '../../mcp/cli/commandLine.ts';

/** Limits the wait for the conversations of services that have no list yet. */
const refreshTimeoutMs = 3_000;

export interface ServerParts extends CopyParts {
  readonly connector: Pick<Connector, 'whenReady'>;
  readonly activeServers: ActiveServers;
  readonly serverPages: () => Promise<ServerPages>;
}

export function serverCommands(parts: ServerParts) {
  const { switchboard, connector, servers, activeServers, serverPages } = parts;
  /** Keyed by the address of the service; undefined for the file. */
  const unfinished = new Map<string | undefined, UnfinishedFlows>();
  const file = fileDestination(parts);
  const select = (name: string | undefined, placeholder: string) =>
    pickServer(servers, name, placeholder);
  /**
   * True if the user picked a service, because the command names no server, and
   * the work was done there.
   */
  const isDoneAtService = async (
    names: readonly (string | undefined)[],
    work: (service: ConnectedService) => Promise<void>,
    purpose: 'change' | 'check' = 'change',
  ) => {
    const place =
      names[0] === undefined ? await pickServerPlace(parts, purpose) : 'file';
    if (place !== undefined && place !== 'file') await work(place);
    return place !== 'file';
  };
  const enable = async (names: readonly string[], on: boolean) => {
    if (
      !(await isDoneAtService(names, (service) =>
        enableAtService(switchboard, [service], on),
      ))
    )
      await setEnabled(parts, on, names);
  };
  type Flow = typeof askForServer | typeof askForText;
  const addTo = async (
    flow: Flow,
    destination: ServerDestination,
    address?: string,
  ) => {
    if (!(await destination.isReady())) return;
    const answers = unfinished.get(address) ?? {};
    unfinished.set(address, answers);
    await flow(destination, answers);
  };
  const addToService = async (flow: Flow, address: string | undefined) => {
    const service = await pickServiceToAddTo(switchboard, address);
    if (service)
      await addTo(flow, serviceDestination(service), service.address);
  };
  const add = async (flow: Flow) => {
    const place = await pickServerPlace(parts, 'add');
    if (place === 'file') await addTo(flow, file);
    else if (place) await addToService(flow, place.address);
  };
  const showPage = async (name: string | undefined, placeholder: string) => {
    const entry = await select(name, placeholder);
    if (entry) (await serverPages()).show(entry.name);
  };
  return {
    'switchboard.mcp.add': () => add(askForServer),
    'switchboard.mcp.addFromText': () => add(askForText),
    'switchboard.mcp.enable': (...names) => enable(names, true),
    'switchboard.mcp.disable': (...names) => enable(names, false),
    'switchboard.mcp.remove': async (...names) => {
      if (
        await isDoneAtService(names, (service) =>
          removeAtService(switchboard, service),
        )
      )
        return;
      const entries = await pickServers(
        servers,
        names,
        t('Select the MCP servers to remove'),
      );
      if (entries.length === 0) return;
      await changeServers(
        parts,
        entries.map(({ name }) => ({ do: 'remove', name })),
        t('Removed {0}.', serversText(entries)),
      );
    },
    'switchboard.mcp.check': async (...names) => {
      const checkThere = (service: ConnectedService) =>
        checkServiceServer(switchboard, service);
      if (await isDoneAtService(names, checkThere, 'check')) return;
      await checkServers(
        parts,
        await pickServers(
          servers,
          names,
          t('Select the MCP servers to check'),
          ({ server }) => !!server,
        ),
      );
    },
    'switchboard.mcp.checkAll': () => checkAllServers(parts),
    'switchboard.mcp.chooseTools': async (name, on, off) => {
      const entry = await select(
        name,
        t('Select the MCP server whose tools to choose'),
      );
      if (!entry) return;
      await (on && off
        ? switchToolsInFile(parts, entry, on, off)
        : chooseTools(parts, entry));
    },
    'switchboard.mcp.get': (name) =>
      showPage(name, t('Select the MCP server to show')),
    'switchboard.mcp.list': () => showPage(undefined, t('MCP servers')),
    'switchboard.mcp.status': async () => {
      // A closed view may not have loaded its conversations.
      const unknown = switchboard.services.filter(
        ({ conversations }) => conversations.asOf === undefined,
      );
      // A service that never answers must not delay the page for longer.
      const asked = Promise.all(unknown.map((service) => service.refresh()));
      await Promise.all([
        servers.refresh(),
        atMost(systemClock, refreshTimeoutMs, asked),
      ]);
      await atMost(systemClock, refreshTimeoutMs, activeServers.refresh());
      (await serverPages()).show(undefined);
    },
    'switchboard.mcp.openConfig': () =>
      showConfig(() => servers.refusal?.position?.offset),
    'switchboard.mcp.reveal': async (name, ...places) => {
      if (
        await isDoneAtService([name], (service) =>
          editAtService(switchboard, service),
        )
      )
        return;
      const entry = await select(name, t('Select the MCP server to edit'));
      if (!entry) return;
      await showConfig((text) =>
        placeIn(findServer(readEntries(text), entry.name), text, places),
      );
    },
    'switchboard.mcp.changeUrl': async (name, url) => {
      const entry = await select(name, t('Select the MCP server to edit'));
      if (!entry || url === undefined) return;
      await changeUrl(parts, entry, url);
    },
    'switchboard.mcp.copyAsCommand': async (name) => {
      const entry = await select(
        name,
        t('Select the MCP server to copy as a command'),
      );
      if (entry) await copyAsCommand(entry);
    },
    'switchboard.mcp.copyJson': async (name) => {
      const entry = await select(
        name,
        t('Select the MCP server to copy as JSON'),
      );
      if (!entry) return;
      const { text } = servers.file ?? {};
      await env.clipboard.writeText(
        `{ ${text?.slice(entry.start, entry.end) ?? ''} }`,
      );
      window.setStatusBarMessage(t('Copied, including its secrets.'), 5000);
    },
    'switchboard.mcp.wrap': () =>
      changeServers(
        parts,
        [{ do: 'wrap' }],
        t('Move the servers into "mcpServers".'),
      ),
    'switchboard.mcp.makePrivate': async () => {
      const path = configPath();
      await makePrivate(path);
      window.setStatusBarMessage(t('Only you can read {0} now.', path), 5000);
    },
    'switchboard.mcp.copyToService': async (name) => {
      await connector.whenReady;
      await copyToService(parts, name);
    },
    'switchboard.mcp.checkAtService': async (name) => {
      await connector.whenReady;
      await checkAtService(parts, name);
    },
    'switchboard.serviceServers.add': (address) =>
      addToService(askForServer, address),
    'switchboard.serviceServers.addFromText': (address) =>
      addToService(askForText, address),
    'switchboard.serviceServers.enable': (...ids) =>
      enableAtService(switchboard, ids, true),
    'switchboard.serviceServers.disable': (...ids) =>
      enableAtService(switchboard, ids, false),
    'switchboard.serviceServers.remove': (id) =>
      removeAtService(switchboard, id),
    'switchboard.serviceServers.check': (id) =>
      checkServiceServer(switchboard, id),
    'switchboard.serviceServers.edit': (id) => editAtService(switchboard, id),
    'switchboard.serviceServers.copyToFile': (id) => copyToFile(parts, id),
  } satisfies Partial<CommandHandlers>;
}

async function setEnabled(
  parts: ServerFileParts,
  enabled: boolean,
  names: readonly string[],
) {
  const question = enabled
    ? t('Select the MCP servers to enable')
    : t('Select the MCP servers to disable');
  const entries = await pickServers(
    parts.servers,
    names,
    question,
    (entry) => entry.enabled !== enabled,
  );
  if (entries.length === 0) return;
  await changeServers(
    parts,
    entries.map(({ name }) => ({ do: enabled ? 'enable' : 'disable', name })),
    enabled
      ? t('Enabled {0}.', serversText(entries))
      : t('Disabled {0}.', serversText(entries)),
  );
}

async function copyAsCommand(entry: Entry) {
  const { server, enabled } = entry;
  if (!server)
    throw userError(
      '{0} has neither a command nor a URL, so there is nothing to copy.',
      inMessage(serverName(entry)),
    );
  await env.clipboard.writeText(
    formatAdd({ name: entry.name, server, enabled }),
  );
  window.setStatusBarMessage(
    t('Copied, with placeholders instead of secrets.'),
    5000,
  );
}

function serversText(entries: readonly Entry[]): string {
  const [one] = entries;
  return entries.length === 1 && one
    ? `"${inMessage(serverName(one))}"`
    : t('{0} MCP servers', entries.length);
}

/** Limits the wait for services of an unknown kind. */
const recogniseTimeoutMs = 1_000;

/** Asks which place a command is about. Undefined if given up. */
async function pickServerPlace(
  { switchboard, connector, servers }: ServerParts,
  purpose: 'add' | 'change' | 'check',
): Promise<'file' | ConnectedService | undefined> {
  await connector.whenReady;
  const unknown = switchboard.services.filter(({ client }) => !client.service);
  await atMost(
    systemClock,
    recogniseTimeoutMs,
    Promise.allSettled(unknown.map(({ client }) => client.recognise({}))),
  );
  const services = switchboard.services.filter(({ client: { service } }) =>
    purpose === 'check'
      ? service?.toolServers?.checkOwn
      : service?.toolServers?.changing,
  );
  if (services.length === 0) return 'file';
  if (purpose !== 'add') await servers.refresh();
  const isFilePlace =
    purpose === 'add' ||
    servers.problem !== undefined ||
    servers.entries.length > 0;
  const ofFile = () => ({
    label: t('This Machine'),
    description: inPick(shownPath(configPath())),
    detail: readersOfFile(),
    iconPath: new ThemeIcon('device-desktop'),
    place: 'file' as const,
  });
  const items = present(
    // Services first: conversations in the list read no file.
    ...services.map((service) => ({
      label: inPick(service.name),
      description: inPick(service.address),
      detail: readersOfService(inPick(service.name)),
      iconPath: new ThemeIcon('plug'),
      place: service,
    })),
    isFilePlace && ofFile(),
  );
  const placeHolder =
    purpose === 'add'
      ? t('Select where to add the MCP server')
      : t('Select where the MCP server is');
  const picked =
    items.length === 1
      ? items[0]
      : await window.showQuickPick(items, {
          placeHolder,
          matchOnDescription: true,
        });
  return picked?.place;
}
