import { setting } from '../settings.ts';
import {
  type ConfiguredService,
  configuredServices,
} from './configuredServices.ts';

/** The valid and enabled services, which the connector connects. */
export function enabledServices(): readonly ConfiguredService[] {
  return configuredServices(setting('services'), process.env).services.filter(
    ({ enabled }) => enabled,
  );
}
