/**
 * Help in open configuration files: problems, code lenses, outline, rename, and
 * explanations by the schema.
 */
import {
  CodeActionKind,
  CodeLens,
  CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  Disposable,
  DocumentSymbol,
  extensions,
  Hover,
  type HoverProvider,
  languages,
  MarkdownString,
  type Position,
  Range,
  SnippetString,
  SymbolKind,
  type TextDocument,
  Uri,
  workspace,
  type WorkspaceEdit,
} from 'vscode';
import type manifest from '../../../package.json';
import { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import { lazily } from '../../base/lazily.ts';
import { plainText } from '../../base/plainText.ts';
import { joinParts, present } from '../../base/parts.ts';
import { editText } from '../../mcp/edit/editText.ts';
import { entriesIn } from '../../mcp/format/document.ts';
import { Entry } from '../../mcp/format/entry.ts';
import { outlineUnfinished } from '../../mcp/format/outline.ts';
import { type Member, nameSpan, objectOf } from '../../mcp/text/nodes.ts';
import { Refusal } from '../../mcp/text/refusal.ts';
import { type CommandId, extensionId } from '../manifest.ts';
import { configFileFilters, hasSchema, isConfigured } from './places.ts';
import { ConfigProblems, fixAllKind } from './problems.ts';
import {
  completeAt,
  explainAt,
  type JsonSchema,
  type SchemaCompletion,
} from './schemaHelp.ts';
import { rangeOf, workspaceEdit } from './spans.ts';

export function provideHelp(): Disposable {
  const filters = configFileFilters();
  const problems = new ConfigProblems();
  const schema = new SchemaHelp();
  return Disposable.from(
    problems,
    languages.registerCodeActionsProvider(filters, problems, {
      providedCodeActionKinds: [CodeActionKind.QuickFix, fixAllKind],
    }),
    languages.registerCodeLensProvider(filters, { provideCodeLenses }),
    languages.registerDocumentSymbolProvider(
      filters,
      { provideDocumentSymbols },
      { label: t('MCP Servers') },
    ),
    languages.registerRenameProvider(filters, {
      prepareRename,
      provideRenameEdits,
    }),
    languages.registerHoverProvider(filters, schema),
    languages.registerCompletionItemProvider(filters, schema, '"', ':', ' '),
  );
}

function prepareRename(document: TextDocument, position: Position) {
  const { name, start, nameEnd } = nameAt(document, position);
  return {
    range: rangeOf(document, { start: start + 1, end: nameEnd - 1 }),
    placeholder: name,
  };
}

function provideRenameEdits(
  document: TextDocument,
  position: Position,
  to: string,
): WorkspaceEdit {
  const { name } = nameAt(document, position);
  try {
    return workspaceEdit(
      document,
      editText(document.getText(), { do: 'rename', name, to }).edits,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Renaming needs the whole text to be readable.
    throw new UserError(
      error.kind === 'syntax'
        ? t(
            'The file is not valid JSON. Correct it before renaming a server. {0}',
            error.message,
          )
        : error.what.charAt(0).toUpperCase() + error.what.slice(1),
      { cause: error },
    );
  }
}

function nameAt(document: TextDocument, position: Position): Member {
  const offset = document.offsetAt(position);
  const server = outlineUnfinished(document.getText()).servers?.members.find(
    ({ start, nameEnd }) => start <= offset && offset <= nameEnd,
  );
  if (!server)
    throw userError('Only the names of servers can be renamed here.');
  return server;
}

function provideDocumentSymbols(document: TextDocument): DocumentSymbol[] {
  return written(outlineUnfinished(document.getText()).servers?.members).map(
    (member) => {
      const { server, enabled } = new Entry(member);
      const kind =
        server?.transport === 'stdio'
          ? SymbolKind.Function
          : SymbolKind.Interface;
      return symbol(
        document,
        member,
        joinParts(
          ', ',
          server?.transport ?? t('not a server'),
          !enabled && t('disabled'),
        ),
        kind,
      );
    },
  );
}

function written(members: readonly Member[] = []): Member[] {
  return members.filter(({ value }) => value.type !== 'missing');
}

function symbol(
  document: TextDocument,
  member: Member,
  detail: string,
  kind: SymbolKind,
): DocumentSymbol {
  // The editor rejects symbols without a name.
  const name = plainText(member.name, 80) || t('(no name)');
  const documentSymbol = new DocumentSymbol(
    name,
    detail,
    kind,
    rangeOf(document, member),
    rangeOf(document, nameSpan(member)),
  );
  documentSymbol.children = written(objectOf(member.value)?.members).map(
    (child) => symbol(document, child, '', kindOf(child)),
  );
  return documentSymbol;
}

function kindOf({ value: { type } }: Member): SymbolKind {
  if (type === 'object') return SymbolKind.Object;
  return type === 'array' ? SymbolKind.Array : SymbolKind.Property;
}

function provideCodeLenses(document: TextDocument): CodeLens[] {
  // The commands change only the configured file.
  if (!isConfigured(document.uri)) return [];
  const top = new Range(0, 0, 0, 0);
  const entries = entriesIn(outlineUnfinished(document.getText()));
  return [
    lens(top, t('Add Server'), 'switchboard.mcp.add'),
    ...entries.flatMap((entry) => {
      const range = rangeOf(document, entry.nameSpan);
      const { name, enabled, object, server } = entry;
      const state = enabled
        ? lens(range, t('Disable'), 'switchboard.mcp.disable', name)
        : lens(range, t('Enable'), 'switchboard.mcp.enable', name);
      return present(
        object && state,
        server && lens(range, t('Check'), 'switchboard.mcp.check', name),
        lens(range, t('Remove'), 'switchboard.mcp.remove', name),
        server &&
          lens(
            range,
            t('Copy as Command'),
            'switchboard.mcp.copyAsCommand',
            name,
          ),
      );
    }),
  ];
}

function lens(
  range: Range,
  title: string,
  command: CommandId,
  ...args: readonly string[]
): CodeLens {
  return new CodeLens(range, { title, command, arguments: [...args] });
}

const completionKinds: Readonly<
  Record<SchemaCompletion['kind'], CompletionItemKind>
> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  snippet: CompletionItemKind.Snippet,
};

/**
 * Explains and completes where the editor does not: in a file with an unusual
 * path.
 */
class SchemaHelp implements HoverProvider, CompletionItemProvider {
  readonly #schema = lazily(readSchema);

  async provideHover(
    document: TextDocument,
    position: Position,
  ): Promise<Hover | undefined> {
    if (hasSchema(document.uri)) return undefined;
    const explanation = explainAt(
      await this.#schema(),
      document.getText(),
      document.offsetAt(position),
    );
    return (
      explanation &&
      new Hover(
        new MarkdownString(explanation.text),
        rangeOf(document, explanation),
      )
    );
  }

  /** Completes only whole servers where the editor has the schema. */
  async provideCompletionItems(
    document: TextDocument,
    position: Position,
  ): Promise<CompletionItem[]> {
    const schema = await this.#schema();
    return completeAt(
      schema,
      document.getText(),
      document.offsetAt(position),
      hasSchema(document.uri),
    ).map((completion) => itemOf(document, completion));
  }
}

/** The translated schema that the editor uses too. */
async function readSchema(): Promise<JsonSchema> {
  const extension = extensions.getExtension<unknown>(extensionId);
  if (!extension) return {};
  const { contributes } = extension.packageJSON as typeof manifest;
  const path = Uri.joinPath(
    extension.extensionUri,
    contributes.jsonValidation[0]?.url ?? '',
  );
  return JSON.parse(
    new TextDecoder().decode(await workspace.fs.readFile(path)),
  ) as JsonSchema;
}

function itemOf(
  document: TextDocument,
  { kind, label, explanation, insert, span, filter }: SchemaCompletion,
) {
  const item = new CompletionItem(label, completionKinds[kind]);
  item.documentation = new MarkdownString(explanation);
  item.insertText = new SnippetString(insert);
  item.range = rangeOf(document, span);
  item.filterText = filter;
  return item;
}
