/** The demo service with everything that can be wrong with one, for `npm run demo` and the tests. */
import { type DemoOptions, type DemoService, startDemo } from '../../../../src/demo/demoService.ts';
import { FaultySockets } from './faultySockets.ts';
import { Misbehaving } from './misbehaving.ts';
import type { Misbehaviour } from './misbehaviour.ts';

export interface MisbehavingDemoOptions extends Omit<DemoOptions, 'exchange' | 'sockets'> {
  readonly misbehaviour?: Partial<Misbehaviour>;
}

export interface MisbehavingDemo extends DemoService {
  /** Replaces all misbehaviour from the next request on; `{}` is good behaviour. */
  misbehave(misbehaviour: Partial<Misbehaviour>): void;
}

export async function startMisbehavingDemo({
  misbehaviour = {},
  ...options
}: MisbehavingDemoOptions = {}): Promise<MisbehavingDemo> {
  let misbehaving = new Misbehaving(misbehaviour);
  const demo = await startDemo({
    ...options,
    exchange: (call, response, api) => misbehaving.exchange(call, response, api),
    sockets: (context) => new FaultySockets(context, (call) => misbehaving.socketFaults(call)),
  });
  return Object.assign(demo, {
    misbehave: (next: Partial<Misbehaviour>) => {
      misbehaving.release();
      misbehaving = new Misbehaving(next);
    },
  });
}
