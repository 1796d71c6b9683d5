import {
  type ChangesSince,
  commitBefore,
} from '../../service/abilities/fileChanges.ts';

/**
 * `reviewed`: since each file was reviewed. `message`: since the user's last
 * message.
 */
export type ReviewScope = 'reviewed' | 'message';

export type ChangesScope = ChangesSince | ReviewScope;

export function isReviewScope(scope: ChangesScope): scope is ReviewScope {
  return scope === 'reviewed' || scope === 'message';
}

export function sinceOf(scope: ChangesScope): ChangesSince {
  return isReviewScope(scope) ? 'start' : scope;
}

export function readScope(value: unknown): ChangesScope | undefined {
  const isNamed = ['start', 'lastCommit', 'reviewed', 'message'].includes(
    value as string,
  );
  if (isNamed || commitBefore(value) !== undefined)
    return value as ChangesScope;
  const { commit } = (value ?? {}) as { readonly commit?: unknown };
  return typeof commit === 'string' ? { commit } : undefined;
}
