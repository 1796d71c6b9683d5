/** Values after the names of secrets, in command lines, in JSON and code, and in sentences. */
import { isOption, isPairOption, type Masker, optionMasker, setMasker, valueMasker } from './maskers.ts';
import { isSecretName } from './secretNames.ts';
import { type Extent, isQuoteAt, valueAt } from './valueAt.ts';

/**
 * A name with what is between it and its value: a sign, or only blanks, which mean something after options and
 * words such as Bearer. In JSON and code, quotes are around it, however often escaped.
 */
const naming =
  /(?:([\\^`'"]{0,15}["'`])|(?<![\w.-]))((?:\$(?:env|Env|ENV):)?[-/]{0,3}[\w.][\w.-]*)([\\^`'"]{0,15}["'`]\]?)?(\s*[:=]{1,3}>?\s*|\s*,\s*|(?:\s|[\\`^]\r?\n)+)/g;

/**
 * What tells that a name is one of a variable or a header: `env` before any number of them, `set`, which needs no sign
 * after the name, an option such as `--header` before a single one, and an object of JSON around them.
 */
type Setter = 'env' | 'set' | 'option' | 'object';

interface Named {
  readonly name: string;
  /** The quotes around the name. */
  readonly open: string;
  readonly close: string;
  /** What is between the name and the value. */
  readonly between: string;
  readonly setter: Setter | undefined;
}

/** What follows more values than this that turn out to be open is covered: each is read to its end, and searched again. */
const mostOpenValues = 100;

/** The text with the values after the names of secrets masked. */
export function maskNamed(text: string, cover: string): string {
  let shown = '';
  let done = 0;
  let next = 0;
  let setter: Setter | undefined;
  let openValues = 0;
  for (;;) {
    naming.lastIndex = next;
    const found = naming.exec(text);
    if (!found) return shown + text.slice(done);
    const [all, open = '', name = '', close = '', between = ''] = found;
    const at = found.index + all.length;
    if (setter === 'object' && text.slice(next, found.index).includes('}')) setter = undefined;
    const named: Named = { name, open, close, between, setter };
    next = at;
    setter = setterBehind(named, text, at);
    const isOpen = text.startsWith(cover, at) || setter === 'option' || isObject(named, text[at]);
    const masker = isOpen ? undefined : maskerOf(named);
    if (!masker) continue;
    const { value, end } = valueAt(text, at, {
      from: isSet(named) ? found.index : at,
      extent: extentOf(named, text[found.index - 1]),
    });
    const masked = masker(value, cover);
    if (masked !== undefined) {
      shown += text.slice(done, at) + masked;
      done = next = end;
    } else if (++openValues > mostOpenValues) {
      return shown + text.slice(done, at) + cover;
    }
  }
}

function isSet({ between }: Named): boolean {
  return /[:=]/.test(between);
}

function isObject({ close }: Named, sign: string | undefined): boolean {
  return close !== '' && sign === '{';
}

/** A header has its line, and a field of a connection goes up to the next one. */
function extentOf({ name, between, close }: Named, before: string | undefined): Extent {
  if (close === '' && between.includes(':') && /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(name))
    return 'line';
  return before === ';' && between.includes('=') ? 'field' : 'word';
}

function setterBehind(named: Named, text: string, at: number): Setter | undefined {
  const { name, open, close, between } = named;
  const setter = named.setter === 'option' ? undefined : named.setter;
  // Where one quote is around the option and the name, or around the name and its value, they are one value.
  const isInQuotes = (open !== '' && close === '') || isQuoteAt(text, at);
  if (isPairOption(name) && !isInQuotes) return 'option';
  if (isSet(named))
    return isObject(named, text[at]) && /^(?:env|environment|headers)$/i.test(name) ? 'object' : setter;
  if (between.includes(',') || name.startsWith('-') || setter === 'object') return setter;
  return /^(?:env|export)$/i.test(name) ? 'env' : /^(?:set|setx|setenv)$/i.test(name) ? 'set' : undefined;
}

function maskerOf(named: Named): Masker | undefined {
  const { name, between, close, setter } = named;
  // A login without a user begins with its colon: `-u :password`.
  if (/\s:$/.test(between) && name.startsWith('-')) {
    return (value, cover) => optionMasker(name)?.(`:${value}`, cover)?.replace(':', '');
  }
  if (isSet(named)) return setMasker(name, isVariable(named));
  // A comma has a meaning only in a list of quoted words.
  if (between.includes(',') && close === '') return undefined;
  const masker = name.startsWith('-') ? optionMasker(name) : wordMasker(name, setter);
  return (
    masker &&
    ((value, cover) => (isOption(value) || inSentence.test(value) ? undefined : masker(value, cover)))
  );
}

function isVariable({ setter, between, close }: Named): boolean {
  if (setter === undefined || setter === 'option') return setter === 'option';
  return setter === 'object' ? close !== '' : between.includes('=');
}

/** For what follows a word: a way of signing in, or a variable that is set. */
function wordMasker(word: string, setter: Setter | undefined): Masker | undefined {
  if (/(?:^|-)bearer$/i.test(word) || (setter === 'set' && isSecretName(word))) return valueMasker(word);
  return /^basic$/i.test(word) ? maskBasic : undefined;
}

/** What follows the word in a sentence or a script. */
const inSentence =
  /^(?:an?|and|are|as|at|auth\w*|by|can(?:not)?|credentials?|expired|flag|for|from|ha[sd]|have|header|if|in|invalid|is|it|may|missing|must|needs?|not|of|on|option|or|required|scheme|should|the|then|to|tokens?(?:\s+\S+)?|was|were|when|will|with|without|[&|<>;]+)[.:!?]?$/i;

/** Basic is a word of sentences, too. What encodes a password has a capital, a digit or a sign in it. */
function maskBasic(value: string, cover: string): string | undefined {
  return /^[\w+/-]{6,}=*$/.test(value) && /[A-Z\d=]/.test(value.slice(1)) ? cover : undefined;
}
