import {
  failed,
  text,
  type HttpAnswer,
  type Call,
} from '../../../../src/demo/wire/http.ts';
import type { Absence } from './misbehaviour.ts';
import type { Effects } from './effect.ts';

/** Missing interfaces. */
export const absenceEffects: Effects<
  'noV0' | 'noV1' | 'noInterrupt' | 'htmlAt200'
> = {
  noV0: (absence) => ({
    instead: (call) => (isV1(call) ? undefined : absent(absence)),
  }),
  noV1: (absence) => ({
    instead: (call) => (isV1(call) ? absent(absence) : undefined),
  }),
  noInterrupt: (absence) => ({
    instead: ({ segments }) =>
      segments[1] === 'conversations' && segments[3] === 'interrupt'
        ? absent(absence)
        : undefined,
  }),
  htmlAt200: () => ({ instead: webApp }),
};

function absent(absence: Absence): HttpAnswer {
  switch (absence) {
    case '404':
      return failed(404, 'Not Found');
    case '405':
      return failed(405, 'Method Not Allowed');
    case '410':
      return failed(410, 'This interface was removed.');
    case 'html':
      return webApp();
  }
}

function webApp(): HttpAnswer {
  return text(
    '<!doctype html><html><head><title>Agents</title></head><body><div id="root"></div></body></html>',
    'text/html; charset=utf-8',
  );
}

export function isV1({ segments }: Call): boolean {
  return segments[1] === 'v1';
}
