import assert from 'node:assert/strict';
import { check, problemsOf, shown, type Case } from './cases.ts';

describe('the check of a file that the program refuses', () => {
  for (const [code, marked, ...solutions] of [
    ['syntax', '{"mcpServers": {"a" «1»}}'],
    ['syntax', '{"mcpServers": {"a": {«}»'],
    ['wrongType', '«[»]'],
    ['wrongType', '{"mcpServers": «[»]}'],
    [
      'wrongType',
      '{"mcpServers": «null»}',
      ['Change to {}', '{"mcpServers": {}}'],
    ],
    ['wrongType', ' «null»', ['Change to {}', ' {}']],
    [
      'blankFile',
      '«»',
      ['Write {"mcpServers": {}}', '{\n  "mcpServers": {}\n}\n'],
    ],
    [
      'blankFile',
      '« \n\t»',
      ['Write {"mcpServers": {}}', '{\n  "mcpServers": {}\n}\n'],
    ],
    ['loneSurrogate', '{"mcpServers": {}, "a": "«\\ud83d»x"}'],
    ['loneSurrogate', '{"mcpServers": {}, "«\\uDE00»": 1}'],
    ['syntax', `{"mcpServers": {}, "a": «1»${'0'.repeat(4300)}}`],
    [
      'byteOrderMark',
      '«\uFEFF»{"mcpServers": {}}',
      ['Remove the byte order mark', '{"mcpServers": {}}', 'certain'],
    ],
    [
      'byteOrderMark',
      '«\uFEFF» ',
      ['Remove the byte order mark', ' ', 'certain'],
    ],
    [
      'comment',
      '{«/* c */» "mcpServers": {}}',
      ['Remove the comment', '{"mcpServers": {}}'],
    ],
    [
      'comment',
      '{\n  «// c»\n  "mcpServers": {}\n}',
      ['Remove the comment', '{\n  "mcpServers": {}\n}'],
    ],
    [
      'comment',
      '{\n  "mcpServers": {} «// c»\n}',
      ['Remove the comment', '{\n  "mcpServers": {}\n}'],
    ],
    [
      'comment',
      '// a\n{\n  "mcpServers": {«/* b */»   /* c */}\n}',
      ['Remove the comment', '// a\n{\n  "mcpServers": {/* c */}\n}'],
      ['Remove all comments', '{\n  "mcpServers": {}\n}'],
    ],
    [
      'trailingComma',
      '{"mcpServers": {}«,»}',
      ['Remove the comma', '{"mcpServers": {}}', 'certain'],
    ],
    [
      'trailingComma',
      '{"mcpServers": {"a": {"command": "x", "args": ["y"«,» /* c */]}}}',
      [
        'Remove the comma',
        '{"mcpServers": {"a": {"command": "x", "args": ["y" /* c */]}}}',
        'certain',
      ],
    ],
  ] satisfies Case[]) {
    it(`reports ${code} in ${JSON.stringify(marked)}`, () => {
      check(code, marked, solutions);
    });
  }

  it('reports a syntax error or a wrong root without its position', () => {
    const [problem, ...others] = problemsOf('{"mcpServers": {"a" 1}}');
    assert.equal(problem?.message, 'A colon is missing.');
    assert.equal(problem.severity, 'error');
    assert.deepEqual(others, []);
    assert.equal(
      problemsOf('[]')[0]?.message,
      'The configuration is not a JSON object.',
    );
  });

  it('reports nothing else when the file is too big or too deep', () => {
    assert.deepEqual(shown(' '.repeat(16_000_001)), ['tooBig  ']);
    assert.deepEqual(shown(`{"mcpServers":${'['.repeat(300)}`), ['tooDeep [']);
  });

  it('rethrows an unexpected error', () => {
    assert.throws(() => problemsOf(null as unknown as string), TypeError);
  });
});

