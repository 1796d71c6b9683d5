import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { keyOf } from '../../service/model/entities.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { AutomationRow } from '../../state/serviceAutomations.ts';
import type { CommandHandlers } from '../manifest.ts';
import { withProgress } from '../ui/messages.ts';
import { automationName, lastRunWord } from '../words/automationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import type { ConversationParts } from './page/conversationPages.ts';

export function automationCommands({
  switchboard,
  conversationPages,
}: ConversationParts) {
  const rowOf = (key: string | undefined): AutomationRow => {
    const row = switchboard.automations.find((other) => other.key === key);
    if (row) return row;
    throw new UserError(
      t('This automation is no longer in the list. Refresh the list.'),
    );
  };
  const act = async (
    key: string | undefined,
    title: (name: string) => string,
    work: (
      automations: ConnectedService['automations'],
      row: AutomationRow,
      signal: AbortSignal,
    ) => Promise<void>,
  ) => {
    const row = rowOf(key);
    const service = switchboard.service(row.service);
    if (!service) return;
    await withProgress(title(automationName(row)), (signal) =>
      work(service.automations, row, signal),
    );
  };
  const turn = (key: string | undefined, isOn: boolean) =>
    act(
      key,
      (name) =>
        isOn ? t('Turning on “{0}”', name) : t('Turning off “{0}”', name),
      (automations, row, signal) => automations.turn(row.key, isOn, signal),
    );
  return {
    'switchboard.automations.runNow': (key) =>
      act(
        key,
        (name) => t('Starting “{0}”', name),
        (automations, row, signal) => automations.runNow(row.key, signal),
      ),
    'switchboard.automations.turnOff': (key) => turn(key, false),
    'switchboard.automations.turnOn': (key) => turn(key, true),
    'switchboard.automations.openLastRun': async (key) => {
      const row = rowOf(key);
      const id = row.run?.conversationId;
      if (id === undefined) throw new UserError(noConversation(row));
      const conversationKey = keyOf({ service: row.service, id });
      const conversation =
        switchboard.conversation(conversationKey) ??
        (await withProgress(t('Opening the conversation'), (signal) =>
          switchboard.find(conversationKey, signal),
        ));
      if (!conversation)
        throw new UserError(
          t('The conversation of this run is gone. It may have been deleted.'),
        );
      await (await conversationPages()).show(conversation);
    },
  } satisfies Partial<CommandHandlers>;
}

function noConversation(row: AutomationRow): string {
  const name = inMessage(automationName(row));
  const lastRun = lastRunWord(row);
  if (lastRun === undefined) return t('“{0}” has not run yet.', name);
  const state = t(
    'The last run of “{0}” has no conversation. Its state: {1}.',
    name,
    lastRun,
  );
  return [state, inMessage(row.run?.error ?? '')].filter(Boolean).join(' ');
}
