import { setting } from '../settings.ts';
import { type ConfiguredService, configuredServices } from './configuredServices.ts';

/** The services that the connector connects: those of the settings and of the environment that are enabled and valid. */
export function enabledServices(): readonly ConfiguredService[] {
  return configuredServices(setting('services'), process.env).services.filter(({ enabled }) => enabled);
}
