import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withEdits } from '../../../../src/mcp/text/withEdits.ts';
import {
  serverContainers,
  foreignKeys,
  ignoredKeys,
  serverKindNames,
  spellingsOf,
  transportNames,
} from '../../../../src/mcp/dialects/dialects.ts';
import { readEntries } from '../../../../src/mcp/format/document.ts';
import { showServer } from '../../../../src/mcp/format/mask.ts';
import {
  kindOfKey,
  type OwnKey,
  ownKeys,
  type ServerKind,
} from '../../../../src/mcp/dialects/ownKeys.ts';
import { readPasted } from '../../../../src/mcp/pasted/readPasted.ts';
import { fixAll } from '../../../../src/mcp/problems/fixAll.ts';
import {
  findProblems,
  type ProblemCode,
} from '../../../../src/mcp/problems/findProblems.ts';
import type { Server } from '../../../../src/mcp/format/server.ts';

type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json>>;

/** A key and a value, and the fields of ours that they are. */
interface Example {
  readonly key: string;
  readonly value: Json;
  readonly ours: Fields;
}

/**
 * Values under our own keys. The same are used under every other spelling that
 * has no examples of its own.
 */
const samples: Readonly<Record<OwnKey, readonly Json[]>> = {
  command: ['npx'],
  args: [['-y', 'x'], []],
  env: [{ A: '1', B: '2' }],
  cwd: ['/srv'],
  url: ['https://h.example/mcp', 'https://h.example/sse'],
  headers: [{ 'X-A': '1' }],
  auth: ['oauth', 't0ken'],
  sse_read_timeout: [300],
  max_sse_event_size: [2048, 0],
  transport: [],
  enabled: [true, false],
  timeout: [5000, 0],
  description: ['d'],
  icon: ['i'],
  // Other programs have their own meaning of it.
  type: [],
  keep_alive: [false],
  // Nothing uses it.
  authentication: [],
  tools: [{ a: { enabled: false } }],
  include_tags: [['read']],
  exclude_tags: [['admin']],
};

/** Examples of each spelling that is more than another name. */
const examples: readonly Example[] = [
  {
    key: 'httpUrl',
    value: 'https://h.example/sse',
    ours: { url: 'https://h.example/sse', transport: 'http' },
  },
  {
    key: 'env_http_headers',
    value: { B: 'VB' },
    ours: { headers: { B: '${VB}' } },
  },
  {
    key: 'bearer_token_env_var',
    value: 'PAT',
    ours: { headers: { Authorization: 'Bearer ${PAT}' } },
  },
  { key: 'bearer_token', value: 't0ken', ours: { auth: 't0ken' } },
  {
    key: 'requestOptions',
    value: { headers: { A: 'b' } },
    ours: { headers: { A: 'b' } },
  },
  {
    key: 'requestInit',
    value: { headers: { A: 'b' } },
    ours: { headers: { A: 'b' } },
  },
  { key: 'api_key', value: 't0ken', ours: { auth: 't0ken' } },
  { key: 'apiKey', value: 't0ken', ours: { auth: 't0ken' } },
  { key: 'authorization_token', value: 't0ken', ours: { auth: 't0ken' } },
  { key: 'oauth', value: true, ours: { auth: 'oauth' } },
  { key: 'oauth', value: {}, ours: { auth: 'oauth' } },
  { key: 'oauth', value: { enabled: true }, ours: { auth: 'oauth' } },
  { key: 'oauth', value: { clientId: 'x' }, ours: { auth: 'oauth' } },
  { key: 'oauth', value: { enabled: false }, ours: {} },
  { key: 'auth', value: { CLIENT_ID: 'x' }, ours: { auth: 'oauth' } },
  { key: 'disabled', value: true, ours: { enabled: false } },
  { key: 'disabled', value: false, ours: { enabled: true } },
  { key: 'isActive', value: true, ours: { enabled: true } },
  { key: 'isActive', value: 'false', ours: { enabled: false } },
  { key: 'enabled', value: 'false', ours: { enabled: false } },
  ...['excludeTools', 'disabled_tools', 'disabledTools'].map((key) => ({
    key,
    value: ['delete_repo', 'a "b"'],
    ours: {
      tools: { delete_repo: { enabled: false }, 'a "b"': { enabled: false } },
    },
  })),
  { key: 'tool_timeout_sec', value: 60, ours: { timeout: 60_000 } },
  { key: 'timeout', value: 30, ours: { timeout: 30_000 } },
  {
    key: 'command',
    value: ['npx', '-y', 'x'],
    ours: { command: 'npx', args: ['-y', 'x'] },
  },
  {
    key: 'command',
    value: { path: 'npx', args: ['-y'], env: { A: '1' } },
    ours: { command: 'npx', args: ['-y'], env: { A: '1' } },
  },
  ...['type', 'transport'].flatMap((key) =>
    [...transportNames, ...serverKindNames].map(([value, transport]) => ({
      key,
      value,
      ours: { transport },
    })),
  ),
];

