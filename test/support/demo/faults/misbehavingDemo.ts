/**
 * The demo service with everything that can be wrong with one, for `npm run
 * demo` and the tests.
 */
import {
  type DemoOptions,
  type DemoService,
  startDemo,
} from '../../../../src/demo/demoService.ts';
import type { Call } from '../../../../src/demo/wire/http.ts';
import { FaultySockets } from './faultySockets.ts';
import { Misbehaving } from './misbehaving.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { closeIdleConnections } from '../idleConnections.ts';
import { scriptOfTests } from '../script.ts';

const maxRequests = 10_000;

export interface MisbehavingDemoOptions extends Omit<
  DemoOptions,
  'sockets' | 'onServer' | 'onRequest'
> {
  readonly misbehaviour?: Partial<Misbehaviour>;
}

export interface MisbehavingDemo extends DemoService {
  /** The last 10,000 requests, in order. Grows as they arrive. */
  readonly requests: readonly Pick<
    Call,
    'method' | 'path' | 'query' | 'headers'
  >[];
  /** The number of all requests. */
  readonly requestCount: number;
  /**
   * Replaces all misbehaviour from the next request on; `{}` is good behaviour.
   */
  misbehave(misbehaviour: Partial<Misbehaviour>): void;
}

export async function startMisbehavingDemo({
  misbehaviour = {},
  ...options
}: MisbehavingDemoOptions = {}): Promise<MisbehavingDemo> {
  let misbehaving = new Misbehaving(misbehaviour);
  const requests: Call[] = [];
  let requestCount = 0;
  const demo = await startAtNewAddress({
    script: scriptOfTests,
    exchange: (call, response, api) =>
      misbehaving.exchange(call, response, api),
    ...options,
    onServer: (server) => {
      closeIdleConnections(server);
    },
    onRequest: (call) => {
      requestCount++;
      requests.push(call);
      if (requests.length > maxRequests) requests.shift();
    },
    sockets: (context) =>
      new FaultySockets(context, (call) => misbehaving.socketFaults(call)),
  });
  return {
    ...demo,
    get executed() {
      return demo.executed;
    },
    requests,
    get requestCount() {
      return requestCount;
    },
    misbehave: (next: Partial<Misbehaviour>) => {
      misbehaving.release();
      misbehaving = new Misbehaving(next);
    },
  };
}

const usedAddresses = new Set<string>();

/**
 * Starts a demo where none has been, unless its port is given: a window keeps
 * marks and costs by the address of a service.
 */
async function startAtNewAddress(options: DemoOptions): Promise<DemoService> {
  const demo = await startDemo(options);
  if (options.port !== undefined || !usedAddresses.has(demo.url)) {
    usedAddresses.add(demo.url);
    return demo;
  }
  const other = await startAtNewAddress(options);
  await demo.stop();
  return other;
}
