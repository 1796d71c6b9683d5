/**
 * Translates an entry of mcp.json to the settings of a service, with everything
 * that is lost or changes its meaning, and compares it with the server of the
 * same name there.
 */
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Secret } from '../../base/secret.ts';
import type { WrittenServer } from '../../mcp/edit/wantedChange.ts';
import { readEntries } from '../../mcp/format/document.ts';
import { editText } from '../../mcp/edit/editText.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import { isSignInMethod } from '../../mcp/format/mask.ts';
import { meantBoolean, meantNumber } from '../../mcp/dialects/ownKeys.ts';
import type { Fields, Value } from '../../mcp/text/values.ts';
import type { Server } from '../../mcp/format/server.ts';
import { referencesIn } from '../../mcp/format/variables.ts';
import type {
  SentServer,
  ServerExtras,
  ServiceServer,
} from '../../service/records/serviceServer.ts';

export interface ForService {
  /** Undefined if impossible; the last remark says why. */
  readonly server: SentServer | undefined;
  readonly enabled: boolean;
  /** Sentences about what is lost or changes its meaning. */
  readonly remarks: readonly string[];
  /** Names of the values that are sent and may be secret. */
  readonly variables: readonly string[];
  readonly headers: readonly string[];
  readonly signsIn: boolean;
  /** Variables that the service will replace. */
  readonly references: readonly string[];
}

/** Fields with the same name in both formats. */
const texts = new Set(['cwd', 'description', 'icon']);
const numbers = new Set(['timeout', 'sse_read_timeout']);
/** Fields that the translation reads or that carry no information. */
const read = new Set([
  'command',
  'args',
  'env',
  'url',
  'transport',
  'headers',
  'auth',
  'enabled',
  'tools',
]);

export function translateForService(entry: Entry): ForService {
  const { name, fields, server, enabled, kind } = entry;
  const remarks: string[] = [];
  const all: Fields = fields ?? new Map<string, Value>();
  const local = server?.transport === 'stdio' ? server : undefined;
  const remote = server?.transport === 'stdio' ? undefined : server;
  const variables = withoutEmpty(local?.env, remarks);
  const headers = withoutEmpty(remote?.headers, remarks);
  const auth = remote?.auth;
  remarkOnTools(entry, remarks);
  remarkOnValues(all.get(kind === 'local' ? 'env' : 'headers'), remarks);
  const extras = extrasOf(all, kind === 'local', remarks);
  if (auth && isSignInMethod(auth)) {
    remarks.push(
      t(
        "The service keeps the sign-in. Until someone signs in there, agents do not get this server's tools.",
      ),
    );
  }
  const references = (server ? stringsOf(server) : []).flatMap((text) =>
    referencesIn(text),
  );
  const names = [...new Set(references.map((reference) => reference.name))];
  if (names.length > 0) {
    remarks.push(
      t(
        'The service replaces {0} itself when an agent starts: from the secrets of the conversation, or from its own environment, not from that of this machine.',
        names.map((variable) => `\${${variable}}`).join(', '),
      ),
    );
  }
  const refusal = whyNot(name, server, headers, auth);
  if (refusal !== undefined) remarks.push(refusal);
  return {
    server:
      server && refusal === undefined
        ? sent(server, variables, headers, auth, extras)
        : undefined,
    enabled,
    remarks,
    variables: [...variables.keys()],
    headers: [...headers.keys()],
    signsIn: auth !== undefined && !isSignInMethod(auth),
    references: names,
  };
}

export function translateWritten(written: WrittenServer): ForService {
  const { text } = editText('', { ...written, do: 'add' });
  const [entry] = readEntries(text);
  if (!entry) throw new Error('A server that was written is not there.');
  return translateForService(entry);
}

function sent(
  server: Server,
  env: ReadonlyMap<string, Secret>,
  headers: ReadonlyMap<string, Secret>,
  auth: Secret | undefined,
  extras: ServerExtras,
): SentServer {
  if (server.transport === 'stdio') {
    return {
      transport: 'stdio',
      command: server.command,
      args: server.args,
      env,
      extras,
    };
  }
  return {
    transport: server.transport,
    url: server.url,
    headers,
    auth: signInOf(auth),
    extras,
  };
}

function signInOf(auth: Secret | undefined) {
  if (!auth) return undefined;
  return isSignInMethod(auth)
    ? ({ strategy: 'oauth2' } as const)
    : ({ strategy: 'bearer', value: auth } as const);
}

function whyNot(
  name: string,
  server: Server | undefined,
  headers: ReadonlyMap<string, Secret>,
  auth: Secret | undefined,
): string | undefined {
  const target = server?.transport === 'stdio' ? server.command : server?.url;
  if (!target)
    return t(
      'The service does not accept a server without a command or a URL.',
    );
  if (name.includes('/'))
    return t('The service does not accept a slash in a name.');
  if (
    auth &&
    [...headers.keys()].some(
      (header) => header.toLowerCase() === 'authorization',
    )
  ) {
    return t(
      'The service accepts either "auth" or the header Authorization, but this server has both.',
    );
  }
  return undefined;
}

