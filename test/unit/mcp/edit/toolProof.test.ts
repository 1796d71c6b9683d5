import assert from 'node:assert/strict';
import { applyEdits, type Edit } from 'jsonc-parser';
import type { Change } from '../../../../src/mcp/edit/wantedChange.ts';
import { outline } from '../../../../src/mcp/format/outline.ts';
import { proveChange } from '../../../../src/mcp/edit/proof.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';

const before =
  '{"mcpServers":{"s":{"tools":{"a":{"enabled":false},"b":{"name":"x"},"c":{"enabled":true},"a":{"enabled":false,"name":"y" /* 1 */}},"n":1.0}}}';

const switching = (on: string[], off: string[]): Change => ({
  do: 'tools',
  name: 's',
  on,
  off,
});

/** An edit that puts a text where another is, or where it is last. */
function put(text: string, what: string, instead: string): Edit {
  const offset = text.lastIndexOf(what);
  assert(offset >= 0);
  return { offset, length: what.length, content: instead };
}

function proven(change: Change, text: string, ...edits: Edit[]): boolean {
  try {
    proveChange(outline(text), change, edits, applyEdits(text, edits));
    return true;
  } catch (error) {
    assert(
      error instanceof Refusal && error.kind === 'unproven',
      String(error),
    );
    return false;
  }
}

const [offB, offC, onA] = [
  switching([], ['b']),
  switching([], ['c']),
  switching(['a'], []),
];
const bOff = put(before, '"name":"x"', '"name":"x","enabled":false');
const cOff = put(before, 'true', 'false');
const aOn = put(before, '"enabled":false,"name":"y"', '"name":"y"');

describe('the proof of a correct switch of tools', () => {
  it('passes when exactly the given tools are on and off', () => {
    assert(proven(offB, before, bOff));
    assert(proven(offC, before, cOff));
    assert(proven(onA, before, aOn));
    assert(
      proven(switching(['a', 'new'], ['b', 'c']), before, aOn, bOff, cOff),
    );
    assert(
      proven(
        switching([], ['d']),
        before,
        put(before, '},"n"', ',"d":{"enabled":false}},"n"'),
      ),
    );
  });

  it('passes when "tools" was added, was removed or was null', () => {
    const [none, nothing, one] = [
      '{"url":"u"}',
      '{"tools":null}',
      '{"tools":{"d":{"enabled":false}}}',
    ].map((entry) => `{"mcpServers":{"s":${entry}}}`) as [
      string,
      string,
      string,
    ];
    const off = switching([], ['d']);
    assert(
      proven(
        off,
        none,
        put(none, '"u"', '"u","tools":{"d":{"enabled":false}}'),
      ),
    );
    assert(
      proven(off, nothing, put(nothing, 'null', '{"d":{"enabled":false}}')),
    );
    assert(
      proven(
        switching(['d'], []),
        one,
        put(one, '"tools":{"d":{"enabled":false}}', ''),
      ),
    );
  });

  it('passes when comments are lost only inside the removed or replaced value', () => {
    const text =
      '{"mcpServers":{"s":{"tools":{"a":{"enabled":/* 1 */false,"o":[/* 4 */]},"b":{"enabled":/* 2 */[/* 3 */1]}}}}}';
    const on = put(text, '"enabled":/* 1 */false,', '');
    assert(proven(switching(['a'], []), text, on));
    assert(
      proven(switching([], ['b']), text, put(text, '[/* 3 */1]', 'false')),
    );
    assert(
      !proven(
        switching([], ['b']),
        text,
        put(text, '/* 2 */[/* 3 */1]', 'false'),
      ),
    );
    assert(!proven(switching(['a'], []), text, on, put(text, '/* 3 */', '')));
    // One that is on already, or off, keeps its comments.
    assert(proven(switching(['a', 'b'], []), text, on));
    assert(
      proven(switching([], ['a', 'b']), text, put(text, '[/* 3 */1]', 'false')),
    );
  });
});

