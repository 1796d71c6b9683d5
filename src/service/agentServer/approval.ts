import {
  type Approval,
  approvalWith,
  type AskRule,
  type ConfirmationPolicy,
  isRated,
} from '../model/entities.ts';
import {
  analyzerOf,
  confirmationPolicy,
  patternIdPrefix,
} from '../records/conversationRecord.ts';
import { isObject } from '../http/wireValues.ts';

const policies: Readonly<Record<string, string>> = {
  always: 'AlwaysConfirm',
  risky: 'ConfirmRisky',
  listed: 'ConfirmRisky',
  never: 'NeverConfirm',
};

/**
 * Rates actions by the worst of several opinions: each alone lets something
 * through (seen with 1.58.2).
 */
export function wireAnalyzer(
  policy: ConfirmationPolicy,
  rules: readonly AskRule[],
): object {
  const listed = {
    kind: 'PatternSecurityAnalyzer',
    high_patterns: rules.map(({ pattern, sentence }, index) => [
      pattern,
      sentence,
      `${patternIdPrefix}${index}`,
    ]),
    medium_patterns: [],
    injection_high_patterns: [],
    injection_medium_patterns: [],
  };
  const others = [
    { kind: 'PatternSecurityAnalyzer' },
    { kind: 'PolicyRailSecurityAnalyzer' },
    { kind: 'LLMSecurityAnalyzer' },
  ];
  return {
    kind: 'EnsembleSecurityAnalyzer',
    analyzers: policy === 'listed' ? [listed] : [listed, ...others],
  };
}

export function wirePolicy(policy: ConfirmationPolicy): object {
  const kind = policies[policy] ?? policy;
  return isRated(policy)
    ? { kind, threshold: 'HIGH', confirm_unknown: true }
    : { kind };
}

/** The fields of a new conversation; none without a choice. */
export function approvalFields(
  policy: ConfirmationPolicy | undefined,
  rules: readonly AskRule[] = [],
): object {
  if (policy === undefined) return {};
  const fields = { confirmation_policy: wirePolicy(policy) };
  return isRated(policy)
    ? { ...fields, security_analyzer: wireAnalyzer(policy, rules) }
    : fields;
}

export function readApproval(record: unknown): Approval | undefined {
  if (!isObject(record)) return undefined;
  const policy = confirmationPolicy(record.confirmation_policy);
  return policy === undefined
    ? undefined
    : approvalWith(policy, analyzerOf(record));
}
