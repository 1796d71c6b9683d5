/** Texts that have no secret in them, made by rule. */
import { commands } from './commands.ts';
import { type Command, wrappers } from './wrappers.ts';

/** A command, a URL, or any text. */
export type Harmless =
  Command | { readonly url: string } | { readonly text: string };

const call = (command: string, ...args: readonly string[]): Command => ({
  command,
  args,
});

const variables = [
  ...[
    'LOG_LEVEL=debug',
    'FASTMCP_LOG_LEVEL=ERROR',
    'NODE_ENV=production',
    'PORT=3000',
    'HOST=0.0.0.0',
    'DEBUG=true',
  ],
  ...[
    'TZ=Europe/Berlin',
    'LANG=en_US.UTF-8',
    'HOME=/srv/me',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'CI=1',
  ],
  ...[
    'AWS_REGION=eu-central-1',
    'AWS_PROFILE=default',
    'MODEL=gpt-4o-mini',
    'QDRANT_URL=http://localhost:6333',
  ],
  ...[
    'EMBEDDING_MODEL=sentence-transformers/all-MiniLM-L6-v2',
    'COLLECTION_NAME=code-repository',
    'TIMEOUT=30',
  ],
  ...[
    'TASK_MASTER_TOOLS=get_tasks,next_task',
    'SENTRY_DISABLED=false',
    'PYTHONUNBUFFERED=1',
    'READ_ONLY=true',
  ],
  ...[
    'SSL_CERT_FILE=/etc/ssl/certs/ca.pem',
    'GOOGLE_APPLICATION_CREDENTIALS=/srv/me/google.json',
    'MAX_TOKENS=4096',
  ],
  ...[
    'TRANSPORT_MODE=streamable-http',
    'NO_COLOR=1',
    'GIT_CONFIG_GLOBAL=/dev/null',
    'DATABASE_NAME=shop',
  ],
];

const settings = variables.flatMap((pair) => [
  call('docker', 'run', '-i', '--rm', '-e', pair, 'acme/server'),
  call('docker', 'run', '-i', '--rm', `--env=${pair}`, 'acme/server'),
  call('env', pair, 'npx', '-y', 'server'),
  call('sh', '-c', `${pair} npx -y server`),
  call('bash', '-lc', `export ${pair}; exec npx -y server`),
]);

const references = [
  ...[
    '${API_KEY}',
    '$API_KEY',
    '${env:API_KEY}',
    '${input:api-key}',
    '%API_KEY%',
    '{{API_KEY}}',
    '$env:API_KEY',
  ],
  ...[
    '${{ secrets.API_KEY }}',
    '<your-api-key>',
    '$(cat /run/secrets/key)',
    'YOUR_API_KEY',
  ],
].flatMap((reference) => [
  call('npx', '-y', 'server', '--api-key', reference),
  call('npx', '-y', 'server', `--token=${reference}`),
  call('docker', 'run', '-e', `API_KEY=${reference}`, 'acme/server'),
  call(
    'npx',
    'mcp-remote',
    'https://example.com/mcp',
    '--header',
    `Authorization: Bearer ${reference}`,
  ),
  call(
    'npx',
    'mcp-remote',
    'https://example.com/mcp',
    '--header',
    `X-Api-Key:${reference}`,
  ),
  call('sh', '-c', `npx -y server --password "${reference}"`),
  call('wrapper', '--config', JSON.stringify({ apiKey: reference })),
]);

const otherOptions = [
  ...[
    '--primary-key id',
    '--foreign-key user_id',
    '--sort-key=created_at',
    '--partition-key tenant',
    '--row-key=id',
  ],
  ...[
    '--public-key /etc/ssl/key.pem',
    '--private-key ~/.ssh/id.pem',
    '--key-file ./key.pem',
    '--max-tokens 4096',
  ],
  ...[
    '--max-output-tokens=1000',
    '--maxTokens 5',
    '--token-limit 100',
    '--no-auth /srv',
    '--auth oauth',
    '--auth none',
  ],
  ...[
    '--authentication azcli',
    '--compat true',
    '--bypass cache',
    '--author me',
    '--keyboard us',
    '--passthrough a',
  ],
  ...[
    '--password-stdin -y',
    '--monkey patch',
    '--tokenizer bert',
    '--hotkey f5',
    '--key-id main',
    '--signal TERM',
  ],
  ...[
    '--config config.json',
    '--cluster_endpoint id.dsql.us-east-1.on.aws',
    '--user 1000:1000',
    '-u node:node',
  ],
  ...[
    '-p 8080:8080',
    '-t stdio',
    '-k 5',
    '-v data:/app/data',
    '--add-host host.docker.internal:host-gateway',
  ],
].flatMap((line) => [
  call('npx', '-y', 'server', ...line.split(' ')),
  call('sh', '-c', `npx -y server ${line}`),
  call(`npx -y server ${line}`),
]);

