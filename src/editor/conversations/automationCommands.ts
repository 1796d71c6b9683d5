import { systemClock } from '../../base/clock.ts';
import { t, userError } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import type { Automations } from '../../service/abilities/automations.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { keyOf } from '../../service/model/entities.ts';
import type { CommandHandlers } from '../manifest.ts';
import { withProgress } from '../ui/messages.ts';
import { automationName, lastRunWords } from '../words/automationWords.ts';
import { inMessage } from '../words/foreignText.ts';
import type { ConversationParts } from './page/conversationPages.ts';

export function automationCommands({
  switchboard,
  conversationPages,
}: ConversationParts) {
  const rowOf = (key: string | undefined) => {
    const row = switchboard.automations.find((other) => other.key === key);
    if (row) return row;
    throw userError(
      'This automation is no longer in the list. Refresh the list.',
    );
  };
  const changing =
    (
      act: (
        automations: Automations,
        id: string,
        call: CallOptions,
      ) => Promise<void>,
    ) =>
    async (key?: string) => {
      const row = rowOf(key);
      const service = switchboard.service(row.service);
      await withProgress(
        t('Changing “{0}”', automationName(row)),
        async (signal) =>
          service?.automations.change((automations) =>
            act(automations, row.automation.id, { signal }),
          ),
      );
    };
  return {
    'switchboard.automations.runNow': changing((automations, id, call) =>
      automations.runNow(id, call),
    ),
    'switchboard.automations.turnOff': changing((automations, id, call) =>
      automations.turn(id, false, call),
    ),
    'switchboard.automations.turnOn': changing((automations, id, call) =>
      automations.turn(id, true, call),
    ),
    'switchboard.automations.openLastRun': async (key) => {
      const row = rowOf(key);
      const { service, run } = row;
      if (run?.conversationId === undefined) {
        throw userError(
          '“{0}” has no conversation to open: {1}',
          inMessage(automationName(row)),
          inMessage(
            joinParts(
              ' · ',
              ...lastRunWords(row, systemClock.now()),
              run?.error,
            ),
          ),
        );
      }
      const id = keyOf({ service, id: run.conversationId });
      const conversation =
        switchboard.conversation(id) ??
        (await withProgress(t('Opening the conversation'), (signal) =>
          switchboard.find(id, signal),
        ));
      if (!conversation)
        throw userError(
          'The conversation of this run is gone. It may have been deleted.',
        );
      await (await conversationPages()).show(conversation);
    },
  } satisfies Partial<CommandHandlers>;
}
