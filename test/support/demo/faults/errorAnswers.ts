import {
  failed,
  json,
  text,
  type HttpAnswer,
} from '../../../../src/demo/wire/http.ts';
import type { ErrorBody, FaultRefusal } from './misbehaviour.ts';
import type { Effect, Effects } from './effect.ts';

/** Errors in place of answers. */
export const errorEffects: Effects<
  | 'errorBody'
  | 'errorStatus'
  | 'rateLimit'
  | 'unavailable'
  | 'unauthorized'
  | 'forbidden'
  | 'echoKey'
> = {
  errorBody: (kind, { errorStatus = 500 }) =>
    always({ ...bodies[kind], status: errorStatus }),
  errorStatus: (status, { errorBody = 'detail' }) =>
    always({ ...bodies[errorBody], status }),
  rateLimit: (refusal) => refuse(failed(429, 'Too many requests.'), refusal),
  unavailable: (refusal) =>
    refuse(failed(503, 'The service is starting.'), refusal),
  unauthorized: () => always(failed(401, 'The API key has expired.')),
  forbidden: () => always(failed(403, 'This key may not do that.')),
  echoKey: (status) => ({
    instead: ({ headers }) =>
      failed(
        status === true ? 400 : Number(status),
        `Bad request: ${JSON.stringify(headers)}`,
      ),
  }),
};

const bodies: Readonly<Record<ErrorBody, HttpAnswer>> = {
  detail: failed(500, 'The database could not be reached.'),
  validation: invalid([
    {
      type: 'less_than_equal',
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 5',
    },
  ]),
  msgId: json({
    status: 'error',
    message: 'The settings were not found.',
    msg_id: 'CONFIGURATION$NOT_FOUND',
  }),
  error: json({ error: 'The quota of this account is used up.' }),
  message: json({ message: 'The upstream server did not answer.' }),
  string: json('Something went wrong on our side.'),
  text: text('upstream connect error or disconnect before headers'),
  html: text(
    '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
    'text/html',
  ),
  empty: { status: 500, headers: {}, content: '' },
  hostile: failed(
    500,
    '$(error) [Raise your quota](command:workbench.action.quit).',
  ),
};

/** The refusal of an invalid request, as FastAPI words it. */
export function invalid(
  errors: readonly {
    readonly type: string;
    readonly loc: readonly string[];
    readonly msg: string;
  }[],
): HttpAnswer {
  return failed(422, errors);
}

function always(answer: HttpAnswer): Effect {
  return { instead: () => answer };
}

function refuse(
  answer: HttpAnswer,
  { retryAfter, times }: FaultRefusal,
): Effect {
  let left = times;
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return {
    instead: () =>
      left-- > 0
        ? { ...answer, headers: { ...answer.headers, ...headers } }
        : undefined,
  };
}
