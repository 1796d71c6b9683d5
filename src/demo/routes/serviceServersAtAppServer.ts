/** The MCP servers in the settings of an app server. */
import { gitProviders } from './gitProviderRoutes.ts';
import {
  type BodyFields,
  json,
  type HttpAnswer,
  type Call,
} from '../wire/http.ts';
import type { Routes, RouteContext } from './route.ts';

export const settingsV1: Routes = { 'GET api/v1/settings': settings };

function settings(_call: Call, { toolServers }: RouteContext): HttpAnswer {
  // An app server cannot disable servers.
  const servers = [...toolServers].filter(([, { enabled }]) => enabled);
  const mcp_config = Object.fromEntries(
    servers.map(([name, server]) => [name, withoutSecrets(server)] as const),
  );
  return json({
    agent_settings: { mcp_config },
    llm_api_key_set: true,
    provider_tokens_set: Object.fromEntries(
      gitProviders.map((provider) => [provider, null]),
    ),
  });
}

/** Leaves out even the names of secrets. */
function withoutSecrets({ url, transport, command, args, auth }: BodyFields) {
  const signIn = auth as { readonly strategy: string } | undefined;
  return {
    url,
    transport,
    command,
    args,
    auth: signIn && { strategy: signIn.strategy },
  };
}
