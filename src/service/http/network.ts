import { t, words } from '../../base/l10n.ts';

const reasons: Readonly<Record<string, string>> = words({
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'its name does not exist',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EPROTO: 'it does not speak TLS as expected',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
});

/** Codes of a connection that was made and then closed. */
const closing = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface NetworkFailure {
  readonly why: string;
  readonly closed: boolean;
  /** True if the service may have received the request. */
  readonly mayHaveArrived: boolean;
}

/** Explains an error of `fetch` or of reading its body. */
export function explainNetworkFailure(error: unknown): NetworkFailure {
  for (
    let cause: unknown = error;
    cause instanceof Error;
    cause = cause.cause
  ) {
    const code = String((cause as { code?: unknown }).code);
    const why = reasons[code];
    const [first] =
      cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
    const closed = closing.has(code);
    if (why !== undefined) return { why, closed, mayHaveArrived: closed };
    if (code.startsWith('HPE_'))
      return { why: t('it does not speak HTTP'), closed, mayHaveArrived: true };
    if (first !== undefined) return explainNetworkFailure(first);
  }
  return {
    why: t('the connection failed'),
    closed: false,
    mayHaveArrived: true,
  };
}
