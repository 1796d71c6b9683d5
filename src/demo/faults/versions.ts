import { failed, json, text, type Answer, type Call } from '../http.ts';
import { invalid } from '../validate.ts';
import { isV1 } from './absence.ts';
import type { Effects } from './effect.ts';

/** What other versions of the service do differently. */
export const versionEffects: Effects<
  'idsRequired' | 'contractOnlyCreate' | 'strictLimit' | 'malformedCursorIs500' | 'emptyAnswers' | 'taskFails'
> = {
  idsRequired: () => ({
    change: (answer, { call }) =>
      isPlain(call) && call.method === 'GET' && answer.status === 200 && !call.query.has('ids')
        ? invalid([{ loc: ['query', 'ids'], msg: 'Field required', type: 'missing' }])
        : answer,
  }),

  contractOnlyCreate: () => ({
    change: (answer, { call, context: { world, records } }) => {
      if (!isPlain(call) || call.method !== 'POST' || answer.status !== 200) return answer;
      const task = world.task((answer.content as { id: string }).id);
      const conversation = task && world.finish(task);
      return conversation
        ? json(records.appConversation(conversation))
        : failed(409, task?.failure?.detail ?? 'The conversation could not be created.');
    },
  }),

  strictLimit: () => ({
    change: (answer, { call }) => {
      const { query } = call;
      const tooMany = Number(query.get('limit')) > 99 || query.getAll('ids').length > 99;
      return isV1(call) && tooMany && answer.status === 200 ? broken : answer;
    },
  }),

  malformedCursorIs500: () => ({
    change: (answer) =>
      answer.status === 422 && JSON.stringify(answer.content).includes('["query","page_id"]')
        ? broken
        : answer,
  }),

  emptyAnswers: (status) => ({
    change: (answer, { call }) =>
      call.method !== 'GET' && answer.status === 200 ? { status, headers: {}, content: '' } : answer,
  }),

  taskFails: () => ({
    ask: (call) => (isPlain(call) && call.method === 'POST' ? { ...call, body: saysFail(call.body) } : call),
  }),
};

/** What a server answers when something unexpected happens. */
export const broken: Answer = text('Internal Server Error', 'text/plain; charset=utf-8', 500);

/** The path itself, not one below it. */
function isPlain({ segments }: Call): boolean {
  return segments.join('/') === 'api/v1/app-conversations';
}

/** Adds the word that makes a creation fail to its message. Anything else stays as it is. */
function saysFail(body: string): string {
  return body.replace(/"text"\s*:\s*"/, '$&fail ');
}
