/** What the handlers of commands are given, and what they are. */
import type { LogOutputChannel } from 'vscode';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfigFile } from '../mcpJson/configFile.ts';
import type { Connector } from '../services/connector.ts';
import type { LazyParts } from './lazyParts.ts';
import type { CommandId, Commands } from '../manifest.ts';
import type { RegisteredViews } from './registerViews.ts';

export interface CommandParts extends LazyParts {
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  readonly log: LogOutputChannel;
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly views: RegisteredViews;
}

/** What a change of the MCP servers needs. */
export type ServerParts = Pick<CommandParts, 'config' | 'servers'>;

export type Handlers = { readonly [Id in CommandId]: (...args: Commands[Id]) => unknown };
