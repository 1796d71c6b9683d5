import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { HttpAnswer, Call } from '../../../../src/demo/wire/http.ts';
import type { Switches } from './misbehaviour.ts';
import type { RouteContext } from '../../../../src/demo/routes/route.ts';
import type { World } from '../../../../src/demo/world/world.ts';

/**
 * The effect of a switch on an exchange, at each point where it can interfere.
 */
export interface Effect {
  /**
   * Returns true if the connection is found closed: the service does not see
   * the request.
   */
  readonly isClosed?: (response: ServerResponse) => boolean;
  /** Changes the request before the service sees it. */
  readonly ask?: (call: Call) => Call;
  /**
   * Answers instead of the service, whatever the key is; undefined lets the
   * service answer.
   */
  readonly instead?: (call: Call) => HttpAnswer | undefined;
  /** Changes what the service answered. */
  readonly change?: (answer: HttpAnswer, exchange: Exchange) => HttpAnswer;
  /** Keeps the request from the service until the misbehaviour is replaced. */
  readonly isHeld?: boolean;
  /** Milliseconds of real time before the headers. */
  readonly wait?: number;
  /** Sends the answer in its own way. */
  readonly send?: (answer: HttpAnswer, response: ServerResponse) => void;
  /** The fault of WebSockets. */
  readonly socket?: SocketFault;
}

export interface SocketFault {
  /** The status that it is refused with. */
  readonly refusal?: number;
  /** The code that it is closed with at once. */
  readonly closing?: number;
  /** Sends frames in its own way, by sending others with `next`. */
  readonly frames?: (
    next: SendFrame,
    socket: WebSocket,
    world: World,
  ) => SendFrame;
}

type SendFrame = (frame: string) => void;

export interface Exchange {
  /** The call that the service saw. */
  readonly call: Call;
  readonly context: RouteContext;
  /** Returns the answer of the service to another request. */
  readonly again: (call: Call) => HttpAnswer;
}

/**
 * Makes the effect of each switch from its value and, where one depends on
 * another, from all of them. What an effect has to remember, it remembers until
 * the misbehaviour is replaced.
 */
export type Effects<Name extends keyof Switches = keyof Switches> = {
  readonly [Each in Name]: (
    value: Switches[Each],
    all: Partial<Switches>,
  ) => Effect;
};
