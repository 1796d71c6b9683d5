import { plural, t, words } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type {
  Approval,
  ConfirmationPolicy,
} from '../../../service/model/entities.ts';

export const policyNames = ['always', 'risky', 'listed', 'never'] as const;

const policyWords: Readonly<Record<string, string>> = words({
  always: 'Every action',
  risky: 'Risky actions',
  listed: 'Only for…',
  never: 'None',
});

/**
 * Names a policy. One that only the service knows is quoted, so that it cannot
 * pass for ours.
 */
export function policyWord(policy: ConfirmationPolicy): string {
  return policyWords[policy] ?? t('Other: “{0}”', plainText(policy, 40));
}

/** Describes what the service does with a policy that depends on ratings. */
export function approvalWord({ policy, analyzer }: Approval): string {
  if (policy === 'listed') {
    return plural(
      analyzer?.rules?.length ?? 0,
      'Only for 1 kind of action',
      'Only for {0} kinds of action',
    );
  }
  if (policy !== 'risky') return policyWord(policy);
  if (analyzer === null) return t('Risky actions (not rated, so every action)');
  return analyzer === undefined || analyzer.kind === 'EnsembleSecurityAnalyzer'
    ? policyWord(policy)
    : t('Risky actions, rated by “{0}”', plainText(analyzer.kind, 40));
}

export function askAgainWord(policy: ConfirmationPolicy): string {
  if (policy === 'risky') return t('Ask Again for Risky Actions');
  return policy === 'listed'
    ? t('Ask Again for Listed Actions')
    : t('Ask Again for Every Action');
}

export function loweredWord(): string {
  return t('Approval lowered');
}

export function loweredWords(policy: ConfirmationPolicy): string {
  return t(
    'The service lowered the approval, which was “{0}” before.',
    policyWord(policy),
  );
}

export function cannotRateWords(): string {
  return t(
    'This version of the service cannot rate actions, so the agent can ask for all of them or for none.',
  );
}
