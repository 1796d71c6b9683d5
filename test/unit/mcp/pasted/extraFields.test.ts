import assert from 'node:assert/strict';
import { paste } from './expected.ts';

const extra = (entry: object) => {
  const all = paste(JSON.stringify({ mcpServers: { a: entry } }));
  assert(Array.isArray(all) && all[0]);
  return [all[0].extra, all[0].notes] as const;
};

describe('the other fields of a pasted server', () => {
  it('are kept where the program obeys them', () => {
    const both = { include_tags: ['r'], exclude_tags: [] };
    assert.deepEqual(extra({ command: 'x', keep_alive: false, ...both }), [
      { keep_alive: false, ...both },
      [],
    ]);
    const tools = new Map([['a', new Map([['enabled', false]])]]);
    assert.deepEqual(extra({ url: 'https://x.y', tools: { a: { enabled: false } } }), [{ tools }, []]);
  });

  it('are left out where it would refuse the file or ignore them, and a note says so', () => {
    const [fields, notes] = extra({
      ...{
        command: 'x',
        keep_alive: 5,
        tools: ['a'],
        include_tags: [1],
        exclude_tags: 'x',

        timeout: -1,
      },
    });
    assert.deepEqual(fields, {});
    assert.deepEqual(extra({ command: 'x', timeout: true, description: 1 })[0], {});
    for (const key of ['keep_alive', 'tools', 'include_tags', 'exclude_tags', 'timeout'])
      assert.match(notes.join(), new RegExp(`"${key}"`));
  });

  it('have a whole number of milliseconds as their timeout', () => {
    assert.deepEqual(extra({ command: 'x', timeout: '30000' }), [{ timeout: 30_000 }, []]);
    assert.deepEqual(extra({ command: 'x', timeout: 30_000.4 }), [{ timeout: 30_000 }, []]);
  });
});