/** All that can be under the spellings of a key of ours. */
function examplesOf(own: OwnKey): Example[] {
  return spellingsOf(own).flatMap((key) => {
    const special = examples.filter((example) => example.key === key);
    const { translate, transport } = foreignKeys.get(key) ?? {};
    if (translate ?? transport) return special;
    return [
      ...special,
      ...samples[own].map((value) => ({ key, value, ours: { [own]: value } })),
    ];
  });
}

/** A server, wherever it was read. */
interface Result {
  readonly name: string | undefined;
  readonly enabled: boolean;
  readonly server: unknown;
  readonly extra: Fields;
}

function resultOf(
  name: string | undefined,
  enabled: boolean,
  server: Server | undefined,
  fields: ReadonlyMap<string, unknown>,
): Result {
  assert(server);
  const kept = [
    ...[
      'timeout',
      'description',
      'icon',
      'tools',
      'include_tags',
      'exclude_tags',
    ],
    ...(server.transport === 'stdio'
      ? ['cwd', 'keep_alive']
      : ['sse_read_timeout', 'max_sse_event_size']),
  ];
  const extra = [...fields].filter(([key]) => kept.includes(key)).sort();
  return {
    name,
    enabled,
    server: showServer(server, true),
    extra: Object.fromEntries(extra) as Fields,
  };
}

function pasted(text: string): Result[] {
  return readPasted(text).servers.map(({ name, enabled, server, extra }) =>
    resultOf(name, enabled, server, extra),
  );
}

function written(text: string): Result[] {
  return readEntries(text).map(({ name, enabled, server, fields }) =>
    resultOf(name, enabled, server, fields ?? new Map()),
  );
}

/**
 * Codes of problems with the words of other programs. Ambiguous ones are not
 * fixed without asking.
 */
const words: readonly ProblemCode[] = [
  'otherContainer',
  'foreignTarget',
  'foreignKey',
  'typeForTransport',
  'disabledForEnabled',
  'commandIsList',
  'badValue',
  'badType',
  'unknownTransport',
  'enabledIsNoBoolean',
  'timeoutInSeconds',
  'impliedTransport',
];

/**
 * The text with all that is certain fixed, and then with the first fix of each
 * word of another program.
 */
function fixed(text: string): string {
  for (let now = text, step = 0; ; step++) {
    assert(step < 50, now);
    now = fixAll(now);
    const [fix] = findProblems(now).flatMap(({ code, fixes }) =>
      words.includes(code) ? fixes().slice(0, 1) : [],
    );
    if (!fix) return now;
    now = withEdits(now, fix.edits);
  }
}

function agree(text: string, expected: readonly Result[]): void {
  assert.deepEqual(pasted(text), expected, `pasted: ${text}`);
  const after = fixed(text);
  assert.deepEqual(written(after), expected, `fixed: ${text}\n${after}`);
}

const file = (entry: Fields) => JSON.stringify({ mcpServers: { a: entry } });
const targets: Readonly<Record<ServerKind, OwnKey>> = {
  local: 'command',
  remote: 'url',
};
const keys = ([...ownKeys] as OwnKey[]).filter(
  (key) => samples[key].length > 0 || key === 'transport',
);
const kindsOf = (own: OwnKey): readonly ServerKind[] => {
  const kind = kindOfKey(own);
  return kind ? [kind] : ['local', 'remote'];
};

describe('a key or value of another program', () => {
  for (const own of keys) {
    for (const { key, value, ours } of examplesOf(own)) {
      it(`gives the same server when pasted and when fixed: ${JSON.stringify({ [key]: value })}`, () => {
        for (const kind of kindsOf(own)) {
          if (
            own === 'transport' &&
            (ours.transport === 'stdio') !== (kind === 'local')
          )
            continue;
          // If the target is a URL that implies another transport.
          const target =
            samples[targets[kind]].at(own === 'transport' ? -1 : 0) ?? null;
          const rest = targets[kind] === own ? {} : { [targets[kind]]: target };
          agree(
            file({ ...rest, [key]: value }),
            written(file({ ...rest, ...ours })),
          );
        }
      });
    }
  }

  it('has an example if its value is translated or implies a transport', () => {
    const keys = new Set(examples.map(({ key }) => key));
    for (const [key, { translate, transport }] of foreignKeys) {
      if (translate ?? transport) assert(keys.has(key), key);
    }
  });
});

