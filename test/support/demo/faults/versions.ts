import { failed, json, type Call } from '../../../../src/demo/wire/http.ts';
import { broken } from '../../../../src/demo/wire/http.ts';
import { isV1 } from './absence.ts';
import type { Effect, Effects } from './effect.ts';
import { invalid } from './errorAnswers.ts';
import { cursorOf, isCursor } from './listFaults.ts';
import { isJsonObject, listOf } from './shapes.ts';

/** Differences of other versions of the service. */
export const versionEffects: Effects<
  | 'noWorktreeOptions'
  | 'noRatings'
  | 'idsRequired'
  | 'contractOnlyCreate'
  | 'strictLimit'
  | 'unknownCursorIs422'
  | 'emptyAnswers'
  | 'taskFails'
> = {
  noWorktreeOptions: () => ofVersion('1.56.0', 'worktree_options'),

  noRatings: () => ofVersion('1.16.1', 'security_analyzer'),

  idsRequired: () => ({
    change: (answer, { call }) =>
      isPlain(call) &&
      call.method === 'GET' &&
      answer.status === 200 &&
      !call.query.has('ids')
        ? invalid([
            { type: 'missing', loc: ['query', 'ids'], msg: 'Field required' },
          ])
        : answer,
  }),

  contractOnlyCreate: () => ({
    change: (answer, { call, context: { world, records } }) => {
      if (!isPlain(call) || call.method !== 'POST' || answer.status !== 200)
        return answer;
      const task = world.task((answer.content as { id: string }).id);
      const conversation = task && world.finish(task);
      return conversation
        ? json(records.appConversation(conversation))
        : failed(
            409,
            task?.failure?.detail ?? 'The conversation could not be created.',
          );
    },
  }),

  strictLimit: () => ({
    change: (answer, { call }) => {
      const { query } = call;
      const tooMany =
        Number(query.get('limit')) > 99 || query.getAll('ids').length > 99;
      return isV1(call) && tooMany ? broken : answer;
    },
  }),

  unknownCursorIs422: () => ({
    change: (answer, exchange) => {
      const cursor = cursorOf(exchange.call);
      if (
        cursor === undefined ||
        !listOf(exchange.call) ||
        isCursor(exchange, cursor)
      )
        return answer;
      const msg = 'Value error, page_id is not a cursor of this list';
      return invalid([{ type: 'value_error', loc: ['query', 'page_id'], msg }]);
    },
  }),

  emptyAnswers: (status) => ({
    change: (answer, { call }) =>
      call.method !== 'GET' && answer.status === 200
        ? { status, headers: {}, content: '' }
        : answer,
  }),

  taskFails: () => ({
    ask: (call) =>
      isPlain(call) && call.method === 'POST'
        ? { ...call, body: saysFail(call.body) }
        : call,
  }),
};

/** The path itself, not one below it. */
function isPlain({ segments }: Call): boolean {
  return segments.join('/') === 'api/v1/app-conversations';
}

/**
 * Adds the word that makes a creation fail to its message. Anything else stays
 * as it is.
 */
function saysFail(body: string): string {
  return body.replace(/"text"\s*:\s*"/, '$&fail ');
}

/** An Agent Server of this version, which does not know a field of creation. */
function ofVersion(version: string, unknownField: string): Effect {
  return {
    instead: ({ method, path, body }) =>
      method === 'POST' &&
      path === '/api/conversations' &&
      body.includes(`"${unknownField}"`)
        ? invalid([
            {
              type: 'extra_forbidden',
              loc: ['body', unknownField],
              msg: 'Extra inputs are not permitted',
            },
          ])
        : undefined,
    change: (answer, { call: { path } }) =>
      path === '/server_info' && isJsonObject(answer.content)
        ? { ...answer, content: { ...answer.content, version } }
        : answer,
  };
}
