/** Notifications of conversations that have begun to need a person. */
import { commands, Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import { keyOf } from '../../service/entities.ts';
import type { Notice, Occasion } from '../../state/attention.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { type CommandId, views } from '../manifest.ts';
import { showInformation } from '../asking/messages.ts';
import { changeSetting, setting } from '../settings.ts';
import { titleOf } from '../words/conversationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import { occasionWord } from '../words/stateWords.ts';

export function notifyOf(switchboard: Switchboard): Disposable {
  return new Disposable(
    switchboard.onNotice((notices) => {
      const wanted = notices.filter(({ occasion }) => isWanted(occasion));
      if (wanted.length > 0) void notify(wanted);
    }),
  );
}

function isWanted(occasion: Occasion): boolean {
  const level = setting('notifications');
  return level === 'all' || (level === 'attention' && occasion !== 'finished');
}

async function notify(notices: readonly Notice[]): Promise<void> {
  const [first] = notices;
  if (!first) return;
  const open = t('Open');
  const mute = t('Mute');
  const answer = await showInformation(notices.length === 1 ? sentence(first) : summary(notices), open, mute);
  if (answer === mute) await changeSetting('notifications', 'off');
  if (answer !== open) return;
  const details: CommandId = 'switchboard.conversations.showDetails';
  if (notices.length === 1) await commands.executeCommand(details, keyOf(first.conversation));
  else await commands.executeCommand(`${views.conversations}.focus`);
}

function sentence({ occasion, conversation }: Notice): string {
  const title = inMessage(titleOf(conversation));
  switch (occasion) {
    case 'waits':
      return t('“{0}” is waiting for you.', title);
    case 'failed':
      return t('“{0}” failed.', title);
    case 'finished':
      return t('“{0}” has finished.', title);
  }
}

/** One message for several conversations. */
function summary(notices: readonly Notice[]): string {
  const parts = (['waits', 'failed', 'finished'] as const).map((occasion) =>
    occasionWord(occasion, notices.filter((notice) => notice.occasion === occasion).length),
  );
  return `${parts.filter(Boolean).join(', ')}.`;
}
