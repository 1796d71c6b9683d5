import { join } from 'node:path';
import type { Secret } from '../base/secret.ts';

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
  { session, storage }: ServerKeys,
): Record<string, string> {
  return {
    OH_SESSION_API_KEYS_0: session.reveal(),
    OH_SECRET_KEY: storage.reveal(),
    OH_PERSISTENCE_DIR: join(folder, 'settings'),
    OH_CONVERSATIONS_PATH: join(folder, 'conversations'),
    OH_CONVERSATION_WORKTREE_ROOT: join(folder, 'worktrees'),
    OH_WORKSPACE_PATH: join(folder, 'workspace'),
    OH_BASH_EVENTS_DIR: join(folder, 'commands'),
    OH_ENABLE_VSCODE: '0',
    // Would start a browser.
    OH_PRELOAD_TOOLS: '0',
    // Its log is not as narrow as a terminal.
    COLUMNS: '160',
  };
}
