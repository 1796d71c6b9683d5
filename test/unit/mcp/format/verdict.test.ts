import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as languageService from 'vscode-json-languageservice';
import { agentsGetNone } from '../../../../src/mcp/text/refusal.ts';
import { jsonSchema } from '../../../../src/mcp/format/jsonSchema.ts';
import { outline } from '../../../../src/mcp/format/outline.ts';
import {
  keysOf,
  ownKeys,
  type ServerKind,
} from '../../../../src/mcp/dialects/ownKeys.ts';
import { findProblems } from '../../../../src/mcp/problems/findProblems.ts';
import { isRefused } from '../../../../src/mcp/format/verdict.ts';
import { drawText, Tape } from '../../../support/configTexts.ts';

// Node does not recognise all exports of this package.
const { getLanguageService, TextDocument } = (
  languageService as unknown as { default: typeof languageService }
).default;

const service = getLanguageService({});
service.configure({
  validate: true,
  schemas: [{ uri: 'mcp', fileMatch: ['*'], schema: jsonSchema() }],
});

async function schemaWarnings(text: string) {
  const document = TextDocument.create('file:///mcp.json', 'json', 1, text);
  return await service.doValidation(
    document,
    service.parseJSONDocument(document),
  );
}

const errors = (text: string) =>
  findProblems(text).filter(({ severity }) => severity === 'error');
const isTaken = (text: string) => errors(text).length === 0;
const file = (entry: string) => `{"mcpServers": {"s": ${entry}}}`;

const targets: Readonly<Record<ServerKind, string>> = {
  local: '"command": "x"',
  remote: '"url": "https://x"',
};

/**
 * Values that the real program (fastmcp 4.2.3) was seen to take and to refuse
 * under each key.
 */
const seen: Readonly<
  Record<
    ServerKind,
    Readonly<Record<string, readonly [taken: string, refused: string]>>
  >
> = {
  local: {
    args: ['[] ["a"]', 'null "a" {} true ["a",1] [null]'],
    env: ['{} {"a":"b"} {"a":1} {"a":null}', 'null [] "a"'],
    cwd: ['null "" "/x"', '1 [] true'],
    transport: ['"stdio"', 'null "STDIO" "http" "" 1'],
    type: ['null "stdio"', '"STDIO" "http" "" 1'],
    keep_alive: [
      'true false 0 1 0.0 1.0 -0 1e0 "0" "1" "true" "TRUE" "yes" "y" "t" "n" "f" "on" "OFF" null',
      '2 0.5 1e400 "2" "" "1.0" []',
    ],
    timeout: [
      '1 0 -1 -0 1.0 1e3 12345678901234567890123 true "1" "+1" "-1" "1_0" "1.0" "1.00" "007" "0_7" "0__1" "\\n1\\t" null',
      '1.5 1e400 1e22 "1." "1.5" "1e3" "_1" "1__0" "0x1" "" "NaN" "٣" "+-1" ".0" "1.0_0" [] {}',
    ],
    description: ['null ""', '1 []'],
    icon: ['null ""', '1 [] {}'],
    authentication: ['null {} {"a":1}', '[] "a" true'],
  },
  remote: {
    transport: [
      'null "http" "sse" "streamable-http"',
      '"stdio" "HTTP" "streamable_http" "" 1',
    ],
    headers: ['{} {"a":"b"} {"":""}', 'null [] {"a":1} {"a":null}'],
    auth: ['null "oauth" ""', 'true 1 {} []'],
    sse_read_timeout: [
      '1 -1 1.5 true 1e400 "1" "1.5" "1e3" ".5" "NaN" "-inf" "PT30S" "-PT30S" "P1D" "P1W2D" "P1DT2H3M4.5S" "PT30,5S" "00:30" "25:00:00" "-00:00:30" "00:00:30,5" "P1.5DT" "1\\u0020day" "5d" "1\\u0020day,\\u002000:00:30" "+1d1:00:00" null',
      '"30s" "abc" "" "pt30s" "P" "PT" "P1D2H" "T1H" "PT1H30" "1\\u0020hour" "1.5d" "1d1:00" "1:00" "1d24:00:00" "1:2:3" "00:60:00" "1_" [] {}',
    ],
    max_sse_event_size: [
      '1048576 0 -1 1.0 1e3 true false "2048" "1_0" "1.0" null',
      '1.5 1e400 1e22 "1.5" "x" "" [] {}',
    ],
    type: ['null "http" "stdio" 1 []', ''],
    timeout: ['1 "1" null', '1.5 "1.5"'],
    authentication: ['null {}', '[]'],
  },
};

