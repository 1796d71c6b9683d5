/**
 * Random files, made by rule from the format and what is near to it: each field
 * with each kind of value, the keys of other programs, servers in odd places,
 * and slips of the pen. The same seed gives the same files.
 */
import { createHash } from 'node:crypto';
import { Tape } from '../support/configTexts.ts';
import { slipIn } from './slips.ts';

export function randomFiles(count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    drawFile(randomTape(`${seed} ${i}`)),
  );
}

export function randomTape(seed: string): Tape {
  return new Tape(
    createHash('shake256', { outputLength: 2048 }).update(seed).digest(),
  );
}

type Members = readonly (readonly [name: string, value: string])[];
type Draw = (tape: Tape) => string;

const text = (value: string) => JSON.stringify(value);

function oneOf(...values: [string, ...string[]]): Draw {
  return (tape) => tape.pick(values);
}

/** An object on one line or on several. */
function object(tape: Tape, members: Members): string {
  const parts = members.map(([name, value]) => `${text(name)}: ${value}`);
  if (parts.length === 0) return '{}';
  return tape.once(3)
    ? `{ ${parts.join(', ')} }`
    : `{\n${parts.join(',\n')}\n}`;
}

const several = (tape: Tape, most: number, draw: Draw) =>
  `[${Array.from({ length: tape.below(most + 1) }, () => draw(tape)).join(', ')}]`;

const word = oneOf(
  '"x"',
  '"npx"',
  '"-y"',
  '"a b"',
  '"${HOME}"',
  '"${A:-b}"',
  '""',
  '"\\u00e9\\n"',
  '" "',
);

/** A value of any kind, whatever the key asks for. */
const anything: Draw = (tape) => {
  const kinds: readonly [() => string, ...(() => string)[]] = [
    () => tape.pick(['null', 'true', 'false']),
    () =>
      tape.pick([
        '0',
        '1',
        '30',
        '30000',
        '-1',
        '-0',
        '1.0',
        '1.5',
        '1e3',
        '-2.5e-3',
      ]),
    () =>
      tape.pick([
        '12345678901234567890',
        '9223372036854775808',
        '1e400',
        '0.1e1',
        '1E+2',
      ]),
    () =>
      tape.pick([
        '""',
        '" "',
        '"x"',
        '"null"',
        '"oauth"',
        '"stdio"',
        '"http"',
        '"[]"',
        '"https://h/mcp"',
      ]),
    () =>
      tape.pick([
        '"true"',
        '"false"',
        '"yes"',
        '"No"',
        '"on"',
        '"OFF"',
        '"1"',
        '"0"',
        '"t"',
        '"disabled"',
      ]),
    () =>
      tape.pick([
        '"30000"',
        '"30_000"',
        '" 30 "',
        '"30.0"',
        '"1.5"',
        '"1e3"',
        '"-1"',
        '"+5"',
        '"0x10"',
        '"٣"',
      ]),
    () =>
      tape.pick([
        '"PT30S"',
        '"P1D"',
        '"-PT1M"',
        '"00:00:30"',
        '"1 day"',
        '"30s"',
        '"inf"',
        '"NaN"',
        '"PT"',
      ]),
    () => several(tape, 2, tape.once(2) ? word : anything),
    () =>
      object(tape, [
        [
          tape.pick(['a', 'A', '', 'enabled', '__proto__']),
          tape.once(3) ? anything(tape) : word(tape),
        ],
      ]),
    () => '{}',
  ];
  return tape.pick(kinds)();
};

const whole = oneOf('30000', '0', '"30000"', 'null', '60');
const record =
  (value: Draw): Draw =>
  (tape) =>
    object(
      tape,
      Array.from({ length: tape.below(3) }, () => [
        tape.pick(['API_KEY', 'A', 'Authorization', 'X-A', 'a b', '', '${A}']),
        value(tape),
      ]),
    );

const toolChanges: Draw = (tape) =>
  object(tape, [[tape.pick(['echo', 'a', '']), record(anything)(tape)]]);
const tool = oneOf(
  '{"enabled": false}',
  '{"name": "b"}',
  '{"description": "d", "tags": ["t"]}',
  '{"arguments": {}}',
  '{}',
);

/** Valid values of each field. */
const common: Readonly<Record<string, Draw>> = {
  enabled: oneOf('true', 'false'),
  timeout: whole,
  description: oneOf('"d"', 'null', '""'),
  icon: oneOf('"i.png"', 'null'),
  authentication: oneOf('{}', 'null', '{"type": "oauth"}'),
  tools: (tape) =>
    tape.once(3) ? toolChanges(tape) : object(tape, [['echo', tool(tape)]]),
  include_tags: (tape) => tape.pick(['null', '["a"]', '[]', '["a", "a"]']),
  exclude_tags: (tape) => tape.pick(['null', '["a"]', '[]']),
};

const localFields: Readonly<Record<string, Draw>> = {
  args: (tape) => several(tape, 3, word),
  env: record(word),
  cwd: oneOf('"/srv"', '"~/x"', 'null', '""'),
  transport: oneOf('"stdio"', '"stdio"', '"http"'),
  type: oneOf('"stdio"', 'null', '"stdio"', '"local"'),
  keep_alive: oneOf('true', 'false', 'null', '"yes"'),
  ...common,
};

