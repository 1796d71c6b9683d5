import type { Dice } from './random.ts';
import type { TokenUsage } from './wireTypes.ts';

/** New conversations begin at none; the first ones have used theirs already. */
export function tokensOf(dice: Dice, position: number, answers: number): number {
  return position < 0 ? 9_500 * answers : dice.between('tokens', 20_000, 900_000);
}

/** In US dollars. A local model costs nothing. */
export function costOf(model: string, tokens: number): number {
  return model.startsWith('ollama/') ? 0 : Math.round(tokens * 0.0004) / 100;
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
