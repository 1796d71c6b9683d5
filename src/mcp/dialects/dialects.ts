/**
 * What other programs call the parts of a configuration, and what these are called here: the one table for reading what
 * people paste, for problems and their fixes, and for command lines. A new dialect is an entry here and its example in
 * dialects.test.ts.
 */
import { words } from '../../base/l10n.ts';
import {
  authOf,
  bearerIn,
  headersIn,
  inMilliseconds,
  opposite,
  referencesTo,
  switchedOff,
} from './dialectValues.ts';
import { foreignTargets, type Whose } from '../format/foreignTargets.ts';
import { meantBoolean, meantNumber, type OwnKey } from '../format/ownKeys.ts';
import type { Fields, Transport } from '../format/server.ts';
import type { Value } from '../text/values.ts';

/** Case, hyphens, underscores, dots and spaces do not count. */
function loosely(word: string): string {
  return word.toLowerCase().replace(/[-_.\s]/g, '');
}

export interface Container {
  readonly of: readonly [Whose, ...Whose[]];
  /** Its value: servers by their names; a configuration of its own, or servers; or several of these by any names. */
  readonly holds: 'servers' | 'configuration' | 'configurations';
  /** Whether the servers may also be a list. */
  readonly mayBeList?: true;
  /** Whether other things are called so as well, so that it counts only at the root of a configuration. */
  readonly isVague?: true;
  /** Whether there are other things among the servers. */
  readonly isMixed?: true;
}

/** The keys of a configuration that lead to its servers; servers are read in this order. */
export const containers: ReadonlyMap<string, Container> = new Map<string, Container>([
  [
    'mcpServers',
    {
      of: ['claude-code', 'claude-desktop', 'cursor', 'windsurf', 'gemini-cli', 'cline', 'roo-code'],
      holds: 'servers',
      mayBeList: true,
    },
  ],
  ['mcp.servers', { of: ['vscode'], holds: 'servers', mayBeList: true }],
  ['mcp_servers', { of: ['codex'], holds: 'servers', mayBeList: true }],
  // A list with this key is common elsewhere, as in descriptions of web services.
  ['servers', { of: ['vscode'], holds: 'servers', isVague: true }],
  ['context_servers', { of: ['zed'], holds: 'servers', mayBeList: true }],
  ['amp.mcpServers', { of: ['amp', 'zencoder'], holds: 'servers', mayBeList: true }],
  ['modelContextProtocolServers', { of: ['continue'], holds: 'servers', mayBeList: true }],
  ['mcpServer', { of: ['people'], holds: 'servers', mayBeList: true }],
  ['contextServer', { of: ['people'], holds: 'servers', mayBeList: true }],
  ['extensions', { of: ['goose'], holds: 'servers', mayBeList: true, isVague: true, isMixed: true }],
  ['mcp', { of: ['vscode', 'opencode'], holds: 'configuration' }],
  ['projects', { of: ['claude-code'], holds: 'configurations', isVague: true }],
]);

const containersLoosely = new Map([...containers].map(([key, container]) => [loosely(key), container]));

/** Settings of editors have the name of an extension before it, as `zencoder.mcpServers`. */
export function containerOf(key: string): Container | undefined {
  return (
    containersLoosely.get(loosely(key)) ??
    containersLoosely.get(loosely(/\.mcp\W?servers$/i.exec(key)?.[0] ?? ''))
  );
}

/** The members of a configuration that lead to its servers, in the order in which these are read. */
export function containersIn<T extends { readonly name: string }>(
  members: readonly T[],
): (readonly [T, Container])[] {
  const order = [...containersLoosely.values()];
  return members
    .flatMap((member) => {
      const container = containerOf(member.name);
      return container ? [[member, container] as const] : [];
    })
    .sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other));
}

/** The lists below `mcp` in the TOML of our own CLI before its release 1.0.0, and the transport of what is in them. */
export const formerLists: ReadonlyMap<string, Transport> = new Map([
  ['sse_servers', 'sse'],
  ['shttp_servers', 'http'],
  ['stdio_servers', 'stdio'],
]);

/** What programs call the transports. */
export const transportNames: ReadonlyMap<string, Transport> = new Map<string, Transport>([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['https', 'http'],
  ['streamable', 'http'],
  ['streamable-http', 'http'],
  ['http-stream', 'http'],
  ['http-streamable', 'http'],
  ['sse', 'sse'],
]);

