/** The parts that a window does without until they are used. Each is loaded when it is asked for for the first time. */
import type { Disposable, ExtensionContext, LogOutputChannel } from 'vscode';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { type Lazy, lazily } from '../base/lazily.ts';
import type { Conversation } from '../service/entities.ts';
import type { ActiveServers } from '../state/activeServers.ts';
import type { ServerChecks } from '../state/serverChecks.ts';
import type { ServerList } from '../state/serverList.ts';
import type { Switchboard } from '../state/switchboard.ts';
import { MessageEditor } from './asking/messageEditor.ts';
import type { ChangeDocuments } from './changes/documents.ts';
import type { Writing } from './commands/newConversationQuestions.ts';
import type { Connector } from './connection/connector.ts';
import type { Claim } from './lookout/claim.ts';
import { claimFile } from './lookout/standBy.ts';
import type { ConversationPages } from './pages/conversationPages.ts';
import type { ServerPages } from './pages/serverPages.ts';
import type { ReviewComments } from './review/reviewComments.ts';
import type { Notifications } from './sync/notifications.ts';
import type { TakenOver } from './takeOver/known.ts';
import type { ServersTree } from './views/serversTree.ts';

export interface LazyParts {
  readonly conversationPages: () => Promise<ConversationPages>;
  /** The one whose page is the active editor. */
  readonly activeConversation: () => Conversation | undefined;
  readonly serverPages: () => Promise<ServerPages>;
  readonly messageEditor: () => Promise<MessageEditor<Writing>>;
  readonly notifications: () => Promise<Notifications>;
  readonly claim: () => Promise<Claim>;
  readonly checks: Lazy<ServerChecks>;
  readonly takenOver: TakenOver;
  readonly changeDocuments: () => Promise<ChangeDocuments>;
  readonly reviewComments: () => Promise<ReviewComments>;
}

interface OtherParts {
  readonly log: LogOutputChannel;
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly serversTree: () => Promise<ServersTree>;
  readonly checksFile: string;
}

export function lazyParts(context: ExtensionContext, others: OtherParts): LazyParts {
  const { log, switchboard, connector, servers, activeServers, checksFile: file } = others;
  const shared = context.globalStorageUri.fsPath;
  const untilTheEnd = <T extends Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  let openPages: ConversationPages | undefined;
  const serverPages = lazily(async () => {
    const { ServerPages } = await import('./views/serverBundle.ts');
    return untilTheEnd(new ServerPages(servers, activeServers, switchboard));
  });
  const reviewComments = lazily(async () => {
    const { ReviewComments } = await import('./changes/changeBundle.ts');
    return untilTheEnd(new ReviewComments(switchboard));
  });
  const notifications = lazily(async () => {
    const { Notifications, SharedMemory } = await import('./lookout/lookoutBundle.ts');
    const memory = new SharedMemory(join(shared, 'seen.json'), log);
    return untilTheEnd(
      new Notifications(switchboard, memory, systemClock, (key) => openPages?.isSeen(key) === true),
    );
  });
  return {
    reviewComments,
    conversationPages: lazily(async () => {
      const { ConversationPages } = await import('./pages/conversationPages.ts');
      const pages = new ConversationPages({
        switchboard,
        allowed: connector.allowed,
        store: context.workspaceState,
        folder: context.extensionUri,
        restored: () => connector.restored,
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
    activeConversation: () => openPages?.active?.conversation,
    serverPages,
    takenOver: { folder: join(shared, 'takenOver'), state: context.workspaceState },
    messageEditor: lazily(() => Promise.resolve(untilTheEnd(new MessageEditor<Writing>()))),
    notifications,
    claim: lazily(async () => {
      const { Claim } = await import('./lookout/lookoutBundle.ts');
      return new Claim(claimFile(shared));
    }),
    changeDocuments: lazily(async () => {
      const { ChangeDocuments, offerMore } = await import('./changes/changeBundle.ts');
      await reviewComments();
      return untilTheEnd(
        new ChangeDocuments({ switchboard, restored: () => connector.restored, onMore: offerMore() }),
      );
    }),
    checks: lazily(async () => {
      const { showChecks } = await import('./checks.ts');
      const [tree, pages] = await Promise.all([others.serversTree(), serverPages()]);
      const { subscriptions } = context;
      const nameOf = (address: string) => switchboard.service(address)?.name ?? address;
      return await showChecks({ servers, tree, serverPages: pages, nameOf, file, log, subscriptions });
    }),
  };
}
