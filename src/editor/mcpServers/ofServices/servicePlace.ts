/** A service as the place to which MCP servers are added. */
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { Place } from '../add/place.ts';
import { changing, serviceWithServers } from './chosen.ts';
import { writtenForService } from '../../../state/mcpServers/serverForService.ts';
import { sendServers } from './send.ts';

/** The service at this address, or the one that the person chooses. Throws a sentence where nothing can be added. */
export async function serviceToAddTo(
  switchboard: Switchboard,
  address: string | undefined,
): Promise<ConnectedService | undefined> {
  const question = t('Select the service that gets the server');
  const found = await serviceWithServers(switchboard, question, address);
  if (!found) return undefined;
  changing(found.ability);
  return found.service;
}

export function servicePlace(service: ConnectedService): Place {
  const { toolServers } = service;
  const place = plainText(service.name, 80);
  return {
    service: place,
    isReady: async () => {
      await toolServers.refresh();
      if (toolServers.error) throw toolServers.error;
      return true;
    },
    refresh: () => toolServers.refresh(),
    names: () => new Set(toolServers.rows.map(({ name }) => name)),
    nameProblem: (name) => (name.includes('/') ? t('The service takes no name with a slash.') : undefined),
    confirm: async ({ changes, ...plan }) => {
      const servers = changes.flatMap((change) =>
        'server' in change ? [{ name: change.name, translated: writtenForService(change) }] : [],
      );
      try {
        return await sendServers(service, { ...plan, hasBack: true, action: t('Add'), servers });
      } catch (error) {
        // What was entered is kept, so that it can be corrected.
        if (error instanceof UserError)
          throw new UserError(`${error.message} ${t('What you entered is kept for next time.')}`);
        throw error;
      }
    },
  };
}
