/**
 * A log for the developers of this extension. Never pass it secrets or the
 * content of records.
 */
export interface Log {
  debug(message: string): void;
  warn(message: string): void;
}

export const noLog: Log = { debug: () => undefined, warn: () => undefined };
