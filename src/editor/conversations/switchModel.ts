import { type QuickPickItem, ThemeIcon, window } from 'vscode';
import { t, userError } from '../../base/l10n.ts';
import type {
  Conversation,
  ModelProfile,
} from '../../service/model/entities.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { manageModels } from '../models/manageModels.ts';
import { showInformation, withProgress } from '../ui/messages.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { inPick } from '../words/foreignText.ts';

type ModelItem = QuickPickItem & { readonly profile?: ModelProfile };

/** Lets the user choose another model, or set one up first. */
export async function switchModel(
  switchboard: Switchboard,
  conversation: Conversation,
): Promise<void> {
  const service = serviceOf(switchboard, conversation);
  const agents = await service.steering();
  const title = titleOf(conversation);
  const canManage = service.client.service?.models !== undefined;
  const manage: ModelItem = {
    label: t('Manage Models…'),
    iconPath: new ThemeIcon('gear'),
  };
  for (;;) {
    const profiles = await withProgress(t('Loading the models'), (signal) =>
      agents.profiles(conversation, signal),
    );
    if (profiles.length === 0 && !canManage)
      throw userError('The service has no other model to switch to.');
    const items = profiles.map((profile): ModelItem => ({
      label: inPick(profile.name),
      description: inPick(profile.model ?? ''),
      profile,
    }));
    const picked = await window.showQuickPick(
      canManage ? [...items, manage] : items,
      {
        placeHolder: t('Select the model for “{0}”', title),
        matchOnDescription: true,
      },
    );
    if (!picked) return;
    const { profile } = picked;
    if (!profile) {
      await manageModels(switchboard, service.address);
      continue;
    }
    await withProgress(t('Switching the model of “{0}”', title), (signal) =>
      agents.switchProfile(conversation, profile, signal),
    );
    if (conversation.execution === 'error')
      void showInformation(
        t(
          '“{0}” uses {1} now. Send a message to continue.',
          title,
          profile.name,
        ),
      );
    return;
  }
}
