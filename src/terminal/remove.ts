/** switchboard mcp remove */
import { change } from './change.ts';
import type { Context } from './context.ts';
import { nameText } from './style.ts';

export async function remove(context: Context, name: string): Promise<void> {
  await change(context, { do: 'remove', name }, { done: `Removed ${nameText(name)} from` });
}
