import assert from 'node:assert/strict';
import { check, file, problemsOf, shown, type Case } from './cases.ts';

const local = '{"command": "x"}';

describe('the check of a server', () => {
  for (const [code, marked, ...solutions] of [
    [
      'duplicateServer',
      `{"mcpServers": {«"a"»: {"command": "y"}, "b": ${local}, "a": ${local}}}`,
      ['Remove "a"', `{"mcpServers": {"b": ${local}, "a": ${local}}}`],
    ],
    [
      'duplicateServer',
      `{"mcpServers": {«"a"»: { "command": "\\u0078" }, "\\u0061": ${local}}}`,
      ['Remove "a"', `{"mcpServers": {"\\u0061": ${local}}}`, 'certain'],
    ],
    [
      'duplicateServer',
      `{"mcpServers": {«"a"»: {"command": "x" /* c */}, "a": ${local}}}`,
      ['Remove "a"', `{"mcpServers": {"a": ${local}}}`],
    ],
    [
      'emptyName',
      `{"mcpServers": {«""»: ${local}}}`,
      ['Rename to "server"', `{"mcpServers": {"server": ${local}}}`],
    ],
    [
      'emptyName',
      `{"mcpServers": {"server": ${local}, «" "»: ${local}}}`,
      [
        'Rename to "server-2"',
        `{"mcpServers": {"server": ${local}, "server-2": ${local}}}`,
      ],
    ],
    ['notAnObject', file('«"npx"»'), ['Remove "s"', '{"mcpServers": {}}']],
    ['noTarget', '{"mcpServers": {«"s"»: {"args": []}}}'],
    [
      'bothTargets',
      file('{«"url"»: "https://x.y", "command": "x"}'),
      ['Remove "url"', file('{"command": "x"}')],
      ['Remove "command"', file('{"url": "https://x.y"}')],
    ],
    [
      'bothTargets',
      file('{"url": "https://x.y", "headers": {}, «"command"»: "x"}'),
      ['Remove "command"', file('{"url": "https://x.y", "headers": {}}')],
      ['Remove "url"', file('{"headers": {}, "command": "x"}')],
    ],
    ['emptyCommand', file('{"command": «""»}')],
    [
      'wrongKind',
      file('{"command": "x", «"headers"»: {}}'),
      ['Remove "headers"', file('{"command": "x"}')],
    ],
    [
      'wrongKind',
      file('{«"auth"»: "oauth", "command": "x"}'),
      ['Remove "auth"', file('{"command": "x"}')],
    ],
    [
      'wrongKind',
      file('{"url": "https://x.y", «"env"»: {}}'),
      ['Remove "env"', file('{"url": "https://x.y"}')],
    ],
    [
      'wrongKind',
      file('{"url": "https://x.y", «"args"»: []}'),
      ['Remove "args"', file('{"url": "https://x.y"}')],
    ],
    [
      'duplicateKey',
      file('{«"command"»: "y", "command": "x"}'),
      ['Remove "command"', file('{"command": "x"}')],
    ],
    [
      'duplicateKey',
      file('{"command": "x", "env": {«"A"»: "1", "A": "1"}}'),
      ['Remove "A"', file('{"command": "x", "env": {"A": "1"}}'), 'certain'],
    ],
  ] satisfies Case[]) {
    it(`reports ${code} in ${marked}`, () => {
      check(code, marked, solutions);
    });
  }

  it('reports a missing or second target, but not the problems that follow from it', () => {
    assert.deepEqual(shown(file('{"args": [], "headers": {}, "x": 1}')), [
      'noTarget "s"',
    ]);
    assert.deepEqual(
      shown(
        file(
          '{"url": "https://x.y", "command": "x", "args": [], "headers": {}}',
        ),
      ),
      ['bothTargets "url"'],
    );
  });

  it('shows a duplicate server together with the one that counts', () => {
    const text = `{"mcpServers": {"a": {"command": "y"}, "a": ${local}}}`;
    const [problem] = problemsOf(text);
    const start = text.lastIndexOf('"a"');
    assert.deepEqual(problem?.related, [
      { start, end: start + 3, message: 'This "a" is used.' },
    ]);
  });

  it('checks only the last of two servers with the same name', () => {
    assert.deepEqual(
      shown(`{"mcpServers": {"a": {"comand": 1}, "a": ${local}}}`),
      ['duplicateServer "a"'],
    );
  });

  it('fixes a server in the surrounding style', () => {
    const tall = (...lines: string[]) =>
      [
        '{',
        '\t"mcpServers": {',
        '\t\t"s": {',
        ...lines,
        '\t\t}',
        '\t}',
        '}',
      ].join('\r\n');
    check('foreignTarget', tall('\t\t\t«"httpUrl"»: "https://x.y" // why'), [
      [
        'Change to "url" with "transport": "http"',
        tall('\t\t\t"url": "https://x.y", // why', '\t\t\t"transport": "http"'),
        'certain',
      ],
    ]);
    check(
      'commandIsList',
      tall('\t\t\t"command": «["npx", "-y"]»,', '\t\t\t"enabled": true'),
      [
        [
          'Split into "command" and "args"',
          tall(
            '\t\t\t"command": "npx",',
            '\t\t\t"enabled": true,',
            '\t\t\t"args": [',
            '\t\t\t\t"-y"',
            '\t\t\t]',
          ),
          'certain',
        ],
      ],
    );
    check(
      'ignoredKey',
      tall('\t\t\t"command": "x",', '\t\t\t«"trust"»: true // why'),
      [['Remove "trust"', tall('\t\t\t"command": "x" // why')]],
    );
  });

  it('shows the name of the server in a message, with invisible characters replaced', () => {
    const [problem] = problemsOf('{"mcpServers": {"a\\u202eb": {}}}');
    assert.equal(
      problem?.message,
      '"a b" has neither a command nor a URL. Add "command" or "url".',
    );
  });
});
