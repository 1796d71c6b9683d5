/**
 * The part of the table in dialects.ts about how a server is reached. It is here because each command of the terminal
 * needs it, and the rest of the table takes half a millisecond to load.
 */
/** Whose spelling something is. `people` misremember what a program has. */
export type Whose =
  | 'amp'
  | 'anthropic-api'
  | 'cherry-studio'
  | 'claude-code'
  | 'claude-desktop'
  | 'cline'
  | 'codex'
  | 'continue'
  | 'copilot'
  | 'cursor'
  | 'gemini-cli'
  | 'goose'
  | 'kiro'
  | 'librechat'
  | 'openai-api'
  | 'opencode'
  | 'our-cli-before-1.0'
  | 'people'
  | 'roo-code'
  | 'vscode'
  | 'warp'
  | 'windsurf'
  | 'zed'
  | 'zencoder';

interface ForeignTarget {
  readonly of: readonly [Whose, ...Whose[]];
  readonly is: 'url' | 'command';
  /** The transport that the key implies. */
  readonly transport?: 'http';
}

export const foreignTargets: ReadonlyMap<string, ForeignTarget> = new Map<string, ForeignTarget>([
  ['httpUrl', { of: ['gemini-cli'], is: 'url', transport: 'http' }],
  ['serverUrl', { of: ['windsurf'], is: 'url' }],
  ['endpoint', { of: ['people'], is: 'url' }],
  ['server_url', { of: ['openai-api'], is: 'url' }],
  ['uri', { of: ['goose'], is: 'url' }],
  ['baseUrl', { of: ['cherry-studio'], is: 'url' }],
  ['cmd', { of: ['goose'], is: 'command' }],
]);

/** Whether a key of a server says how it is reached, here or in another program. */
export function isTargetKey(key: string): boolean {
  return key === 'url' || key === 'command' || foreignTargets.has(key);
}
