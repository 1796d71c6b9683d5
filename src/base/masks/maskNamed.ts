/**
 * Values after the names of secrets, in command lines, in JSON and code, and in
 * sentences.
 */
import { groupEnd, maskLeaves } from './maskLeaves.ts';
import {
  isOption,
  isPairOption,
  type Masker,
  optionMasker,
  setMasker,
  valueMasker,
} from './maskers.ts';
import { literalsAfter } from './literalsAfter.ts';
import { isSecretName } from './secretNames.ts';
import { type Extent, isQuoteAt, valueAt } from './valueAt.ts';

/**
 * A name with what is between it and its value: a sign, or only blanks, which
 * mean something after options and words such as Bearer. In JSON and code,
 * quotes are around it, however often escaped.
 */
const naming = new RegExp(
  [
    String.raw`(?:([\\^${'`'}'"]{0,15}["'${'`'}])|(?<![\w.-]))`,
    String.raw`((?:\$(?:env|Env|ENV):)?[-/]{0,3}[\w.][\w.-]*)`,
    String.raw`([\\^${'`'}'"]{0,15}["'${'`'}][\])]?)?`,
    String.raw`((?:[?!](?=:))?\s*[:=]{1,3}>?\s*(?:(?<=\n)\+\s*)?|\s*,\s*`,
    // A type after the name: `char password[] = "x"`, `var password string =
    // "x"`
    String.raw`|(?:\[\w{0,20}\]|\s{1,4}(?:As\s|\*|\[\])?(?:[Ss]tring|byte))\s*=(?!=)\s*`,
    // Fallback values: `process.env.TOKEN ?? "x"`
    String.raw`|\s*(?:\?\?|\|\||\?:)=?\s*(?=["'${'`'}])|(?<=["'][\])])\s+or\s+(?=["'])`,
    String.raw`|(?:\s|[\\${'`'}^]\r?\n)+)`,
  ].join(''),
  'g',
);

/**
 * The sign that a name is one of a variable or a header: `env` before any
 * number of them, `set`, which needs no sign after the name, an option such as
 * `--header` before a single one, and an object of JSON around them.
 */
type Setter = 'env' | 'set' | 'option' | 'object';

interface Named {
  readonly name: string;
  /** The quotes around the name. */
  readonly open: string;
  readonly close: string;
  readonly between: string;
  readonly setter: Setter | undefined;
  /** The text before the name, as far as it changes the meaning. */
  readonly before: string;
}

/** Harmless values before the rest is masked: each costs another scan. */
const maxOpenValues = 100;

/**
 * The same for brackets that do not close: each is read to the end of the text.
 */
const maxOpenBrackets = 10;

/** The text with the values after the names of secrets masked. */
export function maskNamed(text: string, cover: string): string {
  return new NamedValues(text, cover).mask();
}

class NamedValues {
  readonly #text: string;
  readonly #cover: string;
  /** The masked text up to `#done`. */
  #output = '';
  #done = 0;
  /** The place at which to look for the next name. */
  #next = 0;
  #setter: Setter | undefined;
  /**
   * The name that a value belongs to, where both have names: `name:
   * DB_PASSWORD`, `value: x`.
   */
  #pairName: string | undefined;
  #openValues = 0;
  #openBrackets = 0;

  constructor(text: string, cover: string) {
    this.#text = text;
    this.#cover = cover;
  }

