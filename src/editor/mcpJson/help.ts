/** All the help for configuration files that are open. */
import { CodeActionKind, type Disposable, languages, type Uri } from 'vscode';
import type { Subscription } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import { fixAllKind, Fixes } from './actions.ts';
import type { ConfigFile } from './configFile.ts';
import { Lenses } from './lenses.ts';
import { configuredUri, filtersOf } from './places.ts';
import { Problems } from './problems.ts';
import { Renames } from './rename.ts';
import { SchemaHelp } from './schemaProviders.ts';
import { Symbols } from './symbols.ts';

export class ConfigurationHelp implements Disposable {
  readonly #problems = new Problems();
  readonly #lenses: Lenses;
  readonly #subscriptions: readonly Subscription[];
  #providers: readonly Disposable[] = [];
  #configured: Uri | undefined;

  constructor(config: ConfigFile, servers: ServerList, activeServers: ActiveServers) {
    this.#lenses = new Lenses(activeServers);
    this.#configured = configuredUri();
    this.#provide();
    const follow = () => {
      this.#follow();
    };
    this.#subscriptions = [config.onDidChange(follow), servers.onChange(follow)];
  }

  dispose(): void {
    for (const part of [...this.#subscriptions, ...this.#providers, this.#lenses, this.#problems])
      part.dispose();
  }

  /** Another file may be configured now. */
  #follow(): void {
    const configured = configuredUri();
    if (configured?.toString() === this.#configured?.toString()) return;
    this.#configured = configured;
    for (const provider of this.#providers) provider.dispose();
    this.#provide();
    this.#problems.follow();
  }

  #provide(): void {
    const filters = filtersOf(this.#configured);
    const schema = new SchemaHelp();
    this.#providers = [
      languages.registerCodeActionsProvider(filters, new Fixes(this.#problems), {
        providedCodeActionKinds: [CodeActionKind.QuickFix, fixAllKind],
      }),
      languages.registerCodeLensProvider(filters, this.#lenses),
      languages.registerDocumentSymbolProvider(filters, new Symbols(), { label: t('MCP Servers') }),
      languages.registerRenameProvider(filters, new Renames()),
      languages.registerHoverProvider(filters, schema),
      languages.registerCompletionItemProvider(filters, schema, '"', ':', ' '),
    ];
  }
}
