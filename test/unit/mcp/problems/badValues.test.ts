import assert from 'node:assert/strict';
import { check, file, problemsOf, shown, type Case } from './cases.ts';

const url = '"url": "https://x.y"';
const command = '"command": "x"';

describe('the check of a value', () => {
  for (const [code, entry, ...solutions] of [
    [
      'commandIsList',
      '{"command": «["x"]»}',
      ['Change to a string', `{${command}}`, 'certain'],
    ],
    [
      'commandIsList',
      '{"command": «["x", "y"]»}',
      [
        'Split into "command" and "args"',
        `{${command}, "args": ["y"]}`,
        'certain',
      ],
    ],
    [
      'commandIsList',
      '{"command": «["x", /* c */ "y"]»}',
      ['Split into "command" and "args"', `{${command}, "args": ["y"]}`],
    ],
    ['commandIsList', '{"command": «["x", 1]»}'],
    ['commandIsList', '{"command": «[]»}'],
    [
      'commandIsList',
      '{"command": «["x", "y"]», "args": ["z"]}',
      [
        'Split into "command" and "args"',
        '{"command": "x", "args": ["y", "z"]}',
      ],
    ],
    ['commandIsList', '{"command": «["x", "y"]», "args": "z"}'],
    [
      'badValue',
      '{"command": «{"path": "x", "args": ["y"], "env": {"A": "b"}}»}',
      [
        'Split into "command", "args" and "env"',
        '{"command": "x", "args": ["y"], "env": {"A": "b"}}',
      ],
    ],
    [
      'badValue',
      '{"command": «{"path": "x"}»}',
      ['Split into "command", "args" and "env"', `{${command}}`],
    ],
    ['badValue', '{"command": «{"path": "x", "args": ["y"]}», "args": []}'],
    ['badValue', '{"command": «{"path": "x", "shell": true}»}'],
    [
      'badValue',
      `{${url}, "auth": «true»}`,
      ['Change to "oauth"', `{${url}, "auth": "oauth"}`, 'certain'],
    ],
    [
      'badValue',
      `{${url}, "auth": «{"CLIENT_ID": "x"}»}`,
      ['Change to "oauth"', `{${url}, "auth": "oauth"}`],
    ],
    [
      'badValue',
      `{${url}, "auth": «false»}`,
      ['Put it in double quotes', `{${url}, "auth": "false"}`],
    ],
    [
      'timeoutInSeconds',
      `{${command}, "timeout": «60»}`,
      ['Change to 60000', `{${command}, "timeout": 60000}`],
    ],
    [
      'timeoutInSeconds',
      `{${url}, "timeout": «"30"»}`,
      ['Change to 30000', `{${url}, "timeout": 30000}`],
    ],
    [
      'timeoutInSeconds',
      `{${command}, "autoApprove": [], "timeout": «3600»}`,
      [
        'Change to 3600000',
        `{${command}, "autoApprove": [], "timeout": 3600000}`,
      ],
    ],
    [
      'impliedTransport',
      '{"url": «"https://x.y"», "trust": true}',
      ['Add "transport": "sse"', `{${url}, "trust": true, "transport": "sse"}`],
      [
        'Add "transport": "http"',
        `{${url}, "trust": true, "transport": "http"}`,
      ],
    ],
    ['badHeaderValue', `{${url}, "headers": {"A": «"b\\r\\nC: d"»}}`],
    ['badVariable', `{${command}, "env": {«"A B"»: "c"}}`],
    ['badVariable', `{${command}, "env": {«""»: "c"}}`],
    ['badVariable', `{${command}, "env": {"A": «"b\\u0000"»}}`],
    ['badUrl', '{"url": «" https://x.y"»}', ['Remove the spaces', `{${url}}`]],
    ['badUrl', '{"url": «"https://x.y/a b"»}'],
    [
      'badValue',
      '{"command": «1»}',
      ['Put it in double quotes', '{"command": "1"}'],
    ],
    ['badValue', '{"command": «{}»}'],
    [
      'badValue',
      `{${command}, "args": «null»}`,
      ['Remove "args"', `{${command}}`, 'certain'],
    ],
    [
      'badValue',
      `{${command}, "env": «null»}`,
      ['Remove "env"', `{${command}}`, 'certain'],
    ],
    [
      'badValue',
      `{${url}, "headers": «null»}`,
      ['Remove "headers"', `{${url}}`, 'certain'],
    ],
    [
      'unknownTransport',
      `{${command}, "transport": «null»}`,
      ['Remove "transport"', `{${command}}`, 'certain'],
    ],
    ['badValue', `{"command": «null»}`],
    ['badValue', `{"url": «null»}`],
    [
      'badValue',
      `{${command}, "cwd": «1»}`,
      ['Put it in double quotes', `{${command}, "cwd": "1"}`],
    ],
    [
      'badValue',
      `{${command}, "keep_alive": «2»}`,
      ['Remove "keep_alive"', `{${command}}`],
    ],
    ['badValue', `{${command}, "authentication": «"x"»}`],
    [
      'badValue',
      `{${url}, "sse_read_timeout": «"30s"»}`,
      ['Remove "sse_read_timeout"', `{${url}}`],
    ],
    ['badValue', `{${url}, "headers": «["A: b"]»}`],
    [
      'badValue',
      `{${command}, "args": «"-y"»}`,
      ['Put it into a list', `{${command}, "args": ["-y"]}`],
    ],
    [
      'badValue',
      `{${command}, "args": «"-y 'a b'"»}`,
      ['Put it into a list', `{${command}, "args": ["-y", "a b"]}`],
    ],
    [
      'badValue',
      `{${command}, "args": «"C:\\\\x #1"»}`,
      ['Put it into a list', `{${command}, "args": ["C:\\\\x", "#1"]}`],
    ],
    [
      'badValue',
      `{${command}, "args": «"it's"»}`,
      ['Put it into a list', `{${command}, "args": ["it's"]}`],
    ],
    ['badValue', `{${command}, "args": «{}»}`],
    [
      'commandIsLine',
      '{"command": «"npx -y foo"»}',
      [
        'Split into "command" and "args"',
        '{"command": "npx", "args": ["-y", "foo"]}',
      ],
    ],
    [
      'commandIsLine',
      '{"command": «"npx -y"», "args": ["foo"]}',
      [
        'Split into "command" and "args"',
        '{"command": "npx", "args": ["-y", "foo"]}',
      ],
    ],
    [
      'commandIsLine',
      '{"command": «"a b \'c d\'"», "args": [\n  "e",\n  "f"\n]}',
      [
        'Split into "command" and "args"',
        '{"command": "a", "args": [\n  "b",\n  "c d",\n  "e",\n  "f"\n]}',
      ],
    ],
    [
      'commandIsLine',
      '{"command": «"npx -y"», "args": [ ]}',
      ['Split into "command" and "args"', '{"command": "npx", "args": ["-y"]}'],
    ],
    [
      'commandIsLine',
      '{"command": «"npx -y"», "args": [ /* c */ ]}',
      [
        'Split into "command" and "args"',
        '{"command": "npx", "args": ["-y"/* c */ ]}',
      ],
    ],
    ['commandIsLine', '{"command": «"npx -y"», "args": "foo"}'],
    ['commandIsLine', '{"command": «"npx \\\\\\n"», "args": ["foo"]}'],
    ['commandIsLine', '{"command": «"npx it\'s"»}'],
    [
      'badValue',
      `{${command}, "args": ["a", «1.0»]}`,
      [
        'Put it in double quotes',
        `{${command}, "args": ["a", "1.0"]}`,
        'certain',
      ],
    ],
    [
      'badValue',
      `{${command}, "args": [«true»]}`,
      ['Put it in double quotes', `{${command}, "args": ["true"]}`, 'certain'],
    ],
    ['badValue', `{${command}, "args": [«["a"]»]}`],
    ['badValue', `{${command}, "env": «[]»}`],
    [
      'variableIsNoString',
      `{${command}, "env": {"A": «8080»}}`,
      [
        'Put it in double quotes',
        `{${command}, "env": {"A": "8080"}}`,
        'certain',
      ],
    ],
    [
      'badValue',
      `{${url}, "headers": {"A": «false»}}`,
      [
        'Put it in double quotes',
        `{${url}, "headers": {"A": "false"}}`,
        'certain',
      ],
    ],
    ['badValue', `{${url}, "headers": {"A": «null»}}`],
    ['variableIsNoString', `{${command}, "env": {"A": «null»}}`],
    [
      'enabledIsNoBoolean',
      `{${command}, "enabled": «"false"»}`,
      ['Change to false', `{${command}, "enabled": false}`],
      ['Change to true', `{${command}, "enabled": true}`],
    ],
    ...[
      ['" TRUE"', true] as const,
      ['1', true] as const,
      ['"no"', true] as const,
      ['0', false] as const,
      ['""', false] as const,
      ['null', false] as const,
    ].map(([value, meant]): Case => [
      'enabledIsNoBoolean',
      `{${command}, "enabled": «${value}»}`,
      [`Change to ${meant}`, `{${command}, "enabled": ${meant}}`, 'certain'],
    ]),
    [
      'badValue',
      `{${command}, "timeout": «"30s"»}`,
      ['Remove "timeout"', `{${command}}`],
    ],
    [
      'badValue',
      `{${command}, "timeout": «1.5»}`,
      ['Change to 2', `{${command}, "timeout": 2}`],
      ['Remove "timeout"', `{${command}}`],
    ],
    [
      'badValue',
      `{${command}, "timeout": «1e400»}`,
      ['Remove "timeout"', `{${command}}`],
    ],
    [
      'badType',
      `{${command}, "type": «"local"»}`,
      ['Change to "stdio"', `{${command}, "type": "stdio"}`, 'certain'],
      ['Remove "type"', `{${command}}`],
    ],
    [
      'badType',
      `{${command}, "type": «"http"»}`,
      ['Change to "stdio"', `{${command}, "type": "stdio"}`],
      ['Remove "type"', `{${command}}`],
    ],
    [
      'ignoredTools',
      `{${command}, «"tools"»: ["*"]}`,
      ['Remove "tools"', `{${command}}`, 'certain'],
    ],
    [
      'ignoredTools',
      `{${command}, «"tools"»: ["a"]}`,
      ['Remove "tools"', `{${command}}`],
    ],
    ['ignoredTools', `{${command}, "include_tags": «"a"»}`],
    [
      'ignoredTools',
      `{${command}, "exclude_tags": «[1]», "tools": {"a": {"enabled": false}}}`,
    ],
    [
      'badTool',
      `{${command}, "tools": {"a": «false»}}`,
      [
        'Change to "enabled": false',
        `{${command}, "tools": {"a": {"enabled": false}}}`,
        'certain',
      ],
    ],
    ...['true', 'null', '"off"', '[]'].map((value): Case => [
      'badTool',
      `{${command}, "tools": {"a": «${value}»}}`,
      ['Remove "a"', `{${command}, "tools": {}}`],
    ]),
    [
      'badTool',
      `{${command}, "tools": {"a": {«"disabled"»: true}}}`,
      [
        'Change to "enabled": false',
        `{${command}, "tools": {"a": {"enabled": false}}}`,
        'certain',
      ],
    ],
    [
      'badTool',
      `{${command}, "tools": {"a": {«"disabled"»: true, "enabled": true}}}`,
      ['Remove "disabled"', `{${command}, "tools": {"a": {"enabled": true}}}`],
    ],
    [
      'badTool',
      `{${command}, "tools": {"a": {«"x"»: false, "tags": []}}}`,
      ['Remove "x"', `{${command}, "tools": {"a": {"tags": []}}}`],
    ],
    ...['"never"', 'null', '2', '[]'].map((value): Case => [
      'badTool',
      `{${command}, "tools": {"a": {"name": "b", "enabled": «${value}»}}}`,
      ['Remove "enabled"', `{${command}, "tools": {"a": {"name": "b"}}}`],
    ]),
    ...[
      '"name": «1»',
      '"description": «[]»',
      '"meta": «"x"»',
      '"arguments": «null»',
    ].map((field): Case => [
      'badTool',
      `{${command}, "tools": {"a": {"enabled": false, ${field}}}}`,
      [
        `Remove ${/"\w+"/.exec(field)?.[0]}`,
        `{${command}, "tools": {"a": {"enabled": false}}}`,
      ],
    ]),
    [
      'duplicateKey',
      `{${command}, "tools": {«"a"»: {"enabled": false}, "a": {}}}`,
      ['Remove "a"', `{${command}, "tools": {"a": {}}}`],
    ],
    [
      'duplicateKey',
      `{${command}, "tools": {"a": {«"enabled"»: true, "enabled": false}}}`,
      ['Remove "enabled"', `{${command}, "tools": {"a": {"enabled": false}}}`],
    ],
    [
      'unknownTransport',
      `{${url}, "transport": «"streamableHttp"»}`,
      ['Change to "http"', `{${url}, "transport": "http"}`, 'certain'],
      ['Remove "transport"', `{${url}}`],
    ],
    [
      'unknownTransport',
      `{${url}, "transport": «"SSE"»}`,
      ['Change to "sse"', `{${url}, "transport": "sse"}`, 'certain'],
      ['Remove "transport"', `{${url}}`],
    ],
    [
      'unknownTransport',
      `{${url}, "transport": «"ssse"»}`,
      ['Change to "sse"', `{${url}, "transport": "sse"}`],
      ['Remove "transport"', `{${url}}`],
    ],
    [
      'unknownTransport',
      `{${url}, "transport": «"websocket"»}`,
      ['Remove "transport"', `{${url}}`],
    ],
    [
      'unknownTransport',
      `{${command}, "transport": «"local"»}`,
      ['Change to "stdio"', `{${command}, "transport": "stdio"}`, 'certain'],
      ['Remove "transport"', `{${command}}`],
    ],
    [
      'unknownTransport',
      `{${command}, "transport": «"remote"»}`,
      ['Remove "transport"', `{${command}}`],
    ],
    [
      'unknownTransport',
      `{${url}, "transport": «1»}`,
      ['Remove "transport"', `{${url}}`],
    ],
    [
      'transportMisfit',
      `{${command}, "transport": «"sse"»}`,
      ['Change to "stdio"', `{${command}, "transport": "stdio"}`],
      ['Remove "transport"', `{${command}}`],
    ],
    [
      'transportMisfit',
      `{${url}, "transport": «"stdio"»}`,
      ['Change to "http"', `{${url}, "transport": "http"}`],
      ['Remove "transport"', `{${url}}`],
    ],
    [
      'badUrl',
      '{"url": «"x.y/mcp"»}',
      ['Add "https://"', '{"url": "https://x.y/mcp"}'],
    ],
    [
      'badUrl',
      '{"url": «"//x.y"»}',
      ['Add "https://"', '{"url": "https://x.y"}'],
    ],
    [
      'badUrl',
      '{"url": «"localhost:3000/mcp"»}',
      ['Add "http://"', '{"url": "http://localhost:3000/mcp"}'],
    ],
    [
      'badUrl',
      '{"url": «"127.0.0.1:80"»}',
      ['Add "http://"', '{"url": "http://127.0.0.1:80"}'],
    ],
    [
      'badUrl',
      '{"url": «"[::1]:80"»}',
      ['Add "http://"', '{"url": "http://[::1]:80"}'],
    ],
    ['badUrl', '{"url": «"999.1.1.1"»}'],
    ['badUrl', '{"url": «"npx"»}'],
    ['badUrl', '{"url": «""»}'],
    ['badUrl', '{"url": «"ftp://x.y"»}'],
    ['badUrl', '{"url": «"https://"»}'],
    [
      'insecureUrl',
      '{"url": «"http://x.y"», "auth": "oauth"}',
      ['Change to "https://"', '{"url": "https://x.y", "auth": "oauth"}'],
    ],
    [
      'insecureUrl',
      '{"url": «"HTTP://x.y"», "headers": {"X-Key": "1"}}',
      [
        'Change to "https://"',
        '{"url": "https://x.y", "headers": {"X-Key": "1"}}',
      ],
    ],
    [
      'insecureUrl',
      '{"url": «"http://x.y?api_key=1"»}',
      ['Change to "https://"', '{"url": "https://x.y?api_key=1"}'],
    ],
    [
      'insecureUrl',
      '{"url": «"http://u@x.y"»}',
      ['Change to "https://"', '{"url": "https://u@x.y"}'],
    ],
    [
      'insecureUrl',
      '{"url": «"http://:p@x.y"»}',
      ['Change to "https://"', '{"url": "https://:p@x.y"}'],
    ],
    [
      'badHeaderName',
      `{${url}, "headers": {«"My Key"»: "1"}}`,
      ['Rename to "My-Key"', `{${url}, "headers": {"My-Key": "1"}}`],
    ],
    [
      'badHeaderName',
      `{${url}, "headers": {«" Authorization: "»: "1"}}`,
      [
        'Rename to "Authorization"',
        `{${url}, "headers": {"Authorization": "1"}}`,
      ],
    ],
    ['badHeaderName', `{${url}, "headers": {«"A:"»: "1", "A": "1"}}`],
    ['badHeaderName', `{${url}, "headers": {«"é"»: "1"}}`],
    ['badHeaderName', `{${url}, "headers": {«""»: "1"}}`],
    ['placeholder', `{${command}, "env": {"A": «"YOUR_KEY"»}}`],
    ['placeholder', `{${command}, "args": [«"--key=<token>"»]}`],
    ['placeholder', `{${url}, "headers": {"A": «"Bearer xxx"»}}`],
    ['placeholder', `{${url}, "auth": «"changeme"»}`],
    ['placeholder', '{"url": «"https://<host>/mcp"»}'],
    ...[
      ['$TOKEN', '${TOKEN}'] as const,
      ['${env:TOKEN}', '${TOKEN}'] as const,
      ['${env:TOKEN:-x}', '${TOKEN:-x}'] as const,
      ['${input:api-key}', '${API_KEY}'] as const,
      ['${userHome}', '${HOME}'] as const,
    ].flatMap(([left, instead]): Case[] =>
      [
        (value: string) => `{${command}, "env": {"A": "x ${value}"}}`,
        (value: string) => `{${command}, "args": ["-k=${value}"]}`,
        (value: string) => `{"command": "${value}/x"}`,
        (value: string) => `{"url": "https://x.y/${value}/mcp"}`,
        (value: string) => `{${url}, "headers": {"A": "Bearer ${value}"}}`,
      ].map((entry) => [
        'notExpanded',
        entry(`«${left}»`),
        ['Change to ${NAME}', entry(instead)],
      ]),
    ),
    ['notExpanded', `{${command}, "args": ["«\${workspaceFolder}»/a"]}`],
    ['notExpanded', `{${command}, "args": ["«\${1}»"]}`],
    ...[
      (value: string) => `{"command": "${value}/x"}`,
      (value: string) => `{${command}, "args": ["${value}\\\\x"]}`,
      (value: string) => `{${command}, "cwd": "${value}/x"}`,
    ].map((entry): Case => [
      'notExpanded',
      entry('«~»'),
      ['Change to ${HOME}', entry('${HOME}')],
    ]),
    ['placeholder', `{${command}, "args": [«"--root=/path/to/files"»]}`],
    [
      'placeholder',
      `{${command}, "args": [«"${['', 'Users', 'YOUR_USERNAME', 'x'].join('/')}"»]}`,
    ],
    ['placeholder', `{${command}, "cwd": «"C:\\\\path\\\\to\\\\x"»}`],
  ] satisfies Case[]) {
    it(`reports ${code} in ${entry}`, () => {
      check(
        code,
        file(entry),
        solutions.map(([title, after, ...certain]) => [
          title,
          file(after),
          ...certain,
        ]),
      );
    });
  }

  it('reports a URL to fill in only once', () => {
    assert.deepEqual(shown(file('{"url": "<url>"}')), ['placeholder "<url>"']);
    assert.deepEqual(shown(file('{"url": "${env:URL}"}')), [
      'notExpanded ${env:URL}',
    ]);
  });

  it('accepts blanks in a command that is a path, names a Windows program or is ignored', () => {
    for (const command of [
      'C:\\Program Files\\x.exe',
      '/opt/My App/run',
      './my server',
      'bin/my server',
      'My Server.exe',
      '"npx" -y',
      'npx ',
    ]) {
      assert.deepEqual(shown(file(JSON.stringify({ command }))), [], command);
    }
    assert.deepEqual(
      shown(file(`{${url}, "headers": {}, "command": "npx -y"}`)),
      ['bothTargets "command"'],
    );
    assert.deepEqual(shown(file('{"command": "npx $PACKAGE"}')), [
      'commandIsLine "npx $PACKAGE"',
      'notExpanded $PACKAGE',
    ]);
  });

  it('accepts variables with and without a default everywhere', () => {
    const value = '"x ${A}${_b1:-} ${C:-a b:-c}"';
    for (const entry of [
      `{"command": ${value}, "args": [${value}], "env": {"A": ${value}}, "cwd": ${value}}`,
      `{"url": "https://\${HOST:-x.y}/mcp", "headers": {"A": ${value}}, "auth": ${value}}`,
    ]) {
      assert.deepEqual(shown(file(entry)), [], entry);
    }
  });

  it('ignores "$" and "~" in shell commands, and where they are not a reference', () => {
    assert.deepEqual(
      shown(
        file('{"command": "/bin/sh", "args": ["-c", "echo $HOME", "~/x"]}'),
      ),
      [],
    );
    for (const value of [
      'a${',
      '\\u0024{A}',
      'pa$$WORD',
      'a$A',
      '$a',
      '$A',
      '$(X)',
      '$5',
      '~',
      '~x',
      'x~/',
    ])
      assert.deepEqual(
        shown(file(`{"command": "npx", "args": ["${value}"]}`)),
        [],
        value,
      );
  });

  it('accepts what the program reads as a number, a boolean or a duration', () => {
    for (const [key, ...values] of [
      [
        'timeout',
        '0',
        '-1',
        '"30"',
        '" +3_0.0 "',
        'true',
        '1e3',
        '12345678901234567890123',
        'null',
      ],
      ['keep_alive', 'true', '0', '1.0', '"Yes"', '"off"', 'null'],
    ]) {
      for (const value of values) {
        const problems = shown(file(`{${command}, "${key}": ${value}}`));
        assert.deepEqual(
          problems.filter((problem) => !problem.startsWith('timeoutInSeconds')),
          [],
          value,
        );
      }
    }
    for (const value of [
      '1.5',
      '-1',
      'true',
      '"PT30S"',
      '"1 day, 00:00:30"',
      '" 1e3 "',
      '"inf"',
      'null',
    ])
      assert.deepEqual(
        shown(file(`{${url}, "sse_read_timeout": ${value}}`)),
        [],
        value,
      );
  });

  it('accepts unencrypted URLs to this machine, or without secrets', () => {
    for (const entry of [
      '{"url": "http://localhost:3000?key=1", "auth": "oauth"}',
      '{"url": "http://127.0.0.1", "auth": "oauth"}',
      '{"url": "http://[::1]", "auth": "oauth"}',
      '{"url": "http://x.y/mcp?a=b"}',
      '{"url": "http://x.y/mcp", "headers": {"Accept": "text/plain"}}',
    ]) {
      assert.deepEqual(shown(file(entry)), [], entry);
    }
  });

  it('reports a command that is a list only once', () => {
    assert.deepEqual(shown(file('{"command": ["x", "y"]}')), [
      'commandIsList ["x", "y"]',
    ]);
  });

  it('lists the valid transports for an invalid one', () => {
    const told = (entry: string) =>
      problemsOf(file(entry)).map(({ message }) => message);
    assert.deepEqual(told(`{${url}, "transport": "x"}`), [
      'This is not a valid transport. Use "http" or "streamable-http" or "sse".',
    ]);
    assert.deepEqual(told(`{${command}, "transport": "x"}`), [
      'This is not a valid transport. Use "stdio".',
    ]);
    assert.deepEqual(told(`{${command}, "transport": "sse"}`), [
      'The transport of a server with a command is "stdio". Change or remove it.',
    ]);
    assert.deepEqual(told(`{${url}, "transport": "stdio"}`), [
      'The transport of a server with a URL is "http" or "sse". Change or remove it.',
    ]);
  });

  it('never shows a value in a message or the title of a fix', () => {
    const canary = 'canary';
    const texts = [
      `{"command": "$CANARY/\${env:${canary}} \${${canary}", "type": "${canary}", "transport": "${canary}", "keep_alive": "${canary}",
        "env": {"A": [{"${canary}": 1}], "B": "~/${canary}"}, "args": "${canary}", "enabled": "${canary}", "cwd": "~/${canary}",
        "timeout": "${canary}", "icon": ["${canary}"], "envFile": "${canary}", "arg": "${canary}",
        "tools": ["${canary}"], "include_tags": "${canary}"}`,
      `{"url": "http://${canary}.y/?key=${canary}", "type": "${canary}", "transport": "${canary}", "headers": {"A b": "<${canary}>"},
        "env": "${canary}", "sse_read_timeout": "${canary}", "auth": ["${canary}"], "tools": {"a": "${canary}"}}`,
      `{"url": "http://u:${canary}@x.y", "type": "${canary}", "auth": "YOUR_${canary}"}`,
    ];
    const problems = texts.flatMap((text) => problemsOf(file(text)));
    assert(problems.length >= 25, problems.map(({ code }) => code).join());
    for (const { message, fixes } of problems) {
      assert.doesNotMatch(
        message +
          fixes()
            .map(({ title }) => title)
            .join(),
        /canary/i,
      );
    }
  });
});
