import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { shellWord } from '../../../../src/mcp/format/mask.ts';
import { splitLine, splitWords } from '../../../../src/mcp/cli/shellWords.ts';
import { itOnPosix } from '../../../support/posix.ts';

describe('splitting a command line', () => {
  for (const [line, words] of [
    ['', []],
    [' \t\n ', []],
    [
      'npx -y  some-server\t--port 1',
      ['npx', '-y', 'some-server', '--port', '1'],
    ],
    ["a 'b  c' d", ['a', 'b  c', 'd']],
    ['a "b  c" d', ['a', 'b  c', 'd']],
    [`--header='X: "y"' --env="A=it's"`, ['--header=X: "y"', "--env=A=it's"]],
    [`''  "" a''b`, ['', '', 'ab']],
    ['a\\ b \\"c\\" \\\\', ['a b', '"c"', '\\']],
    ['a\\', ['a\\']],
    ['"\\"\\\\\\$\\`\\n\\\nx"', ['"\\$`\\nx']],
    ["'\\' x", ['\\', 'x']],
    ['a \\\n  b \\\r\n c', ['a', 'b', 'c']],
    ['a\\\nb', ['ab']],
    ['a # a comment\nb a#c', ['a', 'b', 'a#c']],
    ['# nothing else', []],
    ["'#' \\#", ['#', '#']],
    [
      '$HOME ${A} $(x) `y` * ~ a&b | c > d',
      [
        ...[
          '$HOME',
          '${A}',
          '$(x)',
          '`y`',
          '*',
          '~',
          'a&b',
          '|',
          'c',
          '>',
          'd',
        ],
      ],
    ],
    [
      "$'a\\tb\\'c\\\\' x$'\\x41'$'\\u00e9' $'\\342\\200\\213\\q'",
      ["a\tb'c\\", 'xAé', '\u200B\\q'],
    ],
    ["a $(b 'c d') e", ['a', "$(b 'c d')", 'e']],
    ['a="$(b "c d" (e))" $(f', ['a=$(b "c d" (e))', '$(f']],
    ['"a $(b" c', ['a $(b', 'c']],
    ["https://h/?a=1&b='x;y'", ['https://h/?a=1&b=x;y']],
  ] as readonly (readonly [string, readonly string[]])[]) {
    it(`splits ${JSON.stringify(line)}`, () => {
      assert.deepEqual(splitWords(line), {
        words,
        unfinished: undefined,
        end: line.length,
      });
    });
  }

  for (const [line, words, unfinished] of [
    ["a 'b c", ['a', 'b c'], 2],
    ['a b"c \\" d', ['a', 'bc \\" d'], 3],
    ["a $'b", ['a', '$b'], 3],
    ['"', [''], 0],
  ] as const) {
    it(`reports where the unclosed quote opens: ${line}`, () => {
      assert.deepEqual(splitWords(line), {
        words,
        unfinished,
        end: line.length,
      });
    });
  }

  itOnPosix(
    'finds the same words in random lines as the shell on this machine',
    () => {
      const piece = fc.constantFrom(
        'a',
        'b',
        ' ',
        '\t',
        "'",
        '"',
        '\\',
        '#',
        '\\\n',
        '"a b"',
        "'c d'",
        ' ',
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
          const line = pieces.join('');
          const { words, unfinished, end } = splitWords(line, {
            oneCommand: true,
          });
          fc.pre(unfinished === undefined && !line.endsWith('\\'));
          const script = `for word in x ${line.slice(0, end)}\ndo printf '%s\\0' "$word"; done`;
          const found = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
            .split('\0')
            .slice(1, -1);
          assert.deepEqual(words, found);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('restores words that were quoted and joined', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          ...Array.from('ab \t\n\r\0\u200B\uFEFF\'"\\#$`&|;=*~'),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        assert.deepEqual(
          splitWords(words.map(shellWord).join(' ')).words,
          words,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('splitting off one command', () => {
  const one = (text: string, from = 0) => {
    const { words, end } = splitWords(text, { from, oneCommand: true });
    return [words, text.slice(end)];
  };

  it('stops at the end of the line', () => {
    assert.deepEqual(one('a b\nc d'), [['a', 'b'], '\nc d']);
    assert.deepEqual(one('a \\\n b # c \\\nd'), [['a', 'b'], '\nd']);
    assert.deepEqual(one("a 'b\nc' d"), [['a', 'b\nc', 'd'], '']);
    assert.deepEqual(one('a b', 2), [['b'], '']);
  });

  it('stops at an operator, but not within a word or quotes', () => {
    for (const operator of ['&&', '&', '||', '|', ';']) {
      assert.deepEqual(one(`a b ${operator} c`), [['a', 'b'], ' c']);
      assert.deepEqual(one(`a b ${operator}`), [['a', 'b'], '']);
      assert.deepEqual(one(`a '${operator}' "${operator}"`), [
        ['a', operator, operator],
        '',
      ]);
    }
    assert.deepEqual(one('a b&c'), [['a', 'b&c'], '']);
    assert.deepEqual(one('a b; c'), [['a', 'b'], ' c']);
    assert.deepEqual(one("a 'b;' c';'"), [['a', 'b;', 'c;'], '']);
  });
});

describe('splitting a Windows command line', () => {
  for (const [line, words] of [
    [
      'C:\\Tools\\x.exe "C:\\My Files\\y" \'a b\'',
      ['C:\\Tools\\x.exe', 'C:\\My Files\\y', 'a b'],
    ],
    ['x "{\\"a\\": 1}"', ['x', '{"a": 1}']],
    ['a `\n b ^\r\n c', ['a', 'b', 'c']],
    ['a^b `c', ['a^b', '`c']],
    [
      'x "{`"a`": `"$b`"}" "c""d" \'it\'\'s\'',
      ['x', '{"a": "$b"}', 'c"d', "it's"],
    ],
  ] as const) {
    it(`splits ${JSON.stringify(line)}`, () => {
      assert.deepEqual(splitWords(line, { windows: true }).words, words);
    });
  }

  it('reports where an unclosed quote opens', () => {
    assert.equal(splitWords('a "b', { windows: true }).unfinished, 2);
  });
});

describe('splitting a line that no shell reads', () => {
  for (const [line, words] of [
    ['-y "a b" c\\ d', ['-y', 'a b', 'c d']],
    ['--root C:\\Files --name x', ['--root', 'C:\\Files', '--name', 'x']],
    ['--colour #fff; # x', ['--colour', '#fff;', '#', 'x']],
    ["it's", undefined],
    ['', []],
  ] as const) {
    it(`returns ${JSON.stringify(words)} for ${JSON.stringify(line)}`, () => {
      assert.deepEqual(splitLine(line), words);
    });
  }
});
