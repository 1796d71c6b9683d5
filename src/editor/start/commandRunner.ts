/**
 * Runs commands, and opens links to conversations. Loaded on the first of
 * either.
 */
import { commands, type LogOutputChannel, type TreeView, Uri } from 'vscode';
import { reason, UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { linkedConversation } from '../../state/conversationLink.ts';
import type { ConversationRow } from '../conversations/conversationsTree.ts';
import { startingPointOf } from '../conversations/new/startFromMenu.ts';
import {
  type CommandHandlers,
  type CommandId,
  rowsOfTheKey,
} from '../manifest.ts';
import {
  offerAction,
  offerActions,
  showError,
  withProgress,
} from '../ui/messages.ts';
import { changeCommands, type ChangeParts } from '../changes/changeCommands.ts';
import { reviewCommands, type ReviewParts } from '../changes/reviewCommands.ts';
import { automationCommands } from '../conversations/automationCommands.ts';
import { arrangementCommands } from '../conversations/arrangementCommands.ts';
import { conversationCommands } from '../conversations/conversationCommands.ts';
import { newConversationCommands } from '../conversations/newConversationCommands.ts';
import { markCommands, type MarkParts } from '../conversations/markCommands.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import { steeringCommands } from '../conversations/steeringCommands.ts';
import { manageModels } from '../models/manageModels.ts';
import {
  serverCommands,
  type ServerParts,
} from '../mcpServers/serverCommands.ts';
import { sandboxCommands } from '../sandboxes/sandboxCommands.ts';
import {
  connectionCommands,
  type ServiceParts,
} from '../services/connectionCommands.ts';
import {
  takeOverCommands,
  type TakeOverParts,
} from '../takeOver/takeOverChanges.ts';

type CommandParts = ServiceParts &
  ConversationParts &
  ChangeParts &
  MarkParts &
  ReviewParts &
  TakeOverParts &
  ServerParts;

export class CommandRunner {
  readonly #parts: CommandParts;
  readonly #conversations: TreeView<unknown>;
  readonly #handlers: CommandHandlers;

  /** `conversations` is the view whose rows a key acts on. */
  constructor(parts: CommandParts, conversations: TreeView<unknown>) {
    this.#parts = parts;
    this.#conversations = conversations;
    this.#handlers = allCommands(parts);
  }

  run(id: CommandId, args: readonly unknown[]): Promise<unknown> {
    return this.#reporting(id, async () => {
      // The first command may come before the keys of the services were read.
      if (!id.startsWith('switchboard.mcp.'))
        await this.#parts.connector.whenReady;
      const handlerArgs = await this.#arguments(id, args);
      return (
        handlerArgs &&
        (await (this.#handlers[id] as (...args: unknown[]) => unknown)(
          ...handlerArgs,
        ))
      );
    });
  }

  /** Shows the conversation that a link leads to, and does nothing else. */
  async openLink(link: Uri): Promise<void> {
    const { switchboard, connector, conversationPages } = this.#parts;
    await this.#reporting('link', async () => {
      await connector.whenReady;
      const conversation = await withProgress(
        t('Opening the conversation'),
        (signal) => linkedConversation(switchboard, link, signal),
      );
      await (await conversationPages()).show(conversation);
    });
  }

  async #reporting(id: string, work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      // Not awaited: the command is done, however long the message stays.
      void report(id, error, this.#parts.log);
      return undefined;
    }
  }

  /**
   * `undefined` if a key was pressed on something that the command does not
   * take.
   */
  async #arguments(
    id: CommandId,
    args: readonly unknown[],
  ): Promise<readonly unknown[] | undefined> {
    if (id === 'switchboard.conversations.newFromEditor')
      return [startingPointOf(args)];
    if (
      id === 'switchboard.review.addComment' ||
      id === 'switchboard.review.sendComment'
    )
      return args;
    if (args[0] !== rowsOfTheKey) return plainArguments(args);
    const rows = (await rowsOfKey(
      this.#conversations,
    )) as readonly ConversationRow[];
    return rows[0]?.kind === 'conversation'
      ? rows.flatMap((row) => (row.kind === 'conversation' ? row.id : []))
      : undefined;
  }
}

