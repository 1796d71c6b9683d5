import { randomUUID } from 'node:crypto';
import type { ExecutionStatus } from '../wire/wireTypes.ts';
import type { AgentServerConversations } from './conversations.ts';

export interface StoredAutomation {
  readonly id: string;
  readonly name: string;
  readonly schedule: string;
  isOn: boolean;
  /** The last run. */
  run: { readonly id: string; readonly startedAt: number };
  readonly error: string | undefined;
  readonly conversationId: string | undefined;
}

export const firstAutomationIds = [
  '7b0c6f0e-52a1-4f0d-9a53-1f6f0f2a9c01',
  '7b0c6f0e-52a1-4f0d-9a53-1f6f0f2a9c02',
] as const;

export const automationRunMs = 5_000;

/** Two automations, whose runs began the newest conversations. */
export function firstAutomations(
  conversations: AgentServerConversations,
  now: number,
): StoredAutomation[] {
  const newest = (status: ExecutionStatus) =>
    conversations
      .byCreation()
      .map((position) => conversations.at(position))
      .find(({ execution }) => execution === status)?.id;
  const [failing, working] = firstAutomationIds;
  return [
    {
      id: failing,
      name: 'Update dependencies',
      schedule: '0 6 * * 1',
      isOn: true,
      run: { id: randomUUID(), startedAt: now - 7_200_000 },
      error: 'npm install failed: the lock file is out of date',
      conversationId: newest('error'),
    },
    {
      id: working,
      name: 'Triage new issues',
      schedule: '0 * * * *',
      isOn: true,
      run: { id: randomUUID(), startedAt: now - 1_800_000 },
      error: undefined,
      conversationId: newest('finished'),
    },
  ];
}
