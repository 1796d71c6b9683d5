/** Explains a request that could not be made. */
import { reason } from '../base/errors.ts';
import type { ProbeFailure } from './probeResult.ts';
import type { Redactor } from './shown.ts';

type Unreachable = Extract<ProbeFailure, { readonly reason: 'unreachable' }>['why'];

const codes: Readonly<Record<string, Unreachable>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
  EADDRNOTAVAIL: 'noRoute',
  ETIMEDOUT: 'noRoute',
  UND_ERR_CONNECT_TIMEOUT: 'noRoute',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
};

const certificate =
  /^(?:CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|HOSTNAME_MISMATCH|INVALID_PURPOSE)$/;

export function networkFailure(error: unknown, host: string, shown: Redactor): ProbeFailure | undefined {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 10;
    cause = cause.cause, depth++
  ) {
    const code = String((cause as { code?: unknown }).code);
    const detail = shown.text(reason(cause));
    if (/proxy|tunnel/i.test(`${code} ${cause.message}`)) return { reason: 'proxy', host, detail };
    if (certificate.test(code)) return { reason: 'certificate', host, detail };
    const why = codes[code];
    if (why !== undefined) return { reason: 'unreachable', host, why };
    if (cause.message === 'bad port' || code === 'ERR_INVALID_URL') {
      return { reason: 'unreachable', host, why: 'badAddress' };
    }
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
    const inner = first === undefined ? undefined : networkFailure(first, host, shown);
    if (inner) return inner;
  }
  return undefined;
}