/** What OpenCode and others have in the place of a transport. As an option of a command line it means something else. */
export const serverKindNames: ReadonlyMap<string, Transport> = new Map<string, Transport>([
  ['local', 'stdio'],
  ['command', 'stdio'],
  ['remote', 'http'],
]);

const transportsLoosely = new Map([...transportNames].map(([name, is]) => [loosely(name), is]));

/** The transport that an option of a command line names. */
export function namedTransport(word: string): Transport | undefined {
  return transportsLoosely.get(loosely(word));
}

/** The transport that a value in a configuration means. */
export function transportOf(value: Value | undefined): Transport | undefined {
  if (typeof value !== 'string') return undefined;
  return namedTransport(value) ?? serverKindNames.get(loosely(value));
}

export interface ForeignKey {
  readonly of: readonly [Whose, ...Whose[]];
  readonly is: OwnKey;
  /** What a value is here; undefined for one that says nothing. Where this is left out, a value stays as it is. */
  readonly translate?: (value: Value) => Value | undefined;
  /** The transport that the key implies. */
  readonly transport?: 'http';
}

/** The keys of a server that have another name here. */
export const foreignKeys: ReadonlyMap<string, ForeignKey> = new Map<string, ForeignKey>([
  // How a server is reached.
  ...foreignTargets,
  ['arguments', { of: ['people'], is: 'args' }],
  ['environment', { of: ['opencode'], is: 'env' }],
  ['envs', { of: ['goose'], is: 'env' }],
  ['working_directory', { of: ['warp'], is: 'cwd' }],
  ['http_headers', { of: ['codex'], is: 'headers' }],
  ['httpHeaders', { of: ['people'], is: 'headers' }],
  ['env_http_headers', { of: ['codex'], is: 'headers', translate: referencesTo }],
  ['bearer_token_env_var', { of: ['codex'], is: 'headers', translate: bearerIn }],
  ['requestOptions', { of: ['continue'], is: 'headers', translate: headersIn }],
  ['requestInit', { of: ['copilot'], is: 'headers', translate: headersIn }],
  ['api_key', { of: ['our-cli-before-1.0'], is: 'auth', translate: authOf }],
  ['bearer_token', { of: ['codex'], is: 'auth', translate: authOf }],
  ['apiKey', { of: ['continue'], is: 'auth', translate: authOf }],
  ['authorization_token', { of: ['anthropic-api'], is: 'auth', translate: authOf }],
  ['oauth', { of: ['gemini-cli', 'claude-code', 'opencode'], is: 'auth', translate: authOf }],
  ['type', { of: ['vscode', 'claude-code', 'cline', 'opencode'], is: 'transport', translate: transportOf }],
  ['disabled', { of: ['cline', 'roo-code', 'kiro'], is: 'enabled', translate: opposite }],
  ['isActive', { of: ['cherry-studio'], is: 'enabled', translate: meantBoolean }],
  ['excludeTools', { of: ['gemini-cli'], is: 'tools', translate: switchedOff }],
  ['disabled_tools', { of: ['codex'], is: 'tools', translate: switchedOff }],
  ['disabledTools', { of: ['cline', 'roo-code', 'windsurf'], is: 'tools', translate: switchedOff }],
  ['tool_timeout_sec', { of: ['codex'], is: 'timeout', translate: inMilliseconds }],
]);

/** Values that other programs write otherwise under keys that are ours too. */
const ownValues: ReadonlyMap<string, (value: Value) => Value | undefined> = new Map<
  OwnKey,
  (value: Value) => Value | undefined
>([
  ['transport', transportOf],
  ['auth', authOf],
  ['enabled', meantBoolean],
  ['timeout', meantNumber],
  ['sse_read_timeout', meantNumber],
  ['max_sse_event_size', meantNumber],
]);

/** What a value under a key, ours or another, is here; undefined for one that says nothing. */
export function translateValue(key: string, value: Value): Value | undefined {
  const translate = foreignKeys.get(key)?.translate ?? ownValues.get(key);
  return translate ? translate(value) : value;
}

