import { t } from '../base/l10n.ts';
import type { Interface } from './agentService.ts';

/** As people call it. */
export function interfaceName(name: Interface): string {
  return name === 'agentServer' ? t('Agent Server') : name.toUpperCase();
}
