/** A value in a small file that the windows of the machine share. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Emitter } from '../base/event.ts';

export class SharedValue<T> {
  readonly #path: string | undefined;
  readonly #valueIn: (stored: unknown) => T;
  #text = '';
  #value: T;
  readonly #changed = new Emitter();
  /** Fires when a window has changed the value. */
  readonly onChange = this.#changed.on;

  /**
   * The value lasts only for this window without a path. `valueIn` returns an
   * empty value for what it does not know, and gets maps as arrays.
   */
  constructor(path: string | undefined, valueIn: (stored: unknown) => T) {
    this.#path = path;
    this.#valueIn = valueIn;
    this.#value = valueIn(undefined);
  }

  /** The value as of the last `read` or change. */
  get value(): T {
    return this.#value;
  }

  /** Reads what other windows have changed. Keeps the last if that fails. */
  async read(): Promise<void> {
    if (this.#path === undefined) return;
    this.#take(await readFile(this.#path, 'utf8').catch(() => this.#text));
  }

  /** Rejects if other windows will not see the change. */
  async change(change: (before: T) => T): Promise<void> {
    if (this.#path === undefined) {
      this.changeHere(change);
      return;
    }
    const { changeShared } = await import('./sharedFile.ts');
    let text = '';
    await changeShared(this.#path, (file) => {
      text = file.text;
      const before = this.#parse(text);
      const after = change(before);
      if (after === before) return undefined;
      return (text = JSON.stringify(after, mapsAsArrays));
    });
    this.#take(text);
  }

  /** Changes the value until the next read of another one. */
  changeHere(change: (before: T) => T): void {
    this.#value = change(this.#value);
    this.#changed.fire();
  }

  #take(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#value = this.#parse(text);
    this.#changed.fire();
  }

  #parse(text: string): T {
    try {
      return this.#valueIn(JSON.parse(text));
    } catch {
      return this.#valueIn(undefined);
    }
  }
}

function mapsAsArrays(_: string, value: unknown): unknown {
  return value instanceof Map ? [...(value as Map<unknown, unknown>)] : value;
}

const hiddenNames = new Map<string, string>();

/** A name that does not tell the key. Each is computed once. */
export function hiddenName(key: string): string {
  let name = hiddenNames.get(key);
  if (name === undefined) {
    name = createHash('sha256').update(key).digest('base64url').slice(0, 16);
    hiddenNames.set(key, name);
  }
  return name;
}

/** The newest entry comes last. */
export function withEntry<T>(
  entries: ReadonlyMap<string, T>,
  name: string,
  value: T | undefined,
  most: number,
): ReadonlyMap<string, T> {
  const rest = [...entries].filter(([other]) => other !== name);
  const all = value === undefined ? rest : [...rest, [name, value] as const];
  return new Map(all.slice(-most));
}

/** Entries of an array of pairs, without those that are not of this kind. */
export function entriesOf<T>(
  stored: unknown,
  isValue: (value: unknown) => value is T,
): ReadonlyMap<string, T> {
  const pairs: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return new Map(
    pairs.filter(
      (pair): pair is [string, T] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && isValue(pair[1]),
    ),
  );
}
