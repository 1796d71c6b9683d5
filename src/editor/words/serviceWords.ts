import { joinParts } from '../../base/parts.ts';
import { interfaceName } from '../../service/abilities/agentService.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';

/** The name of a service that may no longer be connected. */
export function nameOf(switchboard: Switchboard, address: string): string {
  return (
    switchboard.service(address)?.name ?? URL.parse(address)?.host ?? address
  );
}

/** The name of the service; `undefined` if it is the only one. */
export function serviceName(
  switchboard: Switchboard,
  address: string,
): string | undefined {
  return switchboard.services.length > 1
    ? nameOf(switchboard, address)
    : undefined;
}

export function serviceLine({ name, client }: ConnectedService): string {
  return joinParts(
    ' · ',
    name,
    client.service && interfaceName(client.service.interface),
  );
}
