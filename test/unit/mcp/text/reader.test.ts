import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Node as Expected, parseTree } from 'jsonc-parser';
import {
  treeLimits,
  readText,
  readUnfinished,
} from '../../../../src/mcp/text/reader.ts';
import { Refusal } from '../../../../src/mcp/text/refusal.ts';
import { type Node, rawOf, stringOf } from '../../../../src/mcp/text/nodes.ts';
import { valueOf } from '../../../../src/mcp/text/values.ts';
import { drawText, Tape } from '../../../support/configTexts.ts';

function refusal(text: string): Refusal {
  try {
    readText(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was read.');
}

describe('reading a text that is not JSON', () => {
  for (const [text, message] of [
    ['{', 'Line 1, column 1: the text ends here, and "}" is missing.'],
    [
      '{"a":1,',
      'Line 1, column 7: the text ends here, and a name in double quotes is missing.',
    ],
    ['{"a":[{}', 'Line 1, column 8: the text ends here, and "]" is missing.'],
    ['{"a"', 'Line 1, column 4: the text ends here, and a colon is missing.'],
    ['{"a" 1}', 'Line 1, column 6: a colon is missing.'],
    ['{"a":', 'Line 1, column 5: the text ends here, and a value is missing.'],
    ['{"a":}', 'Line 1, column 6: a value is missing.'],
    ['{"a":[1 2]}', 'Line 1, column 9: a comma or "]" is missing.'],
    [
      '{"a":{"b":{"c":1 "d":2}}}',
      'Line 1, column 18: a comma or "}" is missing.',
    ],
    [
      '{"a":{"b":{1:2}}}',
      'Line 1, column 12: a name in double quotes is missing.',
    ],
    ['{"a":[1}', 'Line 1, column 8: a comma or "]" is missing.'],
    ['{"a":[,]}', 'Line 1, column 7: a value is missing.'],
    ['{,}', 'Line 1, column 2: a name in double quotes is missing.'],
    ['{"a":01}', 'Line 1, column 7: a comma or "}" is missing.'],
    ['{"a":1.}', 'Line 1, column 6: this is not a valid number in JSON.'],
    ['{"a":nul}', 'Line 1, column 6: a value is missing.'],
    ['{"a":[nul]}', 'Line 1, column 7: a value is missing.'],
    ['{a:1}', 'Line 1, column 2: a name in double quotes is missing.'],
    [
      '{"a":"b}',
      'Line 1, column 6: this string does not end on its line, or contains a control character.',
    ],
    [
      '{"a":"\t"}',
      'Line 1, column 6: this string does not end on its line, or contains a control character.',
    ],
    [
      '{"a":"\\x"}',
      'Line 1, column 7: this is not a valid escape sequence in JSON.',
    ],
    [
      '{"a":"\\ud83d\\ude00\\t\\x"}',
      'Line 1, column 21: this is not a valid escape sequence in JSON.',
    ],
    [
      '{"a":"\\u12"}',
      'Line 1, column 7: this is not a valid escape sequence in JSON.',
    ],
    [
      '{} x',
      'Line 1, column 4: there is something after the end of the configuration.',
    ],
    ['{} /* x', 'Line 1, column 4: this comment has no end.'],
    ['{/}', 'Line 1, column 2: a name in double quotes is missing.'],
    [
      '// only a comment',
      'Line 1, column 17: the text ends here, and a value is missing.',
    ],
    [
      '\uFEFF{\r\n\r\n  x',
      'Line 3, column 3: a name in double quotes is missing.',
    ],
    ['\uFEFF}', 'Line 1, column 1: a value is missing.'],
    ['{\r"a"\n1', 'Line 3, column 1: a colon is missing.'],
  ] as const) {
    it(`reports the error and its position: ${JSON.stringify(text)}`, () => {
      const { kind, message: actual, position } = refusal(text);
      assert.equal(kind, 'syntax');
      assert.equal(actual, message);
      assert(position);
    });
  }

  it('reads a comment on to the end of its line, as other separators end none', () => {
    for (const separator of ['\u2028', '\u2029', '\v', '\f', '\x85'])
      assert.equal(isRead(`{} //${separator} x`), true, separator);
  });

  it('refuses exactly the texts that JSON.parse refuses', () => {
    const bytes = fc.uint8Array({ minLength: 8, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(
        bytes,
        fc.nat(),
        fc.constantFrom(...Array.from('{}[]",:/*\\ \t\n0-1e.tn'), '', '"a":1,'),
        (tape, at, sign) => {
          const whole = drawText(new Tape(tape)).replace(/^\uFEFF/, '');
          const place = at % whole.length;
          const text =
            whole.slice(0, place) + sign + whole.slice(place + (at % 3));
          assert.equal(isRead(text), isJson(withoutExtras(text)), text);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

/**
 * True if the text is read. A root other than an object is none of this test.
 */
function isRead(text: string): boolean {
  try {
    readText(text);
    return true;
  } catch (error) {
    assert(error instanceof Refusal);
    return error.kind === 'wrongType';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === '';
  }
}

const string = String.raw`"(?:[^"\\\n\r]|\\[^\n\r])*"?`;

/** The text with spaces for whole comments and trailing commas. */
function withoutExtras(text: string): string {
  const comments = new RegExp(
    String.raw`(${string})|//[^\n\r]*|/\*[^]*?\*/`,
    'g',
  );
  const commas = new RegExp(
    String.raw`(${string})|(?<=["\w}\]]\s*),(?=\s*[}\]])`,
    'g',
  );
  const bare = text.replace(
    comments,
    (part, literal?: string) => literal ?? ' '.repeat(part.length),
  );
  return bare.trim() === ''
    ? text
    : bare.replace(commas, (_, literal?: string) => literal ?? ' ');
}

describe('reading a text that is too long or too deep', () => {
  it('refuses a text that is too long', () => {
    assert.equal(refusal(' '.repeat(treeLimits.characters + 1)).kind, 'tooBig');
  });

  for (const [what, deep] of [
    ['lists', '['.repeat(100_000)],
    ['lists with items', '[1,'.repeat(100_000)],
    ['objects', '{"a":'.repeat(100_000)],
  ] as const) {
    it(`refuses deeply nested ${what} without a stack overflow`, () => {
      const { kind, position } = refusal(`{"mcpServers":${deep}`);
      assert.equal(kind, 'tooDeep');
      assert.equal(position?.line, 1);
    });
  }

  it('reads a text nested up to the limit', () => {
    const depth = treeLimits.depth - 3;
    readText(`{"mcpServers":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`);
  });
});

describe('reading a text whose root is not an object', () => {
  for (const text of ['[]', '1', '"mcpServers"', 'null', '[{"a":[1,2,],},]']) {
    it(`refuses ${text}`, () => {
      const { kind, message } = refusal(text);
      assert.equal(kind, 'wrongType');
      assert.equal(
        message,
        'Line 1, column 1: the configuration is not a JSON object.',
      );
    });
  }
});

/** A value as jsonc-parser has it, as far as both know it. */
function plain(node: Node): unknown {
  const { type, start, end } = node;
  if (type === 'array') return [type, start, end, node.items.map(plain)];
  if (type !== 'object') return [type, start, end, valueOf(node)];
  const members = node.members.map((member) => [
    member.name,
    member.start,
    member.nameEnd,
    member.end,
    plain(member.value),
  ]);
  return [type, start, end, members];
}

function expected({
  type,
  offset,
  length,
  value,
  children = [],
}: Expected): unknown {
  const end = offset + length;
  if (type === 'array') return [type, offset, end, children.map(expected)];
  if (type !== 'object') return [type, offset, end, value as unknown];
  const members = children.map(({ children: [key, inner] = [] }) => {
    assert(key && inner);
    const nameEnd = key.offset + key.length;
    return [
      key.value as unknown,
      key.offset,
      nameEnd,
      inner.offset + inner.length,
      expected(inner),
    ];
  });
  return [type, offset, end, members];
}

const tapes = fc.uint8Array({ minLength: 8, maxLength: 800, size: 'max' });

describe('the tree of a text', () => {
  it('matches the tree of jsonc-parser, also when read as unfinished', () => {
    fc.assert(
      fc.property(tapes, (tape) => {
        const text = drawText(new Tape(tape));
        const root = parseTree(text, [], { allowTrailingComma: true });
        assert(root);
        for (const tree of [readText(text), readUnfinished(text)]) {
          assert.deepEqual(plain(tree.root), expected(root));
        }
        const { comments, trailingCommas } = readText(text);
        const unfinished = readUnfinished(text);
        assert.deepEqual(
          [unfinished.comments, unfinished.trailingCommas, unfinished.blank],
          [comments, trailingCommas, false],
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('half a character', () => {
  it('keeps its place, unlike a whole one', () => {
    const text = String.raw`{"a": "\n\ud83d\ude00\uD83D", "\udc00": "\\ud83d"}`;
    const halves = readText(text).loneSurrogates.map(({ start, end }) =>
      text.slice(start, end),
    );
    assert.deepEqual(halves, [String.raw`\uD83D`, String.raw`\udc00`]);
  });
});

describe('reading an unfinished text', () => {
  const root = (text: string) => readUnfinished(text).root;
  const shown = (node: Node): unknown => {
    if (node.type === 'array') return node.items.map(shown);
    if (node.type !== 'object')
      return node.type === 'missing' ? `? ${rawOf(node)}` : rawOf(node);
    return Object.fromEntries(
      node.members.map(({ name, value }) => [name, shown(value)]),
    );
  };

  for (const [text, values] of [
    ['{"a": , "b": tru, "c": 1}', { a: '? ', b: '? ', c: '1' }],
    [
      '{"a": 1 "b": 2, , "c" 3, d, "e": 4}',
      { a: '1', b: '2', c: '? ', e: '4' },
    ],
    ['{x "a": 1, "b": 2', { a: '1', b: '2' }],
    ['{"a": 1, ] "b": 2', { a: '1' }],
    [
      '{"a": [1 x "2", , }, 3], "b": {"c": [',
      { a: ['1', '"2"', '3'], b: { c: [] } },
    ],
    [
      '{"a": "open\n, "b": "tab\tin", "c": "wrong \\x", "d": "',
      { a: '"open', b: '"tab\tin"', c: '"wrong \\x"', d: '"' },
    ],
    ['{/ "a": 1, /* open', { a: '1' }],
    ['{"a": 1} behind', { a: '1' }],
  ] as const) {
    it(`reads as much as possible of ${JSON.stringify(text)}`, () => {
      assert.deepEqual(shown(root(text)), values);
    });
  }

  it('returns what can be read of unfinished or invalid strings', () => {
    const strings = root('{"a": "wrong \\x", "b\n: "open').members.map(
      ({ name, value }) => [name, stringOf(value)],
    );
    assert.deepEqual(strings, [
      ['a', 'wrong '],
      ['b', 'open'],
    ]);
    assert.equal(stringOf(root('{"a": "open').members[0]?.value), 'open');
    assert.equal(stringOf(root('{"a": "').members[0]?.value), '');
  });

  it('ends an open list at the end of the text', () => {
    const text = '{"a": {"b": []}, "c": [{';
    assert.equal(root(text).members.at(-1)?.end, text.length);
  });

  it('treats a text as blank if it is empty, too long or not an object', () => {
    for (const text of [
      '',
      '\n',
      '// a',
      '[1]',
      'x',
      `{"a": "${' '.repeat(treeLimits.characters)}"}`,
    ]) {
      assert(readUnfinished(text).blank);
    }
  });

  it('reads up to the value that is nested too deeply', () => {
    const { members } = root(`{"a": 1, "b": ${'['.repeat(100_000)}, "c": 1}`);
    assert.deepEqual(
      members.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  it('keeps each node inside its parent, whatever the text', () => {
    const check = (node: Node, from: number, to: number) => {
      assert(from <= node.start && node.start <= node.end && node.end <= to);
      let at = node.start;
      const parts =
        node.type === 'object'
          ? node.members
          : node.type === 'array'
            ? node.items
            : [];
      for (const part of parts) {
        assert(at <= part.start);
        check('value' in part ? part.value : part, part.start, node.end);
        at = part.end;
      }
    };
    fc.assert(
      fc.property(
        tapes,
        fc.array(
          fc.tuple(
            fc.nat(),
            fc.constantFrom(...Array.from('{}[]",:/*\\ \t\nx1')),
          ),
        ),
        (tape, signs) => {
          let text = drawText(new Tape(tape));
          for (const [at, sign] of signs) {
            const place = at % text.length;
            text = text.slice(0, place) + sign + text.slice(place + (at % 3));
          }
          const { root } = readUnfinished(text);
          check(root, 0, text.length);
          valueOf(root);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