function allCommands(parts: CommandParts): CommandHandlers {
  return {
    ...connectionCommands(parts),
    'switchboard.manageModels': (address) =>
      manageModels(parts.switchboard, address),
    ...conversationCommands(parts),
    ...automationCommands(parts),
    ...changeCommands(parts),
    ...takeOverCommands(parts),
    ...reviewCommands(parts),
    ...newConversationCommands(parts),
    ...arrangementCommands(parts.switchboard),
    ...markCommands(parts),
    ...sandboxCommands(parts.switchboard),
    ...serverCommands(parts),
    ...steeringCommands(parts),
  };
}

/**
 * Returns the focused row first, and then the other selected ones if it is
 * selected too, like the Explorer. The editor reports the selected rows only.
 * Toggles the selection for a moment, to find the focused row.
 */
async function rowsOfKey<Row>(view: TreeView<Row>): Promise<readonly Row[]> {
  const before = view.selection;
  await commands.executeCommand('list.toggleSelection');
  const after = view.selection;
  const keyboard =
    after.find((row) => !before.includes(row)) ??
    before.find((row) => !after.includes(row));
  await commands.executeCommand('list.toggleSelection');
  if (keyboard === undefined) return [];
  const otherRows = before.includes(keyboard)
    ? before.filter((row) => row !== keyboard)
    : [];
  return [keyboard, ...otherRows];
}

/**
 * The plain ids that a command takes. The editor passes the clicked row, then
 * all selected rows; a button above a view passes the selection of that view,
 * which is not meant. Addresses of files come in the same way.
 */
function plainArguments(args: readonly unknown[]): unknown[] {
  const [first, ...restArgs] = args;
  if (first instanceof Uri) {
    const chosen: readonly unknown[] = Array.isArray(restArgs[0])
      ? restArgs[0]
      : [first];
    return chosen.flatMap((item) =>
      item instanceof Uri ? item.toString() : [],
    );
  }
  if (typeof first === 'object' && first !== null) {
    const { id, index } = first as Row;
    if (typeof id !== 'string') return [];
    const [chosen] = restArgs;
    if (Array.isArray(chosen)) return idsOf(chosen, first);
    // A command that takes any number of ids would take the index for one.
    return index === undefined ? [id] : [id, index];
  }
  return first === undefined || first === null ? [] : [first, ...restArgs];
}

interface Row {
  readonly kind?: unknown;
  readonly id?: unknown;
  readonly index?: unknown;
}

/**
 * The id of the clicked row, then those of the other selected rows if the
 * clicked row is selected.
 */
function idsOf(rows: readonly unknown[], { id, kind }: Row): unknown[] {
  // The id of a row of another kind means something else.
  const ids = rows.flatMap((row) =>
    (row as Row | null)?.kind === kind ? [(row as Row).id] : [],
  );
  const otherIds = ids.filter(
    (rowId) => typeof rowId === 'string' && rowId !== id,
  );
  return ids.includes(id) ? [id, ...otherIds] : [id];
}

/** Shows an error to the user, and logs it. */
async function report(id: string, error: unknown, log: LogOutputChannel) {
  if (error instanceof UserError) {
    log.warn(error.message);
    const openSettings = () =>
      commands.executeCommand('workbench.action.openSettings', error.setting);
    await offerActions(showError, error.message, {
      ...(error.setting !== undefined && {
        [t('Open Settings')]: openSettings,
      }),
    });
    return;
  }
  // The user has canceled it before anything was sent.
  if (error instanceof Error && error.name === 'AbortError') return;
  log.error(error instanceof Error ? error : String(error), id);
  await offerAction(
    showError,
    t('Something went wrong in Agent Switchboard: {0}', reason(error)),
    t('Show Log'),
    () => {
      log.show();
    },
  );
}
