/** The automation server beside an Agent Server. */
import { randomUUID } from 'node:crypto';
import {
  automationRunMs,
  type StoredAutomation,
  type StoredRun,
} from '../agentServer/storedAutomations.ts';
import { failed, type HttpAnswer, json } from '../wire/http.ts';
import type { AnswerRequest, RouteContext, Routes } from './route.ts';

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
  const endsAt = run.startedAt + automationRunMs;
  const hasEnded = world.now() >= endsAt;
  const outcome = run.error === undefined ? 'COMPLETED' : 'FAILED';
  return {
    id: run.id,
    status: hasEnded ? outcome : 'RUNNING',
    error_detail: hasEnded ? (run.error ?? null) : null,
    conversation_id: hasEnded ? (run.conversationId ?? null) : null,
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