  mask(): string {
    for (;;) {
      naming.lastIndex = this.#next;
      const match = naming.exec(this.#text);
      if (!match) return this.#output + this.#text.slice(this.#done);
      const at = match.index + match[0].length;
      const named = this.#read(match, at);
      if (!this.#maskValue(named, match.index, at))
        return this.#output + this.#text.slice(this.#done, at) + this.#cover;
    }
  }

  #read(match: RegExpExecArray, at: number): Named {
    const [, open = '', name = '', close = '', between = ''] = match;
    const skipped = this.#text.slice(this.#next, match.index);
    if (this.#setter === 'object' && skipped.includes('}'))
      this.#setter = undefined;
    const before = this.#text.slice(
      Math.max(0, match.index - 100),
      match.index,
    );
    const setter = this.#setter;
    const named: Named = { name, open, close, between, setter, before };
    this.#next = at;
    this.#setter = setterBehind(named, this.#text, at);
    return named;
  }

  /** Returns false after too much that is open: the rest has to be masked. */
  #maskValue(named: Named, nameAt: number, at: number): boolean {
    const text = this.#text;
    const cover = this.#cover;
    const extent = extentOf(named);
    const ofPair = this.#takePairName(named, at);
    if (this.#hasNoValue(named, at)) return true;
    const masker =
      ofPair === undefined ? maskerOf(named, text, at) : valueMasker(ofPair);
    if (!masker) return true;
    if (isSet(named) && extent === 'word' && this.#maskLiterals(at, masker))
      return true;
    const from = isSet(named) ? nameAt : at;
    const { value, end } = valueAt(text, at, { from, extent });
    const masked = masker(value, cover);
    const group =
      masked !== undefined && extent !== 'line'
        ? groupAt(text, at, value)
        : undefined;
    if (group?.isUnclosed && ++this.#openBrackets > maxOpenBrackets)
      return false;
    const replaced =
      group?.end === undefined
        ? masked
        : maskInside(text.slice(at, group.end), ofPair ?? named.name, cover);
    if (replaced === undefined) return ++this.#openValues <= maxOpenValues;
    this.#replace(at, group?.end ?? end, replaced);
    return true;
  }

  #takePairName(named: Named, at: number): string | undefined {
    const pairName = this.#pairName;
    this.#pairName = pairNameAfter(named, this.#text, at, pairName);
    return isSet(named) && valueKey.test(named.name)
      ? (pairName ?? pairNameBehind(this.#text, at))
      : undefined;
  }

  #hasNoValue(named: Named, at: number): boolean {
    return (
      this.#text.startsWith(this.#cover, at) ||
      this.#setter === 'option' ||
      isObject(named, this.#text[at]) ||
      isMapping(named, this.#text, at)
    );
  }

  /** Masks the literals of an expression, if there are any. */
  #maskLiterals(at: number, masker: Masker): boolean {
    const literals = literalsAfter(this.#text, at);
    for (const { value, start, end } of literals)
      this.#replace(
        start,
        end,
        masker(value, this.#cover) ?? this.#text.slice(start, end),
      );
    return literals.length > 0;
  }

  #replace(start: number, end: number, replacement: string): void {
    this.#output += this.#text.slice(this.#done, start) + replacement;
    this.#done = this.#next = end;
  }
}

interface Group {
  /** Undefined where the value is a word that begins with a bracket. */
  readonly end: number | undefined;
  readonly isUnclosed: boolean;
}

/** The brackets that begin here. Unclosed brackets end with the line. */
function groupAt(text: string, at: number, value: string): Group | undefined {
  if (!/[{[(]/.test(text.charAt(at))) return undefined;
  const closed = groupEnd(text, at);
  // A word can begin with brackets: `{SSHA}…`
  if (closed !== undefined)
    return {
      end: /[\w$%@#*~^+/-]/.test(text.charAt(closed)) ? undefined : closed,
      isUnclosed: false,
    };
  if (!/["'`:=]|^.$/.test(value)) return { end: undefined, isUnclosed: true };
  const end = `${text}\n`.indexOf('\n', at);
  // A name at the end has its value on the next line.
  const [last = ''] =
    lastName.exec(text.slice(Math.max(at, end - 100), end)) ?? [];
  return { end: end - last.length, isUnclosed: true };
}

const lastName = /["'`\\]*[\w.-]+["'`\\]*\s*[:=]>?\s*$/;

function maskInside(group: string, name: string, cover: string): string {
  return maskLeaves(group, name, cover, (leaf) => maskNamed(leaf, cover));
}

const valueKey = /(?:value|default)$/i;
const nameKey = /(?:name|key)$/i;

function pairNameAfter(
  named: Named,
  text: string,
  at: number,
  current: string | undefined,
): string | undefined {
  const { name, close, between } = named;
  // `variable "db_password" {`, and a mapping of YAML
  if (isObject(named, text[at]) || (isSet(named) && between.includes('\n')))
    return isSecretName(name) ? name : undefined;
  if (!isSet(named)) return current;
  if (nameKey.test(name)) {
    const { value } = valueAt(text, at, { from: at, extent: 'word' });
    return /^[\w.-]{1,80}$/.test(value) && isSecretName(value)
      ? value
      : undefined;
  }
  return valueKey.test(name) && close === '' ? undefined : current;
}

/** The name after its value: `value: x`, `name: DB_PASSWORD`. */
function pairNameBehind(text: string, at: number): string | undefined {
  const { end } = valueAt(text, at, { from: at, extent: 'word' });
  const [, name = ''] = followingName.exec(text.slice(end, end + 200)) ?? [];
  return isSecretName(name) ? name : undefined;
}

const followingName =
  /^["']?\s{0,40}[,\n](?:\+|-(?=\s{2}))?\s{0,40}["']?\w{0,40}(?:name|key)["']?\s?[:=]\s?["']?([\w.-]{1,80})/i;

/** True if names or a block follow on the next line, as in YAML. */
function isMapping(named: Named, text: string, at: number): boolean {
  if (!isSet(named)) return false;
  const pattern = named.between.includes('\n') ? mapping : block;
  pattern.lastIndex = at;
  return pattern.test(text);
}

const mapping = /(?:["']?[\w.-]+["']?:|-)(?:\s|$)/y;
const block = /[|>][-+\d]{0,2}[ \t]*(?:#.*)?\r?\n/y;

function isSet({ between }: Named): boolean {
  return /[:=?|]|or/.test(between);
}

function isObject({ close }: Named, sign: string | undefined): boolean {
  return close !== '' && sign === '{';
}

/**
 * A header has its line, and a field of a connection goes up to the next one.
 */
function extentOf({ name, between, close, before }: Named): Extent {
  if (
    close === '' &&
    between.includes(':') &&
    /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(name)
  )
    return 'line';
  return before.endsWith(';') && between.includes('=') ? 'field' : 'word';
}

function setterBehind(
  named: Named,
  text: string,
  at: number,
): Setter | undefined {
  const { name, open, close, between } = named;
  const setter = named.setter === 'option' ? undefined : named.setter;
  // A quote around the option and the name, or around the name and its value,
  // makes them one value.
  const isInQuotes = (open !== '' && close === '') || isQuoteAt(text, at);
  if (isPairOption(name) && !isInQuotes) return 'option';
  if (isSet(named))
    return isObject(named, text[at]) &&
      /^(?:env|environment|headers)$/i.test(name)
      ? 'object'
      : setter;
  if (between.includes(',') || name.startsWith('-') || setter === 'object')
    return setter;
  if (/^(?:env|export)$/i.test(name)) return 'env';
  return /^(?:set|setx|setenv)$/i.test(name) ? 'set' : undefined;
}

function maskerOf(named: Named, text: string, at: number): Masker | undefined {
  const { name, between, close, before } = named;
  // A login without a user begins with its colon: `-u :password`.
  if (/\s:$/.test(between) && name.startsWith('-')) {
    return (value, cover) =>
      optionMasker(name)?.(`:${value}`, cover)?.replace(':', '');
  }
  if (isSet(named)) return setMasker(name, isVariable(named));
  // A comma has a meaning only in a list of quoted words.
  if (between.includes(',') && close === '') return undefined;
  if (isSecretName(name) && setting.test(before) && isQuoteAt(text, at))
    return valueMasker(name);
  const masker = name.startsWith('-')
    ? optionMasker(name)
    : wordMasker(named, text, at);
  return (
    masker &&
    ((value, cover) =>
      isOption(value) || inSentence.test(value)
        ? undefined
        : masker(value, cover))
  );
}

function isVariable({ setter, between, close }: Named): boolean {
  if (setter === undefined || setter === 'option') return setter === 'option';
  return setter === 'object' ? close !== '' : between.includes('=');
}

/**
 * A call that sets what its first argument names, or gives a value for where
 * there is none.
 */
const setting =
  /(?:def|set|put|add|append|insert|with|env|default|config|conf|propert(?:y|ies)|header|param|const)\w*(?:\.get)?\(\s*$/i;

/**
 * Masks the value after a word: a way of signing in, a variable that is set, or
 * a password in SQL and .netrc.
 */
function wordMasker(
  { name, setter, before, close }: Named,
  text: string,
  at: number,
): Masker | undefined {
  const isSetByWord = setter === 'set' || dockerVariable.test(before);
  if (/(?:^|-)bearer$/i.test(name) || (isSetByWord && isSecretName(name)))
    return valueMasker(name);
  if (/^by$/i.test(name) && identified.test(before))
    return name === 'BY' || isQuoteAt(text, at) ? coverAll : undefined;
  if (/^password$/i.test(name) && close === '')
    return isQuoteAt(text, at) || /\blogin\s+\S+\s+$/.test(before)
      ? valueMasker(name)
      : undefined;
  return /^basic$/i.test(name) ? maskBasic : undefined;
}

const dockerVariable = /(?:^|\n)[+ -]?\s{0,20}ENV\s+$/;
const identified = /\bidentified\s+(?:with\s+\S+\s+)?$/i;
const coverAll: Masker = (_, cover) => cover;

/** The rest of a sentence or a script after the word. */
const inSentence =
  /^(?:an?|and|are|as|at|auth\w*|by|can(?:not)?|credentials?|expired|flag|for|from|ha[sd]|have|header|if|in|invalid|is|it|may|missing|must|needs?|not|of|on|option|or|required|scheme|should|the|then|to|tokens?(?:\s+\S+)?|was|were|when|will|with|without|[&|<>;]+)[.:!?]?$/i;

/**
 * Basic is a word of sentences, too. What encodes a password has a capital, a
 * digit or a sign in it.
 */
function maskBasic(value: string, cover: string): string | undefined {
  return /^[\w+/-]{6,}=*$/.test(value) && /[A-Z\d=]/.test(value.slice(1))
    ? cover
    : undefined;
}
