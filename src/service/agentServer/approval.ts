import {
  confirmationPolicy,
  analyzerOf,
} from '../records/conversationRecord.ts';
import type { Approval, ConfirmationPolicy } from '../model/entities.ts';
import { isObject } from '../http/wireValues.ts';

const policies: Readonly<Record<string, string>> = {
  always: 'AlwaysConfirm',
  risky: 'ConfirmRisky',
  never: 'NeverConfirm',
};

/**
 * Rates actions by the worst of three opinions: each alone lets something
 * through (seen with 1.58.2).
 */
export const ratesByWorst = {
  kind: 'EnsembleSecurityAnalyzer',
  analyzers: [
    { kind: 'PatternSecurityAnalyzer' },
    { kind: 'PolicyRailSecurityAnalyzer' },
    { kind: 'LLMSecurityAnalyzer' },
  ],
};

export function wirePolicy(policy: ConfirmationPolicy): object {
  const kind = policies[policy] ?? policy;
  return policy === 'risky'
    ? { kind, threshold: 'HIGH', confirm_unknown: true }
    : { kind };
}

/** The fields of a new conversation; none without a choice. */
export function approvalFields(policy: ConfirmationPolicy | undefined): object {
  if (policy === undefined) return {};
  const fields = { confirmation_policy: wirePolicy(policy) };
  return policy === 'risky'
    ? { ...fields, security_analyzer: ratesByWorst }
    : fields;
}

export function readApproval(record: unknown): Approval | undefined {
  if (!isObject(record)) return undefined;
  const policy = confirmationPolicy(record.confirmation_policy);
  return policy === undefined
    ? undefined
    : { policy, analyzer: analyzerOf(record) };
}
