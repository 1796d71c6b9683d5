import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  pasteLimits,
  readPasted,
} from '../../../../src/mcp/pasted/readPasted.ts';
import {
  PasteRefusal,
  type PastedServers,
} from '../../../../src/mcp/pasted/pastedServer.ts';
import { local, paste, type Plain, refused } from './expected.ts';

/** Everything that is shown about a text. */
function said(text: string): string {
  try {
    const { servers, problems } = readPasted(text);
    const about = servers.map(({ notes, suggestedName, placeholders, name }) =>
      JSON.stringify([
        notes,
        suggestedName,
        placeholders.map(({ description }) => description),
        name,
      ]),
    );
    return [...problems, ...about].join('\n');
  } catch (error) {
    if (error instanceof PasteRefusal) return error.message;
    throw error;
  }
}

/** A secret that no rule for names recognizes. */
const canary = 'c4n4ryS3cr3tV4lu3x9Q7z';
const seeds = [
  `openhands mcp add x --transport http --header "Authorization: Bearer ${canary}" --auth ${canary} https://u:${canary}@h.example/mcp?key=${canary}`,
  `claude mcp add x -e KEY=${canary} B=${canary} -H "X-Key: ${canary}" -- npx -y p --token ${canary} ${canary}`,
  `amp mcp add x --header "X-Key=${canary}" -H ${canary} -H "$${canary}" https://h.example/mcp`,
  `claude mcp add-json x '{"command": "npx", "args": ["--key", "${canary}"], "env": {"K": "${canary}"}, "more": "${canary}"}'`,
  `code --add-mcp '{"name": "x", "url": "https://h.example/${canary}", "headers": {"A": "${canary}"}}'`,
  `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'x', command: 'y', env: { A: canary } }))}`,
  `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${Buffer.from(JSON.stringify({ command: `y ${canary}` })).toString('base64')}`,
  `{"mcpServers": {"x": {"command": "cmd", "args": ["/c", "npx", "${canary}"], "env": {"K": "${canary}", "L": {"M": "${canary}"}}, "apiKey": "${canary}"}, "y": {"url": "https://h.example/?k=${canary}", "auth": "${canary}", "oauth": {"secret": "${canary}"}}}}`,
  `{"inputs": [{"id": "a", "description": "A"}], "servers": {"x": {"type": "http", "url": "https://h.example/", "headers": {"A": "Bearer ${canary}", "B": "\${input:a}"}}}}`,
  `[mcp_servers.x]\ncommand = "npx"\nargs = ["${canary}"]\nenv = { K = "${canary}" }\n[mcp]\nsse_servers = [{url="https://h.example/", api_key="${canary}"}]\n`,
  `[mcp_servers.x]\ncommand = """npx"""\nargs = ["""\n${canary} \\\n""", '''${canary}''']\n[[other]]\nkey = ${canary} @\n[mcp_servers.x.env]\nK = "${canary}"\nL = "a" ${canary}\n`,
  `mcpServers:\n  x:\n    command: npx\n    args: [--key, ${canary}]\n    env: {K: ${canary}}\n    more: *${canary}\n  y:\n    url: https://h.example/?k=${canary}\n`,
  `Name: x\nCommand: npx\nArguments: --key, ${canary}\nEnvironment Variables: K=${canary}\n`,
  `export K=${canary}\nK2=${canary} npx -y weather-mcp --key ${canary}`,
  `q mcp add --name x --command npx --args "--key,${canary}" --env K=${canary} --headers '{"A": "${canary}"}' --bearer-token ${canary}`,
  `goose://extension?cmd=npx&arg=--key&arg=${canary}&env=K%3D${canary}&id=x`,
];

