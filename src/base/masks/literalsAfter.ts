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

interface ArgumentLiteral extends Literal {
  readonly isArgument: boolean;
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

const beginning = /^(?:[A-Za-z_&*"'`]|\[\w{0,20}\]\w|[$@]{1,2}[A-Za-z_"'])/;

/**
 * The literals that are values of the expression here; empty if it is only a
 * literal itself, or has none.
 */
export function literalsAfter(text: string, at: number): readonly Literal[] {
  const piece = text.slice(at, at + maxLength);
  if (!beginning.test(piece)) return [];
  const expression = new Expression(text, at, piece);
  let position = 0;
  while (position < piece.length) {
    lifetime.lastIndex = position;
    if (lifetime.test(piece)) {
      position = lifetime.lastIndex;
      continue;
    }
    const next = tokenAt(piece, position);
    if (!expression.read(next)) break;
    position = next.end;
  }
  return valuesOf(expression.literals, text, at);
}

interface Token {
  readonly kind: 'blank' | 'quoted' | 'word' | 'sign';
  readonly all: string;
  /** The text between the quotes. */
  readonly content: string;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

function tokenAt(piece: string, start: number): Token {
  token.lastIndex = start;
  const [all = '', blank, quoted, quote = '', content = '', word] =
    token.exec(piece) ?? [];
  const place = { all, content, quote, start, end: start + (all.length || 1) };
  if (blank !== undefined) return { ...place, kind: 'blank' };
  if (quoted !== undefined) return { ...place, kind: 'quoted' };
  return { ...place, kind: word === undefined ? 'sign' : 'word' };
}

/** Collects the literals of an expression, token by token. */
class Expression {
  readonly literals: ArgumentLiteral[] = [];
  readonly #text: string;
  readonly #at: number;
  readonly #piece: string;
  /** The brackets around. */
  #open = '';
  #last = '';
  #beforeLast = '';
  #key = '';
  #isTernary = false;

  constructor(text: string, at: number, piece: string) {
    this.#text = text;
    this.#at = at;
    this.#piece = piece;
  }

  /** False if the expression ends before this token. */
  read(next: Token): boolean {
    if (next.kind === 'blank') return this.#goesOnAfter(next);
    const isPart =
      next.kind === 'quoted'
        ? this.#readQuoted(next)
        : next.kind === 'word'
          ? this.#readWord(next)
          : this.#readSign(next);
    if (!isPart) return false;
    const { all } = next;
    if (all === '?') this.#isTernary = true;
    const isAddress = all === '//' && this.#last === ':';
    const isTypeOfTexts = all === '|' && this.#last === 'text';
    if (isAddress || isTypeOfTexts) return false;
    this.#beforeLast = this.#last;
    this.#last = next.kind === 'quoted' ? 'text' : all;
    return true;
  }

  #goesOnAfter({ all, end }: Token): boolean {
    const isOpen =
      this.#open !== '' || beforeValue.test(this.#last) || this.#last === ':';
    return isOpen || !all.includes('\n') || goesOn.test(this.#piece.slice(end));
  }

  #readQuoted({ content, quote, start, end }: Token): boolean {
    const isValue = this.#isValue(end);
    if (!isValue && !beforeText.test(this.#last) && this.#open === '')
      return false;
    this.#key = content;
    if (!isValue) return true;
    const text = this.#text;
    // A literal may continue after the piece.
    const literalEnd =
      end < maxLength
        ? this.#at + end
        : text.indexOf(quote, this.#at + end) + 1 || text.length;
    this.literals.push({
      value: content,
      start: this.#at + start,
      end: literalEnd,
      isArgument: this.#last === '(',
    });
    return true;
  }

  /** True if the text in quotes that ends here is a value. */
  #isValue(end: number): boolean {
    const isIndex =
      this.#last === '[' && /^(?:[\w$@]+|[\])>!]|\?\.)$/.test(this.#beforeLast);
    const isKey = !this.#isTernary && /^\s*:/.test(this.#piece.slice(end));
    if (isIndex || isKey) return false;
    // The members of an object that is an argument are rather options.
    const isMember =
      this.#open !== '' && !this.#open.includes('({') && !isOpenName(this.#key);
    const isAfterColon = this.#last === ':' && (this.#isTernary || isMember);
    return isAfterColon || beforeValue.test(this.#last);
  }

  #readWord({ all, start, end }: Token): boolean {
    this.#key = all;
    const isAfterWord = /[\w$@]/.test(this.#last) && !keyword.test(this.#last);
    if (isAfterWord && !keyword.test(all)) return false;
    if (this.#last === '=' && /^\d{4,}$/.test(all))
      this.literals.push({
        value: all,
        start: this.#at + start,
        end: this.#at + end,
        isArgument: false,
      });
    return true;
  }

  #readSign({ all, start, end }: Token): boolean {
    const isBlock =
      all === '{' &&
      this.#last !== '=' &&
      /^\s*\n/.test(this.#piece.slice(end, end + 20));
    if (isBlock) return false;
    if ('([{<'.includes(all)) {
      this.#open += all;
      return true;
    }
    if (this.#open !== '') {
      if (')]}>'.includes(all)) this.#open = this.#open.slice(0, -1);
      return true;
    }
    // A type ends here, or the name of an argument.
    if (all === '=') return typeShape.test(this.#piece.slice(0, start));
    return !')]}>,;\\"\'`#%^~'.includes(all);
  }
}

/**
 * Leaves out names of variables that are looked up, and adds a word that can be
 * a value: `hunter2 or "x"`.
 */
function valuesOf(
  literals: readonly ArgumentLiteral[],
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