const remoteFields: Readonly<Record<string, Draw>> = {
  transport: oneOf(
    '"http"',
    '"sse"',
    '"streamable-http"',
    'null',
    '"streamableHttp"',
    '"stdio"',
  ),
  type: oneOf('"http"', '"sse"', '"streamableHttp"', '"remote"', 'null'),
  headers: record(word),
  auth: oneOf('"oauth"', '"token"', 'null', '""'),
  sse_read_timeout: oneOf('30', '1.5', '"PT30S"', 'null', '"30"'),
  max_sse_event_size: oneOf('1048576', '0', '"2048"', 'null', 'true'),
  ...common,
};

/**
 * Keys of other programs, misspelled ones, and names that are something else in
 * the programs themselves.
 */
const foreign = [
  ...[
    'disabled',
    'autoApprove',
    'alwaysAllow',
    'trust',
    'includeTools',
    'excludeTools',
    'enabled_tools',
  ],
  ...[
    'serverUrl',
    'httpUrl',
    'cmd',
    'arguments',
    'environment',
    'envFile',
    'http_headers',
    'oauth',
    'api_key',
  ],
  ...[
    'startup_timeout_sec',
    'bearer_token_env_var',
    'name',
    'id',
    'source',
    'Command',
    'arg',
    'enviroment',
    'uri',
  ],
  ...[
    '$schema',
    '',
    '__proto__',
    'constructor',
    'model_config',
    'mcpServers',
    'x',
    'to_transport',
    'url ',
    'copy',
  ],
] as const;

const command = oneOf(
  '"npx"',
  '"uvx"',
  '"/usr/bin/x"',
  '"npx -y a"',
  '""',
  '"${CMD:-npx}"',
);
const url = oneOf(
  ...([
    '"https://h.example/mcp"',
    '"http://127.0.0.1:8000/sse"',
    '"https://h/sse?a=b"',
    '"h.example"',
  ] as const),
  ...([
    '"ftp://h/x"',
    '""',
    '"${URL}"',
    '"https://h h/"',
    '"HTTPS://H/MCP"',
  ] as const),
);

function drawServer(tape: Tape): string {
  const kind = tape.below(16);
  if (kind === 15) return anything(tape);
  const hasCommand = kind < 8 || kind === 14;
  const hasUrl = (kind >= 8 && kind < 13) || kind === 14;
  const isOdd = () => tape.once(12);
  const members: [string, string][] = [];
  if (hasCommand)
    members.push(['command', isOdd() ? anything(tape) : command(tape)]);
  if (hasUrl) members.push(['url', isOdd() ? anything(tape) : url(tape)]);
  for (let count = tape.below(5); count > 0; count--) {
    const isLocal = hasCommand !== tape.once(10);
    const fields = isLocal ? localFields : remoteFields;
    const names = Object.keys(fields) as [string, ...string[]];
    const name = tape.once(5) ? tape.pick(foreign) : tape.pick(names);
    const value = tape.once(8)
      ? anything
      : ((Object.hasOwn(fields, name) ? fields[name] : undefined) ?? anything);
    // Now and then a key is there twice.
    if (tape.once(30) || !members.some(([key]) => key === name)) {
      members.splice(tape.below(members.length + 1), 0, [name, value(tape)]);
    }
  }
  return object(tape, members);
}

function drawServers(tape: Tape): Members {
  const names = [
    'a',
    'b',
    'c',
    'my server',
    '',
    '__proto__',
    'command',
    'mcpServers',
    'Ünï',
    'a.b',
    '${A}',
  ] as const;
  const count = tape.pick([1, 1, 2, 3, 0]);
  return Array.from({ length: count }, () => [
    tape.once(3) ? tape.pick(names) : tape.pick(['a', 'b', 'c']),
    drawServer(tape),
  ]);
}

const otherContainers = [
  'servers',
  'mcp',
  'context_servers',
  'mcp_servers',
  'mcpservers',
  'mcpServer',
] as const;

function drawRoot(tape: Tape): string {
  const beside: [string, string] = [
    tape.pick([
      '$schema',
      'inputs',
      'theme',
      'servers',
      'mcp',
      'MCPServers',
      'command',
      '__proto__',
    ]),
    tape.once(2) ? oneOf('"x"', '[]', '1', 'null')(tape) : anything(tape),
  ];
  const servers = (): [string, string] => [
    'mcpServers',
    object(tape, drawServers(tape)),
  ];
  switch (tape.below(16)) {
    case 15:
      return oneOf(
        '',
        ' ',
        '\n\n',
        '{}',
        'null',
        '[]',
        '"x"',
        '1',
        'true',
        '[{}]',
        '\uFEFF',
        '{"a": 1}',
      )(tape);
    case 14:
      return object(tape, drawServers(tape));
    case 13:
      return object(tape, [beside, ...drawServers(tape)]);
    case 12:
      return object(tape, [['mcpServers', anything(tape)]]);
    case 11:
      return object(tape, [
        [tape.pick(otherContainers), object(tape, drawServers(tape))],
      ]);
    case 10:
      return object(tape, [servers(), beside]);
    case 9:
      return object(tape, [beside, servers()]);
    case 8:
      return object(tape, [
        tape.once(2) ? ['mcpServers', anything(tape)] : servers(),
        servers(),
      ]);
    default:
      return object(tape, [servers()]);
  }
}

function drawFile(tape: Tape): string {
  const file = drawRoot(tape);
  return tape.once(6) ? slipIn(file, tape) : file;
}
