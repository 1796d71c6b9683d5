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
import type { CallOptions } from '../http/transport.ts';
import {
  array,
  complaint,
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

const base = ['api', 'automation', 'v1'];
const maxAutomations = 100;

/** The reason of the service for a person who has turned it off. */
const turnedOffByHand = 'manual';

export function automationsOfAgentServer(wire: Wire): Automations {
  const requests = new Requests(wire, couldNot);

  async function list<T>(
    operation: keyof typeof couldNot,
    path: readonly string[],
    limit: number,
    read: Reader<T | undefined>,
    call: CallOptions,
  ): Promise<readonly T[]> {
    const sent = { path, query: { limit }, once: true } as const;
    const answer = await requests.send(operation, sent, call);
    const { automations, runs = automations } = isObject(answer) ? answer : {};
    if (!Array.isArray(runs)) {
      const why = t('it does not contain a list');
      throw requests.error(operation, { kind: 'notUnderstood', why });
    }
    const { source } = wire.transport;
    return array(runs).flatMap((record) => read(record, source) ?? []);
  }

  return {
    list: (call = {}) =>
      list('listAutomations', base, maxAutomations, readAutomation, call),
    lastRun: async (id, call = {}) =>
      (await list('readRun', [...base, id, 'runs'], 1, readRun, call))[0],
    runNow: async (id, call = {}) => {
      const sent = { method: 'POST', path: [...base, id, 'dispatch'] } as const;
      await requests.change('runAutomation', sent, call);
    },
    turn: async (id, isOn, call = {}) => {
      const body = { state: isOn ? 'ACTIVE' : 'INACTIVE' };
      await requests.change(
        isOn ? 'turnAutomationOn' : 'turnAutomationOff',
        { method: 'PATCH', path: [...base, id], body },
        call,
      );
    },
  };
}

const readAutomation = recordReader<Automation | undefined>(
  'id',
  (id, { state, enabled, disabled_reason: why, ...record }, { secrets }) =>
    state === 'DRAFT'
      ? undefined
      : {
          id,
          name: shownLine(record.name) ?? '',
          isOn: state === undefined ? enabled === true : state === 'ACTIVE',
          whyOff: why === turnedOffByHand ? undefined : complaint(why, secrets),
          trigger: triggerLine(record.trigger),
          triggeredAt: time(record.last_triggered_at),
        },
);

const readRun = recordReader<AutomationRun>(
  'id',
  (id, record, { secrets }) => ({
    id,
    status: shownLine(record.status)?.toLowerCase() ?? '',
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
