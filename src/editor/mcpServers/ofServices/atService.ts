/** Changes of MCP servers where they are: in the settings of a service. */
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { confirm, showInformation, showWarning, withProgress } from '../../ui/messages.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import {
  serviceCheckMessage,
  targetAtService,
  wholeTarget,
} from '../../words/mcpServers/serviceServerWords.ts';
import type { ServiceServer } from '../../../service/serviceServer.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { changing, serviceServerOf } from './chosen.ts';

/** `at` is where the server is chosen if the command names none. */
export async function setEnabled(
  switchboard: Switchboard,
  ids: readonly string[],
  on: boolean,
  at?: ConnectedService,
): Promise<void> {
  const question = on ? t('Select the MCP server to enable') : t('Select the MCP server to disable');
  for (const id of ids.length === 0 ? [undefined] : ids) {
    const chosen = await serviceServerOf(
      switchboard,
      id,
      question,
      (ability, server) => !!ability.changing && server.enabled !== on,
      at,
    );
    if (!chosen) return;
    const { service, server } = chosen;
    await service.toolServers.change((ability) => changing(ability).change(server.name, { enabled: on }));
  }
}

/** What is removed cannot be taken back: nobody knows its secrets. */
export async function removeAtService(
  switchboard: Switchboard,
  id: string | undefined,
  at?: ConnectedService,
): Promise<void> {
  const question = t('Select the MCP server to remove');
  const chosen = await serviceServerOf(switchboard, id, question, ({ changing }) => !!changing, at);
  if (!chosen) return;
  const { service, server } = chosen;
  const secrets = secretNames(server);
  const detail = [
    targetAtService(server),
    ...(secrets.length > 0
      ? [t('These values are lost, because the service does not reveal them: {0}', secrets.join(', '))]
      : []),
    t('This cannot be undone.'),
  ];
  const text = t('Remove “{0}” from {1}?', serverName(server), plainText(service.name, 80));
  if (!(await confirm(text, detail, t('Remove')))) return;
  await service.toolServers.change((ability) => changing(ability).remove(server.name));
}

function secretNames(server: ServiceServer): readonly string[] {
  if (server.transport === undefined) return [];
  const values = server.transport === 'stdio' ? server.env : server.headers;
  const auth = server.transport === 'stdio' ? undefined : server.auth;
  return [...(values?.keys() ?? []), ...(auth?.secrets.keys() ?? [])].map((name) => plainText(name, 80));
}

/** It has the service start or ask a server that it has already, so nothing is sent there. */
export async function checkOwn(
  switchboard: Switchboard,
  id: string | undefined,
  at?: ConnectedService,
): Promise<void> {
  const question = t('Select the MCP server to check at its service');
  const chosen = await serviceServerOf(switchboard, id, question, ({ checkOwn }) => !!checkOwn, at);
  if (!chosen) return;
  const { service, server } = chosen;
  const name = serverName(server);
  const place = plainText(service.name, 80);
  const check = service.toolServers.ability?.checkOwn;
  if (!check) return;
  const detail = [
    server.transport === 'stdio'
      ? t(
          'The service starts it on its machine with the secrets that it has, asks it for its tools, and ends it:',
        )
      : t('The service asks it for its tools with the secrets that it has, at this address:'),
    wholeTarget(server),
  ];
  if (!(await confirm(t('Check “{0}” at {1}?', name, place), detail, t('Check')))) return;
  const result = await withProgress(t('Checking “{0}” at {1}', name, place), async (signal) => {
    try {
      return await check(server.name, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (!result) return;
  void (result.works ? showInformation : showWarning)(serviceCheckMessage(name, place, result));
}
