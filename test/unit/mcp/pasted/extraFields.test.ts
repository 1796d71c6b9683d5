import assert from 'node:assert/strict';
import { paste } from './expected.ts';

const extra = (entry: object) => {
  const all = paste(JSON.stringify({ mcpServers: { a: entry } }));
  assert(Array.isArray(all) && all[0]);
  return [all[0].extra, all[0].notes] as const;
};

describe('a pasted server', () => {
  it('warns of variables that change what runs', () => {
    const notes = (env: object) => extra({ command: 'x', env })[1];
    assert.deepEqual(notes({ NODE_OPTIONS: '-r ./pre.js', KEY: 'v' }), [
      '"NODE_OPTIONS" changes what runs: check its value.',
    ]);
    assert.deepEqual(notes({ LD_PRELOAD: 'a.so', PATH: '/x' }), [
      '"LD_PRELOAD" and "PATH" change what runs: check their values.',
    ]);
    assert.deepEqual(
      extra({ url: 'https://x.y', headers: { PATH: 'v' } })[1],
      [],
    );
  });
});

describe('an extra field of a pasted server', () => {
  it('stays if the program uses it', () => {
    const both = { include_tags: ['r'], exclude_tags: [] };
    assert.deepEqual(extra({ command: 'x', keep_alive: false, ...both }), [
      { keep_alive: false, ...both },
      [],
    ]);
    const tools = new Map([['a', new Map([['enabled', false]])]]);
    assert.deepEqual(
      extra({ url: 'https://x.y', tools: { a: { enabled: false } } }),
      [{ tools }, []],
    );
  });

  it('switches off the tools that it excludes by name', () => {
    const tools = new Map(
      ['a', 'b c'].map((name) => [name, new Map([['enabled', false]])]),
    );
    for (const key of ['excludeTools', 'disabled_tools', 'disabledTools']) {
      assert.deepEqual(
        extra({ command: 'x', [key]: ['a', 'b c'] }),
        [{ tools }, []],
        key,
      );
      assert.deepEqual(extra({ url: 'https://x.y', [key]: [] }), [{}, []], key);
      for (const odd of ['a', ['a', 1], { a: true }]) {
        assert.deepEqual(
          extra({ command: 'x', [key]: odd }),
          [{}, [`"${key}" is left out.`]],
          key,
        );
      }
    }
  });

  it('disappears with a note if it lists the tools to include', () => {
    for (const key of ['includeTools', 'enabled_tools', 'tools']) {
      assert.deepEqual(
        extra({ command: 'x', [key]: ['a'] }),
        [{}, [`"${key}" is left out.`]],
        key,
      );
    }
    const both = extra({
      command: 'x',
      includeTools: ['a', 'b'],
      excludeTools: ['b'],
    });
    const tools = new Map([['b', new Map([['enabled', false]])]]);
    assert.deepEqual(both, [{ tools }, ['"includeTools" is left out.']]);
    const twice = extra({
      command: 'x',
      tools: { a: {} },
      disabledTools: ['b'],
    });
    assert.deepEqual(twice, [
      { tools: new Map([['a', new Map()]]) },
      ['"disabledTools" is left out.'],
    ]);
  });

  it('keeps max_sse_event_size of a remote server if it is a whole number', () => {
    const url = 'https://x.y';
    for (const [value, kept] of [
      [2048, 2048],
      ['2048', 2048],
    ])
      assert.deepEqual(extra({ url, max_sse_event_size: value }), [
        { max_sse_event_size: kept },
        [],
      ]);
    for (const value of [1.5, -1, 'x', 1e22])
      assert.deepEqual(extra({ url, max_sse_event_size: value }), [
        {},
        ['"max_sse_event_size" is left out.'],
      ]);
  });

  it('disappears with a note if the program would refuse or ignore it', () => {
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
    assert.deepEqual(
      extra({ command: 'x', timeout: true, description: 1 })[0],
      {},
    );
    for (const key of [
      'keep_alive',
      'tools',
      'include_tags',
      'exclude_tags',
      'timeout',
    ])
      assert.match(notes.join(), new RegExp(`"${key}"`));
  });

  it('becomes a whole number of milliseconds if it is a timeout', () => {
    assert.deepEqual(extra({ command: 'x', timeout: '30000' }), [
      { timeout: 30_000 },
      [],
    ]);
    assert.deepEqual(extra({ command: 'x', timeout: 30_000.4 }), [
      { timeout: 30_000 },
      [],
    ]);
  });
});
