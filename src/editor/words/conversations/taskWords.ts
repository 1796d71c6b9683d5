/** Words for suggested tasks: their kind, and the message to the agent. */
import { t, words } from '../../../base/l10n.ts';
import type { SuggestedTask } from '../../../service/entities.ts';

const taskNames: Readonly<Record<string, string>> = words({
  mergeConflicts: 'merge conflicts',
  failingChecks: 'failing checks',
  unresolvedComments: 'unresolved comments',
  openIssue: 'open issue',
  openPullRequest: 'open pull request',
});

export function taskKind({ kind }: SuggestedTask): string {
  return taskNames[kind] ?? kind;
}

export function taskMessage({ kind, number, title, repository: { name } }: SuggestedTask): string {
  switch (kind) {
    case 'mergeConflicts':
      return t('Resolve the merge conflicts of pull request #{0} of {1}: {2}', number, name, title);
    case 'failingChecks':
      return t('Fix the failing checks of pull request #{0} of {1}: {2}', number, name, title);
    case 'unresolvedComments':
      return t('Address the unresolved comments on pull request #{0} of {1}: {2}', number, name, title);
    case 'openPullRequest':
      return t('Continue pull request #{0} of {1}: {2}', number, name, title);
    case 'openIssue':
      return t('Solve issue #{0} of {1}: {2}', number, name, title);
    default:
      return t('Work on #{0} of {1}: {2}', number, name, title);
  }
}
