/** switchboard mcp enable */
import { change } from './change.ts';
import type { Context } from './context.ts';
import { nameText } from './style.ts';

export async function enable(context: Context, name: string): Promise<void> {
  const shown = nameText(name);
  const words = { done: `Enabled ${shown} in`, already: `${shown} is enabled already.` };
  await change(context, { do: 'enable', name }, words);
}
