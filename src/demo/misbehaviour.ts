import type { Answer, Call } from './http.ts';
import type { Service } from './routes.ts';
import type { ServerResponse } from 'node:http';

/** What a switch does to an exchange, at each of the points where it can do something. */
export interface Effect {
  /** Changes the request before the service sees it. */
  readonly ask?: (call: Call) => Call;
  /** Answers in place of the service, before it has looked at the key. */
  readonly instead?: (call: Call) => Answer | undefined;
  /** Changes what the service answered. */
  readonly change?: (answer: Answer, exchange: Exchange) => Answer;
  /** Milliseconds of real time before the headers. */
  readonly wait?: number;
  /** Sends the answer in a way of its own. */
  readonly send?: (answer: Answer, response: ServerResponse) => void;
}

export interface Exchange {
  readonly call: Call;
  readonly service: Service;
  /** What the service would have answered to another request. */
  readonly again: (call: Call) => Answer;
}

export interface Misbehaviour {
  readonly only: string | RegExp;
  readonly times: number;
}

export class Misbehaving {
  constructor(_misbehaviour: Partial<Misbehaviour>) {}

  effects(_call: Call): readonly Effect[] {
    return [];
  }
}
