/**
 * The words that other programs use in a configuration, and ours for them: the
 * one table for pasted texts, for problems and their fixes, and for command
 * lines. A new dialect is a row here and an example in dialects.test.ts.
 */
import { words } from '../../base/l10n.ts';
import {
  meantBoolean,
  meantNumber,
  type OwnKey,
  type Transport,
} from './ownKeys.ts';
import type { Fields, Value } from '../text/values.ts';

/** Ignores case, hyphens, underscores, dots and spaces. */
function loosely(word: string): string {
  return word.toLowerCase().replace(/[-_.\s]/g, '');
}

export interface ServerContainer {
  /**
   * Servers by name; a configuration or servers by name; or several of these,
   * each under any name.
   */
  readonly holds: 'servers' | 'configuration' | 'configurations';
  readonly mayBeList?: true;
  /**
   * True if other things have this name too: the key counts only at the root of
   * a configuration.
   */
  readonly isVague?: true;
  /** True if there may be other things among the servers. */
  readonly isMixed?: true;
}

/**
 * Keys of a configuration that lead to servers, in the order in which they are
 * read.
 */
export const serverContainers: ReadonlyMap<string, ServerContainer> = new Map<
  string,
  ServerContainer
>([
  // Claude Code and Desktop, Cursor, Windsurf, Gemini CLI, Cline, Roo Code
  ['mcpServers', { holds: 'servers', mayBeList: true }],
  ['mcp.servers', { holds: 'servers', mayBeList: true }], // VS Code
  ['mcp_servers', { holds: 'servers', mayBeList: true }], // Codex
  // A list with this key is common elsewhere, as in descriptions of web
  // services.
  ['servers', { holds: 'servers', isVague: true }], // VS Code
  ['context_servers', { holds: 'servers', mayBeList: true }], // Zed
  ['amp.mcpServers', { holds: 'servers', mayBeList: true }], // Amp, Zencoder
  ['modelContextProtocolServers', { holds: 'servers', mayBeList: true }], // Continue
  ['mcpServer', { holds: 'servers', mayBeList: true }], // a common slip
  ['contextServer', { holds: 'servers', mayBeList: true }], // a common slip
  [
    'extensions',
    { holds: 'servers', mayBeList: true, isVague: true, isMixed: true },
  ], // Goose
  ['mcp', { holds: 'configuration' }], // VS Code, OpenCode
  ['projects', { holds: 'configurations', isVague: true }], // Claude Code
]);

const containersLoosely = new Map(
  [...serverContainers].map(([key, container]) => [loosely(key), container]),
);

/**
 * Finds a container, also after the name of an extension, as in
 * `zencoder.mcpServers`.
 */
export function containerOf(key: string): ServerContainer | undefined {
  return (
    containersLoosely.get(loosely(key)) ??
    containersLoosely.get(loosely(/\.mcp\W?servers$/i.exec(key)?.[0] ?? ''))
  );
}

export function containersIn(
  configuration: Fields,
): (readonly [Value, ServerContainer])[] {
  const order = [...containersLoosely.values()];
  return [...configuration]
    .flatMap(([key, value]) => {
      const container = containerOf(key);
      return container ? [[value, container] as const] : [];
    })
    .sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other));
}

/**
 * Lists below `mcp` in the TOML of our CLI before 1.0.0, and the transport of
 * their servers.
 */
export const formerLists: ReadonlyMap<string, Transport> = new Map([
  ['sse_servers', 'sse'],
  ['shttp_servers', 'http'],
  ['stdio_servers', 'stdio'],
]);

export const transportNames: ReadonlyMap<string, Transport> = new Map<
  string,
  Transport
>([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['https', 'http'],
  ['streamable', 'http'],
  ['streamable-http', 'http'],
  ['http-stream', 'http'],
  ['http-streamable', 'http'],
  ['sse', 'sse'],
]);

/**
 * Values for a transport in OpenCode and others. As an option of a command line
 * they mean something else.
 */
export const serverKindNames: ReadonlyMap<string, Transport> = new Map<
  string,
  Transport
>([
  ['local', 'stdio'],
  ['command', 'stdio'],
  ['remote', 'http'],
]);

const transportsLoosely = new Map(
  [...transportNames].map(([name, transport]) => [loosely(name), transport]),
);

export function namedTransport(word: string): Transport | undefined {
  return transportsLoosely.get(loosely(word));
}

export function transportOf(value: Value | undefined): Transport | undefined {
  if (typeof value !== 'string') return undefined;
  return namedTransport(value) ?? serverKindNames.get(loosely(value));
}

export interface ForeignKey {
  readonly means: OwnKey;
  /**
   * Returns our value; `undefined` for one without a meaning. Without this
   * function a value stays the same.
   */
  readonly translate?: (value: Value) => Value | undefined;
  readonly transport?: 'http';
}

