/**
 * JSON with numbers that JavaScript does not have, such as integers beyond 2^53
 * and `1e400`.
 */

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text. */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * Match wherever there may be such a number. Most texts have none, and are only
 * parsed.
 */
const manyDigits = /\d[\d.]{15}/;
const largeExponent = /(?:^|[:,[\s])-?\d[\d.]*[eE][+-]?\d{3}/;
const candidate = /-?(?:\d[\d.]{15,}(?:e[+-]?\d+)?|\d[\d.]*e[+-]?\d{3,})/gi;

/**
 * Parses JSON. A number that JavaScript would round becomes a raw value, which
 * `JSON.stringify` writes as it was sent.
 */
export function parseExactly(text: string): unknown {
  // A reviver is called for each value, which takes ten times as long.
  if (!hasInexactNumber(text)) return JSON.parse(text);
  return JSON.parse(
    text,
    (_, value: unknown, context?: { readonly source?: string }) => {
      const source = typeof value === 'number' ? context?.source : undefined;
      return source === undefined || isExact(source)
        ? value
        : JSON.rawJSON(source);
    },
  );
}

function hasInexactNumber(text: string): boolean {
  if (!manyDigits.test(text) && !largeExponent.test(text)) return false;
  for (const [from, to] of stretchesOutsideStrings(text)) {
    const numbers = text.slice(from, to).match(candidate) ?? [];
    if (!numbers.every(isExact)) return true;
  }
  return false;
}

/**
 * True if an object in this JSON has two members of the same name, of which
 * parsing keeps the last.
 */
export function hasDuplicateKeys(text: string): boolean {
  let colons = 0;
  for (const [from, to] of stretchesOutsideStrings(text)) {
    for (let index = from; index < to; index++)
      if (text[index] === ':') colons++;
  }
  return colons > countMembers(JSON.parse(text));
}

function* stretchesOutsideStrings(
  text: string,
): Generator<readonly [from: number, to: number]> {
  for (let begin = 0; ;) {
    const open = text.indexOf('"', begin);
    if (open === -1) {
      yield [begin, text.length];
      return;
    }
    if (open > begin) yield [begin, open];
    let close = text.indexOf('"', open + 1);
    while (close !== -1 && isEscaped(text, close))
      close = text.indexOf('"', close + 1);
    if (close === -1) return;
    begin = close + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>(
    (count, member) => count + countMembers(member),
    own,
  );
}

/** No number that JavaScript writes itself is longer, in characters. */
const maxNumberLength = 25;

function isExact(source: string): boolean {
  const written = String(Number(source));
  if (written === source) return true;
  return (
    source.length <= maxNumberLength && decimal(written) === decimal(source)
  );
}

/** The same text for every spelling of the same number. */
function decimal(text: string): string | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!parts) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return `${sign}0`;
  const power =
    Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}
