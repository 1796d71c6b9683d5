/** The automation server beside an Agent Server. */
import { randomUUID } from 'node:crypto';
import {
  automationRunMs,
  type StoredAutomation,
} from '../agentServer/storedAutomations.ts';
import { failed, type HttpAnswer, json } from '../wire/http.ts';
import type { AnswerRequest, RouteContext, Routes } from './route.ts';

function automationRecord({ id, name, schedule, isOn, run }: StoredAutomation) {
  return {
    id,
    name,
    trigger: { type: 'cron', schedule, timezone: 'UTC' },
    state: isOn ? 'ACTIVE' : 'INACTIVE',
    disabled_reason: isOn ? null : 'manual',
    last_triggered_at: new Date(run.startedAt).toISOString(),
  };
}

function runRecord(
  { run: { id, startedAt }, error, conversationId }: StoredAutomation,
  { world }: RouteContext,
) {
  const created_at = new Date(startedAt).toISOString();
  if (world.now() < startedAt + automationRunMs)
    return { id, created_at, status: 'RUNNING' };
  return {
    id,
    created_at,
    status: error === undefined ? 'COMPLETED' : 'FAILED',
    error_detail: error ?? null,
    conversation_id: conversationId ?? null,
    completed_at: new Date(startedAt + automationRunMs).toISOString(),
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
      : failed(404, 'Not Found');
  };
}

export const automationRoutes: Routes = {
  'GET api/automation/v1': (_, { automations }) =>
    automations
      ? json({ automations: automations.map(automationRecord) })
      : failed(404, 'Not Found'),
  'GET api/automation/v1/*/runs': onOne((automation, _, context) =>
    json({ runs: [runRecord(automation, context)] }),
  ),
  'POST api/automation/v1/*/dispatch': onOne((automation, _, context) => {
    automation.run = { id: randomUUID(), startedAt: context.world.now() };
    return json(runRecord(automation, context), 201);
  }),
  'PATCH api/automation/v1/*': onOne((automation, { body }) => {
    automation.isOn = body.includes('"ACTIVE"');
    return json(automationRecord(automation));
  }),
};
