import type { TokenUsage } from './wireTypes.ts';

/** In US dollars. */
export function costOf(tokens: number): number {
  return Math.round(tokens * 0.0004) / 100;
}

export function tokenUsage(model: string, tokens: number): TokenUsage {
  return {
    model,
    prompt_tokens: tokens,
    completion_tokens: Math.round(tokens / 24),
    cache_read_tokens: Math.round(tokens * 0.7),
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    context_window: 200_000,
    per_turn_token: Math.round(tokens / 12),
    response_id: '',
  };
}
