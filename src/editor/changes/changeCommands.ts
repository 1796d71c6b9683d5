import { type ConversationKey, keyOf } from '../../service/model/entities.ts';
import { Uri, window } from 'vscode';
import type { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import { agentConversationOf, listedConversation } from '../ui/pickFromList.ts';
import { askForPullRequest } from './sendToAgent.ts';
import {
  type ChangesOnScreen,
  chooseScope,
  readChanges,
  showChangedFile,
  showChanges,
} from './showChanges.ts';
import { readChangesUri } from './changesUri.ts';
import type { ChangesAddress } from './diffDocument.ts';
import { markAllFiles, markDocument, markFiles } from './markReviewed.ts';
import { readFileRow } from '../conversations/fileRow.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import { boxStates, changesScheme, type CommandHandlers } from '../manifest.ts';
import { filesOf } from '../ui/tabs.ts';

export type ChangeParts = ConversationParts &
  Omit<ChangesOnScreen, 'shownNotices'>;

export function changeCommands(parts: ChangeParts) {
  const { switchboard, changeDocuments } = parts;
  const screen: ChangesOnScreen = { ...parts, shownNotices: new Set() };
  const select = async (id: string | undefined) => {
    const conversation = await agentConversationOf(
      parts,
      id,
      t('Select the conversation whose changes to show'),
    );
    if (conversation) await changeDocuments();
    return conversation;
  };
  const listed = (key: ConversationKey) => listedConversation(switchboard, key);
  return {
    'switchboard.conversations.showChanges': async (id) => {
      const conversation = await select(id);
      if (!conversation) return;
      const progress = await switchboard.progress();
      const scope = await readChanges(switchboard, conversation, (signal) =>
        progress.scopeOf(conversation, { signal }),
      );
      if (scope !== undefined) await showChanges(screen, conversation, scope);
    },
    'switchboard.conversations.showChangesSince': async (id) => {
      const conversation = await select(id);
      if (!conversation) return;
      const scope = await chooseScope(screen, conversation);
      if (scope !== undefined) await showChanges(screen, conversation, scope);
    },
    'switchboard.conversations.markReviewed': async (...args) => {
      const [first] = args;
      const address = documentOf(first);
      if (address) {
        await markDocument(
          switchboard,
          listed(address.key),
          address,
          await changeDocuments(),
        );
        return;
      }
      const isBox = first === boxStates.on || first === boxStates.off;
      const isReviewed = isBox ? first === boxStates.on : undefined;
      const rows = (isBox ? args.slice(1) : args).flatMap(
        (rowId) => readFileRow(rowId) ?? [],
      );
      if (rows.length === 0) throw nothingOpen();
      for (const key of new Set(rows.map((row) => row.key))) {
        await markFiles(
          switchboard,
          listed(key),
          rows.flatMap((row) => (row.key === key ? row.path : [])),
          isReviewed,
        );
      }
    },
    'switchboard.conversations.markAllReviewed': async (id) => {
      const placeholder = t(
        'Select the conversation whose changes to mark as reviewed',
      );
      const address = documentOf(id);
      const diff =
        id === undefined ? (await changeDocuments()).diffOnScreen : undefined;
      const key = diff ? keyOf(diff.conversation) : address?.key;
      const conversation = await agentConversationOf(
        parts,
        key ?? id,
        placeholder,
      );
      const since = diff?.scope ?? address?.since;
      if (conversation) await markAllFiles(switchboard, conversation, since);
    },
    'switchboard.conversations.showWholeChange': async (id) => {
      const row = readFileRow(id ?? '');
      const address = row ?? documentOf(id);
      const { diffOnScreen: diff } = await changeDocuments();
      if (address)
        await showChangedFile(screen, listed(address.key), address.path, true);
      else if (diff) await showChanges(screen, diff.conversation, 'start');
      else throw nothingOpen();
    },
    'switchboard.conversations.askForPullRequest': async (id) => {
      const conversation = await agentConversationOf(
        parts,
        id,
        t('Select the conversation to ask for a pull request'),
      );
      if (conversation) await askForPullRequest(parts, conversation);
    },
    'switchboard.conversations.openChangedFile': async (rowId = '') => {
      const row = readFileRow(rowId);
      if (!row) throw nothingOpen();
      const conversation = listed(row.key);
      await changeDocuments();
      await showChangedFile(screen, conversation, row.path);
    },
  } satisfies Partial<CommandHandlers>;
}

function nothingOpen(): UserError {
  return userError('First open a changed file with Show Changes.');
}

/**
 * The document of changes with this address, or the active one, also beside
 * another one or without text.
 */
function documentOf(address?: string): ChangesAddress | undefined {
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const uris =
    address === undefined
      ? [
          window.activeTextEditor?.document.uri,
          ...(tab ? filesOf(tab).toReversed() : []),
        ]
      : [
          address.startsWith(`${changesScheme}:`)
            ? Uri.parse(address)
            : undefined,
        ];
  return readChangesUri(uris.find((uri) => uri?.scheme === changesScheme));
}
