/**
 * The automation server, which a proxy puts below the address of an Agent
 * Server. It takes the same key.
 */
import { t, words } from '../../base/l10n.ts';
import type {
  Automation,
  AutomationRun,
  Automations,
} from '../abilities/automations.ts';
import { Requests, type Wire } from '../http/requests.ts';
import {
  array,
  complaint,
  enumValue,
  identifier,
  isObject,
  type Reader,
  recordReader,
  shownLine,
  time,
} from '../http/wireValues.ts';

const couldNot = words({
  listAutomations: 'Could not list the automations',
  readRun: 'Could not read the last run of the automation',
  runAutomation: 'Could not run the automation',
  turnAutomationOn: 'Could not turn on the automation',
  turnAutomationOff: 'Could not turn off the automation',
});

const path = ['api', 'automation', 'v1'];
const maxAutomations = 100;

const statuses = {
  PENDING: 'pending',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  SKIPPED: 'skipped',
} as const;

/** The reason of the service for a person who has turned it off. */
const turnedOffByHand = 'manual';

export function automationsOfAgentServer(wire: Wire): Automations {
  const { source } = wire.transport;
  const requests = new Requests(wire, couldNot);

  function understood<T>(
    operation: keyof typeof couldNot,
    value: T | undefined,
  ): T {
    if (value !== undefined) return value;
    const why = t('it does not contain an automation');
    throw requests.error(operation, { kind: 'notUnderstood', why });
  }

  function items<T>(
    operation: keyof typeof couldNot,
    answer: unknown,
    field: string,
    read: Reader<T>,
  ): readonly T[] {
    const list = isObject(answer) ? answer[field] : undefined;
    const records = understood(
      operation,
      Array.isArray(list) ? array(list) : undefined,
    );
    return records.flatMap((record) => read(record, source) ?? []);
  }

  return {
    list: async (call = {}) => {
      const query = { limit: maxAutomations };
      const sent = { path, query, once: true } as const;
      const answer = await requests.send('listAutomations', sent, call);
      return items('listAutomations', answer, 'automations', (record) =>
        isObject(record) && record.state === 'DRAFT'
          ? undefined
          : readAutomation(record, source),
      );
    },
    lastRun: async (id, call = {}) => {
      const query = { limit: 1 };
      const sent = { path: [...path, id, 'runs'], query, once: true } as const;
      const answer = await requests.send('readRun', sent, call);
      return items('readRun', answer, 'runs', readRun)[0];
    },
    runNow: async (id, call = {}) => {
      const sent = { method: 'POST', path: [...path, id, 'dispatch'] } as const;
      const answer = await requests.send('runAutomation', sent, call);
      return understood('runAutomation', readRun(answer, source));
    },
    turn: async (id, isOn, call = {}) => {
      const operation = isOn ? 'turnAutomationOn' : 'turnAutomationOff';
      const body = { state: isOn ? 'ACTIVE' : 'INACTIVE' };
      const sent = { method: 'PATCH', path: [...path, id], body } as const;
      const answer = await requests.send(operation, sent, call);
      return understood(operation, readAutomation(answer, source));
    },
  };
}

const readAutomation = recordReader<Automation>(
  'id',
  (id, { name, state, enabled, ...record }, { secrets }) => ({
    id,
    name: shownLine(name) ?? '',
    isOn: state === undefined ? enabled === true : state === 'ACTIVE',
    whyOff:
      record.disabled_reason === turnedOffByHand
        ? undefined
        : complaint(record.disabled_reason, secrets),
    trigger: triggerLine(record.trigger),
    triggeredAt: time(record.last_triggered_at),
  }),
);

const readRun = recordReader<AutomationRun>(
  'id',
  (id, record, { secrets }) => ({
    id,
    status: enumValue(statuses, record.status) ?? '',
    error: complaint(record.error_detail, secrets),
    conversationId: identifier(record.conversation_id),
    at: time(record.completed_at) ?? time(record.created_at),
  }),
);

/** Such as "0 9 * * 1 UTC" or "github pull_request.opened". */
function triggerLine(trigger: unknown): string | undefined {
  if (!isObject(trigger)) return undefined;
  const { schedule, timezone, source, on } = trigger;
  const events = Array.isArray(on) ? array(on) : [on];
  const parts = [schedule, timezone, source, ...events].map(shownLine);
  return parts.filter(Boolean).join(' ') || undefined;
}
