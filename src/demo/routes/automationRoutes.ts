/** The automation server beside an Agent Server. */
import { randomUUID } from 'node:crypto';
import type { AgentServerConversations } from '../agentServer/conversations.ts';
import { failed, type HttpAnswer, json } from '../wire/http.ts';
import type { AnswerRequest, RouteContext, Routes } from './route.ts';

interface StoredRun {
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

const runMs = 5_000;
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

function wireTime(time: number): string {
  return new Date(time).toISOString();
}

function automationRecord(automation: StoredAutomation) {
  const { id, name, schedule, isOn, runs } = automation;
  return {
    id,
    name,
    trigger: { type: 'cron', schedule, timezone: 'UTC' },
    enabled: isOn,
    state: isOn ? 'ACTIVE' : 'INACTIVE',
    disabled_reason: isOn ? null : 'manual',
    last_triggered_at: runs[0] ? wireTime(runs[0].startedAt) : null,
  };
}

function runRecord(run: StoredRun, { world }: RouteContext) {
  const endsAt = run.startedAt + runMs;
  const hasEnded = world.now() >= endsAt;
  const outcome = run.error === undefined ? 'COMPLETED' : 'FAILED';
  return {
    id: run.id,
    status: hasEnded ? outcome : 'RUNNING',
    error_detail: (hasEnded && run.error) || null,
    conversation_id: (hasEnded && run.conversationId) || null,
    created_at: wireTime(run.startedAt),
    completed_at: hasEnded ? wireTime(endsAt) : null,
  };
}

function onOne(
  answer: (
    automation: StoredAutomation,
    ...call: Parameters<AnswerRequest>
  ) => HttpAnswer,
): AnswerRequest {
  return (call, context) => {
    const automation = context.automations?.find(
      ({ id }) => id === call.segments[3],
    );
    return automation
      ? answer(automation, call, context)
      : failed(404, context.automations ? 'Automation not found' : 'Not Found');
  };
}

export const automationRoutes: Routes = {
  'GET api/automation/v1': (_, { automations }) =>
    automations
      ? json({
          automations: automations.map(automationRecord),
          total: automations.length,
        })
      : failed(404, 'Not Found'),
  'GET api/automation/v1/*/runs': onOne(({ runs }, _, context) =>
    json({
      runs: runs.slice(0, 1).map((run) => runRecord(run, context)),
      total: runs.length,
    }),
  ),
  'POST api/automation/v1/*/dispatch': onOne((automation, _, context) => {
    const [last] = automation.runs;
    const run: StoredRun = {
      id: randomUUID(),
      startedAt: context.world.now(),
      error: last?.error,
      conversationId: last?.conversationId,
    };
    automation.runs = [run, ...automation.runs];
    return json(runRecord(run, context), 201);
  }),
  'PATCH api/automation/v1/*': onOne((automation, { body }) => {
    const { state } = JSON.parse(body) as { readonly state?: unknown };
    automation.isOn = state === 'ACTIVE';
    return json(automationRecord(automation));
  }),
};
