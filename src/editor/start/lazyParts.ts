/** Lists the parts that are loaded on first use, and what each of them is given. */
import type { Disposable, ExtensionContext, LogOutputChannel } from 'vscode';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import type { Conversation } from '../../service/entities.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { MessageEditor } from '../ui/messageEditor.ts';
import type { MessageAnswers } from '../conversations/new/newConversationQuestions.ts';
import type { Connector } from '../services/connector.ts';
import { claimFile } from '../background/standBy.ts';
import type { ConversationPages } from '../conversations/page/conversationPages.ts';
import type { TakenOver } from '../takeOver/known.ts';
import type { ServersTree } from '../mcpServers/serversTree.ts';

interface OtherParts {
  readonly log: LogOutputChannel;
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly serversTree: () => Promise<ServersTree>;
  readonly checksFile: string;
}

export function lazyParts(
  { extensionUri, globalStorageUri, subscriptions, workspaceState }: ExtensionContext,
  { log, switchboard, connector, servers, activeServers, serversTree, checksFile }: OtherParts,
) {
  const shared = globalStorageUri.fsPath;
  const restored = () => connector.restored;
  const untilTheEnd = <T extends Disposable>(part: T): T => {
    subscriptions.push(part);
    return part;
  };
  let openPages: ConversationPages | undefined;
  const serverPages = lazily(async () => {
    const { ServerPages } = await import('../mcpServers/serverBundle.ts');
    return untilTheEnd(new ServerPages(servers, activeServers, switchboard));
  });
  const reviewComments = lazily(async () => {
    const { ReviewComments } = await import('../changes/changeBundle.ts');
    return untilTheEnd(new ReviewComments(switchboard));
  });
  const notifications = lazily(async () => {
    const { Notifications, SharedMemory } = await import('../background/lookoutBundle.ts');
    const memory = new SharedMemory(join(shared, 'seen.json'), log);
    return untilTheEnd(
      new Notifications(switchboard, memory, systemClock, (key) => openPages?.isSeen(key) === true),
    );
  });
  const takenOver: TakenOver = { folder: join(shared, 'takenOver'), state: workspaceState };
  return {
    takenOver,
    serverPages,
    reviewComments,
    messageEditor: lazily(() => Promise.resolve(untilTheEnd(new MessageEditor<MessageAnswers>()))),
    conversationPages: lazily(async () => {
      const { ConversationPages } = await import('../conversations/page/conversationPages.ts');
      const pages = new ConversationPages({
        switchboard,
        allowed: connector.allowed,
        store: workspaceState,
        folder: extensionUri,
        restored,
        seen: (key) =>
          void notifications.ifMade()?.then((made) => {
            made.withdraw(key);
          }),
        report: (error) => {
          log.error(error instanceof Error ? error : String(error));
        },
      });
      return (openPages = untilTheEnd(pages));
    }),
    /** The one whose page is the active editor. */
    activeConversation: (): Conversation | undefined => openPages?.active?.conversation,
    changeDocuments: lazily(async () => {
      const { ChangeDocuments, offerMore } = await import('../changes/changeBundle.ts');
      await reviewComments();
      return untilTheEnd(new ChangeDocuments({ switchboard, restored, onMore: offerMore() }));
    }),
    notifications,
    claim: lazily(async () => {
      const { Claim } = await import('../background/lookoutBundle.ts');
      return new Claim(claimFile(shared));
    }),
    checks: lazily(async () => {
      const { showChecks } = await import('../mcpServers/serverBundle.ts');
      const [tree, pages] = await Promise.all([serversTree(), serverPages()]);
      const nameOf = (address: string) => switchboard.service(address)?.name ?? address;
      return await showChecks({
        ...{ servers, tree, nameOf, log, subscriptions },
        serverPages: pages,
        file: checksFile,
      });
    }),
  };
}
