/** The value of `inspect.custom`. Importing node:util takes longer than a whole terminal command. */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** Shown in place of a secret. */
export const mask = '••••••';

/**
 * A value that cannot be printed by accident: as text, as JSON and in `inspect`, it is a mask of fixed length. Only
 * `reveal` returns the value.
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

/** Masks these secrets, and anything that looks like a token in a URL or a header. */
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
