import assert from 'node:assert/strict';
import { check, file, problemsOf, shown, type Case } from './cases.ts';

const url = '"url": "https://x.y"';
const command = '"command": "x"';

describe('the check of a key that has another name here', () => {
  for (const [code, entry, ...solutions] of [
    [
      'typeForTransport',
      `{${url}, «"type"»: "http"}`,
      [
        'Change to "transport": "http"',
        `{${url}, "transport": "http"}`,
        'certain',
      ],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "streamableHttp"}`,
      [
        'Change to "transport": "http"',
        `{${url}, "transport": "http"}`,
        'certain',
      ],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "streamable-http"}`,
      [
        'Change to "transport": "http"',
        `{${url}, "transport": "http"}`,
        'certain',
      ],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "remote"}`,
      [
        'Change to "transport": "http"',
        `{${url}, "transport": "http"}`,
        'certain',
      ],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "sse"}`,
      [
        'Change to "transport": "sse"',
        `{${url}, "transport": "sse"}`,
        'certain',
      ],
    ],
    [
      'typeForTransport',
      `{«"type"»: "sse"}`,
      ['Change to "transport": "sse"', `{"transport": "sse"}`],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "stdio"}`,
      ['Remove "type"', `{${url}}`],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "odd"}`,
      ['Remove "type"', `{${url}}`],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: 1}`,
      ['Remove "type"', `{${url}}`],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "sse", "transport": "http"}`,
      ['Remove "type"', `{${url}, "transport": "http"}`],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "odd", "transport": "odd"}`,
      ['Remove "type"', `{${url}, "transport": "odd"}`],
    ],
    [
      'typeForTransport',
      `{${url}, «"type"»: "sse", "transport": 1}`,
      ['Remove "type"', `{${url}, "transport": 1}`],
    ],
    [
      'needlessType',
      `{${url}, "transport": "streamable-http", «"type"»: "http"}`,
      ['Remove "type"', `{${url}, "transport": "streamable-http"}`, 'certain'],
    ],
    [
      'disabledForEnabled',
      `{${command}, «"disabled"»: true}`,
      [
        'Change to "enabled": false',
        `{${command}, "enabled": false}`,
        'certain',
      ],
    ],
    [
      'disabledForEnabled',
      `{${command}, «"disabled"»: false}`,
      ['Change to "enabled": true', `{${command}, "enabled": true}`, 'certain'],
    ],
    [
      'disabledForEnabled',
      `{${command}, «"disabled"»: "yes"}`,
      ['Remove "disabled"', `{${command}}`],
    ],
    [
      'disabledForEnabled',
      `{${command}, "enabled": false, «"disabled"»: true}`,
      ['Remove "disabled"', `{${command}, "enabled": false}`, 'certain'],
    ],
    [
      'disabledForEnabled',
      `{${command}, "enabled": true, «"disabled"»: true}`,
      ['Remove "disabled"', `{${command}, "enabled": true}`],
    ],
    [
      'disabledForEnabled',
      `{${command}, "enabled": true, «"disabled"»: null}`,
      ['Remove "disabled"', `{${command}, "enabled": true}`],
    ],
    [
      'foreignTarget',
      '{«"serverUrl"»: "https://x.y"}',
      ['Rename to "url"', `{${url}}`, 'certain'],
    ],
    [
      'foreignKey',
      `{«"serverUrl"»: "https://x.y", ${url}}`,
      ['Remove "serverUrl"', `{${url}}`, 'certain'],
    ],
    [
      'foreignKey',
      `{«"serverUrl"»: "https://x.z", ${url}}`,
      ['Remove "serverUrl"', `{${url}}`],
    ],
    [
      'foreignKey',
      `{«"serverUrl"»: 1, ${url}}`,
      ['Remove "serverUrl"', `{${url}}`],
    ],
    ['foreignTarget', `{«"serverUrl"»: 1}`],
    ['foreignTarget', `{«"cmd"»: ["x", "y"]}`],
    ['foreignKey', `{${command}, «"arguments"»: "-y"}`],
    [
      'foreignKey',
      `{${url}, «"oauth"»: true}`,
      ['Change to "auth": "oauth"', `{${url}, "auth": "oauth"}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${url}, «"oauth"»: {"enabled": true}}`,
      ['Change to "auth": "oauth"', `{${url}, "auth": "oauth"}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${url}, «"oauth"»: {"clientId": "x", "callbackPort": 1}}`,
      ['Change to "auth": "oauth"', `{${url}, "auth": "oauth"}`],
    ],
    [
      'foreignKey',
      `{${url}, «"oauth"»: "x"}`,
      ['Rename to "auth"', `{${url}, "auth": "x"}`],
    ],
    [
      'ignoredKey',
      `{${url}, «"oauth"»: false}`,
      ['Remove "oauth"', `{${url}}`],
    ],
    [
      'ignoredKey',
      `{${url}, «"oauth"»: {"enabled": false, "clientId": "x"}}`,
      ['Remove "oauth"', `{${url}}`],
    ],
    ['ignoredKey', `{${url}, «"oauth"»: ""}`, ['Remove "oauth"', `{${url}}`]],
    ['ignoredKey', `{${url}, «"oauth"»: null}`, ['Remove "oauth"', `{${url}}`]],
    [
      'ignoredKey',
      `{${command}, «"tool_timeout_sec"»: "1 h"}`,
      ['Remove "tool_timeout_sec"', `{${command}}`],
    ],
    [
      'ignoredKey',
      `{${command}, «"oauth"»: true}`,
      ['Remove "oauth"', `{${command}}`],
    ],
    [
      'ignoredKey',
      `{${command}, «"bearer_token_env_var"»: "PAT"}`,
      ['Remove "bearer_token_env_var"', `{${command}}`],
    ],
    [
      'foreignKey',
      `{${url}, «"bearer_token_env_var"»: "PAT"}`,
      [
        'Change to "headers"',
        `{${url}, "headers": {"Authorization": "Bearer \${PAT}"}}`,
      ],
    ],
    [
      'foreignKey',
      `{${url}, «"env_http_headers"»: {"A": "VAR", "B": null}}`,
      [
        'Change to "headers"',
        `{${url}, "headers": {"A": "\${VAR}", "B": null}}`,
      ],
    ],
    [
      'foreignKey',
      `{${url}, «"api_key"»: "x"}`,
      ['Rename to "auth"', `{${url}, "auth": "x"}`],
    ],
    [
      'foreignKey',
      `{${command}, «"tool_timeout_sec"»: 60}`,
      [
        'Change to "timeout": 60000',
        `{${command}, "timeout": 60000}`,
        'certain',
      ],
    ],
    [
      'foreignKey',
      `{${command}, «"working_directory"»: "/srv"}`,
      ['Rename to "cwd"', `{${command}, "cwd": "/srv"}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${url}, "auth": "x", «"oauth"»: true}`,
      ['Remove "oauth"', `{${url}, "auth": "x"}`],
    ],
    [
      'foreignKey',
      `{«"serverUrl"»: "https://x.y", ${command}}`,
      ['Rename to "url"', `{${url}, ${command}}`],
    ],
    [
      'foreignTarget',
      `{«"serverUrl"»: "https://x.y", "cmd": "x"}`,
      ['Rename to "url"', `{${url}, "cmd": "x"}`],
    ],
    [
      'foreignTarget',
      '{«"httpUrl"»: "https://x.y", "transport": "http"}',
      ['Rename to "url"', `{${url}, "transport": "http"}`, 'certain'],
    ],
    [
      'foreignTarget',
      '{«"httpUrl"»: "https://x.y"}',
      [
        'Change to "url" with "transport": "http"',
        `{${url}, "transport": "http"}`,
        'certain',
      ],
    ],
    [
      'foreignTarget',
      '{«"cmd"»: "x"}',
      ['Rename to "command"', `{${command}}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${command}, «"arguments"»: ["y"]}`,
      ['Rename to "args"', `{${command}, "args": ["y"]}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${command}, «"environment"»: {"A": "b"}}`,
      ['Rename to "env"', `{${command}, "env": {"A": "b"}}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${url}, «"http_headers"»: {"A": "b"}}`,
      ['Rename to "headers"', `{${url}, "headers": {"A": "b"}}`, 'certain'],
    ],
    [
      'foreignKey',
      `{${url}, «"http_headers"»: {}, "httpHeaders": {}}`,
      ['Rename to "headers"', `{${url}, "headers": {}, "httpHeaders": {}}`],
    ],
    [
      'misspelledTarget',
      '{«"comand"»: "x"}',
      ['Rename to "command"', `{${command}}`],
    ],
    ['misspelledKey', `{${url}, «"header"»: "A: b"}`],
    ['misspelledKey', `{${command}, «"timout"»: "long"}`],
    [
      'misspelledKey',
      `{${url}, «"transprt"»: "http"}`,
      ['Rename to "transport"', `{${url}, "transport": "http"}`],
    ],
    ['misspelledKey', `{${url}, «"transprt"»: "stdio"}`],
    [
      'misspelledTarget',
      '{«"URL"»: "https://x.y"}',
      ['Rename to "url"', `{${url}}`],
    ],
    [
      'misspelledKey',
      `{${command}, «"arg"»: []}`,
      ['Rename to "args"', `{${command}, "args": []}`],
    ],
    [
      'misspelledKey',
      `{${command}, «"agrs"»: []}`,
      ['Rename to "args"', `{${command}, "args": []}`],
    ],
    [
      'misspelledKey',
      `{${command}, «"pwd"»: "/"}`,
      ['Rename to "cwd"', `{${command}, "cwd": "/"}`],
    ],
    [
      'misspelledKey',
      `{${command}, «"enabeld"»: true}`,
      ['Rename to "enabled"', `{${command}, "enabled": true}`],
    ],
    [
      'misspelledKey',
      `{${url}, «"header"»: {}}`,
      ['Rename to "headers"', `{${url}, "headers": {}}`],
    ],
    [
      'misspelledKey',
      `{${url}, «"sseReadTimeout"»: 1}`,
      ['Rename to "sse_read_timeout"', `{${url}, "sse_read_timeout": 1}`],
    ],
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

  it('reports only the key if it holds the command or the URL of the server', () => {
    assert.deepEqual(shown(file('{"serverUrl": "https://x.y"}')), [
      'foreignTarget "serverUrl"',
    ]);
    assert.deepEqual(shown(file('{"comand": "x"}')), [
      'misspelledTarget "comand"',
    ]);
    assert.deepEqual(shown(file('{"comand": "x", "arguments": []}')), [
      'misspelledTarget "comand"',
      'foreignKey "arguments"',
    ]);
  });
});

describe('the check of a key of another program', () => {
  for (const key of [
    'envFile',
    'alwaysAllow',
    'autoApprove',
    'trust',
    'includeTools',
    'excludeTools',
    'bearer_token_env_var',
    'env_http_headers',
    'startup_timeout_sec',
    'inputs',
  ]) {
    it(`reports ${key} as ignored`, () => {
      const found = check(
        'ignoredKey',
        file(`{${command}, «"${key}"»: true}`),
        [[`Remove "${key}"`, file(`{${command}}`)]],
      );
      assert.equal(found.severity, 'information');
    });
  }

  it('ignores an unknown key', () => {
    for (const key of [
      'x-unknown',
      'comment',
      '//',
      '_comment',
      'author',
      'icons',
      'name',
      'title',
      'version',
      'tags',
      'note',
      'id',
      'constructor',
      '__proto__',
      '',
      'a-key-that-is-longer-than-all-others',
    ]) {
      assert.deepEqual(shown(file(`{${command}, "${key}": 1}`)), [], key);
    }
  });

  it('ignores a misspelling of a key that this kind of server ignores', () => {
    assert.deepEqual(
      shown(file(`{${command}, "header": 1, "urls": 1, "command_": 1}`)),
      [],
    );
    assert.deepEqual(
      shown(file(`{${url}, "arg": 1, "comand": 1, "Url": 1}`)),
      [],
    );
  });
});

describe('a message', () => {
  it('says what to use here instead of "oauth"', () => {
    const told = (oauth: unknown) =>
      problemsOf(file(`{${url}, "oauth": ${JSON.stringify(oauth)}}`)).map(
        ({ message }) => message,
      );
    assert.deepEqual(told({}), [
      '"oauth" is a key of other programs. Use "auth": "oauth" here.',
    ]);
    assert.deepEqual(told('x'), [
      '"oauth" is a key of other programs. Use "auth" here.',
    ]);
    assert.deepEqual(told(false), ['"oauth" is ignored here. Remove it.']);
  });

  it('says what to do with a key of another program', () => {
    assert.deepEqual(
      problemsOf(file('{"cmd": "x", "command": "y", "envFile": "z"}')).map(
        ({ message }) => message,
      ),
      [
        '"cmd" is a key of other programs and ignored here: "command" counts. Remove "cmd".',
        '"envFile" is a key of other programs and ignored here. Write the variables into "env".',
      ],
    );
  });
});
