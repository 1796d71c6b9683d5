import assert from 'node:assert/strict';
import {
  countOfTooMany,
  inEnv,
  inHeader,
  local,
  noVariables,
  paste,
  type Plain,
  refused,
  remote,
} from './expected.ts';

const url = 'https://h.example/mcp';
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const base64 = (value: unknown) =>
  Buffer.from(JSON.stringify(value)).toString('base64');
const npx = { command: 'npx', args: ['-y', 'a+b'] };
const inputs = [
  {
    id: 'token',
    type: 'promptString',
    description: 'A token (of yours)',
    password: true,
  },
];
const form = (values: Readonly<Record<string, string>>) =>
  new URLSearchParams(values).toString();
/** Its Base64 has a plus. */
const tilde = { command: 'npx', args: ['~~~'] };
const redirect = 'https://vscode.dev/redirect/mcp/install';

describe('reading a pasted install link', () => {
  const cases: readonly (readonly [
    what: string,
    text: string,
    expected: readonly Plain[],
  ])[] = [
    [
      'of VS Code',
      `vscode:mcp/install?${encoded({ name: 'a', ...npx })}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of VS Code Insiders in a command',
      `xdg-open "vscode-insiders:mcp/install?${encoded({ name: 'a', type: 'http', url })}"`,
      [remote('a', url)],
    ],
    [
      'of VS Code, with inputs in it',
      `vscode:mcp/install?${encoded({ name: 'a', url, headers: { A: '${input:token}' }, inputs })}`,
      [
        remote('a', url, {
          headers: { A: '${input:token}' },
          placeholders: [inHeader('A', '${input:token}', 'A token (of yours)')],
          notes: [noVariables],
        }),
      ],
    ],
    [
      'of vscode.dev',
      `${redirect}?name=two%20words&config=${encoded(npx)}`,
      [local('two words', ['npx', '-y', 'a+b'])],
    ],
    [
      'of vscode.dev in a badge among others, with inputs',
      `[![Install in VS Code](https://img.shields.io/badge/x-y)](https://insiders.vscode.dev/redirect/mcp/install?name=gh&config=${encoded({ type: 'http', url, headers: { A: 'Bearer ${input:token}' } })}&inputs=${encoded(inputs)}&quality=insiders) [![Other](b.svg)](${redirect}?name=b&config=${encoded(npx)}), and more.`,
      [
        remote('gh', url, {
          headers: { A: 'Bearer ${input:token}' },
          placeholders: [inHeader('A', '${input:token}', 'A token (of yours)')],
          notes: [noVariables],
        }),
        local('b', ['npx', '-y', 'a+b']),
      ],
    ],
    [
      'of vscode.dev, with a VS Code link inside',
      `<https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encoded({ name: 'a', ...npx })}`)}>`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Cursor',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${base64(npx)}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Cursor in HTML, with a whole command line',
      `<a href="cursor://anysphere.cursor-deeplink/mcp/install?name=a&amp;config=${encodeURIComponent(base64({ command: 'npx -y a' }))}">`,
      [
        local('a', ['npx', '-y', 'a'], {
          notes: [
            'The command line is split into a command and its arguments.',
          ],
        }),
      ],
    ],
    [
      'of cursor.com',
      `https://cursor.com/en/install-mcp?name=a&config=${base64({ url }).replaceAll('=', '')}`,
      [remote('a', url)],
    ],
    [
      'of vscode.dev, encoded as a form',
      `${redirect}?${form({ name: 'My Server', config: JSON.stringify({ ...npx, env: { K: '${input:token}' } }, null, 1), inputs: JSON.stringify(inputs) })}`,
      [
        local('My Server', ['npx', '-y', 'a+b'], {
          env: { K: '${input:token}' },
          placeholders: [inEnv('K', '${input:token}', 'A token (of yours)')],
          notes: [noVariables],
        }),
      ],
    ],
    [
      'of VS Code, encoded as a form',
      `vscode:mcp/install?${form({ '': JSON.stringify({ name: 'a b', ...npx }, null, 1) }).slice(1)}`,
      [local('a b', ['npx', '-y', 'a+b'])],
    ],
    [
      'of VS Code, with an unencoded plus',
      `vscode:mcp/install?${encoded({ name: 'a', ...npx }).replaceAll('%2B', '+')}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Cursor, encoded as a form except for a plus in its Base64',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=My+Server&config=${base64(tilde)}`,
      [local('My Server', ['npx', '~~~'])],
    ],
    [
      'of Cursor, encoded as a form with a plus in its Base64',
      `cursor://anysphere.cursor-deeplink/mcp/install?${form({ name: 'My Server', config: base64(tilde) })}`,
      [local('My Server', ['npx', '~~~'])],
    ],
    [
      'of cursor.com, without a language and a name',
      `https://www.cursor.com/install-mcp?config=${encodeURIComponent(encoded({ url }))}`,
      [remote(undefined, url, { suggestedName: 'h' })],
    ],
    [
      'with servers by name, and inputs that cannot be read',
      `${redirect}?config=${encoded({ a: npx })}&inputs=%7B`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'for two editors as one server',
      `${redirect}?name=a&config=${encoded(npx)} cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${base64(npx)}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Cursor, with an encoded slash',
      `https://cursor.com/link/mcp%2Finstall?name=a&config=${encodeURIComponent(base64({ url }))}`,
      [remote('a', url)],
    ],
    [
      'of LM Studio',
      `lmstudio://add_mcp?name=a&config=${base64(npx)}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of LM Studio, on its website',
      `https://lmstudio.ai/install-mcp?name=a&config=${base64({ url })}`,
      [remote('a', url)],
    ],
    [
      'of Kiro, with a URL that counts as a server only in a link',
      `https://kiro.dev/launch/mcp/add?name=a&config=${encoded({ url: 'https://h.example/agent' })}`,
      [remote('a', 'https://h.example/agent')],
    ],
    [
      'of Raycast',
      `raycast://mcp/install?${encoded({ name: 'a b', type: 'stdio', ...npx })}`,
      [local('a b', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Visual Studio',
      `https://vs-open.link/mcp-install?${encoded({ a: npx })}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Visual Studio, with a name and a configuration',
      `https://aka.ms/vs/mcp-install?${encoded({ name: 'a', config: npx })}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
    [
      'of Visual Studio, without a name',
      `https://aka.ms/vs/mcp-install?${encoded({ type: 'http', url: 'https://h.example/api' })}`,
      [remote(undefined, 'https://h.example/api', { suggestedName: 'h' })],
    ],
    [
      'of Goose, with a parameter for each argument',
      'goose://extension?cmd=npx&arg=-y&arg=%40acme%2Fweather&id=weather&name=Weather%20Report&description=Tells%20it&env=KEY%3DYour%20key&timeout=300',
      [
        local('Weather Report', ['npx', '-y', '@acme/weather'], {
          env: { KEY: 'Your key' },
          extra: { description: 'Tells it', timeout: 300_000 },
          placeholders: [inEnv('KEY', 'Your key')],
          notes: [
            'The timeout looks like seconds, and is converted to milliseconds.',
          ],
        }),
      ],
    ],
    [
      'of Goose, with a URL',
      `goose://extension?url=${encodeURIComponent(url)}&type=streamable_http&id=weather&header=X-Key%3A%20a`,
      [remote('weather', url, { headers: { 'X-Key': 'a' } })],
    ],
    [
      'of any program, with its own parameters',
      `acme://mcp/install?name=a&command=uvx&args=${encodeURIComponent('["weather-mcp"]')}&env=${encoded({ KEY: 'b' })}`,
      [local('a', ['uvx', 'weather-mcp'], { env: { KEY: 'b' } })],
    ],
    [
      'of any program, with several servers in Base64',
      `https://acme.example/mcp-add?json=${base64({ mcpServers: { a: npx, b: { url } } })}&name=both`,
      [local('a', ['npx', '-y', 'a+b']), remote('b', url)],
    ],
    [
      'of VS Code, with unencoded JSON',
      `vscode:mcp/install?${JSON.stringify({ name: 'a', ...npx })}`,
      [local('a', ['npx', '-y', 'a+b'])],
    ],
  ];
  assert.ok(base64(tilde).includes('+'));
  for (const [what, text, expected] of cases) {
    it(`reads a link ${what}`, () => {
      assert.deepEqual(paste(text), expected);
    });
  }

  for (const [text, message] of [
    [
      `${redirect}?name=a`,
      'No server could be read from the install link for "a".',
    ],
    [
      `${redirect}?name=a&config=canary`,
      'No server could be read from the install link for "a".',
    ],
    [
      `${redirect}?name=a&config=%7B%22canary`,
      'No server could be read from the install link for "a".',
    ],
    [
      `(${redirect}?config=${encoded({ canary: 1 })})`,
      'No server could be read from the install link.',
    ],
    [
      'vscode:mcp/install?%7B%E0canary',
      'No server could be read from the install link.',
    ],
    [
      `vscode:mcp/install?${encoded({ name: 'a', url: 'vscode:canary' })}`,
      '"a" has a URL that does not start with http:// or https://.',
    ],
  ] as const) {
    it(`refuses ${text}`, () => {
      assert.equal(refused(text), `unreadable: ${message}`);
    });
  }

  it('finds no server in a link to anything else', () => {
    for (const text of [
      'command:mcp/install?%7B%7D',
      'vscode:extension/a.b',
      'https://vscode.dev.example/redirect/mcp/install?name=a',
      'https://example.com/?config=%7B%7D',
      'https://example.com/mcp/install?page=2',
      'goose://recipe?config=%7B%7D',
    ]) {
      assert.match(refused(text), /^nothing:/);
    }
  });

  it('reads only the first 100 links', () => {
    const text = Array.from(
      { length: 102 },
      (_, i) => `${redirect}?name=n${i}&config=${encoded(npx)} `,
    ).join('');
    assert.equal(countOfTooMany(text), 100);
  });
});