const urls = [
  ...[
    'https://example.com/mcp',
    'http://localhost:8080/sse',
    'https://huggingface.co/mcp?login',
  ],
  ...[
    'https://mcp.example.com/mcp?read_only=true',
    'https://mcp.example.com/mcp?project_ref=abcdefgh&read_only=true',
  ],
  ...[
    'https://mcp.example.com/mcp?features=docs,database&limit=100&page=2',
    'https://h.example/mcp?version=1.2.3',
  ],
  ...[
    'https://h.example/mcp?api_key=${API_KEY}',
    'https://h.example/mcp?lang=en-US&mode=fast&debug=1',
  ],
  ...[
    'https://${HOST}/mcp',
    'https://gitmcp.io/acme/widgets',
    'https://example.com:8443/v1/projects/12345/mcp',
  ],
  ...[
    'https://learn.example.com/api/mcp?view=2&format=json',
    'https://h.example/@scope/server@1.2.3/mcp',
  ],
].flatMap((url): Harmless[] => [
  { url },
  call('npx', '-y', 'mcp-remote', url),
  { text: `See ${url}.` },
]);

const names = [
  'mcp-server',
  '@acme/mcp-server',
  'awslabs.core-mcp-server',
  'server-for-node20-linux-x64',
];
const versions = [
  '',
  '@latest',
  '@1.2.3',
  '@2024.11.25',
  '@0.1.0-beta.3+build.5',
  '@^2',
];
const packages = names.flatMap((name) =>
  versions.map((version) =>
    call('npx', '-y', `${name}${version}`, '--verbose'),
  ),
);

const digest =
  'd2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26';
const commit = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';
const others = [
  ...[
    'ghcr.io/acme/server:v1.2.3-alpine3.19',
    `acme/server@sha256:${digest}`,
    `server:1.2@sha256:${digest}`,
  ],
  ...[
    `git+https://github.com/acme/server@${commit}`,
    `github:acme/server#${commit}`,
    'git+ssh://git@github.com/acme/x.git',
  ],
  ...[
    'git+https://github.com/acme/server@main#subdirectory=src/server',
    'claude-3-5-sonnet-20241022',
    'gpt-4o-2024-08-06',
  ],
  ...[
    'anthropic.claude-3-5-sonnet-20241022-v2:0',
    'meta-llama/Llama-3.3-70B-Instruct',
    'text-embedding-3-large',
  ],
  ...[
    'Qwen2.5-Coder-32B-Instruct',
    'pplx-7b-online',
    'google/imagen-3',
    '/srv/me/My Documents/projects-2024/v2',
    './dist/index.js',
  ],
  ...[
    String.raw`C:\Program Files\nodejs\npx.cmd`,
    '~/.config/agent/servers.json',
    'hf_transfer',
    'npm_config_yes=true',
  ],
  ...[
    'x86_64-unknown-linux-gnu',
    'arn:aws:s3:::my-bucket/folder',
    'us-east-1',
    '2026-11-22T10:00:00Z',
    '192.168.1.10:8080',
  ],
  ...[
    'sk-learn-tools',
    'my_very_long_function_name_with_words',
    'MyVeryLongClassName',
    'a1b2c3d',
    'sha256',
    '127.0.0.1',
  ],
].flatMap((word): Harmless[] => [
  call('npx', '-y', 'server', word),
  { text: `Starting ${word} now` },
]);

const sentences = [
  'Token expired',
  'The token has expired, and a new one is needed.',
  'Bearer token is missing',
  'Bearer authentication is required',
  'Basic authentication is required',
  'Basic checks have passed',
  'The option --api-key is required',
  'Use --token or --password',
  'Invalid API key',
  'GITHUB_TOKEN is not set',
  'Repository "acme/widgets" was not found',
  'Could not pull ghcr.io/acme/runtime:0.62-nikolaik: manifest unknown',
  'The sandbox ended with exit code 137 (OOMKilled)',
  'limit: Input should be less than or equal to 100',
  'KeyError: name',
  'connect ECONNREFUSED 127.0.0.1:3000',
  'Set API_KEY in your environment.',
  'max_tokens: 4096',
  '{"read_only": true, "log_level": "debug", "max_tokens": 100}',
  'auth: none',
  'Please authenticate with `gh auth login` first.',
  'Rate limit reached: 5000 requests per hour',
  'cannot read property "key" of undefined',
  'A primary key: id',
].map((text): Harmless => ({ text }));

const wrapped = commands.flatMap((words, index) =>
  wrappers
    .filter((_, i) => i % 5 === index % 5)
    .map((wrap) => wrap(words, ['LOG_LEVEL=debug'])),
);

export const harmless: readonly Harmless[] = [
  ...settings,
  ...references,
  ...otherOptions,
  ...urls,
  ...packages,
  ...others,
  ...sentences,
  ...wrapped,
];
