import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';

describe('an event', () => {
  it('reaches everybody who listens, in the order in which they began', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.on((value) => heard.push(`a${value}`));
    emitter.on((value) => heard.push(`b${value}`));
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(heard, ['a1', 'b1', 'a2', 'b2']);
  });

  it('reaches nobody who has stopped, and one who stops twice stops nobody else', () => {
    const emitter = new Emitter();
    let heard = 0;
    const listener = () => {
      heard++;
    };
    const stop = emitter.on(listener);
    emitter.on(listener);
    assert.equal(emitter.size, 2);
    stop();
    stop();
    assert.equal(emitter.size, 1);
    emitter.fire();
    assert.equal(heard, 1);
  });

  it('does not reach one who is stopped by another while it goes round, nor one who has only begun then', () => {
    const emitter = new Emitter();
    const heard: string[] = [];
    emitter.on(() => {
      heard.push('first');
      stop();
      emitter.on(() => heard.push('late'));
    });
    const stop = emitter.on(() => heard.push('stopped'));
    emitter.fire();
    assert.deepEqual(heard, ['first']);
  });

  it('reaches the others when one of them fails, and the failure is not hidden', () => {
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