/** Tools that are off in the file would be on at the service. */
function remarkOnTools({ tools, toolsOff }: Entry, remarks: string[]): void {
  if (toolsOff.length > 0) {
    remarks.push(
      t(
        'Agents of the service get all tools, including those that are off in the file: {0}.',
        toolsOff.map(shown).join(', '),
      ),
    );
  } else if (tools.size > 0) {
    remarks.push(
      t('"{0}" is left out, because the service does not accept it.', 'tools'),
    );
  }
}

/** Other types are not wrapped as secrets. */
function remarkOnValues(values: Value | undefined, remarks: string[]): void {
  if (!(values instanceof Map)) return;
  const odd = [...(values as Fields)].filter(
    ([, value]) => typeof value !== 'string',
  );
  if (odd.length === 0) return;
  remarks.push(
    t(
      'Values that are not strings are left out, because the service does not accept them: {0}.',
      odd.map(([key]) => shown(key)).join(', '),
    ),
  );
}

/** Services drop empty values. */
function withoutEmpty(
  values: ReadonlyMap<string, Secret> | undefined,
  remarks: string[],
): ReadonlyMap<string, Secret> {
  const { full = [], empty = [] } = Object.groupBy(values ?? [], ([, value]) =>
    value.reveal() === '' ? 'empty' : 'full',
  );
  if (empty.length > 0) {
    const names = empty.map(([key]) => shown(key)).join(', ');
    remarks.push(
      t(
        'Entries without a value are left out, because the service drops them: {0}.',
        names,
      ),
    );
  }
  return new Map(full);
}

function extrasOf(
  fields: Fields,
  isLocal: boolean,
  remarks: string[],
): ServerExtras {
  const foreignKeys = isLocal
    ? ['url', 'headers', 'auth', 'sse_read_timeout']
    : ['command', 'args', 'env', 'cwd', 'keep_alive'];
  const extras: Record<string, string | number | boolean> = {};
  for (const [key, value] of fields) {
    if (value === null || (read.has(key) && !foreignKeys.includes(key)))
      continue;
    // The CLI writes this default into every remote server.
    if (key === 'max_sse_event_size' && value === 1_048_576) continue;
    const taken = foreignKeys.includes(key) ? undefined : extra(key, value);
    if (taken !== undefined) extras[key] = taken;
    else if (key !== 'type') {
      remarks.push(
        t(
          '"{0}" is left out, because the service does not accept it.',
          shown(key),
        ),
      );
    }
  }
  return extras;
}

function extra(
  key: string,
  value: Value,
): string | number | boolean | undefined {
  if (texts.has(key)) return typeof value === 'string' ? value : undefined;
  if (numbers.has(key)) return meantNumber(value);
  return key === 'keep_alive' ? meantBoolean(value) : undefined;
}

function stringsOf(server: Server): readonly string[] {
  if (server.transport === 'stdio')
    return [server.command, ...server.args, ...revealed(server.env)];
  return [server.url, server.auth?.reveal() ?? '', ...revealed(server.headers)];
}

function revealed(values: ReadonlyMap<string, Secret>): readonly string[] {
  return [...values.values()].map((value) => value.reveal());
}

function shown(name: string): string {
  return plainText(name, 60);
}

/** Secrets cannot be compared. */
export function differenceFromFile(
  entry: Entry,
  there: ServiceServer,
): readonly string[] {
  const here = entry.server;
  const isDifferent: [string, boolean][] = [
    [t('enabled'), entry.enabled !== there.enabled],
    // Services have no switch for tools.
    [t('tools'), entry.toolsOff.length > 0],
  ];
  if (here?.transport === 'stdio' && there.transport === 'stdio') {
    isDifferent.push(
      [t('command'), here.command !== there.command],
      [
        t('arguments'),
        JSON.stringify(here.args) !== JSON.stringify(there.args),
      ],
      [
        t('variables'),
        there.env !== undefined && !sameNames(here.env, there.env),
      ],
    );
  } else if (
    here &&
    here.transport !== 'stdio' &&
    there.transport !== 'stdio' &&
    there.transport !== undefined
  ) {
    const inHeader =
      there.auth?.strategy === 'header' || there.auth?.strategy === 'basic';
    const headers = inHeader ? undefined : there.headers;
    isDifferent.push(
      [t('URL'), here.url !== there.url],
      [t('transport'), here.transport !== there.transport],
      [
        t('headers'),
        headers !== undefined && !sameNames(here.headers, headers),
      ],
      [
        t('sign-in'),
        !inHeader && signInKind(signInOf(here.auth)) !== signInKind(there.auth),
      ],
    );
  } else {
    isDifferent.push([t('transport'), true]);
  }
  return isDifferent.filter(([, different]) => different).map(([word]) => word);
}

function signInKind(
  auth: { readonly strategy: string } | undefined,
): 'none' | 'oauth' | 'token' {
  if (auth === undefined || auth.strategy === 'none') return 'none';
  return auth.strategy === 'oauth2' ? 'oauth' : 'token';
}

/** Services drop empty variables. */
function sameNames(
  here: ReadonlyMap<string, { reveal(): string }>,
  there: ReadonlyMap<string, unknown>,
): boolean {
  const names = [...here]
    .filter(([, value]) => value.reveal() !== '')
    .map(([name]) => name);
  return names.length === there.size && names.every((name) => there.has(name));
}
