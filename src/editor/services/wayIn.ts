/** How a service takes its key. People know the key and the address; how it is sent can be tried. */
import type { AgentService } from '../../service/agentService.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Authentication } from '../../service/transport.ts';
import type { Access, Connector } from './connector.ts';

interface WayIn {
  readonly access: Access;
  readonly service: AgentService;
}

/** The usual first: nearly all services take it, and some nothing else. */
const ways = ['sessionKey', 'bearer', 'accessToken'] as const;

/** The first way in which the service takes the key. Rejects with the first refusal, if it takes none. */
export async function wayIn(
  connector: Connector,
  { key, ...place }: Omit<Access, 'authentication'>,
  signal: AbortSignal,
): Promise<WayIn> {
  let refusal: unknown;
  const possible: readonly Authentication[] = key ? ways : ['none'];
  for (const authentication of possible) {
    const access = { ...place, authentication, key };
    try {
      const client = await connector.client(access);
      return { access, service: await client.recognise({ signal }) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'unauthorised') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
