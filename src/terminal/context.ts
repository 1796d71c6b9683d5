/** What every command is given. */
import type { Host } from './host.ts';

export interface Context {
  readonly host: Host;
  /** The path of the configuration file. */
  readonly file: string;
  readonly json: boolean;
  readonly reveal: boolean;
}