function* cases(): Generator<readonly [text: string, isTaken: boolean]> {
  for (const kind of ['local', 'remote'] as const) {
    for (const [key, [taken, refused]] of Object.entries(seen[kind])) {
      const values = (list: string) => list.split(' ').filter(Boolean);
      for (const value of values(taken))
        yield [file(`{${targets[kind]}, "${key}": ${value}}`), true];
      for (const value of values(refused))
        yield [file(`{${targets[kind]}, "${key}": ${value}}`), false];
    }
  }
  for (const key of [
    'enabled',
    'tools',
    'include_tags',
    'exclude_tags',
    'disabled',
    'x',
  ]) {
    for (const value of ['null', '1', '"x"', '[]', '{}', '{"a": 1}'])
      yield [file(`{${targets.local}, "${key}": ${value}}`), true];
  }
  for (const entry of [
    '{"command": ""}',
    '{"url": ""}',
    '{"url": "ftp://x"}',
    '{"command": null, "url": "x"}',
  ])
    yield [file(entry), true];
  for (const entry of [
    '{"command": "x", "url": 1}',
    '{"command": 1, "url": "x", "cwd": 1}',
  ])
    yield [file(entry), true];
  for (const entry of [
    '{}',
    '1',
    'null',
    '[]',
    '{"command": null}',
    '{"command": ["x"]}',
    '{"url": null}',
  ])
    yield [file(entry), false];
  for (const entry of [
    '{"serverUrl": "x"}',
    '{"comand": "x"}',
    '{"command": 1, "url": "x", "type": 1, "auth": 1}',
  ])
    yield [file(entry), false];
}

describe('the check of a server', () => {
  it('reports an error exactly when the program refuses the server', () => {
    for (const [text, taken] of cases())
      assert.equal(isTaken(text), taken, text);
  });

  it('shows no JSON schema warning for an accepted server', async () => {
    let complaints = 0;
    for (const [text, taken] of cases()) {
      const found = await schemaWarnings(text);
      if (taken) assert.deepEqual(found, [], text);
      else complaints += found.length;
    }
    assert(complaints > 50);
  });

  it('knows the keys of both kinds of server', () => {
    const known = { ...keysOf.local, ...keysOf.remote };
    assert.deepEqual([...ownKeys].sort(), Object.keys(known).sort());
  });
});

describe('the check of a file', () => {
  it('reports an error exactly when the program refuses the file', () => {
    const deep = (depth: number, inner = '') =>
      `{"x": ${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;
    for (const text of [
      '{}',
      '{"mcpServers": {}}',
      '{"servers": {"a": {"command": 1}}}',
      '{"mcpServers": {"": {"command": "x"}}}',
      '{"a": {"command": "x"}}',
      '{"a": {"serverUrl": "x"}, "b": 1}',
      '{"a": 1, "mcpServers": {}}',
      '{"mcpServers": {"a": 1, "a": {"command": 1, "command": "x"}}}',
      '{"mcpServers": null, "mcpServers": {}}',
      '{"a": {"command": "x"}, "b": 1, "a": {}}',
      '{"x": "\\ud83d\\ude00 \\\\ud800 \\u0000"}',
      `{"x": 1${'0'.repeat(4299)}}`,
      `{"x": -1${'0'.repeat(4299)}}`,
      `{"x": 1.${'0'.repeat(5000)}}`,
      deep(200),
      deep(199, '1'),
    ]) {
      assert(isTaken(text), text.slice(0, 100));
      assert(!isRefused(outline(text)), text.slice(0, 100));
    }
    for (const text of [
      '',
      ' \n',
      '\uFEFF{}',
      '{}//',
      '{"a": 1,}',
      '[]',
      'null',
      '{"mcpServers": null}',
      '{"mcpServers": []}',
      '{"mcpServers": {"a": 1}}',
      '{"mcpServers": {"a": {"command": "x", "command": 1}}}',
      '{"$schema": "x", "a": {"command": "x"}}',
      '{"a": {"url": null}}',
      '{"x": "\\ud83dx"}',
      '{"x": "\\ude00"}',
      '{"\\ud83d\\ud83d": 1}',
      `{"x": 1${'0'.repeat(4300)}}`,
      deep(201),
      deep(200, '1'),
    ]) {
      assert(!isTaken(text), text.slice(0, 100));
    }
  });

  it('reports the first reason for a refusal, with its position', () => {
    const [found] = errors(
      '{"mcpServers": {"a": {"command": "x", "args": 1}, "b": 2}}',
    );
    assert.deepEqual([found?.code, found?.start], ['badValue', 46]);
    assert.equal(
      agentsGetNone(),
      'This file is invalid, so agents load none of its servers.',
    );
    assert.deepEqual(
      errors('{"mcpServers": {"a": {"command": "x", "enabled": 1}}}'),
      [],
    );
  });
});

const scalars = fc.constantFrom(
  ...[
    'null',
    'true',
    '0',
    '1',
    '1.5',
    '""',
    '"x"',
    '"stdio"',
    '"http"',
    '"1"',
    '"PT1S"',
    '[]',
    '{}',
    '["a"]',
  ],
  ...['[1]', '{"a": "b"}', '{"a": 1}'],
);
const entries = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom(...ownKeys, 'serverUrl', 'comand', 'x'), scalars),
    {
      selector: ([key]) => key,
      maxLength: 6,
    },
  )
  .map(
    (members) =>
      `{${members.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`,
  );

/** True if the servers in a text can be found. */
function isFound(text: string): boolean {
  try {
    outline(text);
    return true;
  } catch {
    return false;
  }
}

describe('the verdict', () => {
  it('accepts no random entry that the JSON schema warns about', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (entry) => {
        if (isTaken(file(entry)))
          assert.deepEqual(await schemaWarnings(file(entry)), [], entry);
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses a random text exactly when an error is reported', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 800, size: 'max' }),
        (bytes) => {
          const text = drawText(new Tape(bytes));
          assert.equal(
            isFound(text) && !isRefused(outline(text)),
            isTaken(text),
            text,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});
