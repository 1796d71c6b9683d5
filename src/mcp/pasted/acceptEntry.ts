/**
 * Turns a found entry into a server of ours, checked, with its placeholders and
 * notes.
 */
import { isCodeVariable } from '../../base/masks/codeVariables.ts';
import { t } from '../../base/l10n.ts';
import { maskText } from '../../base/masks/maskText.ts';
import { plainText } from '../../base/plainText.ts';
import {
  foreignKeys,
  fromSeconds,
  hasAuthDetails,
  ignoredKeys,
  impliedTransport,
  spellingsOf,
  translateValue,
} from '../dialects/dialects.ts';
import type { OwnKey } from '../dialects/ownKeys.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { readServer, type Server } from '../format/server.ts';
import {
  isHeaderName,
  isHeaderValue,
  isVariableName,
  isVariableValue,
  schemeOf,
  urlFault,
} from '../format/serverRules.ts';
import { withoutPlaceholders } from './addresses.ts';
import { mapOf } from './findEntries.ts';
import { readProgram } from './launchers.ts';
import type { PastedEntry, PastedServer } from './pastedServer.ts';
import { listNames, notTakenOver, shownName } from './sentences.ts';
import { findPlaceholders, variablesIn } from './serverPlaceholders.ts';
import { suggestName } from './suggestName.ts';
import type { Fields, Value } from '../text/values.ts';

