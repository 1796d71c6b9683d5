import type { FailureReason, ProbeFailure } from '../../../src/probe/probe.ts';

const lastLines = ['Error: boom'];

/** One failure of each reason. */
export const eachFailure: {
  readonly [R in FailureReason]: Extract<ProbeFailure, { readonly reason: R }>;
} = {
  programNotFound: { reason: 'programNotFound', program: 'npx', lookedIn: [] },
  programNotExecutable: { reason: 'programNotExecutable', program: '/x' },
  folderNotFound: { reason: 'folderNotFound', folder: '/x' },
  exited: { reason: 'exited', code: 1, lastLines },
  notProtocol: { reason: 'notProtocol', lastLines },
  signIn: { reason: 'signIn', askedBy: 'entry' },
  keyRefused: { reason: 'keyRefused', status: 401, sent: true },
  redirected: { reason: 'redirected', status: 302, to: 'https://h/mcp' },
  notMcp: { reason: 'notMcp', url: 'https://h', status: 404 },
  certificate: { reason: 'certificate', host: 'h', detail: 'expired' },
  proxy: { reason: 'proxy', host: 'h', detail: 'refused' },
  unreachable: { reason: 'unreachable', host: 'h', why: 'unknownHost' },
  timedOut: {
    reason: 'timedOut',
    waitingFor: 'listing',
    milliseconds: 30_000,
    lastLines,
  },
  variableMissing: { reason: 'variableMissing', names: ['TOKEN'] },
  protocolVersion: { reason: 'protocolVersion' },
  tooMuch: { reason: 'tooMuch', of: 'bytes', most: 1 },
  cancelled: { reason: 'cancelled' },
  other: { reason: 'other', detail: 'Oh', lastLines },
};
