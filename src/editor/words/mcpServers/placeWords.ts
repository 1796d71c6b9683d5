/** Names the readers of each place with MCP servers. */
import { t } from '../../../base/l10n.ts';

export function readersOfFile(): string {
  return t(
    'Read by the OpenHands command line here, not by conversations in the list.',
  );
}

export function readersOfService(name: string): string {
  return t('Read by new conversations at {0}.', name);
}
