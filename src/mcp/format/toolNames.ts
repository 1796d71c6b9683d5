/**
 * The name that agents know a tool by. The program that reads mcp.json puts the name of the server before it as soon as
 * two servers are enabled, whether they can be reached or not.
 */
export function toolNameForAgents(server: string, tool: string, enabledServers: number): string {
  return enabledServers > 1 ? `${server}_${tool}` : tool;
}
