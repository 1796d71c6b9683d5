/** Add MCP Server from Text. What reads the text is only loaded when there is one. */
import type { ServerParts } from './servers.ts';

export async function addServersFromText(parts: ServerParts): Promise<void> {
  const { askForText } = await import('./addServerTextFlow.ts');
  await askForText(parts);
}
