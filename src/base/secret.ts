/** Shown in place of a secret. */
export const mask = '••••••';

/**
 * The value of `inspect.custom`. Importing node:util takes longer than a whole
 * terminal command.
 */
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A value that cannot be printed by accident: as text, as JSON and in
 * `inspect`, it is a mask of fixed length. Only `reveal` returns the value.
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
