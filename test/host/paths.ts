import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** What was fetched, and what tests leave: git ignores it, and @vscode/test-electron keeps its own downloads here. */
export const cache = join(root, '.vscode-test');

/** Where the UI tests keep their pictures. */
export const pictures = join(cache, 'pictures');

/** Where `npm run package` puts the package. */
export const vsix = join(root, 'dist', 'agent-switchboard.vsix');
