/** A part that is loaded and made on first use. */
interface Lazy<T> {
  (): Promise<T>;
  /** `undefined` before the first use. */
  readonly ifMade: () => Promise<T> | undefined;
}

export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let promise: Promise<T> | undefined;
  return Object.assign(() => (promise ??= make()), { ifMade: () => promise });
}
