import { posix } from 'node:path';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The folders of src/, and the folders that each may import from. Everything
 * else is forbidden.
 */
const rooms = {
  base: [],
  service: ['base'],
  mcp: ['base'],
  files: ['base', 'mcp'],
  probe: ['base', 'mcp'],
  localServer: ['base', 'service', 'files', 'probe'],
  state: ['base', 'service', 'mcp', 'files', 'probe'],
  takeOver: ['base', 'service'],
  demo: ['base', 'service'],
  protocol: [],
  webview: ['protocol'],
  editor: [
    'base',
    'service',
    'mcp',
    'files',
    'probe',
    'localServer',
    'state',
    'takeOver',
    'demo',
    'protocol',
  ],
  terminal: ['base', 'mcp', 'files', 'probe'],
};

/**
 * The folders inside a room, and those of the same room that each may import
 * from, with the folders in them. `.` is the files of the room itself.
 */
const folders = {
  base: {
    '.': [],
    masks: ['.'],
  },
  service: {
    model: [],
    http: ['model'],
    records: ['model', 'http'],
    abilities: ['model', 'http', 'records'],
    git: ['http', 'abilities'],
    agentServer: ['model', 'http', 'records', 'abilities', 'git'],
    v1: ['model', 'http', 'records', 'abilities', 'agentServer'],
    v0: ['model', 'http', 'records', 'abilities', 'v1'],
    '.': ['model', 'http', 'abilities', 'agentServer', 'v1', 'v0'],
  },
  demo: {
    wire: [],
    world: ['wire'],
    toolServers: ['wire'],
    agentServer: ['wire', 'world', 'toolServers'],
    routes: ['wire', 'world', 'toolServers', 'agentServer'],
    '.': ['wire', 'world', 'toolServers', 'agentServer', 'routes'],
  },
  mcp: {
    text: [],
    dialects: ['text'],
    format: ['text', 'dialects'],
    cli: ['text', 'dialects', 'format'],
    edit: ['text', 'format'],
    pasted: ['text', 'dialects', 'format', 'cli'],
    problems: ['text', 'dialects', 'format', 'cli', 'edit'],
  },
  state: {
    lists: [],
    transcript: [],
    costs: ['lists', 'conversation', 'steering'],
    mcpServers: [],
    newConversation: [],
    sandboxes: ['lists'],
    conversation: ['lists', 'transcript'],
    steering: ['lists', 'transcript', 'conversation'],
    approvalRules: ['transcript', 'steering'],
    changes: ['lists', 'conversation'],
    '.': [
      'lists',
      'transcript',
      'costs',
      'mcpServers',
      'newConversation',
      'sandboxes',
      'conversation',
      'steering',
      'approvalRules',
      'changes',
    ],
  },
  editor: {
    '.': [],
    words: ['.'],
    'words/conversations': ['words'],
    'words/mcpServers': ['words', 'words/conversations'],
    ui: ['.', 'words'],
    approvals: ['.', 'words', 'ui'],
    services: ['.', 'words', 'ui'],
    models: ['words', 'ui', 'services'],
    sandboxes: ['.', 'words', 'ui', 'services'],
    'conversations/new': [
      '.',
      'words',
      'ui',
      'approvals',
      'services',
      'models',
      'sandboxes',
    ],
    'conversations/page': [
      '.',
      'words',
      'ui',
      'approvals',
      'services',
      'sandboxes',
      'conversations/new',
    ],
    conversations: [
      '.',
      'words',
      'ui',
      'approvals',
      'services',
      'models',
      'sandboxes',
      'conversations/page',
      'conversations/new',
    ],
    changes: ['.', 'words', 'ui', 'sandboxes', 'conversations'],
    takeOver: ['.', 'words', 'ui', 'services', 'conversations', 'changes'],
    mcpJson: ['.', 'words', 'ui'],
    'mcpServers/ofFile': ['.', 'words', 'ui', 'mcpJson'],
    'mcpServers/add': ['words', 'ui', 'mcpServers/ofFile'],
    'mcpServers/check': ['.', 'words', 'ui', 'mcpServers/ofFile'],
    'mcpServers/ofServices': [
      '.',
      'words',
      'ui',
      'services',
      'mcpServers/ofFile',
      'mcpServers/add',
    ],
    mcpServers: [
      ...['.', 'words', 'ui', 'services', 'mcpJson'],
      ...[
        'mcpServers/ofFile',
        'mcpServers/add',
        'mcpServers/check',
        'mcpServers/ofServices',
      ],
    ],
    background: ['.', 'words', 'ui', 'services', 'conversations', 'mcpJson'],
    start: [
      ...[
        '.',
        'ui',
        'approvals',
        'services',
        'models',
        'sandboxes',
        'conversations',
        'changes',
        'takeOver',
        'mcpJson',
        'mcpServers',
      ],
      'background',
    ],
  },
};

/**
 * Forbids all imports in `files` that match `regex`: static, dynamic and
 * type-only.
 */
