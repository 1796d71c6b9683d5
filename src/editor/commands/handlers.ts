/** What the handlers of commands are given, and what they are. */
import type { LogOutputChannel } from 'vscode';
import type { ServerList } from '../../state/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { MessageEditor } from '../asking/messageEditor.ts';
import type { ConfigFile } from '../configuration/configFile.ts';
import type { Connector } from '../connection/connector.ts';
import type { CommandId, Commands } from '../manifest.ts';
import type { ConversationPages } from '../pages/conversationPages.ts';
import type { ServerPages } from '../pages/serverPages.ts';
import type { RegisteredViews } from '../views/registerViews.ts';
import type { Writing } from './newConversationQuestions.ts';

export interface CommandParts {
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  /** Loaded when the first one is opened. */
  readonly conversationPages: () => Promise<ConversationPages>;
  readonly messageEditor: MessageEditor<Writing>;
  readonly log: LogOutputChannel;
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly serverPages: ServerPages;
  readonly views: RegisteredViews;
}

/** What a change of the MCP servers needs. */
export type ServerParts = Pick<CommandParts, 'config' | 'servers'>;

export type Handlers = { readonly [Id in CommandId]: (...args: Commands[Id]) => unknown };
