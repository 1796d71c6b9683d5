/**
 * Finds the literals of an expression in code: `process.env["TOKEN"] ?? "x"`,
 * `str = Field(default="x")`.
 */
import { isOpenName, isSecretName } from './secretNames.ts';

interface Literal {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const maxLength = 300;

/**
 * A text in quotes, perhaps with a letter before it, which may not close; a
 * word; a sign.
 */
const token =
  /(\s*\n[+-]\s*|\s)|([a-z$@]{0,2}(["'`])((?:(?!\3)[^\\\n]|\\.)*)(?:\3|$))|(\$?[\w@]+)|\?\?=?|\|\|=?|\?:|\?\.|\/\/|[=!]==?|[=-]>|::|&&|[^\w\s]/iy;

/** A lifetime in Rust begins as a text in quotes does. */
const lifetime = /'(?:static|[a-z])\b(?!')/y;

/**
 * Words between two others: others that follow on each other are no expression.
 */
const keyword =
  /^(?:new|await|if|else|or|and|not|in|is|mut|dyn|const|unless|typeof|as)$/i;

const beforeValue =
  /^(?:|=|\?\?=?|\|\|=?|\?:|\/\/|&&|or|and|else|\?|\+|[([{,|]|=>)$/;
/** Signs before texts that are no values of the expression. */
const beforeText = /^(?::|[!=]==?)$/;
const typeShape = /^[&*]{0,2}(?!.*\w&)['\w.:<>[\]?!*&, |()]*$/;
const goesOn = /^\s*(?:\?\?|\|\||\?:|\?|:\s|\.|\+|or\s|\/\/)/;

/**
 * The literals that are values of the expression here; empty if it is only a
 * literal itself, or has none.
 */
export function literalsAfter(text: string, at: number): readonly Literal[] {
  const piece = text.slice(at, at + maxLength);
  if (!/^(?:[A-Za-z_&*"'`]|\[\w{0,20}\]\w|[$@]{1,2}[A-Za-z_"'])/.test(piece))
    return [];
  const literals: (Literal & { readonly isArgument: boolean })[] = [];
  /** The brackets around. */
  let open = '';
  let last = '';
  let beforeLast = '';
  let key = '';
  let isTernary = false;
  let i = 0;
  while (i < piece.length) {
    lifetime.lastIndex = token.lastIndex = i;
    const start = i;
    if (lifetime.test(piece)) {
      i = lifetime.lastIndex;
      continue;
    }
    const [all = '', blank, quoted, sign = '', content = '', word] =
      token.exec(piece) ?? [];
    i += all.length || 1;
    if (blank !== undefined) {
      const isOpen = open !== '' || beforeValue.test(last) || last === ':';
      if (blank.includes('\n') && !isOpen && !goesOn.test(piece.slice(i)))
        break;
      continue;
    }
    if (quoted !== undefined) {
      const isIndex =
        last === '[' && /^(?:[\w$@]+|[\])>!]|\?\.)$/.test(beforeLast);
      const isKey = !isTernary && /^\s*:/.test(piece.slice(i));
      // The members of an object that is an argument are rather options.
      const isMember = open !== '' && !open.includes('({') && !isOpenName(key);
      const isAfterColon = last === ':' && (isTernary || isMember);
      const isReached =
        !isIndex && !isKey && (beforeValue.test(last) || isAfterColon);
      if (!isReached && !beforeText.test(last) && open === '') break;
      key = content;
      // A literal may continue after the piece.
      const end =
        i < maxLength ? at + i : text.indexOf(sign, at + i) + 1 || text.length;
      const literal = { value: content, start: at + start, end };
      if (isReached) literals.push({ ...literal, isArgument: last === '(' });
    } else if (word !== undefined) {
      key = word;
      if (/[\w$@]/.test(last) && !keyword.test(last) && !keyword.test(word))
        break;
      if (last === '=' && /^\d{4,}$/.test(word))
        literals.push({
          value: word,
          start: at + start,
          end: at + i,
          isArgument: false,
        });
    } else if (
      all === '{' &&
      last !== '=' &&
      /^\s*\n/.test(piece.slice(i, i + 20))
    )
      break;
    else if ('([{<'.includes(all)) open += all;
    else if (')]}>'.includes(all)) {
      if (open === '') break;
      open = open.slice(0, -1);
    } else if (all === '=') {
      // A type ends here, or the name of an argument.
      if (open === '' && !typeShape.test(piece.slice(0, start))) break;
    } else if (open === '' && ',;\\"\'`#%^~'.includes(all)) break;
    if (all === '?') isTernary = true;
    // An address, or a type of several texts
    if ((all === '//' && last === ':') || (all === '|' && last === 'text'))
      break;
    beforeLast = last;
    last = quoted === undefined ? all : 'text';
  }
  return valuesOf(literals, text, at);
}

/**
 * Leaves out names of variables that are looked up, and adds a word that can be
 * a value: `hunter2 or "x"`.
 */
function valuesOf(
  literals: readonly (Literal & { readonly isArgument: boolean })[],
  text: string,
  at: number,
): readonly Literal[] {
  const values = literals.filter(
    ({ isArgument, value }, index) =>
      !(
        isArgument &&
        index < literals.length - 1 &&
        (isSecretName(value) || /^[A-Z_]+$/.test(value))
      ),
  );
  const [first, second] = values;
  if (!first || (!second && /["'`]/.test(text.charAt(at)))) return [];
  const [, word = '', sign = ''] =
    /^(\w+)\s*(\?\?|\|\||\?:|\/\/|&&|\b(?:or|and)\b|=)/.exec(
      text.slice(at, first.start),
    ) ?? [];
  const isType =
    sign === '=' && (!/\d/.test(word) || /^[a-z]+\d{1,3}$/.test(word));
  const isDoubtful = word !== '' && !isType;
  return isDoubtful
    ? [{ value: word, start: at, end: at + word.length }, ...values]
    : values;
}
