/** Add MCP Server. The questions are only loaded when they are asked. */
import type { ServerParts } from './servers.ts';

export async function addServer(parts: ServerParts): Promise<void> {
  const { askForServer } = await import('./addServerFlow.ts');
  await askForServer(parts);
}
