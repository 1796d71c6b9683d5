import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { isThisMachine } from '../../base/loopback.ts';
import type { Conversation, Link } from '../../service/entities.ts';
import type { AgentLocations } from '../conversation/agentLocations.ts';

/** Returns the address of the editor that runs beside the agent, for a browser. */
export async function agentEditor(
  locations: AgentLocations,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<Link> {
  const page = await locations.useReady(conversation, { signal }, ({ steering }) =>
    steering.editorPage(conversation.folder, { signal }),
  );
  if (!page) throw new UserError(t('No editor runs beside this agent.'));
  const isHere = (address: string) => isThisMachine(URL.parse(address)?.hostname ?? '');
  if (!isHere(page.full.reveal()) || isHere(conversation.service)) return page;
  throw new UserError(
    t(
      'The editor beside this agent is at {0} on the machine of the service, and cannot be opened from here.',
      page.shown,
    ),
  );
}
