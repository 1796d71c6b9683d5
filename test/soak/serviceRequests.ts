/**
 * Requests of a test to a service. An answer that was not asked for is an error
 * that says what was asked and answered.
 */

export interface RequestedService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly key: string;
  /** The service's own log so far, where a fault of it is explained. */
  readonly log?: () => Promise<string>;
}

export interface Answer {
  readonly method: string;
  /** Includes the query, but no leading slash. */
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

const bodyShown = 300;
/**
 * A traceback of the Agent Server has about 70 lines, and says at its end what
 * happened.
 */
const logLinesShown = 30;

/** True if the service itself has failed: the request is not to blame. */
export function isServiceFault({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 500;
}

export function describeAnswer({ method, path, status, body }: Answer): string {
  const fault = isServiceFault({ status }) ? ", the service's own fault" : '';
  const rest = body.length > bodyShown ? ' …' : '';
  return `${method} /${path} was answered with ${status}${fault}: ${body.slice(0, bodyShown)}${rest}`;
}

export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly answer: Answer;

  constructor(answer: Answer, why: string, log = '') {
    const end = log.trimEnd().split('\n').slice(-logLinesShown).join('\n');
    super(
      `${describeAnswer(answer)}${why}${end === '' ? '' : `\nThe end of its log:\n${end}`}`,
    );
    this.answer = answer;
  }
}

/**
 * Sends a request once, and resolves to its answer in JSON. Rejects with an
 * UnexpectedAnswer if there is none.
 */
export async function request<T>(
  service: RequestedService,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${service.url}/${path}`, {
    method,
    // The Agent Server closes idle connections, also while a request is on its
    // way.
    headers: {
      'x-session-api-key': service.key,
      'content-type': 'application/json',
      connection: 'close',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: Answer = {
    method,
    path,
    status: response.status,
    body: await response.text(),
  };
  if (!response.ok) {
    throw new UnexpectedAnswer(
      answer,
      '',
      isServiceFault(answer) ? await service.log?.() : undefined,
    );
  }
  try {
    return JSON.parse(answer.body) as T;
  } catch {
    throw new UnexpectedAnswer(answer, ' (this is not JSON)');
  }
}
