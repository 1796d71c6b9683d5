/** V0: its own search of conversations. The V1 beside it does everything else. */
import { t } from '../../base/l10n.ts';
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { agentsV1 } from '../v1/agents.ts';
import { editingV1 } from '../v1/conversations.ts';
import { SandboxStates } from '../v1/sandboxStates.ts';
import { besideV0 } from '../v1/service.ts';
import { conversationsV0 } from './conversations.ts';

export function serviceV0(wire: Wire) {
  const states = new SandboxStates(wire.clock);
  const v1 = besideV0(wire, states);
  const conversations = { ...v1.conversations, ...conversationsV0(wire, states) };
  const editing = editingV1(wire, conversations, () => t('it is one of V0, which offers no way to do that'));
  const steering = agentsV1(wire, states, () =>
    t('This conversation is one of V0, which offers no way to follow or steer its agent.'),
  );
  return { ...v1, interface: 'v0', conversations, editing, steering } as const satisfies AgentService;
}
