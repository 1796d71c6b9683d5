/** Where parts report what a developer of this extension wants to know. Never given secrets or the content of records. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

export const noLog: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
