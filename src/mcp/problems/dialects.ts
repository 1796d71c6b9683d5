/** The keys of a server that our reader knows, and those that only other programs do. */
import { words } from '../../base/l10n.ts';

export type Kind = 'local' | 'remote';

export type ValueType = 'string' | 'strings' | 'record' | 'boolean' | 'number';

interface Known {
  readonly type: ValueType;
  readonly kind?: Kind;
}

/** What the reader takes, with the kind of server that a key is for. */
export const known: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['command', { type: 'string' }],
  ['args', { type: 'strings', kind: 'local' }],
  ['env', { type: 'record', kind: 'local' }],
  ['cwd', { type: 'string', kind: 'local' }],
  ['url', { type: 'string' }],
  ['headers', { type: 'record', kind: 'remote' }],
  ['auth', { type: 'string', kind: 'remote' }],
  ['sse_read_timeout', { type: 'number', kind: 'remote' }],
  ['transport', { type: 'string' }],
  ['enabled', { type: 'boolean' }],
  ['timeout', { type: 'number' }],
  ['description', { type: 'string' }],
  ['icon', { type: 'string' }],
]);

export type Renamed = 'url' | 'command' | 'args' | 'env' | 'headers';

/** What other programs call it, and what it is called here. */
export const renames: ReadonlyMap<string, Renamed> = new Map<string, Renamed>([
  ['serverUrl', 'url'],
  ['httpUrl', 'url'],
  ['cmd', 'command'],
  ['arguments', 'args'],
  ['environment', 'env'],
  ['http_headers', 'headers'],
  ['httpHeaders', 'headers'],
]);

/** What to do instead of what other programs have and ours has not. */
export const advice = words({
  env: 'Write the variables into "env".',
  headers: 'Write the headers into "headers".',
  auth: 'Write the token into "auth".',
  approval: 'What agents may do without asking is decided elsewhere.',
  tools: 'Agents get all tools of a server.',
  timeout: 'Set "timeout", in milliseconds.',
  inputs: 'Write the values into the server.',
});

/** What other programs have and ours has not, with the advice about it. */
export const ignored: ReadonlyMap<string, keyof typeof advice> = new Map([
  ...['envFile', 'env_file', 'env_vars'].map((key): Row => [key, 'env']),
  ['env_http_headers', 'headers'],
  ['bearer_token_env_var', 'auth'],
  ...['alwaysAllow', 'autoApprove', 'trust', 'alwaysLoad'].map((key): Row => [key, 'approval']),
  ...['includeTools', 'excludeTools', 'enabled_tools', 'disabled_tools', 'disabledTools', 'tools'].map(
    (key): Row => [key, 'tools'],
  ),
  ...['startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec', 'initTimeout'].map((key): Row => [
    key,
    'timeout',
  ]),
  ['inputs', 'inputs'],
]);

type Row = [string, keyof typeof advice];

/** What other programs call the transports. */
export function transportOf(word: string): 'stdio' | 'http' | 'sse' | undefined {
  switch (word.toLowerCase().replace(/[-_\s]/g, '')) {
    case 'stdio':
    case 'local':
    case 'command':
      return 'stdio';
    case 'http':
    case 'https':
    case 'streamablehttp':
    case 'httpstream':
    case 'httpstreamable':
    case 'streamable':
    case 'remote':
      return 'http';
    case 'sse':
      return 'sse';
    default:
      return undefined;
  }
}
