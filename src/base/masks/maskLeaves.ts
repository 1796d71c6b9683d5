/**
 * Values in brackets: objects, lists and arguments, in JSON, YAML and code.
 * Only their leaves are masked.
 */
import { type Masker, optionMasker, valueMasker } from './maskers.ts';
import { quotedAt } from './valueAt.ts';

const closing: Readonly<Record<string, string>> = {
  '{': '}',
  '[': ']',
  '(': ')',
};

/** Signs between words, in code and in lists. */
const operator = /^[^\p{L}\p{N}]{1,3}$/u;

const piece = /[^\s{}()[\],;"'`\\^]+|[\s\S]/y;

/**
 * The name before a value, with its sign. An address has no name before its
 * colon.
 */
const key = /^([\w.$:-]*[\w$])(:(?!\/\/)|=>?)/;
const keySign = /\s*(?:=>?|:)/y;

/**
 * The offset after the closing bracket of the one at `at`; undefined if it is
 * not closed.
 */
export function groupEnd(text: string, at: number): number | undefined {
  const open: string[] = [];
  for (let i = at; i < text.length;) {
    const quote = quoteAt(text, i);
    if (quote) {
      i = quote.end;
      continue;
    }
    const sign = text.charAt(i++);
    const close = closing[sign];
    if (close !== undefined) open.push(close);
    else if (sign === open.at(-1)) open.pop();
    if (open.length === 0) return i;
  }
  return undefined;
}

/**
 * The text in brackets with its leaves masked. `name` is the name before it,
 * `maskOpen` masks leaves that can be shown.
 */
export function maskLeaves(
  text: string,
  name: string,
  cover: string,
  maskOpen: (leaf: string) => string,
): string {
  const own = name.replace(/s$/i, '');
  const outer: string[] = [];
  let around = own;
  let current = own;
  let output = '';
  /** The masker for the leaf after an option. */
  let afterOption: Masker | undefined;
  const leaf = (source: string, value: string) => {
    if (source.includes(cover) || operator.test(value)) return source;
    const masker = afterOption;
    afterOption = optionMasker(value);
    return (
      valueMasker(current)(value, cover) ??
      masker?.(value, cover) ??
      maskOpen(source)
    );
  };
  for (let i = 0; i < text.length;) {
    const quote = quoteAt(text, i);
    const source = quote ? text.slice(i, quote.end) : matchAt(piece, text, i);
    const sign = matchAt(keySign, text, i + source.length);
    i += source.length;
    if (quote || !/[\s{}()[\],;\\^"'`]/.test(source)) {
      const [start = '', ownKey] = (quote ? undefined : key.exec(source)) ?? [];
      if (sign !== '' || ownKey !== undefined)
        current = ownKey ?? quote?.value ?? source;
      const rest = source.slice(start.length);
      output += sign === '' ? start + leaf(rest, quote?.value ?? rest) : source;
      output += sign;
      i += sign.length;
      continue;
    }
    output += source;
    if (closing[source] !== undefined) {
      outer.push(around);
      around = current;
    } else if (/[})\]]/.test(source)) current = around = outer.pop() ?? own;
    else if (/[,;]/.test(source)) current = around;
  }
  return output;
}

/** An apostrophe in a word opens nothing. */
function quoteAt(text: string, at: number): ReturnType<typeof quotedAt> {
  return /\w/.test(text.charAt(at - 1)) ? undefined : quotedAt(text, at);
}

/** Empty without a match. */
function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
