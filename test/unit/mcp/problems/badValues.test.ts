import assert from 'node:assert/strict';
import { check, file, problemsOf, shown, type Case } from './cases.ts';

const url = '"url": "https://x.y"';
const command = '"command": "x"';

describe('a value', () => {
  for (const [code, entry, ...solutions] of [
    ['commandIsList', '{"command": «["x"]»}', ['Change to a string', `{${command}}`, 'certain']],
    [
      'commandIsList',
      '{"command": «["x", "y"]»}',
      ['Split into "command" and "args"', `{${command}, "args": ["y"]}`, 'certain'],
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
      ['Split into "command" and "args"', '{"command": "x", "args": ["y", "z"]}'],
    ],
    ['commandIsList', '{"command": «["x", "y"]», "args": "z"}'],
    [
      'badValue',
      '{"command": «{"path": "x", "args": ["y"], "env": {"A": "b"}}»}',
      ['Split into "command", "args" and "env"', '{"command": "x", "args": ["y"], "env": {"A": "b"}}'],
    ],
    ['badValue', '{"command": «{"path": "x"}»}', ['Split into "command", "args" and "env"', `{${command}}`]],
    ['badValue', '{"command": «{"path": "x", "args": ["y"]}», "args": []}'],
    ['badValue', '{"command": «{"path": "x", "shell": true}»}'],
    ['badValue', `{${url}, "auth": «true»}`, ['Change to "oauth"', `{${url}, "auth": "oauth"}`, 'certain']],
    [
      'badValue',
      `{${url}, "auth": «{"CLIENT_ID": "x"}»}`,
      ['Change to "oauth"', `{${url}, "auth": "oauth"}`],
    ],
    ['badValue', `{${url}, "auth": «false»}`, ['Put it in double quotes', `{${url}, "auth": "false"}`]],
    [
      'timeoutInSeconds',
      `{${command}, "timeout": «60»}`,
      ['Change to 60000', `{${command}, "timeout": 60000}`],
    ],
    [
      'timeoutInSeconds',
      `{${command}, "autoApprove": [], "timeout": «3600»}`,
      ['Change to 3600000', `{${command}, "autoApprove": [], "timeout": 3600000}`],
    ],
    [
      'impliedTransport',
      '{"url": «"https://x.y"», "trust": true}',
      ['Add "transport": "sse"', `{${url}, "trust": true, "transport": "sse"}`],
      ['Add "transport": "http"', `{${url}, "trust": true, "transport": "http"}`],
    ],
    ['badHeaderValue', `{${url}, "headers": {"A": «"b\\r\\nC: d"»}}`],
    ['badVariable', `{${command}, "env": {«"A B"»: "c"}}`],
    ['badVariable', `{${command}, "env": {«""»: "c"}}`],
    ['badVariable', `{${command}, "env": {"A": «"b\\u0000"»}}`],
    ['badUrl', '{"url": «" https://x.y"»}', ['Remove the spaces', `{${url}}`]],
    ['badUrl', '{"url": «"https://x.y/a b"»}'],
    ['badValue', '{"command": «1»}', ['Put it in double quotes', '{"command": "1"}']],
    ['badValue', '{"command": «{}»}'],
    ['badValue', `{${command}, "cwd": «null»}`, ['Remove "cwd"', `{${command}}`, 'certain']],
    ['badValue', `{"command": «null»}`, ['Remove "command"', `{}`]],
    ['badValue', `{${command}, "args": «"-y"»}`, ['Put it into a list', `{${command}, "args": ["-y"]}`]],
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
    ['badValue', `{${command}, "args": «"it's"»}`, ['Put it into a list', `{${command}, "args": ["it's"]}`]],
    ['badValue', `{${command}, "args": «{}»}`],
    [
      'commandIsLine',
      '{"command": «"npx -y foo"»}',
      ['Split into "command" and "args"', '{"command": "npx", "args": ["-y", "foo"]}'],
    ],
    [
      'commandIsLine',
      '{"command": «"npx -y"», "args": ["foo"]}',
      ['Split into "command" and "args"', '{"command": "npx", "args": ["-y", "foo"]}'],
    ],
    [
      'commandIsLine',
      '{"command": «"a b \'c d\'"», "args": [\n  "e",\n  "f"\n]}',
      ['Split into "command" and "args"', '{"command": "a", "args": [\n  "b",\n  "c d",\n  "e",\n  "f"\n]}'],
    ],
    [
      'commandIsLine',
      '{"command": «"npx -y"», "args": [ ]}',
      ['Split into "command" and "args"', '{"command": "npx", "args": ["-y"]}'],
    ],
    [
      'commandIsLine',
      '{"command": «"npx -y"», "args": [ /* c */ ]}',
      ['Split into "command" and "args"', '{"command": "npx", "args": ["-y"/* c */ ]}'],
    ],
    ['commandIsLine', '{"command": «"npx -y"», "args": "foo"}'],
    ['commandIsLine', '{"command": «"npx \\\\\\n"», "args": ["foo"]}'],
    ['commandIsLine', '{"command": «"npx it\'s"»}'],
    [
      'badValue',
      `{${command}, "args": ["a", «1.0»]}`,
      ['Put it in double quotes', `{${command}, "args": ["a", "1.0"]}`, 'certain'],
    ],
    [
      'badValue',
      `{${command}, "args": [«true»]}`,
      ['Put it in double quotes', `{${command}, "args": ["true"]}`, 'certain'],
    ],
    ['badValue', `{${command}, "args": [«["a"]»]}`],
    ['badValue', `{${command}, "env": «[]»}`],
    [
      'badValue',
      `{${command}, "env": {"A": «8080»}}`,
      ['Put it in double quotes', `{${command}, "env": {"A": "8080"}}`, 'certain'],
    ],
    [
      'badValue',
      `{${url}, "headers": {"A": «false»}}`,
      ['Put it in double quotes', `{${url}, "headers": {"A": "false"}}`, 'certain'],
    ],
    ['badValue', `{${url}, "headers": {"A": «null»}}`],
    [
      'badValue',
      `{${command}, "enabled": «"false"»}`,
      ['Change to false', `{${command}, "enabled": false}`, 'certain'],
    ],
    [
      'badValue',
      `{${command}, "enabled": «" TRUE"»}`,
      ['Change to true', `{${command}, "enabled": true}`, 'certain'],
    ],
    ['badValue', `{${command}, "enabled": «1»}`, ['Change to true', `{${command}, "enabled": true}`]],
    ['badValue', `{${command}, "enabled": «0»}`, ['Change to false', `{${command}, "enabled": false}`]],
    ['badValue', `{${command}, "enabled": «"no"»}`, ['Remove "enabled"', `{${command}}`]],
    ['badValue', `{${command}, "enabled": «null»}`, ['Remove "enabled"', `{${command}}`, 'certain']],
    [
      'badValue',
      `{${command}, "timeout": «"30"»}`,
      ['Remove the quotes', `{${command}, "timeout": 30}`, 'certain'],
    ],
    ['badValue', `{${command}, "timeout": «"30s"»}`, ['Remove "timeout"', `{${command}}`]],
    ['badValue', `{${command}, "timeout": «-1»}`, ['Remove "timeout"', `{${command}}`]],
    ['badValue', `{${command}, "timeout": «true»}`, ['Remove "timeout"', `{${command}}`]],
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
    ['unknownTransport', `{${url}, "transport": «"websocket"»}`, ['Remove "transport"', `{${url}}`]],
    [
      'unknownTransport',
      `{${command}, "transport": «"local"»}`,
      ['Change to "stdio"', `{${command}, "transport": "stdio"}`, 'certain'],
      ['Remove "transport"', `{${command}}`],
    ],
    ['unknownTransport', `{${command}, "transport": «"remote"»}`, ['Remove "transport"', `{${command}}`]],
    ['unknownTransport', `{"transport": «"x"»}`, ['Remove "transport"', `{}`]],
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
    ['badUrl', '{"url": «"x.y/mcp"»}', ['Add "https://"', '{"url": "https://x.y/mcp"}']],
    ['badUrl', '{"url": «"//x.y"»}', ['Add "https://"', '{"url": "https://x.y"}']],
    ['badUrl', '{"url": «"localhost:3000/mcp"»}', ['Add "http://"', '{"url": "http://localhost:3000/mcp"}']],
    ['badUrl', '{"url": «"127.0.0.1:80"»}', ['Add "http://"', '{"url": "http://127.0.0.1:80"}']],
    ['badUrl', '{"url": «"[::1]:80"»}', ['Add "http://"', '{"url": "http://[::1]:80"}']],
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
      ['Change to "https://"', '{"url": "https://x.y", "headers": {"X-Key": "1"}}'],
    ],
    [
      'insecureUrl',
      '{"url": «"http://x.y?api_key=1"»}',
      ['Change to "https://"', '{"url": "https://x.y?api_key=1"}'],
    ],
    ['insecureUrl', '{"url": «"http://u@x.y"»}', ['Change to "https://"', '{"url": "https://u@x.y"}']],
    ['insecureUrl', '{"url": «"http://:p@x.y"»}', ['Change to "https://"', '{"url": "https://:p@x.y"}']],
    [
      'badHeaderName',
      `{${url}, "headers": {«"My Key"»: "1"}}`,
      ['Rename to "My-Key"', `{${url}, "headers": {"My-Key": "1"}}`],
    ],
    [
      'badHeaderName',
      `{${url}, "headers": {«" Authorization: "»: "1"}}`,
      ['Rename to "Authorization"', `{${url}, "headers": {"Authorization": "1"}}`],
    ],
    ['badHeaderName', `{${url}, "headers": {«"A:"»: "1", "A": "1"}}`],
    ['badHeaderName', `{${url}, "headers": {«"é"»: "1"}}`],
    ['badHeaderName', `{${url}, "headers": {«""»: "1"}}`],
    ['placeholder', `{${command}, "env": {"A": «"YOUR_KEY"»}}`],
    ['placeholder', `{${command}, "args": [«"--key=<token>"»]}`],
    ['placeholder', `{${url}, "headers": {"A": «"Bearer xxx"»}}`],
    ['placeholder', `{${url}, "auth": «"changeme"»}`],
    ['placeholder', '{"url": «"https://<host>/mcp"»}'],
    ['notExpanded', `{${command}, "env": {"A": "x «\${TOKEN}»"}}`],
    ['notExpanded', `{${command}, "args": ["«\${workspaceFolder}»"]}`],
    ['notExpanded', `{${command}, "args": ["«\${input:key}»"]}`],
    ['notExpanded', '{"command": "«${env:HOME}»/x"}'],
    ['notExpanded', '{"url": "https://«${HOST:-x.y}»/mcp"}'],
  ] satisfies Case[]) {
    it(`is reported: ${code} in ${entry}`, () => {
      check(
        code,
        file(entry),
        solutions.map(([title, after, ...certain]) => [title, file(after), ...certain]),
      );
    });
  }

  it('that is not filled in yet is reported once', () => {
    assert.deepEqual(shown(file('{"url": "<url>"}')), ['placeholder "<url>"']);
    assert.deepEqual(shown(file('{"url": "${URL}"}')), ['notExpanded ${URL}']);
  });

  it('may contain blanks when it is a path, names a Windows program, or is ignored', () => {
    for (const command of [
      'C:\\Program Files\\x.exe',
      '/opt/My App/run',
      './my server',
      '~/my server',
      'bin/my server',
      'My Server.exe',
      '"npx" -y',
      'npx ',
    ]) {
      assert.deepEqual(shown(file(JSON.stringify({ command }))), [], command);
    }
    assert.deepEqual(shown(file(`{${url}, "command": "npx -y"}`)), ['bothTargets "command"']);
    assert.deepEqual(shown(file('{"command": "npx ${PACKAGE}"}')), ['notExpanded ${PACKAGE}']);
  });

  it('is left to programs that replace variables themselves', () => {
    assert.deepEqual(
      shown(file(`{"command": "npx", "args": ["--header", "Authorization:\${AUTH}"], "env": {"AUTH": "x"}}`)),
      [],
    );
    assert.deepEqual(shown(file('{"command": "/bin/sh", "args": ["-c", "echo ${HOME}"]}')), []);
    assert.deepEqual(shown(file('{"command": "npx", "args": ["a${", "\\u0024{A}"]}')), []);
  });

  it('may be sent unencrypted to this machine, or when it is not secret', () => {
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

  it('is reported once', () => {
    assert.deepEqual(shown(file('{"command": ["x", "y"]}')), ['commandIsList ["x", "y"]']);
  });

  it('that is not a transport comes with the list of transports', () => {
    const told = (entry: string) => problemsOf(file(entry)).map(({ message }) => message);
    assert.deepEqual(told(`{${url}, "transport": "x"}`), [
      'This is not a valid transport. Use one of "http", "sse", "streamable-http".',
    ]);
    assert.deepEqual(told(`{${command}, "transport": "x"}`), ['This is not a valid transport. Use "stdio".']);
    assert.deepEqual(told(`{${command}, "transport": "sse"}`), [
      'The transport of a server with a command is "stdio". Change or remove it.',
    ]);
    assert.deepEqual(told(`{${url}, "transport": "stdio"}`), [
      'The transport of a server with a URL is "http" or "sse". Change or remove it.',
    ]);
  });

  it('appears in no message', () => {
    const canary = 'canary';
    const text = file(
      `{"url": "http://${canary}.y/?key=${canary}", "command": "\${${canary}}", "type": "${canary}", "transport": "${canary}",
        "headers": {"A b": "<${canary}>"}, "env": {"A": [{"${canary}": 1}]}, "args": "${canary}", "enabled": "${canary}",
        "timeout": "${canary}", "cwd": ["${canary}"], "envFile": "${canary}", "arg": "${canary}", "auth": "YOUR_${canary}"}`,
    );
    const problems = problemsOf(text);
    assert(problems.length >= 12);
    for (const { message, fixes } of problems) {
      assert.doesNotMatch(message + fixes.map(({ title }) => title).join(), /canary/);
    }
  });
});
