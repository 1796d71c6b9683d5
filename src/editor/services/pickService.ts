import { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import type { AgentService } from '../../service/abilities/agentService.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfiguredService } from './configuredServices.ts';
import type { Connector } from './connector.ts';
import { inPick } from '../words/foreignText.ts';
import { serviceLine } from '../words/serviceWords.ts';
import { unlessCancelled } from '../ui/messages.ts';
import { pickIfSeveral } from '../ui/pickFromList.ts';

/**
 * The configured service with this address, the only one, or the one that the
 * user picks.
 */
export async function pickConfiguredService(
  connector: Connector,
  address: string | undefined,
  placeHolder: string,
): Promise<ConfiguredService | undefined> {
  const { configured, demo } = connector;
  if (address !== undefined) {
    const match = configured.find((service) => service.address === address);
    if (match) return match;
    throw userError('There is no service at {0} in the settings.', address);
  }
  if (configured.length === 0) {
    throw new UserError(
      demo.isRunning
        ? t(
            'The demo service needs no key, and ends when you stop it. No other service is connected.',
          )
        : t(
            'No service is connected. Run "Switchboard: Connect to a Service" first.',
          ),
    );
  }
  return (await pickIfSeveral(configured.map(itemOf), placeHolder))?.service;
}

function itemOf<T extends { readonly name: string; readonly address: string }>(
  service: T,
) {
  return {
    label: inPick(service.name),
    description: inPick(service.address),
    service,
  };
}

interface ServiceWith<Ability> {
  readonly service: ConnectedService;
  readonly ability: Ability;
}

interface ServiceQuestion {
  readonly placeHolder: string;
  /** The error if no service has the ability. */
  readonly none: string;
  /** The service to use without a question. */
  readonly address?: string | undefined;
}

/**
 * The service at the address, the only one with this ability, or the one that
 * the user picks. Queries services of an unknown kind.
 */
export async function pickServiceWith<Ability>(
  switchboard: Switchboard,
  ability: (service: AgentService) => Ability | undefined,
  { placeHolder, none, address }: ServiceQuestion,
): Promise<ServiceWith<Ability> | undefined> {
  const requested =
    address === undefined ? undefined : switchboard.service(address);
  if (requested) return await abilityOf(requested, ability, none);
  const { services } = switchboard;
  if (services.length === 0) {
    throw userError(
      'No service is connected. Run "Switchboard: Connect to a Service" first.',
    );
  }
  const able = services.flatMap((service) => {
    const agentService = service.client.service;
    return agentService && !ability(agentService) ? [] : [service];
  });
  if (able.length === 0) throw new UserError(none);
  const picked = await pickIfSeveral(able.map(itemOf), placeHolder);
  return picked && (await abilityOf(picked.service, ability, none));
}

/** Queries a service of an unknown kind. Undefined if canceled. */
async function abilityOf<Ability>(
  service: ConnectedService,
  ability: (service: AgentService) => Ability | undefined,
  none: string,
): Promise<ServiceWith<Ability> | undefined> {
  const agentService =
    service.client.service ??
    (await unlessCancelled(
      t('Connecting to {0}', serviceLine(service)),
      (signal) => service.client.recognise({ signal }),
    ));
  if (!agentService) return undefined;
  const result = ability(agentService);
  if (result === undefined) throw new UserError(none);
  return { service, ability: result };
}