export const foreignKeys: ReadonlyMap<string, ForeignKey> = new Map<
  string,
  ForeignKey
>([
  ['httpUrl', { means: 'url', transport: 'http' }], // Gemini CLI
  ['serverUrl', { means: 'url' }], // Windsurf
  ['endpoint', { means: 'url' }], // a common slip
  ['server_url', { means: 'url' }], // the OpenAI API
  ['uri', { means: 'url' }], // Goose
  ['baseUrl', { means: 'url' }], // Cherry Studio
  ['cmd', { means: 'command' }], // Goose
  ['arguments', { means: 'args' }], // a common slip
  ['environment', { means: 'env' }], // OpenCode
  ['envs', { means: 'env' }], // Goose
  ['working_directory', { means: 'cwd' }], // Warp
  ['http_headers', { means: 'headers' }], // Codex
  ['httpHeaders', { means: 'headers' }], // a common slip
  ['env_http_headers', { means: 'headers', translate: referencesTo }], // Codex
  ['bearer_token_env_var', { means: 'headers', translate: bearerIn }], // Codex
  ['requestOptions', { means: 'headers', translate: headersIn }], // Continue
  ['requestInit', { means: 'headers', translate: headersIn }], // Copilot
  ['api_key', { means: 'auth', translate: authOf }], // our CLI before 1.0
  ['bearer_token', { means: 'auth', translate: authOf }], // Codex
  ['apiKey', { means: 'auth', translate: authOf }], // Continue
  ['authorization_token', { means: 'auth', translate: authOf }], // the Anthropic API
  ['oauth', { means: 'auth', translate: authOf }], // Gemini CLI, Claude Code, OpenCode
  ['type', { means: 'transport', translate: transportOf }], // VS Code, Claude Code, Cline, OpenCode
  ['disabled', { means: 'enabled', translate: negatedBoolean }], // Cline, Roo Code, Kiro
  ['isActive', { means: 'enabled', translate: meantBoolean }], // Cherry Studio
  ['excludeTools', { means: 'tools', translate: switchedOff }], // Gemini CLI
  ['disabled_tools', { means: 'tools', translate: switchedOff }], // Codex
  ['disabledTools', { means: 'tools', translate: switchedOff }], // Cline, Roo Code, Windsurf
  ['tool_timeout_sec', { means: 'timeout', translate: inMilliseconds }], // Codex
]);

/** Translations of values under keys that we share with other programs. */
const ownValues: ReadonlyMap<string, (value: Value) => Value | undefined> =
  new Map<OwnKey, (value: Value) => Value | undefined>([
    ['transport', transportOf],
    ['auth', authOf],
    ['enabled', meantBoolean],
    ['timeout', meantNumber],
    ['sse_read_timeout', meantNumber],
    ['max_sse_event_size', meantNumber],
  ]);

/**
 * Translates the value of any key to ours; `undefined` for one without a
 * meaning.
 */
export function translateValue(key: string, value: Value): Value | undefined {
  const translate = foreignKeys.get(key)?.translate ?? ownValues.get(key);
  return translate ? translate(value) : value;
}

/** All keys with the meaning of `own`, the one that wins first. */
export function spellingsOf(own: OwnKey): readonly string[] {
  const foreignSpellings = [...foreignKeys].flatMap(([key, { means }]) =>
    means === own ? [key] : [],
  );
  // Gemini CLI prefers httpUrl to url.
  return own === 'url'
    ? [...foreignSpellings, own]
    : [own, ...foreignSpellings];
}

/** Remedies for keys without a counterpart here. */
export const ignoredKeyAdvice = words({
  env: 'Write the variables into "env".',
  approval: 'Approval is set elsewhere.',
  tools:
    'A list of allowed tools is not supported: agents get all tools. To turn one off, write "tools": {"NAME": {"enabled": false}}.',
  timeout: 'Set "timeout", in milliseconds.',
  inputs: 'Write the values into the server.',
});

interface IgnoredKey {
  /** Left out if ignoring the key loses nothing. */
  readonly advice?: keyof typeof ignoredKeyAdvice;
  /** The transport of a URL in these programs if the entry names none. */
  readonly transport?: 'sse';
  /** The unit of `timeout` in these programs, if not milliseconds. */
  readonly timeout?: 'seconds';
}

/**
 * Keys of a server without a counterpart here, and their hints about other
 * keys.
 */
export const ignoredKeys: ReadonlyMap<string, IgnoredKey> = new Map<
  string,
  IgnoredKey
