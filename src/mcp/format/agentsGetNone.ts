import { t } from '../../base/l10n.ts';

/** What everybody has to know first of a file that the program refuses. */
export function agentsGetNone(): string {
  return t('This file is refused as it is, so agents get none of these servers.');
}
