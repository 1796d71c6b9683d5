import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Serial } from '../../../src/base/serial.ts';

describe('serial work', () => {
  it('starts work when the work before it has ended, and returns its result', async () => {
    const serial = new Serial();
    const first = Promise.withResolvers<string>();
    const order: string[] = [];
    const one = serial.run(() => {
      order.push('first starts');
      return first.promise;
    });
    const two = serial.run(() => {
      order.push('second starts');
      return Promise.resolve('two');
    });
    await Promise.resolve();
    await Promise.resolve();
    deepEqual(order, ['first starts']);
    first.resolve('one');
    equal(await two, 'two');
    equal(await one, 'one');
    deepEqual(order, ['first starts', 'second starts']);
  });

  it('goes on after a failure, which only its own caller sees', async () => {
    const serial = new Serial();
    const failing = serial.run(() => Promise.reject(new Error('broken')));
    const next = serial.run(() => Promise.resolve('fine'));
    await rejects(failing, /broken/);
    equal(await next, 'fine');
  });
});
