/** How services are called. */
import { interfaceName } from '../../service/agentService.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';

/** The name of a service that may no longer be connected. */
export function nameOf(switchboard: Switchboard, address: string): string {
  return switchboard.service(address)?.name ?? hostOf(address);
}

/** The name of the service where it tells something: while there are others. */
export function serviceName(switchboard: Switchboard, address: string): string | undefined {
  return switchboard.services.length > 1 ? nameOf(switchboard, address) : undefined;
}

/** The name of a service that nobody has named. */
function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

/** What it is, as far as it is known: the name that its users gave it, and its kind. */
export function serviceLine({ name, client }: ConnectedService): string {
  return [name, client.service && interfaceName(client.service.interface)].filter(Boolean).join(' · ');
}