describe('a hostile paste', () => {
  it('never throws an unexpected error or shows a secret', function () {
    this.timeout(30_000);
    const sign = fc.constantFrom(
      ...Array.from('{}[]",:\'\\`$#=\n-<>&;| \0'),
      ...[
        'mcp add ',
        '--add-mcp ',
        '[mcp_servers.a]\n',
        '${',
        '"command": "x"',
        '/*',
        '//',
        '\uFFFF',
      ],
      ...[
        'mcp:\n',
        '- ',
        'npx -y ',
        'https://',
        '--args ',
        '$(',
        '“',
        '://extension?',
        '&a ',
        '*a',
      ],
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(
          fc.tuple(
            fc.nat(),
            fc.nat(30),
            fc.oneof(sign, fc.string({ unit: 'binary' })),
          ),
          {
            maxLength: 6,
          },
        ),
        (seed, changes) => {
          const text = changes.reduce((before, [at, length, replacement]) => {
            const place = at % (before.length + 1);
            return (
              before.slice(0, place) +
              replacement +
              before.slice(place + length)
            );
          }, seed);
          assert.ok(!said(text).includes(canary), text);
        },
      ),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(sign, fc.constantFrom(...seeds), fc.string()), {
          maxLength: 30,
        }),
        (parts) => {
          assert.ok(!said(parts.join('')).includes(canary), parts.join(''));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never shows its secrets in a message, whole or cut', () => {
    for (const seed of seeds) {
      assert.ok(!said(seed).includes(canary), seed);
      for (let cut = 1; cut < seed.length; cut++) {
        assert.ok(
          !said(seed.slice(0, cut)).includes(canary),
          seed.slice(0, cut),
        );
        assert.ok(!said(seed.slice(cut)).includes(canary), seed.slice(cut));
      }
    }
  });

  it('hides its variables, headers and bearer token in JSON', () => {
    const seed = `{"a": {"command": "x", "env": {"K": "${canary}"}}, "b": {"url": "https://h.example/", "headers": {"A": "${canary}"}, "auth": "${canary}"}}`;
    const show = (_: string, value: unknown) =>
      value instanceof Map
        ? Object.fromEntries(value as PastedServers['servers'][number]['extra'])
        : value;
    assert.ok(!JSON.stringify(readPasted(seed), show).includes(canary));
  });

  it('keeps names such as __proto__ and constructor', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const text = `{"mcpServers": {${names.map((name) => `"${name}": {"command": "x", "env": {"${name}": "y"}, "${name}": 1}`).join()}}}`;
    const servers = paste(text) as Plain[];
    assert.deepEqual(
      servers.map(({ name }) => name),
      names,
    );
    assert.deepEqual(
      servers.flatMap(({ notes }) => notes),
      names.map((name) => `"${name}" is left out.`),
    );
    assert.equal(({} as Record<string, unknown>).command, undefined);
  });

  it('shows names and keys without control characters, and at most five keys', () => {
    const text =
      '{"a\\u001B[2J\\nb": {"command": "x\\u0000"}, "b": {"command": "x", "\\u202Ekey": 1, "k2": 1, "k3": 1, "k4": 1, "k5": 1, "k6": 1}}';
    assert.deepEqual(paste(`{"mcpServers": ${text}}`), {
      servers: [
        local('b', ['x'], {
          notes: ['"key", "k2", "k3", "k4", "k5" and 1 more are left out.'],
        }),
      ],
      problems: ['"a [2J b" has control characters in its command.'],
    });
  });

  it('shows a message if it is empty, is too long or has no server', () => {
    for (const text of ['', ' \r\n\t', '\uFEFF', '>\n> '])
      assert.match(refused(text), /^empty: There is no text\. You can paste /);
    assert.equal(
      refused('x'.repeat(pasteLimits.characters + 1)),
      'tooBig: The text is too long. Paste only the part with the MCP server.',
    );
    assert.match(
      refused('Hello.'),
      /^nothing: No MCP server was found in this text\. You can paste /,
    );
  });

  it('shows a message if it is nested too deeply', () => {
    assert.match(
      refused(`{"a":${'['.repeat(10_000)}`),
      /^unreadable: Line 1, column \d+: the nesting is too deep\.$/,
    );
    assert.match(
      refused(`{"mcp":`.repeat(10_000)),
      /^unreadable: Line 1, column \d+: the nesting is too deep\.$/,
    );
    assert.match(
      refused(`{"mcp":`.repeat(150) + '{}' + '}'.repeat(150)),
      /^nothing:/,
    );
    assert.match(
      refused(`[mcp]\na = ${'{a='.repeat(10_000)}`),
      /^unreadable: Line 2, column \d+: this is not valid TOML\.$/,
    );
  });

  it('stops at the maximum number of servers, and says so', () => {
    const entries = Array.from(
      { length: pasteLimits.servers + 1 },
      (_, i) => `"n${i}": {"command": "x"}`,
    );
    const { servers, problems } = readPasted(`{${entries.join()}}`);
    assert.equal(servers.length, pasteLimits.servers);
    assert.deepEqual(problems, [
      `Only the first ${pasteLimits.servers} servers are added.`,
    ]);
  });

  for (const part of [
    ...[
      '{"',
      '"',
      "$'",
      'mcp add ',
      'mcp add "',
      'a=b ',
      '[mcp]\n',
      '[[mcp]]\n',
      '${a:-',
      '$(',
      '"$(a',
      '``',
    ],
    ...[
      'mcp:\n',
      'mcp:\n ',
      'command: a\n',
      '- a: [\n',
      'a://b?',
      '“a”:',
      'Name: a\n',
      'npx -y a\n',
      '<a>',
    ],
  ]) {
    it(`takes less than 30 s with a megabyte of ${JSON.stringify(part)}`, function () {
      this.timeout(30_000);
      const long = part.repeat(pasteLimits.characters / part.length);
      said(long);
      said(`claude mcp add x -e A=b ${long}`.slice(0, pasteLimits.characters));
    });
  }

  for (const [what, text] of [
    ['list of servers', `{"mcpServers": [${'1,'.repeat(450_000)}1]}`],
    ['command line', `{"command": "npx ${'a '.repeat(450_000)}"}`],
    [
      'list of arguments',
      `{"command": "npx", "args": [${'"",'.repeat(300_000)}""]}`,
    ],
    ['command of options', `x mcp add ${'-e '.repeat(300_000)}`],
    [
      'map of variables',
      `{"command": "x", "env": {${Array.from({ length: 60_000 }, (_, i) => `"A${i}":"$A"`).join()}}}`,
    ],
    [
      'nested YAML',
      Array.from(
        { length: 1000 },
        (_, i) => `${' '.repeat(Math.min(i, 200))}mcp:\n`,
      ).join(''),
    ],
    ['YAML with brackets', `mcpServers:\n  a: ${'['.repeat(45_000)}\n`],
    ['YAML with quotes', `mcpServers:\n  a: ${'"'.repeat(45_001)}\n`],
    [
      'list of options',
      `q mcp add --name x --command y ${'--args a '.repeat(100_000)}`,
    ],
    [
      'list of values',
      `q mcp add --name x --command y --args ${'a '.repeat(400_000)}`,
    ],
    ['shell substitution', `claude mcp add x -- ${'$(a '.repeat(200_000)}`],
    ['URL', `{"url": "https://h.example/${'<'.repeat(900_000)}"}`],
    ['list of errors', '[mcp.a]\na = @\n'.repeat(70_000)],
    ['list of unclosed brackets', '[mcp.a]\na = [\n'.repeat(60_000)],
    ['multiline string', `[mcp.a]\na = """${'\\\n"'.repeat(300_000)}"""`],
    ['unclosed string', `[mcp.a]\na = """${'""\\"'.repeat(200_000)}`],
    ['row of quotes', `[mcp.a]\na = ${"'".repeat(900_000)}`],
    ['reference', `{"command": "${'${'.repeat(400_000)}"}`],
    ['word', `{"command": "${'a'.repeat(900_000)} b"}`],
    [
      'unnamed server',
      `{"command": "npx", "args": ["${'a-'.repeat(400_000)}", "${'/path'.repeat(10_000)}"]}`,
    ],
  ] as const) {
    it(`takes less than 30 s with the longest ${what}`, function () {
      this.timeout(30_000);
      said(text);
    });
  }
});
