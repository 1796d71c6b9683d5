/** Where an agent can be steered at this moment. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Agents, Steering, AgentLocation } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Conversation } from '../../service/entities.ts';
import type { CallOptions } from '../../service/transport.ts';
import { reachOf } from '../conversation/reach.ts';
import type { NotReachable } from './steeringResults.ts';

export async function whereIs(
  client: ServiceClient,
  { id }: Conversation,
  call: CallOptions,
): Promise<{ readonly agents: Agents; readonly where: AgentLocation }> {
  const { steering: agents } = await client.recognise(call);
  if (!agents) throw cannot();
  return { agents, where: await agents.where(id, call) };
}

export async function steeringAt(
  client: ServiceClient,
  conversation: Conversation,
  call: CallOptions,
): Promise<Steering> {
  const { where } = await whereIs(client, conversation, call);
  if (where.status === 'ready') return where.steering;
  throw new UserError(reachOf(where, false).whyNot ?? '');
}

export function notReachable(where: Exclude<AgentLocation, { status: 'ready' }>): NotReachable {
  if (where.status === 'outOfReach') throw new UserError(where.why);
  if (where.status !== 'sandboxPaused') return { result: where.status };
  return { result: 'sandboxPaused', sandboxId: where.sandboxId };
}

export function cannot(): UserError {
  return new UserError(t('This service offers no way to do that. Open the conversation in its own app.'));
}
