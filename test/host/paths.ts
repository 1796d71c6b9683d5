import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/**
 * Downloads and test output, ignored by git. @vscode/test-electron stores its
 * downloads here too.
 */
export const cache = join(root, '.vscode-test');

/** The folder for pictures that UI tests take. */
export const pictures = join(cache, 'pictures');

/** The package that `npm run package` builds. */
export const vsix = join(root, 'dist', 'agent-switchboard.vsix');
