/** Telling that a conversation has begun to ask for a person. */
import { commands, Disposable, window } from 'vscode';
import type { Notice, Occasion } from '../state/attention.ts';
import type { Switchboard } from '../state/switchboard.ts';
import { type CommandId, views } from './manifest.ts';
import { changeSetting, setting } from './settings.ts';
import { inMessage, titleOf } from './views/words.ts';

const sentences: Readonly<Record<Occasion, string>> = {
  waits: 'waits for you',
  failed: 'has failed',
  finished: 'has finished',
};

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
  const open = 'Open';
  const mute = 'Mute';
  const answer = await window.showInformationMessage(
    notices.length === 1 ? sentence(first) : summary(notices),
    open,
    mute,
  );
  if (answer === mute) await changeSetting('notifications', 'off');
  if (answer !== open) return;
  const details: CommandId = 'switchboard.conversations.showDetails';
  if (notices.length === 1) await commands.executeCommand(details, first.conversation.id);
  else await commands.executeCommand(`${views.conversations}.focus`);
}

function sentence({ occasion, conversation }: Notice): string {
  return `“${inMessage(titleOf(conversation))}” ${sentences[occasion]}.`;
}

/** Several at once are one message. */
function summary(notices: readonly Notice[]): string {
  const count = (occasion: Occasion, one: string, many: string) => {
    const number = notices.filter((notice) => notice.occasion === occasion).length;
    return number === 0 ? undefined : `${number} ${number === 1 ? one : many}`;
  };
  const parts = [
    count('waits', 'conversation waits for you', 'conversations wait for you'),
    count('failed', 'has failed', 'have failed'),
    count('finished', 'has finished', 'have finished'),
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
