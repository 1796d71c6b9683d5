/** The MCP servers of the conversations: the initial ones of the service. */
import type { BodyFields } from '../wire/validate.ts';
import { firstServers } from './record.ts';

const servers = [...firstServers()];

const secretFields = new Set(['env', 'headers', 'auth']);

/**
 * Leaves out variables, headers and sign-ins, as records of a real Agent Server
 * do.
 */
export const recordedServers: BodyFields = Object.fromEntries(
  servers.map(([name, server]) => [
    name,
    Object.fromEntries(
      Object.entries(server).filter(([field]) => !secretFields.has(field)),
    ),
  ]),
);

const toolNames = ['search', 'read_item'];

export const toolsOfServers: readonly object[] = servers
  .filter(([, { enabled }]) => enabled === true)
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
