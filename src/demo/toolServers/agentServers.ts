/** The MCP servers of the conversations: the initial ones of the service. */
import type { BodyFields } from '../wire/http.ts';
import { firstServers } from './record.ts';

const servers = [...firstServers()];

/**
 * Leaves out variables, headers and sign-ins, as records of a real Agent Server
 * do.
 */
export const recordedServers: BodyFields = Object.fromEntries(
  servers.map(([name, { url, transport, command, args, enabled }]) => [
    name,
    { url, transport, command, args, enabled },
  ]),
);

const toolNames = ['search', 'read_item'];

export const toolsOfServers: readonly object[] = servers
  .filter(([, { enabled }]) => enabled)
  .flatMap(([server]) =>
    toolNames.map((tool) => toolDefinition(`${server}_${tool}`)),
  );

function toolDefinition(name: string): object {
  return {
    description: `The tool ${name}.`,
    action_type: 'MCPToolAction',
    observation_type: 'MCPToolObservation',
    annotations: null,
    kind: 'MCPToolDefinition',
    title: name,
  };
}
