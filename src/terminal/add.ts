/** switchboard mcp add */
import type { Addition } from '../mcp/commandLine.ts';
import { shellWord } from '../mcp/mask.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';
import { nameText, stateText } from './style.ts';

export async function add(context: Context, { name, server, enabled }: Addition): Promise<void> {
  const shown = nameText(name);
  await change(
    context,
    { do: 'add', name, server, enabled },
    {
      done: `Added ${shown} (${server.transport}, ${stateText(enabled)}) to`,
      ...(!enabled && {
        next: `Agents get it once it is enabled: switchboard mcp enable ${shellWord(name)}`,
      }),
    },
  );
}
