/** What `inspect.custom` of node:util is, which takes longer to load than a command of the terminal to run. */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** What stands for a value that is not shown. */
export const mask = '••••••';

/**
 * A value that nothing prints by accident: as text, as JSON and in a debugger it is a mask of fixed length, which does
 * not even tell how long it is. `reveal` is the one way to it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspectCustom](): string {
    return mask;
  }
}

/** The text with every occurrence of these secrets, and everything that looks like a token in a URL or a header, masked. */
export function redact(text: string, secrets: readonly Secret[] = []): string {
  const known = secrets
    .map((secret) => secret.reveal())
    .filter((value) => value.length >= 4)
    .reduce(
      (result, value) => result.replaceAll(value, mask).replaceAll(encodeURIComponent(value), mask),
      text,
    );
  return known
    .replace(
      /((?:tkn|token|key|secret|password|pwd|sig|signature)["']?\s*[=:]\s*["']?)[^\s"'&<>,;]+/gi,
      `$1${mask}`,
    )
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${mask}`)
    .replace(/(:\/\/)[^/\s@]+@/g, `$1${mask}@`);
}