describe('the check for misplaced servers', () => {
  const server = '{"a": {"command": "x"}}';
  for (const [code, marked, ...solutions] of [
    ['noServers', '«{»}', ['Add "mcpServers"', '{\n  "mcpServers": {}\n}']],
    [
      'noServers',
      '«{»\n\t"theme": "dark" // c\n}\n',
      [
        'Add "mcpServers"',
        '{\n\t"theme": "dark", // c\n\t"mcpServers": {}\n}\n',
      ],
    ],
    [
      'noServers',
      '«{»"mcp": {"a": 1}}',
      ['Add "mcpServers"', '{"mcp": {"a": 1}, "mcpServers": {}}'],
    ],
    [
      'serversAtRoot',
      '{«"a"»: {"command": "x"}}',
      [
        'Move the servers into "mcpServers"',
        `{"mcpServers": ${server}}`,
        'certain',
      ],
    ],
    ['serversAtRoot', '{«"$schema"»: "x", "a": {"command": "x"}}'],
    [
      'otherContainer',
      `{«"servers"»: ${server}}`,
      ['Rename to "mcpServers"', `{"mcpServers": ${server}}`, 'certain'],
    ],
    [
      'otherContainer',
      `{«"context_servers"»: ${server} /* c */}`,
      [
        'Rename to "mcpServers"',
        `{"mcpServers": ${server} /* c */}`,
        'certain',
      ],
    ],
    [
      'otherContainer',
      `{«"mcpservers"»: {}}`,
      ['Rename to "mcpServers"', `{"mcpServers": {}}`, 'certain'],
    ],
    [
      'otherContainer',
      `{«"mcp"»: ${server}}`,
      ['Rename to "mcpServers"', `{"mcpServers": ${server}}`, 'certain'],
    ],
    [
      'otherContainer',
      `{«"mcp"» : { "servers": ${server} }, "x": 1}`,
      [
        'Rename to "mcpServers"',
        `{"mcpServers" : ${server}, "x": 1}`,
        'certain',
      ],
    ],
    [
      'otherContainer',
      `{«"mcp"»: {"servers": ${server} /* c */}}`,
      ['Rename to "mcpServers"', `{"mcpServers": ${server}}`],
    ],
    ['otherContainer', `{«"mcp"»: {"servers": ${server}, "inputs": []}}`],
    ['otherContainer', `{"mcpServers": {}, «"servers"»: ${server}}`],
    [
      'otherContainer',
      `{«"projects"»: {"/a": {"mcpServers": ${server}}, "/b": {"mcpServers": ${server}}}}`,
    ],
    [
      'otherContainer',
      `{«"projects"»: {"/a": {"mcpServers": ${server}, "history": []}}}`,
    ],
    [
      'otherContainer',
      `{«"amp.mcpServers"»: ${server}}`,
      ['Rename to "mcpServers"', `{"mcpServers": ${server}}`, 'certain'],
    ],
    [
      'serversAtRoot',
      '{«"a"»: {"serverUrl": "https://x.y"}}',
      [
        'Move the servers into "mcpServers"',
        '{"mcpServers": {"a": {"serverUrl": "https://x.y"}}}',
        'certain',
      ],
    ],
    [
      'otherContainer',
      `{«"servers"»: ${server}, "mcp.servers": {}}`,
      [
        'Rename to "mcpServers"',
        `{"mcpServers": ${server}, "mcp.servers": {}}`,
      ],
    ],
    ['ignoredKey', '{"mcpServers": {}, «"inputs"»: []}'],
    [
      'duplicateServers',
      `{«"mcpServers"»: {}, "mcpServers": ${server}}`,
      ['Remove "mcpServers"', `{"mcpServers": ${server}}`],
    ],
    [
      'duplicateServers',
      `{«"mcpServers"»: ${server}, "mcpServers": {"a":{"command":"x"}}}`,
      [
        'Remove "mcpServers"',
        '{"mcpServers": {"a":{"command":"x"}}}',
        'certain',
      ],
    ],
  ] satisfies Case[]) {
    it(`reports ${code} in ${JSON.stringify(marked)}`, () => {
      check(code, marked, solutions);
    });
  }

  it('ignores a key of another program that holds no servers', () => {
    for (const text of [
      '{"mcpServers": {}, "servers": 1}',
      '{"mcpServers": {}, "mcp": 1, "inputs": {}}',
    ]) {
      assert.deepEqual(shown(text), []);
    }
  });

  it('reports nothing when an unrelated key appears twice', () => {
    assert.deepEqual(shown('{"mcpServers": {}, "theme": 1, "theme": 1}'), []);
  });
});
