import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The folders of src/, and the folders that each may import from. Everything else is forbidden. */
const rooms = {
  base: [],
  service: ['base'],
  mcp: ['base'],
  files: ['base', 'mcp'],
  probe: ['base', 'mcp'],
  state: ['base', 'service', 'mcp', 'files', 'probe'],
  takeOver: ['base', 'service'],
  demo: ['base', 'service'],
  protocol: [],
  webview: ['protocol'],
  editor: ['base', 'service', 'mcp', 'files', 'probe', 'state', 'takeOver', 'demo', 'protocol'],
  terminal: ['base', 'mcp', 'files', 'probe'],
};

/** Forbids all imports in `files` that match `regex`: static, dynamic and type-only. */
function forbid(files, ...bans) {
  const escaped = (regex) => regex.replaceAll('/', '\\u002F');
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns: bans }],
      'no-restricted-syntax': [
        'error',
        ...bans.flatMap(({ regex, message }) => [
          { selector: `ImportExpression > Literal[value=/${escaped(regex)}/]`, message },
          { selector: `TSImportType Literal[value=/${escaped(regex)}/]`, message },
        ]),
      ],
    },
  };
}

const editorOnly = { regex: '^vscode$', message: 'Only src/editor/ and src/extension.ts may import vscode.' };

function oneWay([room, allowed]) {
  const others = Object.keys(rooms).filter((other) => other !== room && !allowed.includes(other));
  return forbid(
    [`src/${room}/**`],
    {
      regex: `^(\\.\\./)+(${[...others, 'extension', 'cli'].join('|')})(/|\\.)`,
      message: `src/${room}/ may import from: ${allowed.join(', ') || 'nothing else'}.`,
    },
    ...(room === 'editor' ? [] : [editorOnly]),
  );
}

const waits = 'Tests wait for a condition: use test/support/eventually.ts, or pass a clock and advance it.';

/** Forbids timers. `files` are patterns; those in `timed` have a reason to use one. */
function forbidTimers(files, timed) {
  const modules = ['node:timers', 'timers', 'node:timers/promises', 'timers/promises'];
  const importNames = ['setTimeout', 'setInterval', 'scheduler', 'default'];
  return {
    files,
    ignores: Object.keys(timed),
    rules: {
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval'].map((name) => ({ name, message: waits })),
      ],
      'no-restricted-imports': [
        'error',
        { paths: modules.map((name) => ({ name, importNames, message: waits })) },
      ],
      'no-restricted-properties': [
        'error',
        { property: 'waitForTimeout', message: waits },
        { object: 'AbortSignal', property: 'timeout', message: waits },
        ...['globalThis', 'global', 'window'].flatMap((object) =>
          ['setTimeout', 'setInterval'].map((property) => ({ object, property, message: waits })),
        ),
      ],
    },
  };
}

/** The tests that may use timers, and why. */
const timed = {
  'test/support/eventually.ts': 'the helper that waits for a condition',
  'test/support/demo/idleConnections.ts': 'closes connections after a time',
  'test/support/servers/**': 'programs that tests start: servers that are slow or never end',
  'test/support/files/{killing,overwriter}.ts':
    'programs that tests start: writers that compete and are killed',
  'test/host/**': 'kills processes after a limit',
  'test/bench/**': 'measures time',
  'test/ui/skipTimeExtension.ts': 'lets a test skip the time of a window',
  'test/real/services.ts': 'gives up on a service that does not answer at its start',
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
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['test/**', '*.mjs', 'build/*.mjs'], rules: { 'no-console': 'off' } },
  { files: ['*.mjs', 'build/*.mjs'], ...tseslint.configs.disableTypeChecked },
  ...Object.entries(rooms).map(oneWay),
  forbid(['src/cli.ts'], editorOnly),
  forbid(
    ['src/editor/words/**'],
    { regex: '^vscode$', message: 'src/editor/words/ must not import vscode.' },
    {
      regex: '^(\\.\\./)+(terminal|extension|cli)(/|\\.)|^\\.\\./(?!manifest\\.ts)\\w',
      message: 'src/editor/words/ must not import other parts of the editor.',
    },
  ),
  {
    files: ['src/**'],
    ignores: ['src/editor/asking/messages.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'Notification'].map(
          (property) => ({
            property,
            message: 'Only src/editor/asking/messages.ts shows messages: it keeps links out of them.',
          }),
        ),
      ],
    },
  },
  forbidTimers(['test/**/*.ts'], timed),
);
