import { unwatchFile, watchFile } from 'node:fs';

/**
 * Asking for the state of one file is cheap, and sees what every program does
 * to it, through links and folders.
 */
const interval = 500;

/**
 * Calls back when the file comes, changes or goes; returns how to stop that.
 */
export function watchConfig(path: string, changed: () => void): () => void {
  const listener = () => {
    changed();
  };
  watchFile(path, { interval, persistent: false }, listener);
  return () => {
    unwatchFile(path, listener);
  };
}