/** Returns the server, or a sentence with the reason why there is none. */
export function acceptEntry(
  entry: PastedEntry,
  onWindows: boolean,
): PastedServer | string {
  const { name, inputs, notes = [] } = entry;
  const translator = new Translator(entry.fields, onWindows);
  const isLocal = translator.isLocal();
  const server = readServer(isLocal ? translator.local() : translator.remote());
  const who = name ? shownName(name) : t('A server without a name');
  if (!server) return t('{0} has neither a command nor a URL.', who);
  const problem = problemOf(server, who);
  if (problem !== undefined) return problem;

  const isShown =
    name !== undefined && plainText(name) === name && maskText(name) === name;
  const usable = isShown && name !== '' && !isPlaceholder(name);
  const placeholders = findPlaceholders(server, inputs);
  const moreNotes: string[] = [];
  if (name && !isShown) {
    moreNotes.push(
      t(
        'The name is left out because it is too long, has invisible characters, or may be a secret.',
      ),
    );
  }
  const variables = variablesIn(server);
  if (variables.length > 0)
    moreNotes.push(
      t('Agents take {0} from their environment.', listNames(variables)),
    );
  if (placeholders.some(({ text }) => /^(?:\$|\{(?:env|file):)/.test(text))) {
    moreNotes.push(
      t(
        'Only variables that are written as {0} are looked up, so enter the values of the others.',
        '${NAME}',
      ),
    );
  }
  const code =
    server.transport === 'stdio'
      ? [...server.env.keys()].filter(isCodeVariable)
      : [];
  if (code.length > 0) {
    const names = listNames(code);
    moreNotes.push(
      code.length === 1
        ? t('{0} changes what runs: check its value.', names)
        : t('{0} change what runs: check their values.', names),
    );
  }
  return {
    name: usable ? name : undefined,
    suggestedName: usable ? name : suggestName(server),
    server,
    enabled: translator.enabled(),
    isGuess: entry.isGuess ?? false,
    extra: translator.extra(isLocal),
    placeholders,
    notes: [
      ...new Set([
        ...notes,
        ...translator.notes,
        ...translator.rest(),
        ...moreNotes,
      ]),
    ],
  };
}

/**
 * Finds reasons why a server could not work, or would do something invisible.
 */
function problemOf(server: Server, who: string): string | undefined {
  if (server.transport === 'stdio') {
    const { command, args, env } = server;
    const controls = /[^\t\n\P{Cc}]/u;
    if (command.trim() === '') return t('{0} has no command.', who);
    if ([command, ...args].some((text) => controls.test(text)))
      return t('{0} has control characters in its command.', who);
    if (![...env.keys()].every(isVariableName))
      return t('{0} has a variable with an invalid name.', who);
    if (![...env.values()].every((value) => isVariableValue(value.reveal())))
      return t('{0} has a variable with a NUL character.', who);
    return undefined;
  }
  const { url, headers } = server;
  // Placeholders may be anywhere in a URL.
  switch (isStandIn(url) ? undefined : urlFault(withoutPlaceholders(url))) {
    case 'spaces':
      return t('{0} has a URL with spaces in it.', who);
    case 'noScheme':
    case 'otherScheme':
      return t(
        '{0} has a URL that does not start with http:// or https://.',
        who,
      );
    case 'invalid':
      return t('{0} has a URL that is not valid.', who);
    case undefined:
  }
  if (![...headers.keys()].every(isHeaderName))
    return t('{0} has a header with an invalid name.', who);
  if (![...headers.values()].every((value) => isHeaderValue(value.reveal())))
    return t('{0} has control characters in a header.', who);
  return undefined;
}

/** True if the whole URL is a placeholder. */
function isStandIn(url: string): boolean {
  return (
    schemeOf(url) === undefined &&
    (isPlaceholder(url) || /^\$\{?[A-Z_][A-Z\d_]*\}?$/.test(url))
  );
}

interface Said {
  readonly key: string;
  readonly value: Value;
}

/**
 * Translates an entry of any program to our format. `onWindows`: the
 * configuration is for Windows.
 */
class Translator {
  readonly notes: string[] = [];
  readonly #entry: Fields;
  readonly #onWindows: boolean;
  /** Keys that need no note. serverPlaceholders.ts reads the inputs. */
  readonly #used = new Set<string>(['inputs']);

  constructor(entry: Fields, onWindows: boolean) {
    this.#entry = entry;
    this.#onWindows = onWindows;
  }

  isLocal(): boolean {
    const urls = this.#find('url');
    const commands = this.#find('command');
    if (!urls.some(isSaid)) return commands.length > 0;
    if (!commands.some(isSaid)) return false;
    const isLocal = this.#useKey('transport')[0]?.value === 'stdio';
    this.notes.push(
      isLocal
        ? t('There is both a command and a URL. The command is used.')
        : t('There is both a command and a URL. The URL is used.'),
    );
    for (const { key } of [...urls, ...commands]) this.#used.add(key);
    return isLocal;
  }

  local(): Fields {
    this.#useKey('transport');
    const command = best(this.#useKey('command'))?.value;
    const own = mapOf(command);
    const args = own.get('args') ?? this.#useKey('args').find(isSaid)?.value;
    const { program, notes } = readProgram(
      own.get('path') ?? command,
      args,
      this.#onWindows,
    );
    this.notes.push(...notes);
    const env = [
      own.get('env'),
      ...this.#useKey('env').map(({ value }) => value),
    ];
    return new Map<string, Value>([
      ...program,
      ['env', this.#texts('env', env)],
    ]);
  }

  remote(): Fields {
    const fields = new Map<string, Value>();
    const url = best(this.#useKey('url'));
    fields.set('url', url?.value ?? null);
    const explicit = this.#useKey('transport')[0]?.value;
    const implied =
      foreignKeys.get(url?.key ?? '')?.transport ??
      impliedTransport((key) => this.#entry.has(key));
    const transport =
      explicit === undefined || explicit === 'stdio' ? implied : explicit;
    if (transport) fields.set('transport', transport);
    const headers = this.#useKey('headers').map(({ value }) => value);
    fields.set('headers', this.#texts('headers', headers));
    const [auth] = this.#useKey('auth');
    if (!auth) return fields;
    if (hasAuthDetails(this.#entry.get(auth.key))) {
      this.notes.push(t('The details of signing in with OAuth are left out.'));
    }
    return fields.set('auth', auth.value);
  }

  enabled(): boolean {
    return this.#useKey('enabled')[0]?.value !== false;
  }

  /** Usable fields outside the server. The notes name the others. */
  extra(isLocal: boolean): Fields {
    const extra = new Map<string, Value>();
    for (const [key, fits] of Object.entries(
      isLocal ? extras.local : extras.remote,
    )) {
      const field = this.#find(key as OwnKey).find(
        ({ value }) => value !== '' && fits(value),
      );
      if (!field) continue;
      this.#used.add(field.key);
      const seconds =
        field.key === 'timeout'
          ? fromSeconds(Number(field.value), (key) => this.#entry.has(key))
          : undefined;
      if (seconds !== undefined) {
        this.notes.push(
          t(
            'The timeout looks like seconds, and is converted to milliseconds.',
          ),
        );
      }
      const value = seconds ?? field.value;
      extra.set(key, key === 'timeout' ? Math.round(Number(value)) : value);
    }
    return extra;
  }

  /** Notes about lost keys. Call it last. */
  rest(): string[] {
    const isLost = (key: string, value: Value) => {
      const ignored = ignoredKeys.get(key);
      return (
        !this.#used.has(key) &&
        !isEmpty(value) &&
        !(ignored && ignored.advice === undefined)
      );
    };
    return notTakenOver(
      [...this.#entry].flatMap(([key, value]) =>
        isLost(key, value) ? [key] : [],
      ),
    );
  }

  #find(own: OwnKey): Said[] {
    return spellingsOf(own).flatMap((key) => {
      const value = this.#entry.get(key);
      const translation =
        value === undefined ? undefined : translateValue(key, value);
      return translation === undefined ? [] : [{ key, value: translation }];
    });
  }

  /** Finds the values of a key, and leaves their keys out of the notes. */
  #useKey(own: OwnKey): Said[] {
    for (const key of spellingsOf(own)) this.#used.add(key);
    return this.#find(own);
  }

  #texts(
    what: 'env' | 'headers',
    values: readonly (Value | undefined)[],
  ): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    const lost: string[] = [];
    for (const [name, item] of values.flatMap((value) => pairsOf(value))) {
      if (item === null || typeof item === 'object') lost.push(name);
      else texts.set(name, String(item));
    }
    if (lost.length > 0)
      this.notes.push(
        t('In "{0}", {1} is not text and is left out.', what, listNames(lost)),
      );
    return texts;
  }
}

type Fits = (value: Value) => boolean;

const isText: Fits = (value) => typeof value === 'string';
const isNumber: Fits = (value) => typeof value === 'number';
const isTextList: Fits = (value) => Array.isArray(value) && value.every(isText);

const extrasOfBoth = {
  description: isText,
  icon: isText,
  timeout: isNumber,
  tools: (value) => value instanceof Map,
  include_tags: isTextList,
  exclude_tags: isTextList,
} satisfies Partial<Record<OwnKey, Fits>>;

/** Fields outside the server, and tests for their values. */
const extras = {
  local: {
    ...extrasOfBoth,
    cwd: isText,
    keep_alive: (value) => typeof value === 'boolean',
  },
  remote: {
    ...extrasOfBoth,
    sse_read_timeout: isNumber,
    max_sse_event_size: Number.isSafeInteger,
  },
} satisfies Readonly<Record<string, Partial<Record<OwnKey, Fits>>>>;

/**
 * Reads `{"KEY": "value"}`, or a list of `KEY=value` or of objects with name
 * and value.
 */
function pairsOf(value: Value | undefined): (readonly [string, Value])[] {
  if (!Array.isArray(value)) return [...mapOf(value)];
  return (value as readonly Value[]).flatMap(
    (item): (readonly [string, Value])[] => {
      const name = mapOf(item).get('name') ?? mapOf(item).get('key');
      const inner = mapOf(item).get('value');
      if (typeof name === 'string') return [[name, inner ?? null]];
      const text = typeof item === 'string' ? item : '';
      const cut = text.search(/[=:]/);
      return cut > 0
        ? [[text.slice(0, cut).trim(), text.slice(cut + 1).trim()]]
        : [];
    },
  );
}

/** The first value with content, or the first. */
const best = (all: readonly Said[]) => all.find(isSaid) ?? all[0];
const isSaid = ({ value }: Said) => !isEmpty(value);

function isEmpty(value: Value): boolean {
  if (value instanceof Map) return value.size === 0;
  return (
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
