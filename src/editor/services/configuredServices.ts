import { reason, UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import {
  type ServiceInterface,
  serviceInterfaces,
} from '../../service/abilities/agentService.ts';
import {
  requestAddress,
  serviceAddress,
  showAddress,
} from '../../service/http/serviceAddress.ts';
import type { Authentication } from '../../service/http/transport.ts';
import type { ServiceSetting } from '../manifest.ts';

export interface ConfiguredService {
  readonly name: string;
  readonly url: URL;
  /** The normalized URL. */
  readonly address: string;
  readonly authentication: Authentication;
  readonly interface: ServiceInterface | 'auto';
  readonly enabled: boolean;
  /** True if the key comes from the environment. */
  readonly fromEnvironment: boolean;
}

export const environmentNames = {
  url: 'SWITCHBOARD_SERVICE_URL',
  key: 'SWITCHBOARD_API_KEY',
} as const;

const settingName = 'switchboard.services';

const authentications = [
  'sessionKey',
  'bearer',
  'accessToken',
  'none',
] as const;

/** The service that gets the requests to this address. */
export function serviceAt(
  services: Iterable<ConfiguredService>,
  url: URL,
): ConfiguredService | undefined {
  const targetOf = (address: URL) => showAddress(requestAddress(address));
  return Array.from(services).find(
    (service) => targetOf(service.url) === targetOf(url),
  );
}

/** Skips invalid entries, because users write the setting by hand. */
export function configuredServices(
  setting: readonly unknown[],
  environment: Readonly<Partial<Record<string, string>>>,
) {
  const services = new Map<string, ConfiguredService>();
  const problems: UserError[] = [];
  for (const [index, entry] of setting.entries()) {
    try {
      const service = readService(entry);
      if (serviceAt(services.values(), service.url)) {
        throw userError(
          '{0} is there twice. Remove one of them.',
          service.address,
        );
      }
      services.set(service.address, service);
    } catch (error) {
      const which = t(
        'Service {0} of the setting "{1}" cannot be used: {2}',
        index + 1,
        settingName,
        reason(error),
      );
      problems.push(new UserError(which, { setting: settingName }));
    }
  }
  const url = environment[environmentNames.url]?.trim() ?? '';
  if (url !== '') {
    try {
      const read = readService({ url });
      const named = serviceAt(services.values(), read.url) ?? read;
      services.set(named.address, { ...named, fromEnvironment: true });
    } catch (error) {
      problems.push(
        userError(
          'The environment variable {0} cannot be used: {1}',
          environmentNames.url,
          reason(error),
        ),
      );
    }
  }
  return { services: [...services.values()], problems };
}

function readService(entry: unknown): ConfiguredService {
  const { name, url, authentication, enabled, ...rest } = (
    typeof entry === 'object' && entry !== null ? entry : {}
  ) as Partial<Record<keyof ServiceSetting, unknown>>;
  if (typeof url !== 'string' || url.trim() === '')
    throw userError('It has no "url".');
  const address = serviceAddress(url);
  return {
    name:
      typeof name === 'string' && name.trim() !== ''
        ? name.trim()
        : address.host,
    url: address,
    address: showAddress(address),
    authentication: oneOf(
      authentications,
      'authentication',
      authentication,
      'sessionKey',
    ),
    interface: oneOf(
      ['auto', ...serviceInterfaces],
      'interface',
      rest.interface,
      'auto',
    ),
    enabled: enabled !== false,
    fromEnvironment: false,
  };
}

function oneOf<T extends string>(
  values: readonly T[],
  name: string,
  value: unknown,
  usual: T,
): T {
  if (value === undefined || value === null) return usual;
  const match = values.find((choice) => choice === value);
  if (match !== undefined) return match;
  const choices = values.map((choice) => `"${choice}"`).join(', ');
  throw userError('Its "{0}" must be one of {1}.', name, choices);
}