describe('the proof of a wrong switch of tools', () => {
  for (const [what, change, ...edits] of [
    ['nothing changed', offB],
    ['only one of two tools was switched', switching([], ['b', 'c']), bOff],
    ['another tool was switched too', offB, bOff, cOff],
    [
      'the first of two tools with the same name was switched',
      onA,
      put(before, '"enabled":false},"b"', '},"b"'),
    ],
    [
      'the first of two tools with the same name changed too',
      onA,
      put(before, '"enabled":false},"b"', '"enabled":true},"b"'),
      aOn,
    ],
    [
      'the tool was switched the other way',
      offB,
      put(before, '"name":"x"', '"name":"x","enabled":true'),
    ],
    [
      'another field of the tool changed',
      offB,
      put(before, '"name":"x"', '"name":"z","enabled":false'),
    ],
    [
      'another field of the tool is gone',
      offB,
      put(before, '"name":"x"', '"enabled":false'),
    ],
    [
      'a tool that was already on changed',
      switching(['b'], []),
      put(before, '"x"', '"x","title":"t"'),
    ],
    [
      'a tool that was already on is gone',
      switching(['c'], []),
      put(before, ',"c":{"enabled":true}', ''),
    ],
    [
      'an entry was added for a tool that is on without one',
      switching(['d'], []),
      put(before, '},"n"', ',"d":{}},"n"'),
    ],
    [
      'the tool is no longer an object',
      offB,
      put(before, '{"name":"x"}', 'false'),
    ],
    [
      'the tool to switch on is no longer an object',
      onA,
      put(before, '{"enabled":false,"name":"y" /* 1 */}', '1 /* 1 */'),
    ],
    ['the tool is gone', offB, put(before, '"b":{"name":"x"},', '')],
    [
      'the last of two tools with the same name is gone',
      onA,
      put(before, ',"a":{"enabled":false,"name":"y" /* 1 */}', '/* 1 */'),
    ],
    [
      'a comment is lost',
      onA,
      put(before, '"enabled":false,"name":"y" /* 1 */', '"name":"y"'),
    ],
    [
      '"tools" is no longer an object',
      offB,
      put(
        before,
        '{"a":{"enabled":false},"b"',
        '[{"a":{"enabled":false}}],"o":{"b"',
      ),
    ],
    ['something outside "tools" changed', offB, bOff, put(before, '1.0', '1')],
  ] as const satisfies [string, Change, ...Edit[]][]) {
    it(`fails when ${what}`, () => {
      assert(!proven(change, before, ...edits));
    });
  }

  for (const value of ['["a"]', '"a"', 'true']) {
    it(`fails when it replaced a "tools" that is not an object: ${value}`, () => {
      const text = `{"mcpServers":{"s":{"tools":${value}}}}`;
      assert(
        !proven(
          switching([], ['d']),
          text,
          put(text, value, '{"d":{"enabled":false}}'),
        ),
      );
    });
  }

  it('fails when it replaced a tool that is not an object', () => {
    const text = '{"mcpServers":{"s":{"tools":{"d":1}}}}';
    assert(
      !proven(switching([], ['d']), text, put(text, '1', '{"enabled":false}')),
    );
  });

  it('fails when nothing is left of what it should switch on but another value', () => {
    const text = '{"mcpServers":{"s":{"tools":{"d":{"enabled":false}}}}}';
    for (const object of ['{"d":{"enabled":false}}', '{"enabled":false}'])
      assert(!proven(switching(['d'], []), text, put(text, object, '1')));
  });

  it('fails when it made the other of two "tools" count', () => {
    const text =
      '{"mcpServers":{"s":{"tools":{"b":{}},"tools":{"d":{"enabled":false}}}}}';
    assert(
      !proven(
        switching(['d'], []),
        text,
        put(text, ',"tools":{"d":{"enabled":false}}', ''),
      ),
    );
  });
});