/**
 * A configuration in which a key leads to these servers, in all ways in which
 * it can.
 */
function configurationsOf(key: string, servers: Fields): Fields[] {
  switch (serverContainers.get(key)?.holds) {
    case 'configuration':
      return [
        { [key]: servers },
        { [key]: { servers } },
        { [key]: { mcpServers: servers } },
      ];
    case 'configurations':
      return [{ [key]: { '/p': { mcpServers: servers } } }];
    case 'servers':
    case undefined:
      return [{ [key]: servers }];
  }
}

const ours: Fields = {
  local: { command: 'npx' },
  remote: { url: 'https://h.example/mcp' },
};

describe('a list of servers under the key of another program', () => {
  for (const key of serverContainers.keys()) {
    for (const spelled of new Set([
      key,
      key.toUpperCase(),
      key.replace(/[-_.]/g, '-'),
    ])) {
      it(`gives the same servers when pasted and when fixed: ${spelled}`, () => {
        for (const configuration of configurationsOf(key, ours)) {
          const text = JSON.stringify(configuration).replaceAll(
            JSON.stringify(key),
            JSON.stringify(spelled),
          );
          agree(text, written(JSON.stringify({ mcpServers: ours })));
        }
      });
    }
  }

  it('gives the same servers when pasted and when fixed at the root', () => {
    for (const entry of [...examplesOf('command'), ...examplesOf('url')].map(
      ({ key, value }) => ({
        [key]: value,
      }),
    )) {
      agree(JSON.stringify({ a: entry }), pasted(file(entry)));
    }
  });
});

/**
 * An entry with each of our keys under any spelling or not at all, beside keys
 * that only other programs have.
 */
const entries = fc.constantFrom<ServerKind>('local', 'remote').chain((kind) => {
  const fields = keys
    .filter((own) => kindsOf(own).includes(kind))
    .map((own) => {
      const some = examplesOf(own).filter(
        ({ ours }) =>
          own !== 'transport' ||
          (ours.transport === 'stdio') === (kind === 'local'),
      );
      const one = fc.constantFrom(
        ...some.map(({ key, value }) => ({ [key]: value })),
      );
      return own === targets[kind] ? one : fc.option(one, { nil: {} });
    });
  const others = fc
    .subarray([...ignoredKeys.keys()])
    .map((keys) => Object.fromEntries(keys.map((key) => [key, 'x'])));
  return fc
    .tuple(others, ...fields)
    .chain((parts) => fc.shuffledSubarray(parts, { minLength: parts.length }))
    .map((parts): Fields => {
      const entry = Object.assign({}, ...parts) as Fields;
      // Zed has the arguments and the variables in the command itself, and
      // nowhere else.
      const { command } = entry;
      const isWhole =
        typeof command === 'object' &&
        command !== null &&
        !Array.isArray(command);
      const others = isWhole
        ? [...spellingsOf('args'), ...spellingsOf('env')]
        : [];
      return Object.fromEntries(
        Object.entries(entry).filter(([key]) => !others.includes(key)),
      );
    });
});

describe('a configuration of another program', () => {
  it('gives the same servers for random entries, pasted or fixed', () => {
    const places = fc.constantFrom(...serverContainers.keys());
    fc.assert(
      fc.property(
        places,
        fc.array(entries, { minLength: 1, maxLength: 3 }),
        (key, all) => {
          const servers = Object.fromEntries(
            all.map((entry, i) => [`s${i}`, entry]),
          );
          for (const configuration of configurationsOf(key, servers)) {
            const text = JSON.stringify(configuration);
            agree(text, pasted(text));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('decides by its key whether a command is a server or a hook', () => {
    const text = '{"mcp": {"s0": {"type": "command", "command": "npx"}}}';
    const found = pasted(text);
    assert.equal(found.length, 1);
    agree(text, found);
    assert.throws(
      () => pasted(text.replace('mcp', 'statusLine')),
      /No MCP server was found/,
    );
  });
});
