/** The commands that add MCP servers. What asks the questions is only loaded when they are asked. */
import type { ServerParts } from '../servers.ts';

export async function addServer(parts: ServerParts): Promise<void> {
  const { askForServer } = await import('./flow.ts');
  await askForServer(parts);
}

export async function addServersFromText(parts: ServerParts): Promise<void> {
  const { askForText } = await import('./textFlow.ts');
  await askForText(parts);
}
