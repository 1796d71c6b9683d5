/** Help in open configuration files: code lenses, outline, rename, and the providers of other files. */
import {
  CodeActionKind,
  type Disposable,
  languages,
  type Uri,
  type Position,
  Range,
  type RenameProvider,
  type TextDocument,
  type WorkspaceEdit,
  DocumentSymbol,
  type DocumentSymbolProvider,
  SymbolKind,
  CodeLens,
  type CodeLensProvider,
  EventEmitter,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import { fixAllKind, QuickFixes } from './quickFixes.ts';
import { configuredUri, filtersOf, isConfigured, onConfiguredFileChange } from './places.ts';
import { ConfigProblems } from './problems.ts';
import { SchemaHelp } from './schemaProviders.ts';
import type { Subscription } from '../../base/event.ts';
import { UserError } from '../../base/errors.ts';
import { editText } from '../../mcp/edit/editText.ts';
import { outlineUnfinished } from '../../mcp/format/outline.ts';
import { Refusal } from '../../mcp/text/refusal.ts';
import { type Member, nameSpan, objectOf } from '../../mcp/text/nodes.ts';
import { rangeOf, workspaceEdit } from './spans.ts';
import { plainText } from '../../base/plainText.ts';
import { Entry } from '../../mcp/format/entry.ts';
import { entriesIn } from '../../mcp/format/document.ts';
import type { CommandId } from '../manifest.ts';

export class ConfigurationHelp implements Disposable {
  readonly #problems = new ConfigProblems();
  readonly #lenses: Lenses;
  readonly #following: Disposable;
  #providers: readonly Disposable[] = [];
  #configured: Uri | undefined;

  constructor(activeServers: ActiveServers) {
    this.#lenses = new Lenses(activeServers);
    this.#configured = configuredUri();
    this.#provide();
    this.#following = onConfiguredFileChange(() => {
      this.#follow();
    });
  }

  dispose(): void {
    for (const part of [this.#following, ...this.#providers, this.#lenses, this.#problems]) part.dispose();
  }

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
      languages.registerCodeActionsProvider(filters, new QuickFixes(this.#problems), {
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

class Renames implements RenameProvider {
  prepareRename(document: TextDocument, position: Position): { range: Range; placeholder: string } {
    const { name, start, nameEnd } = nameAt(document, position);
    return { range: rangeOf(document, { start: start + 1, end: nameEnd - 1 }), placeholder: name };
  }

  provideRenameEdits(document: TextDocument, position: Position, to: string): WorkspaceEdit {
    const { name } = nameAt(document, position);
    try {
      return workspaceEdit(document, editText(document.getText(), { do: 'rename', name, to }).edits);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Renaming needs the whole text to be readable.
      throw new UserError(
        error.kind === 'syntax'
          ? t('The file is not valid JSON. Correct it before renaming a server. {0}', error.message)
          : error.what.charAt(0).toUpperCase() + error.what.slice(1),
        { cause: error },
      );
    }
  }
}

function nameAt(document: TextDocument, position: Position): Member {
  const offset = document.offsetAt(position);
  const server = outlineUnfinished(document.getText()).servers?.members.find(
    ({ start, nameEnd }) => start <= offset && offset <= nameEnd,
  );
  if (!server) throw new UserError(t('Only the names of servers can be renamed here.'));
  return server;
}

class Symbols implements DocumentSymbolProvider {
  provideDocumentSymbols(document: TextDocument): DocumentSymbol[] {
    return written(outlineUnfinished(document.getText()).servers?.members).map((member) => {
      const { server, enabled } = new Entry(member);
      const kind = server?.transport === 'stdio' ? SymbolKind.Function : SymbolKind.Interface;
      const detail = [server?.transport ?? t('not a server'), enabled ? '' : t('disabled')];
      return symbol(document, member, detail.filter(Boolean).join(', '), kind);
    });
  }
}

function written(members: readonly Member[] = []): Member[] {
  return members.filter(({ value }) => value.type !== 'missing');
}

function symbol(document: TextDocument, member: Member, detail: string, kind: SymbolKind): DocumentSymbol {
  // The editor rejects symbols without a name.
  const name = plainText(member.name, 80) || t('(no name)');
  const nameRange = rangeOf(document, nameSpan(member));
  const found = new DocumentSymbol(name, detail, kind, rangeOf(document, member), nameRange);
  found.children = written(objectOf(member.value)?.members).map((each) =>
    symbol(document, each, '', kindOf(each)),
  );
  return found;
}

function kindOf({ value: { type } }: Member): SymbolKind {
  return type === 'object' ? SymbolKind.Object : type === 'array' ? SymbolKind.Array : SymbolKind.Property;
}

class Lenses implements CodeLensProvider, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #activeServers: ActiveServers;
  readonly #subscription: Subscription;

  constructor(activeServers: ActiveServers) {
    this.#activeServers = activeServers;
    let before = this.#pending;
    this.#subscription = activeServers.onChange(() => {
      if (this.#pending === before) return;
      before = this.#pending;
      this.#changed.fire();
    });
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    // The commands change only the configured file.
    if (!isConfigured(document.uri)) return [];
    const top = new Range(0, 0, 0, 0);
    const pending = this.#pending;
    const entries = entriesIn(outlineUnfinished(document.getText()));
    return [
      lens(top, t('Add Server'), 'switchboard.mcp.add'),
      ...(pending > 0 ? [lens(top, t('{0} pending', pending), 'switchboard.mcp.status')] : []),
      ...entries.flatMap((entry) => {
        const range = rangeOf(document, entry.nameSpan);
        const { name, enabled, object, server } = entry;
        const state = enabled
          ? lens(range, t('Disable'), 'switchboard.mcp.disable', name)
          : lens(range, t('Enable'), 'switchboard.mcp.enable', name);
        return [
          ...(object ? [state] : []),
          ...(server ? [lens(range, t('Check'), 'switchboard.mcp.check', name)] : []),
          lens(range, t('Remove'), 'switchboard.mcp.remove', name),
          ...(server ? [lens(range, t('Copy as Command'), 'switchboard.mcp.copyAsCommand', name)] : []),
        ];
      }),
    ];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get #pending(): number {
    return this.#activeServers.pending?.length ?? 0;
  }
}

function lens(range: Range, title: string, command: CommandId, ...args: readonly string[]): CodeLens {
  return new CodeLens(range, { title, command, arguments: [...args] });
}
