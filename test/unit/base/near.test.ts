import assert from 'node:assert/strict';
import { nearestNames } from '../../../src/base/near.ts';

const options = [
  '--transport',
  '--header',
  '--env',
  '--auth',
  '--enabled',
  '--disabled',
  '--file',
  '--json',
];

describe('the search for similar names', () => {
  for (const [given, expected] of [
    ['--headers', ['--header']],
    ['--heade', ['--header']],
    ['--hedaer', ['--header']],
    ['--transprot', ['--transport']],
    ['--Enable', ['--enabled']],
    ['--evn', ['--env']],
    ['--enabeld', ['--enabled']],
    ['--scope', []],
    ['--verbose', []],
  ] as const) {
    it(`suggests ${expected.join(', ') || 'nothing'} for ${given}`, () => {
      assert.deepEqual(nearestNames(given, options), expected);
    });
  }

  for (const [given, names, expected] of [
    ['github', ['GitHub', 'gitlab'], ['GitHub', 'gitlab']],
    ['git', ['github', 'fetch'], ['github']],
    ['fetch', ['mcp-fetch', 'prefetch', 'time'], ['mcp-fetch']],
    ['mcp-fetch', ['fetch', 'mcp'], ['fetch', 'mcp']],
    ['ab', ['ab-c', 'abc', 'x-ab', 'xab', 'abcdef'], ['abc', 'xab', 'ab-c']],
    ['a', ['b', 'c', 'a1'], []],
    ['fecht', ['docs', 'fetch'], ['fetch']],
    ['tiem', ['time', 'item', 'tame'], ['time', 'item']],
    ['', ['a', ''], []],
    ['b', [''], []],
    ['x'.repeat(61), ['x'.repeat(60)], []],
    ['x'.repeat(60), ['x'.repeat(61)], []],
    ['naïve-sörver', ['naive-sorver'], ['naive-sorver']],
  ] as const) {
    it(`suggests ${JSON.stringify(expected)} for "${given.slice(0, 20)}" among ${JSON.stringify(names).slice(0, 60)}`, () => {
      assert.deepEqual(nearestNames(given, names), expected);
    });
  }

  it('suggests at most three names, best match first', () => {
    assert.deepEqual(
      nearestNames('server-1', [
        'server-12',
        'serve',
        'server-2',
        'Server-1',
        'server-3',
      ]),
      ['Server-1', 'server-12', 'server-2'],
    );
  });

  it('finds the best match among 100,000 names', () => {
    const many = Array.from(
      { length: 100_000 },
      (_, index) => `server-number-${index}`,
    );
    assert.equal(
      nearestNames('server-numbr-99999', many)[0],
      'server-number-99999',
    );
  });
});
