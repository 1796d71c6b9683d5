import { randomUUID } from 'node:crypto';
import type { AgentServerConversations } from './conversations.ts';

export interface StoredRun {
  readonly id: string;
  readonly startedAt: number;
  readonly error: string | undefined;
  readonly conversationId: string | undefined;
}

export interface StoredAutomation {
  readonly id: string;
  readonly name: string;
  readonly schedule: string;
  isOn: boolean;
  /** The newest first. */
  runs: readonly StoredRun[];
}

export const firstAutomationIds = [
  '7b0c6f0e-52a1-4f0d-9a53-1f6f0f2a9c01',
  '7b0c6f0e-52a1-4f0d-9a53-1f6f0f2a9c02',
] as const;

export const automationRunMs = 5_000;
const hourMs = 3_600_000;

/** Two automations, whose runs began the newest conversations. */
export function firstAutomations(
  conversations: AgentServerConversations,
  now: number,
): StoredAutomation[] {
  const newest = (status: 'finished' | 'error') => {
    const [position] = conversations.inOrder('CREATED_AT_DESC', status);
    return position === undefined ? undefined : conversations.at(position).id;
  };
  const automation = (
    id: string,
    name: string,
    schedule: string,
    run: Omit<StoredRun, 'id'>,
  ): StoredAutomation => ({
    id,
    name,
    schedule,
    isOn: true,
    runs: [{ ...run, id: randomUUID() }],
  });
  return [
    automation(firstAutomationIds[0], 'Update dependencies', '0 6 * * 1', {
      startedAt: now - 2 * hourMs,
      error: 'npm install failed: the lock file is out of date',
      conversationId: newest('error'),
    }),
    automation(firstAutomationIds[1], 'Triage new issues', '0 * * * *', {
      startedAt: now - hourMs / 2,
      error: undefined,
      conversationId: newest('finished'),
    }),
  ];
}
