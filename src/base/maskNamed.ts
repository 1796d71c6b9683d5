/** Values behind the names of secrets, in command lines, in JSON and code, and in sentences. */
import { isOption, type Masker, optionMasker, setMasker, valueMasker } from './maskers.ts';
import { isSecretName } from './secretNames.ts';
import { type Extent, valueAt } from './valueAt.ts';

/**
 * A name with what stands between it and its value: a sign, or only blanks, which mean something behind options and
 * words such as Bearer. In JSON and code, quotes stand around it, however often escaped.
 */
const naming =
  /(?:([\\^`'"]{0,15}["'`])|(?<![\w.-]))((?:\$(?:env|Env|ENV):)?[-/]*[\w.][\w.-]*)([\\^`'"]{0,15}["'`]\]?)?(\s*[:=]{1,3}>?\s*|\s*,\s*|(?:\s|[\\`^]\r?\n)+)/g;

interface Named {
  readonly name: string;
  /** The quotes around the name. */
  readonly open: string;
  readonly close: string;
  /** What stands between the name and the value. */
  readonly between: string;
  /** A word before it, after which each name is that of a variable or a header. */
  readonly setter: string;
}

/** What follows more values than this that turn out to be open is covered: each is read to its end, and searched again. */
const mostOpenValues = 100;

/** The text with the values behind the names of secrets masked. */
export function maskNamed(text: string, cover: string): string {
  let shown = '';
  let done = 0;
  let next = 0;
  let setter = '';
  let openValues = 0;
  for (;;) {
    naming.lastIndex = next;
    const found = naming.exec(text);
    if (!found) return shown + text.slice(done);
    const [all, open = '', name = '', close = '', between = ''] = found;
    const at = found.index + all.length;
    // An object of JSON has ended.
    if (setter !== '' && text.slice(next, found.index).includes('}')) setter = '';
    const named: Named = { name, open, close, between, setter };
    next = at;
    const masker = text.startsWith(cover, at) || isObject(named, text[at]) ? undefined : maskerOf(named);
    if (masker) {
      const { value, end } = valueAt(text, at, {
        from: isSet(named) && open !== '' && close === '' ? found.index : undefined,
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
    setter = setterAfter(named, text[at]);
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

function setterAfter(named: Named, sign: string | undefined): string {
  const { name, between, setter } = named;
  if (isSet(named))
    return isObject(named, sign) && /^(?:env|environment|headers)$/i.test(name) ? name : setter;
  if (between.includes(',') || name.startsWith('-')) return setter;
  return /^(?:env|export|set|setx|setenv)$/i.test(name) ? name : '';
}

function maskerOf(named: Named): Masker | undefined {
  const { name, between, close, setter } = named;
  if (isSet(named)) return setMasker(name, setter !== '');
  // A comma has a meaning only in a list of quoted words.
  if (between.includes(',') && close === '') return undefined;
  const masker = name.startsWith('-') ? optionMasker(name) : wordMasker(name, setter);
  return (
    masker &&
    ((value, cover) => (isOption(value) || inSentence.test(value) ? undefined : masker(value, cover)))
  );
}

/** For what follows a word: a way of signing in, or a variable of `set` and the like. */
function wordMasker(word: string, setter: string): Masker | undefined {
  if (/(?:^|-)bearer$/i.test(word) || (/^set/i.test(setter) && isSecretName(word))) return valueMasker(word);
  return /^basic$/i.test(word) ? maskBasic : undefined;
}

/** What goes on behind the word in a sentence or a script. */
const inSentence =
  /^(?:an?|and|are|as|at|auth\w*|by|can(?:not)?|credentials?|expired|flag|for|from|ha[sd]|have|header|if|in|invalid|is|it|may|missing|must|needs?|not|of|on|option|or|required|scheme|should|the|then|to|tokens?(?:\s+\S+)?|was|were|when|will|with|without|[&|<>;]+)[.:!?]?$/i;

/** Basic is a word of sentences, too. What encodes a password has a capital, a digit or a sign in it. */
function maskBasic(value: string, cover: string): string | undefined {
  return /^[\w+/-]{6,}=*$/.test(value) && /[A-Z\d=]/.test(value.slice(1)) ? cover : undefined;
}
