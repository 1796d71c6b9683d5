/** switchboard mcp disable */
import { change } from './change.ts';
import type { Context } from './context.ts';
import { nameText } from './style.ts';

export async function disable(context: Context, name: string): Promise<void> {
  const shown = nameText(name);
  const words = { done: `Disabled ${shown} in`, already: `${shown} is disabled already.` };
  await change(context, { do: 'disable', name }, words);
}
