/**
 * Spellings of a secret in a command: an option, a variable, a header, a login,
 * an address, JSON.
 */

export interface Spelling {
  /** The arguments, and variables that are set before the command. */
  readonly spell: (secret: string) => {
    readonly args?: readonly string[];
    readonly variables?: readonly string[];
  };
  /** True if only secrets that differ from other words are found there. */
  readonly needsIssued?: boolean;
}

const names = [
  ...[
    'api-key',
    'apiKey',
    'api_key',
    'apikey',
    'API_KEY',
    'figma-api-key',
    'access-key',
    'secretKey',
    'private-key',
  ],
  ...[
    'token',
    'access-token',
    'authToken',
    'auth_token',
    'bearer-token',
    'github-personal-access-token',
    'jwt',
  ],
  ...[
    'password',
    'passwd',
    'pass',
    'pwd',
    'db-password',
    'dbpass',
    'passphrase',
    'secret',
    'client-secret',
  ],
  ...[
    'clientSecret',
    'credentials',
    'auth',
    'authorization',
    'pat',
    'signature',
    'cookie',
    'x.api.key',
    'api-key-2',
  ],
];

const options = names.flatMap((name): Spelling[] => [
  { spell: (secret) => ({ args: [`--${name}`, secret] }) },
  { spell: (secret) => ({ args: [`--${name}=${secret}`] }) },
]);

const short = ['key', 'token', 'apikey', 'password', 'pw'].flatMap(
  (name): Spelling[] => [
    { spell: (secret) => ({ args: [`-${name}`, secret] }) },
    { spell: (secret) => ({ args: [`-${name}=${secret}`] }) },
    { spell: (secret) => ({ args: [`/${name}:${secret}`] }) },
  ],
);

const variables = [
  'API_KEY',
  'GITHUB_TOKEN',
  'DB_PASSWORD',
  'MY_SECRET_2',
  'SECRET_KEY_BASE',
  'OPENAI_KEY',
].flatMap((name): Spelling[] => [
  { spell: (secret) => ({ variables: [`${name}=${secret}`] }) },
  { spell: (secret) => ({ args: ['-e', `${name}=${secret}`] }) },
  { spell: (secret) => ({ args: [`--env=${name}=${secret}`] }) },
]);

const anyVariable = [
  (secret: string) => ['-e', `FOO=${secret}`],
  (secret: string) => ['--env', `FOO=${secret}`],
  (secret: string) => [`--env=FOO=${secret}`],
  (secret: string) => [`-eFOO=${secret}`],
].map((args): Spelling => ({ spell: (secret) => ({ args: args(secret) }) }));

const headers = [
  (secret: string) => ['--header', `Authorization: Bearer ${secret}`],
  (secret: string) => ['-H', `Authorization: Bearer ${secret}`],
  (secret: string) => ['-H', `Authorization:Bearer ${secret}`],
  (secret: string) => [`--header=X-API-Key: ${secret}`],
  (secret: string) => ['-H', `X-Thing: ${secret}`],
  (secret: string) => ['-H', `Cookie: session=${secret}`],
  (secret: string) => ['--user', `me:${secret}`],
  (secret: string) => ['-u', `me:${secret}`],
  (secret: string) => [`--proxy-user=me:${secret}`],
].map((args): Spelling => ({ spell: (secret) => ({ args: args(secret) }) }));

const addresses = [
  (secret: string) => [
    '--url',
    `https://example.com/mcp?api_key=${secret}&v=1`,
  ],
  (secret: string) => [`https://example.com/mcp?key=${secret}`],
  (secret: string) => [`https://me:${secret}@example.com/mcp`],
  (secret: string) => [`https://:${secret}@example.com/mcp`],
  (secret: string) => [`https://${secret}@example.com/mcp`],
  (secret: string) => [`--dsn=postgres://me:${secret}@localhost:5432/db`],
  (secret: string) => [`redis://:${secret}@localhost:6379/0`],
  (secret: string) => [`me:${secret}@localhost:5432/db`],
  (secret: string) => [`https://example.com/mcp#${secret}`],
  (secret: string) => [`https://example.com/token=${secret}/mcp`],
].map((args): Spelling => ({
  spell: (secret) => ({ args: args(encodeURIComponent(secret)) }),
}));

const configurations = [
  (secret: string) => ['--config', JSON.stringify({ apiKey: secret, port: 1 })],
  (secret: string) => [
    '--config',
    JSON.stringify({ headers: { Authorization: `Bearer ${secret}` } }, null, 1),
  ],
  (secret: string) => [
    '--config',
    JSON.stringify({ inner: JSON.stringify({ token: secret }) }),
  ],
  (secret: string) => [
    '--args',
    JSON.stringify(['--api-key', secret, '--verbose']),
  ],
  (secret: string) => ['--args', JSON.stringify([`--token=${secret}`])],
  (secret: string) => [
    '--config',
    JSON.stringify({
      mcpServers: { a: { command: 'npx', env: { FOO: secret } } },
    }),
  ],
  (secret: string) => [
    '--config',
    JSON.stringify({ headers: { 'X-Thing': secret }, timeout: 5 }),
  ],
  (secret: string) => [
    '--connection',
    `Server=localhost;User Id=me;Password=${secret.replaceAll(/[;"']/g, '_')};Database=shop`,
  ],
  (secret: string) => ['--set', `auth.token=${secret}`],
  (secret: string) => [`--set=password=${secret}`],
  (secret: string) => ['--auth', JSON.stringify({ password: secret })],
  (secret: string) => ['--credentials', JSON.stringify(['admin', secret])],
  (secret: string) => [
    `--auth=${JSON.stringify({ user: 'bob', value: secret })}`,
  ],
].map((args): Spelling => ({ spell: (secret) => ({ args: args(secret) }) }));

const alone: readonly Spelling[] = [
  { needsIssued: true, spell: (secret) => ({ args: [secret] }) },
  { needsIssued: true, spell: (secret) => ({ args: ['-k', secret] }) },
  {
    needsIssued: true,
    spell: (secret) => ({ args: [`--whatever=${secret}`] }),
  },
  { needsIssued: true, spell: (secret) => ({ variables: [`FOO=${secret}`] }) },
  {
    needsIssued: true,
    spell: (secret) => ({
      args: [`https://example.com/s/${encodeURIComponent(secret)}/mcp`],
    }),
  },
  {
    needsIssued: true,
    spell: (secret) => ({
      args: ['--config', JSON.stringify({ anything: secret })],
    }),
  },
];

export const spellings: readonly Spelling[] = [
  ...options,
  ...short,
  ...variables,
  ...anyVariable,
  ...headers,
  ...addresses,
  ...configurations,
  ...alone,
];