function forbid(files, ...bans) {
  const escaped = (regex) => regex.replaceAll('/', '\\u002F');
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns: bans }],
      'no-restricted-syntax': [
        'error',
        ...bans.flatMap(({ regex, message }) => [
          {
            selector: `ImportExpression > Literal[value=/${escaped(regex)}/]`,
            message,
          },
          {
            selector: `TSImportType Literal[value=/${escaped(regex)}/]`,
            message,
          },
        ]),
      ],
    },
  };
}

const editorOnly = {
  regex: '^vscode$',
  message: 'Only src/editor/ and src/extension.ts may import vscode.',
};

/**
 * The rows of a room and of the folders inside it. The row of a folder replaces
 * that of its room, and so repeats it.
 */
function oneWay([room, allowed]) {
  const others = Object.keys(rooms).filter(
    (other) => other !== room && !allowed.includes(other),
  );
  const bans = [
    {
      regex: `^(\\.\\./)+(${others.join('|')})/|^(\\.\\./)+(extension|cli)\\.ts$`,
      message: `src/${room}/ may import from: ${allowed.join(', ') || 'nothing else'}.`,
    },
    ...(room === 'editor' ? [] : [editorOnly]),
  ];
  const inside = Object.entries(folders[room] ?? {}).map(([folder, lower]) =>
    forbid(
      [posix.join('src', room, folder, '*')],
      ...bans,
      ...(folder.startsWith('words')
        ? [{ ...editorOnly, message: `${folder} must not import vscode.` }]
        : []),
      oneWayInside(room, folder, lower),
    ),
  );
  return [forbid([`src/${room}/**`], ...bans), ...inside];
}

function oneWayInside(room, folder, lower) {
  const isIn = (inner, outer) => `${inner}/`.startsWith(`${outer}/`);
  const isAllowed = (target) =>
    target === folder ||
    lower.some(
      (each) => target === each || (isIn(target, each) && !isIn(folder, each)),
    );
  const paths = Object.keys(folders[room])
    .filter((target) => !isAllowed(target))
    .map((target) => posix.relative(folder, target));
  return {
    regex:
      `^(${paths.map((path) => (path.startsWith('.') ? path : `./${path}`)).join('|')})/[^/]+$`.replaceAll(
        '.',
        '\\.',
      ),
    message: `${posix.join('src', room, folder)}/ may import from: ${lower.join(', ') || 'nothing else'} in src/${room}/.`,
  };
}

const waits =
  'Tests wait for a condition: use test/support/eventually.ts, or pass a clock and advance it.';

/**
 * Forbids timers. `files` are patterns; those in `timed` have a reason to use
 * one.
 */
function forbidTimers(files, timed) {
  const modules = [
    'node:timers',
    'timers',
    'node:timers/promises',
    'timers/promises',
  ];
  const importNames = ['setTimeout', 'setInterval', 'scheduler', 'default'];
  return {
    files,
    ignores: Object.keys(timed),
    rules: {
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval'].map((name) => ({
          name,
          message: waits,
        })),
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: modules.map((name) => ({ name, importNames, message: waits })),
        },
      ],
      'no-restricted-properties': [
        'error',
        { property: 'waitForTimeout', message: waits },
        { object: 'AbortSignal', property: 'timeout', message: waits },
        ...['globalThis', 'global', 'window'].flatMap((object) =>
          ['setTimeout', 'setInterval'].map((property) => ({
            object,
            property,
            message: waits,
          })),
        ),
      ],
    },
  };
}

/** The tests that may use timers, and why. */
const timed = {
  'test/support/eventually.ts': 'the helper that waits for a condition',
  'test/support/demo/idleConnections.ts': 'closes connections after a time',
  'test/support/servers/**':
    'programs that tests start: servers that are slow or never end',
  'test/support/files/{killing,overwriter}.ts':
    'programs that tests start: writers that compete and are killed',
  'test/host/**': 'kills processes after a limit',
  'test/bench/**': 'measures time',
  'test/ui/skipTimeExtension.ts': 'lets a test skip the time of a window',
  'test/real/services.ts':
    'gives up on a service that does not answer at its start',
  'test/support/randomMoment.ts': 'the moments of a race',
  'test/soak/checks.test.ts': 'ends a check that takes too long',
};

export default defineConfig(
  { ignores: ['dist/', '.vscode-test/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['test/**', '*.mjs', 'build/*.mjs'],
    rules: { 'no-console': 'off' },
  },
  { files: ['*.mjs', 'build/*.mjs'], ...tseslint.configs.disableTypeChecked },
  ...Object.entries(rooms).flatMap(oneWay),
  forbid(['src/cli.ts'], editorOnly),
  {
    files: ['src/**'],
    ignores: ['src/editor/ui/messages.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...[
          'showInformationMessage',
          'showWarningMessage',
          'showErrorMessage',
          'Notification',
        ].map((property) => ({
          property,
          message:
            'Only src/editor/ui/messages.ts shows messages: it keeps links out of them.',
        })),
      ],
    },
  },
  forbidTimers(['test/**/*.ts'], timed),
);
