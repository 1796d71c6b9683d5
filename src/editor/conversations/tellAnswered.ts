/** Telling what has become of an answer that was given outside of the page of the conversation. */
import { t } from '../../base/l10n.ts';
import type { Answered } from '../../state/steering/steeringResults.ts';
import { showInformation, showWarning } from '../ui/messages.ts';

export function tellAnswered(answered: Answered, title: string): void {
  switch (answered.result) {
    case 'answered':
    case 'changed':
      return;
    case 'answeredElsewhere':
      void showInformation(
        answered.fate === 'accepted'
          ? t('“{0}” was accepted elsewhere. Nothing was sent.', title)
          : t('“{0}” was rejected elsewhere. Nothing was sent.', title),
      );
      return;
    case 'noLongerWaits':
      void showInformation(t('“{0}” no longer waits for an answer. Nothing was sent.', title));
      return;
    case 'unsure':
      void showWarning(
        t('Your answer to “{0}” may not have arrived. Check it in a minute before answering again.', title),
      );
  }
}
