import type { Dice } from '../wire/random.ts';

/**
 * New conversations begin without tokens; the first ones have used some
 * already.
 */
export function tokensOf(
  dice: Dice,
  position: number,
  answers: number,
): number {
  return position < 0
    ? 9_500 * answers
    : dice.between('tokens', 20_000, 900_000);
}

/**
 * The metrics of a model that has read these tokens. A local model costs
 * nothing.
 */
export function metricsOf(model: string, tokens: number, isCompacted = false) {
  return {
    model_name: model,
    /** US dollars. */
    accumulated_cost: model.startsWith('ollama/')
      ? 0
      : Math.round(tokens * 0.0004) / 100,
    max_budget_per_task: null,
    accumulated_token_usage: {
      model,
      prompt_tokens: tokens,
      completion_tokens: Math.round(tokens / 24),
      cache_read_tokens: Math.round(tokens * 0.7),
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      context_window: 200_000,
      per_turn_token: Math.round(tokens / (isCompacted ? 60 : 12)),
      response_id: '',
    },
  };
}