/** The keys that say the same as one of ours, in the order in which they count. */
export function spellingsOf(own: OwnKey): readonly string[] {
  const others = [...foreignKeys].flatMap(([key, { is }]) => (is === own ? [key] : []));
  // As Gemini CLI has it.
  return own === 'url' ? [...others, own] : [own, ...others];
}

/** What to do instead of what other programs have and ours has not. */
export const advice = words({
  env: 'Write the variables into "env".',
  approval: 'What agents may do without asking is decided elsewhere.',
  tools:
    'A list of the tools that agents get has no counterpart: they get all tools. To switch one off, write "tools": {"NAME": {"enabled": false}}.',
  timeout: 'Set "timeout", in milliseconds.',
  inputs: 'Write the values into the server.',
});

interface IgnoredKey {
  readonly of: readonly [Whose, ...Whose[]];
  /** None where nothing is lost. */
  readonly advice?: keyof typeof advice;
  /** What a URL without a transport is in these programs. */
  readonly transport?: 'sse';
  /** What `timeout` is in, where that is not milliseconds. */
  readonly timeout?: 'seconds';
}

/** The keys of a server that have no counterpart here, and what they tell about the others. */
export const ignoredKeys: ReadonlyMap<string, IgnoredKey> = new Map<string, IgnoredKey>([
  ['name', { of: ['vscode', 'cursor'] }],
  ['source', { of: ['zed'] }],
  ['id', { of: ['goose'] }],
  ['server_label', { of: ['openai-api'] }],
  ['inputs', { of: ['vscode'], advice: 'inputs' }],
  ['envFile', { of: ['vscode', 'cursor'], advice: 'env' }],
  ['env_file', { of: ['people'], advice: 'env' }],
  ['env_vars', { of: ['codex'], advice: 'env' }],
  ['env_keys', { of: ['goose'], advice: 'env' }],
  // Cline takes a URL without a type for SSE, and Kiro does not. Servers with SSE alone have become rare.
  ['autoApprove', { of: ['cline', 'kiro'], advice: 'approval', timeout: 'seconds' }],
  ['alwaysAllow', { of: ['roo-code'], advice: 'approval', timeout: 'seconds' }],
  ['alwaysLoad', { of: ['claude-code'], advice: 'approval' }],
  ['trust', { of: ['gemini-cli'], advice: 'approval', transport: 'sse' }],
  ['includeTools', { of: ['gemini-cli'], advice: 'tools', transport: 'sse' }],
  ['enabled_tools', { of: ['codex'], advice: 'tools' }],
  ['startup_timeout_sec', { of: ['codex'], advice: 'timeout' }],
  ['startup_timeout_ms', { of: ['codex'], advice: 'timeout' }],
  ['initTimeout', { of: ['librechat'], advice: 'timeout' }],
]);

type Has = (key: string) => boolean;

const keysWith = (isIt: (key: IgnoredKey) => boolean): readonly string[] =>
  [...ignoredKeys].flatMap(([name, key]) => (isIt(key) ? [name] : []));
const sseKeys = keysWith(({ transport }) => transport === 'sse');
const secondsKeys = keysWith(({ timeout }) => timeout === 'seconds');

/** What a URL without a transport is in the program that an entry is from, going by its other keys. */
export function impliedTransport(has: Has): 'sse' | undefined {
  return sseKeys.some(has) ? 'sse' : undefined;
}

/** A timeout that is most likely in seconds (up to an hour where a program has them), in milliseconds. */
export function fromSeconds(timeout: number, has: Has): number | undefined {
  const isInSeconds = timeout > 0 && (timeout < 1000 || (timeout <= 3600 && secondsKeys.some(has)));
  return isInSeconds ? timeout * 1000 : undefined;
}

/** What a key of a server is called here. */
export function ownName(key: string): string {
  return foreignKeys.get(key)?.is ?? key;
}

/** Whether an object is a server, going by what it would be reached by. */
export function looksLikeServer(value: Value): boolean {
  if (!(value instanceof Map)) return false;
  return [...(value as Fields)].some(([key, target]) => {
    const name = ownName(key);
    if (name === 'url') return typeof target === 'string';
    if (name !== 'command') return false;
    return (
      typeof target === 'string' || Array.isArray(target) || (target instanceof Map && target.has('path'))
    );
  });
}