>([
  ['name', {}], // VS Code, Cursor
  ['source', {}], // Zed
  ['id', {}], // Goose
  ['server_label', {}], // the OpenAI API
  ['inputs', { advice: 'inputs' }], // VS Code
  ['envFile', { advice: 'env' }], // VS Code, Cursor
  ['env_file', { advice: 'env' }], // a common slip
  ['env_vars', { advice: 'env' }], // Codex
  ['env_keys', { advice: 'env' }], // Goose
  // Cline takes a URL without a type for SSE, and Kiro does not. Servers with
  // SSE alone have become rare.
  ['autoApprove', { advice: 'approval', timeout: 'seconds' }], // Cline, Kiro
  ['alwaysAllow', { advice: 'approval', timeout: 'seconds' }], // Roo Code
  ['alwaysLoad', { advice: 'approval' }], // Claude Code
  ['trust', { advice: 'approval', transport: 'sse' }], // Gemini CLI
  ['includeTools', { advice: 'tools', transport: 'sse' }], // Gemini CLI
  ['enabled_tools', { advice: 'tools' }], // Codex
  ['startup_timeout_sec', { advice: 'timeout' }], // Codex
  ['startup_timeout_ms', { advice: 'timeout' }], // Codex
  ['initTimeout', { advice: 'timeout' }], // LibreChat
]);

type Has = (key: string) => boolean;

const keysWith = (isIt: (key: IgnoredKey) => boolean): readonly string[] =>
  [...ignoredKeys].flatMap(([name, key]) => (isIt(key) ? [name] : []));
const sseKeys = keysWith(({ transport }) => transport === 'sse');
const secondsKeys = keysWith(({ timeout }) => timeout === 'seconds');

/**
 * The transport of a URL without one, guessed from the other keys of the entry.
 */
export function impliedTransport(has: Has): 'sse' | undefined {
  return sseKeys.some(has) ? 'sse' : undefined;
}

/**
 * Converts a timeout that is likely in seconds (up to an hour next to a key of
 * a program that uses them).
 */
export function fromSeconds(timeout: number, has: Has): number | undefined {
  const isInSeconds =
    timeout > 0 &&
    (timeout < 1000 || (timeout <= 3600 && secondsKeys.some(has)));
  return isInSeconds ? timeout * 1000 : undefined;
}

export function ownName(key: string): string {
  return foreignKeys.get(key)?.means ?? key;
}

/** The fields of an entry of any program by our names of their keys. */
export function withOwnNames(entry: Fields): Fields {
  return new Map([...entry].map(([key, value]) => [ownName(key), value]));
}

/** True for a key of any program that says how a server is reached. */
export function isTargetKey(key: string): boolean {
  const own = ownName(key);
  return own === 'url' || own === 'command';
}

/** Recognizes a server by its command or URL. */
export function looksLikeServer(value: Value): boolean {
  if (!(value instanceof Map)) return false;
  return [...(value as Fields)].some(([key, target]) => {
    const name = ownName(key);
    if (name === 'url') return typeof target === 'string';
    if (name !== 'command') return false;
    return (
      typeof target === 'string' ||
      Array.isArray(target) ||
      (target instanceof Map && target.has('path'))
    );
  });
}

/** Turns names of variables into references to them. */
function referencesTo(value: Value): Value | undefined {
  if (!(value instanceof Map)) return undefined;
  const isText = (item: Value) => item !== null && typeof item !== 'object';
  return new Map(
    [...(value as Fields)].map(([name, item]) => [
      name,
      isText(item) ? `\${${String(item)}}` : item,
    ]),
  );
}

function bearerIn(variable: Value): Value | undefined {
  return typeof variable === 'string' && variable !== ''
    ? new Map(Object.entries({ Authorization: `Bearer \${${variable}}` }))
    : undefined;
}

function headersIn(request: Value): Value | undefined {
  const headers =
    request instanceof Map ? (request as Fields).get('headers') : undefined;
  return headers instanceof Map ? headers : undefined;
}

/**
 * A token, or `oauth` for true and for an object that does not say otherwise.
 */
export function authOf(value: Value): Value | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  const isOn =
    value instanceof Map
      ? (value as Fields).get('enabled') !== false
      : value === true;
  return isOn ? 'oauth' : undefined;
}

/** True for an object that says more than whether to sign in. */
export function hasAuthDetails(value: Value | undefined): boolean {
  return (
    value instanceof Map &&
    [...(value as Fields).keys()].some((key) => key !== 'enabled')
  );
}

function negatedBoolean(value: Value): Value | undefined {
  const isOn = meantBoolean(value);
  return isOn === undefined ? undefined : !isOn;
}

export function inMilliseconds(seconds: Value): Value | undefined {
  const number = meantNumber(seconds);
  return number === undefined ? undefined : number * 1000;
}

export function switchedOff(tools: Value): Value | undefined {
  if (
    !Array.isArray(tools) ||
    tools.length === 0 ||
    !tools.every((tool) => typeof tool === 'string')
  ) {
    return undefined;
  }
  return new Map(tools.map((tool) => [tool, new Map([['enabled', false]])]));
}
