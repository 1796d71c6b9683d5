import { join, posix } from 'node:path';
import type { Secret } from '../base/secret.ts';
import { dataFolder } from './container.ts';

export interface ServerKeys {
  readonly session: Secret;
  /** Encrypts what the server stores. */
  readonly storage: Secret;
}

/** The variables of this window, without those of the editor and its parts. */
export function serverEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(?:VSCODE|ELECTRON|SWITCHBOARD)_/.test(name)
        ? []
        : [[name, value]],
    ),
  );
}

/** Keeps everything that the server writes in this folder. */
export function serverVariables(
  folder: string,
  keys: ServerKeys,
): Record<string, string> {
  return variables((name) => join(folder, name), keys);
}

export function containerVariables(keys: ServerKeys): Record<string, string> {
  return variables((name) => posix.join(dataFolder, name), keys);
}

function variables(
  folder: (name: string) => string,
  { session, storage }: ServerKeys,
): Record<string, string> {
  return {
    OH_SESSION_API_KEYS_0: session.reveal(),
    OH_SECRET_KEY: storage.reveal(),
    OH_PERSISTENCE_DIR: folder('settings'),
    OH_CONVERSATIONS_PATH: folder('conversations'),
    OH_CONVERSATION_WORKTREE_ROOT: folder('worktrees'),
    OH_WORKSPACE_PATH: folder('workspace'),
    OH_BASH_EVENTS_DIR: folder('commands'),
    OH_ENABLE_VSCODE: '0',
    // Would start a browser.
    OH_PRELOAD_TOOLS: '0',
    // Its log is not as narrow as a terminal.
    COLUMNS: '160',
  };
}
