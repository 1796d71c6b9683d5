/** An entry in the words of any program, in the words of our own format. */
import { t } from '../../base/l10n.ts';
import type { Fields } from '../server.ts';
import type { Value } from '../values.ts';
import { mapOf } from './containers.ts';
import { readHeaders } from './headers.ts';
import { readProgram } from './program.ts';
import { listed, notTakenOver } from './sentences.ts';

export interface Entry {
  /** What readServer understands. */
  readonly fields: Fields;
  readonly enabled: boolean;
  readonly extra: Fields;
  readonly notes: readonly string[];
}

export function readEntry(entry: Fields): Entry {
  const reader = new EntryReader(entry);
  const isLocal = reader.isLocal();
  const fields = isLocal ? reader.local() : reader.remote();
  const [enabled, extra] = [reader.enabled(), reader.extra(isLocal)];
  return { fields, enabled, extra, notes: [...reader.notes, ...reader.rest()] };
}

const transports: ReadonlyMap<string, string> = new Map([
  ...['stdio', 'local'].map((name) => [name, 'stdio'] as const),
  ...['http', 'streamablehttp', 'httpstream', 'remote'].map((name) => [name, 'http'] as const),
  ['sse', 'sse'],
]);

/** The first that is there counts. */
const urlKeys = ['httpUrl', 'serverUrl', 'url'] as const;

/** What the programs have for which a URL without a transport is one for sse: Gemini CLI and Cline. */
const sseKeys = ['autoApprove', 'trust', 'includeTools', 'excludeTools'] as const;

class EntryReader {
  readonly notes: string[] = [];
  readonly #entry: Fields;
  readonly #used = new Set<string>(['name', 'source', 'inputs']);

  constructor(entry: Fields) {
    this.#entry = entry;
  }

  isLocal(): boolean {
    const command = this.#entry.get('command') ?? '';
    const urls = urlKeys.filter((key) => !isEmpty(this.#entry.get(key) ?? ''));
    if (urls.length === 0) return this.#entry.has('command');
    if (isEmpty(command)) return false;
    const local = this.#transport() === 'stdio';
    this.notes.push(
      local
        ? t('There are a command and a URL. The command is taken.')
        : t('There are a command and a URL. The URL is taken.'),
    );
    for (const key of ['command', ...urls]) this.#used.add(key);
    return local;
  }

  local(): Fields {
    this.#transport();
    const command = this.#take('command');
    const own = mapOf(command);
    const { program, notes } = readProgram(own.get('path') ?? command, own.get('args') ?? this.#take('args'));
    this.notes.push(...notes);
    const env = [own.get('env'), this.#take('env'), this.#take('environment')];
    return new Map<string, Value>([
      ...program,
      ['env', new Map(env.flatMap((values) => [...this.#texts('env', values)]))],
    ]);
  }

  remote(): Fields {
    const fields = new Map<string, Value>();
    const transport = this.#transport();
    const [httpUrl, serverUrl, url] = urlKeys.map((key) => this.#take(key));
    fields.set('url', httpUrl ?? serverUrl ?? url ?? null);
    if (transport === 'http' || transport === 'sse') fields.set('transport', transport);
    else if (httpUrl !== undefined) fields.set('transport', 'http');
    else if (sseKeys.some((key) => this.#entry.has(key))) fields.set('transport', 'sse');
    fields.set(
      'headers',
      readHeaders(
        [
          ...this.#texts('headers', this.#take('headers')),
          ...this.#texts('headers', this.#take('http_headers')),
        ],
        this.#texts('headers', this.#take('env_http_headers')),
        this.#take('bearer_token_env_var'),
      ),
    );
    const auth = this.#auth();
    if (auth !== undefined) fields.set('auth', auth);
    return fields;
  }

  /** In an object there are only details of the way to sign in. */
  #auth(): string | undefined {
    const values = ['auth', 'api_key', 'oauth'].map((key) => this.#take(key));
    for (const value of values) {
      if (typeof value === 'string' && value !== '') return value;
      if (value !== true && !(value instanceof Map && value.get('enabled') !== false)) continue;
      if (mapOf(value).size > 0)
        this.notes.push(t('The details of signing in with OAuth are not taken over.'));
      return 'oauth';
    }
    return undefined;
  }

  enabled(): boolean {
    const [enabled, disabled] = [this.#take('enabled'), this.#take('disabled')];
    return enabled !== false && disabled !== true;
  }

  extra(isLocal: boolean): Fields {
    const extra = new Map<string, Value>();
    for (const key of [...(isLocal ? ['cwd'] : []), 'description', 'icon']) {
      const value = this.#entry.get(key);
      if (typeof value === 'string' && value !== '') extra.set(key, value);
    }
    for (const key of ['timeout', ...(isLocal ? [] : ['sse_read_timeout'])]) {
      const value = this.#entry.get(key);
      if (typeof value === 'number' && value >= 0) extra.set(key, value);
    }
    const timeout = extra.get('timeout') as number | undefined;
    const inSeconds = this.#entry.has('autoApprove') || this.#entry.has('alwaysAllow');
    if (timeout !== undefined && timeout > 0 && (timeout < 1000 || inSeconds)) {
      extra.set('timeout', timeout * 1000);
      this.notes.push(t('The timeout is taken for one in seconds. Here it is in milliseconds.'));
    }
    for (const key of extra.keys()) this.#used.add(key);
    return extra;
  }

  /** What nobody has asked for. To be called last. */
  rest(): string[] {
    const rest = [...this.#entry].filter(([key, value]) => !this.#used.has(key) && !isEmpty(value));
    return notTakenOver(rest.map(([key]) => key));
  }

  #transport(): string | undefined {
    const given = [this.#take('transport'), this.#take('type')].find((value) => typeof value === 'string');
    return transports.get(String(given).toLowerCase().replace(/[-_]/g, ''));
  }

  #take(key: string): Value | undefined {
    this.#used.add(key);
    return this.#entry.get(key);
  }

  #texts(what: 'env' | 'headers', value: Value | undefined): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    const lost: string[] = [];
    for (const [name, item] of mapOf(value)) {
      if (item === null || typeof item === 'object') lost.push(name);
      else texts.set(name, String(item));
    }
    if (lost.length > 0)
      this.notes.push(t('In "{0}" {1} is no text, and is not taken over.', what, listed(lost)));
    return texts;
  }
}

function isEmpty(value: Value): boolean {
  if (value instanceof Map) return value.size === 0;
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}
