import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * Undefined if unknown: HOME can be empty or relative, or missing for a user
 * whom the system does not list.
 */
export function homeFolder(ask: () => string = homedir): string | undefined {
  try {
    const home = ask();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}
