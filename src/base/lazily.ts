/** What is loaded and made when somebody asks for it for the first time. */
interface Lazy<T> {
  (): Promise<T>;
  /** Undefined if nobody has asked for it. */
  readonly ifMade: () => Promise<T> | undefined;
}

export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  return Object.assign(() => (made ??= make()), { ifMade: () => made });
}
