import { join } from 'node:path';
import type { Disposable, ExtensionContext, LogOutputChannel } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { ActiveServers } from '../../state/activeServers.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConversationPages } from '../conversations/page/conversationPages.ts';
import type { Connector } from '../services/connector.ts';
import type { TakenOver } from '../takeOver/applyChanges.ts';

interface RuntimeParts {
  readonly log: LogOutputChannel;
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
}

/** Lists the parts that are loaded and built on first use. */
export function partsOnFirstUse(
  {
    extensionUri,
    globalStorageUri,
    secrets,
    subscriptions,
    workspaceState,
    globalState,
  }: ExtensionContext,
  { log, switchboard, connector, servers, activeServers }: RuntimeParts,
) {
  const onFirstUse = <Part extends Disposable>(build: () => Promise<Part>) =>
    lazily(async () => {
      const part = await build();
      subscriptions.push(part);
      return part;
    });
  const shared = globalStorageUri.fsPath;
  const takenOver: TakenOver = {
    folder: join(shared, 'takenOver'),
    state: workspaceState,
  };
  const whenReady = () => connector.whenReady;
  let openPages: ConversationPages | undefined;
  const checks = lazily(async () => {
    const { loadChecks } = await import('./lateBundle.ts');
    return await loadChecks(servers, join(shared, 'checks.json'), log);
  });
  const serverPages = onFirstUse(async () => {
    const { ServerPages } = await import('./lateBundle.ts');
    return new ServerPages({
      servers,
      activeServers,
      checks: await checks(),
      switchboard,
    });
  });
  const reviewComments = onFirstUse(async () => {
    const { ReviewComments } = await import('./lateBundle.ts');
    return new ReviewComments(switchboard);
  });
  const notifications = onFirstUse(async () => {
    const { Notifications, SharedMemory } = await import('./lateBundle.ts');
    return new Notifications(
      switchboard,
      new SharedMemory(join(shared, 'seen.json'), log),
      systemClock,
      (key) => openPages?.isSeen(key) === true,
      await forwarding(),
    );
  });
  const forwarding = lazily(async () => {
    const { AttentionForwarding } = await import('./lateBundle.ts');
    return new AttentionForwarding(switchboard, log);
  });
  const limitMessages = onFirstUse(async () => {
    const { LimitMessages } = await import('./lateBundle.ts');
    return new LimitMessages(switchboard, await forwarding(), globalState);
  });
  return {
    takenOver,
    limitMessages,
    serverPages,
    reviewComments,
    notifications,
    conversationPages: onFirstUse(async () => {
      const { ConversationPages } = await import('./lateBundle.ts');
      return (openPages = new ConversationPages({
        switchboard,
        allowed: connector.allowed,
        store: workspaceState,
        globalStore: globalState,
        folder: extensionUri,
        restored: whenReady,
        seen: (key) =>
          void notifications.ifMade()?.then((notifier) => notifier.opened(key)),
        report: (error) => {
          log.error(error instanceof Error ? error : String(error));
        },
      }));
    }),
    costPage: onFirstUse(async () => {
      const { CostPage } = await import('./lateBundle.ts');
      return new CostPage(switchboard);
    }),
    activeConversation: (): Conversation | undefined =>
      openPages?.active?.conversation,
    changeDocuments: onFirstUse(async () => {
      const { ChangeDocuments } = await import('./lateBundle.ts');
      await reviewComments();
      return new ChangeDocuments(switchboard, whenReady);
    }),
    checks,
    serverOnThisMachine: onFirstUse(async () => {
      const { ServerOnThisMachine } = await import('./lateBundle.ts');
      return new ServerOnThisMachine({
        folder: join(shared, 'agentServer'),
        secrets,
        connector,
      });
    }),
  };
}
