import { t, words } from '../../base/l10n.ts';
import type { Sandboxes } from '../abilities/agentService.ts';
import { Requests, type Wire } from '../http/requests.ts';
import type { CallOptions } from '../http/transport.ts';
import type {
  ExposedAddress,
  Sandbox,
  SandboxSpec,
  SandboxStatus,
} from '../model/entities.ts';
import {
  array,
  complaint,
  enumValue,
  integer,
  isObject,
  shownLine,
  link,
  type Reader,
  recordReader,
  time,
} from '../http/wireValues.ts';
import { type SandboxStates, whileStarting } from '../records/sandboxStates.ts';

const couldNot = words({
  listSandboxes: 'Could not list the sandboxes',
  listSandboxSpecs: 'Could not list the sandbox templates',
  startSandbox: 'Could not start a sandbox',
  pauseSandbox: 'Could not pause the sandbox',
  resumeSandbox: 'Could not resume the sandbox',
  removeSandbox: 'Could not delete the sandbox',
});

type Operation = keyof typeof couldNot;

const path = ['api', 'v1', 'sandboxes'];

/**
 * Services may answer only once the sandbox starts, which was seen to take more
 * than 30 s.
 */
const deadline = 120_000;

export function sandboxesV1(wire: Wire, states: SandboxStates): Sandboxes {
  const { transport } = wire;
  const requests = new Requests(wire, couldNot);
  const read: Reader<Sandbox> = (record, source) => {
    const sandbox = readSandbox(record, source);
    return sandbox && states.settle(sandbox, sandbox.id);
  };

  /**
   * Pauses or resumes. The answer says at most that the service has accepted
   * it.
   */
  async function change(
    operation: Operation,
    id: string,
    what: string,
    call: CallOptions,
  ): Promise<void> {
    await requests.change(
      operation,
      { method: 'POST', path: [...path, id, what], deadline },
      call,
    );
    states.expectChange(id);
  }

  return {
    list: (call = {}) =>
      requests.pager(
        'listSandboxes',
        { path: [...path, 'search'] },
        read,
        ({ id }) => id,
        call,
      ),
    specs: (call = {}) => {
      const search = { path: ['api', 'v1', 'sandbox-specs', 'search'] };
      return requests.pager(
        'listSandboxSpecs',
        search,
        readSandboxSpec,
        ({ id }) => id,
        call,
      );
    },
    start: async (specId, call = {}) => {
      const sent = {
        method: 'POST',
        path,
        query: { sandbox_spec_id: specId },
        deadline,
      } as const;
      const started = readSandbox(
        await requests.send('startSandbox', sent, call),
        transport.source,
      );
      if (started) {
        states.expectChange(started.id);
        return started;
      }
      const why = t('it does not contain a sandbox');
      throw requests.error(
        'startSandbox',
        { kind: 'notUnderstood', why },
        true,
      );
    },
    pause: (id, call = {}) => change('pauseSandbox', id, 'pause', call),
    resume: (id, call = {}) => change('resumeSandbox', id, 'resume', call),
    remove: async (id, call = {}) => {
      // The id counts in the query: the service refuses the path alone.
      const sent = {
        method: 'DELETE',
        path: [...path, id],
        query: { sandbox_id: id },
        deadline,
      } as const;
      await requests.change('removeSandbox', sent, call);
    },
  };
}

/** Keys of sandboxes and values of variables are dropped here. */
export const readSandbox = recordReader<Sandbox>(
  'id',
  (id, record, source) => ({
    id,
    service: source.service,
    status: whileStarting(
      enumValue(statuses, record.status) ?? 'missing',
      record.created_at,
      source,
    ),
    detail: complaint(record.status_detail, source.secrets),
    specId: shownLine(record.sandbox_spec_id),
    createdAt: time(record.created_at),
    exposed: array(record.exposed_urls).flatMap(readExposed),
  }),
);

export const readSandboxSpec = recordReader<SandboxSpec>(
  'id',
  (id, record) => ({
    id,
    command: array(record.command).flatMap((part) => shownLine(part) ?? []),
    workingDirectory: shownLine(record.working_dir),
    environment: isObject(record.initial_env)
      ? array(Object.keys(record.initial_env)).flatMap(
          (name) => shownLine(name) ?? [],
        )
      : [],
    createdAt: time(record.created_at),
  }),
);

function readExposed(value: unknown): ExposedAddress[] {
  if (!isObject(value)) return [];
  const address = link(value.url);
  if (!address) return [];
  return [
    {
      name: shownLine(value.name) ?? address.shown,
      port: integer(value.port),
      link: address,
    },
  ];
}

const statuses: Readonly<Record<string, SandboxStatus>> = {
  STARTING: 'starting',
  RUNNING: 'running',
  PAUSED: 'paused',
  ERROR: 'error',
  MISSING: 'missing',
  UNKNOWN: 'unknown',
};
