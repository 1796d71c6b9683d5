/**
 * The same requests to a demo service and to a real one, and where the answers
 * differ.
 */
import { endpoint } from './fieldsRead.ts';
import type { Reply } from './services.ts';
import { differences, shapeOf } from './shapes.ts';
import { until } from './until.ts';

export interface Asked {
  readonly url: string;
  ask(path: string, init?: RequestInit): Promise<Reply>;
}

/**
 * A request. In paths and bodies, `ID` is replaced by the id of something that
 * exists.
 */
export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The question is repeated until this holds of the answer. */
  readonly until?: (answer: unknown) => boolean;
}

export interface Difference {
  /** Such as `GET /api/conversations/*`. */
  readonly request: string;
  /** The whole question. */
  readonly question: string;
  readonly status: string;
  /** Undefined where the statuses differ. */
  readonly path: string | undefined;
  readonly what: string;
}

/** Asks both, one question after the other. */
export async function compare(
  demo: Asked,
  real: Asked,
  questions: readonly Question[],
  ids: { readonly demo: string; readonly real: string },
): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const question of questions) {
    const [inDemo, inReal] = [
      await put(demo, question, ids.demo),
      await put(real, question, ids.real),
    ];
    const { method = 'GET', path } = question;
    const [place = ''] = path.replaceAll('ID', '*').split('?');
    const about = {
      request: `${method} ${endpoint(place)}`,
      question: `${method} ${path}`,
    };
    if (inDemo.status !== inReal.status) {
      const what = `${inDemo.status} by the demo, ${inReal.status} by the real one`;
      found.push({ ...about, status: 'status', path: undefined, what });
      continue;
    }
    // The demo names the places of errors; the words are those of a framework.
    if (inReal.status === 422) continue;
    const shapes = [shapeOf([inDemo.body]), shapeOf([inReal.body])] as const;
    for (const { path: where, what } of differences(...shapes)) {
      found.push({
        ...about,
        status: String(inReal.status),
        path: where,
        what,
      });
    }
  }
  return found;
}

async function put(
  service: Asked,
  question: Question,
  id: string,
): Promise<Reply> {
  const {
    method = 'GET',
    path,
    body,
    until: isAsWanted = () => true,
  } = question;
  const text =
    body === undefined ? undefined : JSON.stringify(body).replaceAll('ID', id);
  const init = { method, ...(text === undefined ? {} : { body: text }) };
  return await until(async () => {
    const reply = await service.ask(path.replaceAll('ID', id), init);
    return isAsWanted(reply.body) ? reply : undefined;
  });
}

/** One line for people, and for the table of what is known. */
export function describeDifference({
  question,
  path,
  what,
}: Difference): string {
  return `${question}: ${path === undefined ? '' : `${path === '' ? 'the answer' : path}: `}${what}`;
}
