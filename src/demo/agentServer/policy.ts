/** Decides when an agent asks before it acts. */
import type { BodyFields } from '../wire/http.ts';
import type { ModelRating, ToolCall } from '../world/demoTools.ts';

export type Policy =
  | { readonly kind: 'AlwaysConfirm' }
  | { readonly kind: 'NeverConfirm' }
  | {
      readonly kind: 'ConfirmRisky';
      readonly threshold: ModelRating;
      readonly confirm_unknown: boolean;
    };

/** The policy of an agent, and the analyzer that rates its actions. */
export interface DemoApproval {
  readonly policy: Policy;
  readonly analyzer: BodyFields | null;
}

const neverConfirm: Policy = { kind: 'NeverConfirm' };

const confirmRisky: Policy = {
  threshold: 'HIGH',
  confirm_unknown: true,
  kind: 'ConfirmRisky',
};

export const rated: DemoApproval = {
  policy: confirmRisky,
  analyzer: {
    kind: 'EnsembleSecurityAnalyzer',
    analyzers: [
      { kind: 'PatternSecurityAnalyzer' },
      { kind: 'PolicyRailSecurityAnalyzer' },
      { kind: 'LLMSecurityAnalyzer' },
    ],
  },
};

export const neverAsks: DemoApproval = { policy: neverConfirm, analyzer: null };

const risks: readonly ModelRating[] = ['LOW', 'MEDIUM', 'HIGH'];

/**
 * True if a step needs approval. A step that only thinks or finishes needs
 * none.
 */
export function asksFirst(
  { policy, analyzer }: DemoApproval,
  calls: readonly ToolCall[],
): boolean {
  const knownCalls = calls.filter(({ action }) => action !== undefined);
  if (
    knownCalls.length === 0 ||
    (knownCalls.length === 1 && knownCalls[0]?.tool === 'think')
  )
    return false;
  if (policy.kind !== 'ConfirmRisky') return policy.kind === 'AlwaysConfirm';
  const { threshold, confirm_unknown } = policy;
  // Every risk is unknown without an analyzer.
  if (analyzer === null) return confirm_unknown;
  return knownCalls.some((call) => {
    const risk = riskBy(analyzer, call);
    return risk === 'UNKNOWN'
      ? confirm_unknown
      : risks.indexOf(risk) >= risks.indexOf(threshold);
  });
}

/**
 * The rating by the patterns that were sent and by the model, unless the
 * analyzer leaves that out.
 */
export function riskBy(
  { analyzers }: BodyFields,
  { input, risk }: ToolCall,
): ModelRating {
  const parts = Array.isArray(analyzers) ? (analyzers as BodyFields[]) : [];
  const patterns = parts.flatMap(({ high_patterns: patterns }) =>
    Array.isArray(patterns) ? (patterns as (readonly string[])[]) : [],
  );
  const text = Object.values(input).map(String).join(' ');
  if (patterns.some(([pattern = '']) => new RegExp(pattern, 'i').test(text)))
    return 'HIGH';
  const hasModel =
    parts.length === 0 ||
    parts.some(({ kind }) => kind === 'LLMSecurityAnalyzer');
  return hasModel ? risk : 'LOW';
}
