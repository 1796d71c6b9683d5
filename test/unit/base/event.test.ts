import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';

describe('Emitter', () => {
  it('calls all listeners in the order they were added', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.on((value) => heard.push(`a${value}`));
    emitter.on((value) => heard.push(`b${value}`));
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(heard, ['a1', 'b1', 'a2', 'b2']);
  });

  it('removes one registration of a listener and keeps the other, even if removed twice', () => {
    const emitter = new Emitter();
    let heard = 0;
    const listener = () => {
      heard++;
    };
    const subscription = emitter.on(listener);
    emitter.on(listener);
    assert.equal(emitter.size, 2);
    subscription.dispose();
    subscription.dispose();
    assert.equal(emitter.size, 1);
    emitter.fire();
    assert.equal(heard, 1);
  });

  it('skips listeners that are removed or added while it fires', () => {
    const emitter = new Emitter();
    const heard: string[] = [];
    emitter.on(() => {
      heard.push('first');
      subscription.dispose();
      emitter.on(() => heard.push('late'));
    });
    const subscription = emitter.on(() => heard.push('stopped'));
    emitter.fire();
    assert.deepEqual(heard, ['first']);
  });

  it('calls the other listeners when one throws, and rethrows the error', () => {
    const emitter = new Emitter();
    let heard = 0;
    emitter.on(() => {
      throw new Error('broken');
    });
    emitter.on(() => heard++);
    assert.throws(() => {
      emitter.fire();
    }, /broken/);
    assert.equal(heard, 1);
  });
});
