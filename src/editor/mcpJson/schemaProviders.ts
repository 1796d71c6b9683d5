/** Schema help where the editor gives none: in a file with an unusual path. */
import {
  CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  extensions,
  Hover,
  type HoverProvider,
  MarkdownString,
  type Position,
  SnippetString,
  type TextDocument,
  Uri,
  workspace,
} from 'vscode';
import type manifest from '../../../package.json';
import { extensionId } from '../manifest.ts';
import { hasSchema } from './places.ts';
import { completeAt, type SchemaCompletion, explainAt, type JsonSchema } from './schemaHelp.ts';
import { rangeOf } from './spans.ts';

const completionKinds: Readonly<Record<SchemaCompletion['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  snippet: CompletionItemKind.Snippet,
};

export class SchemaHelp implements HoverProvider, CompletionItemProvider {
  #schema: Promise<JsonSchema> | undefined;

  async provideHover(document: TextDocument, position: Position): Promise<Hover | undefined> {
    if (hasSchema(document.uri)) return undefined;
    const found = explainAt(await this.#read(), document.getText(), document.offsetAt(position));
    return found && new Hover(new MarkdownString(found.text), rangeOf(document, found));
  }

  /** Completes, where the editor has the schema, only servers with their names. */
  async provideCompletionItems(document: TextDocument, position: Position): Promise<CompletionItem[]> {
    const schema = await this.#read();
    const offset = document.offsetAt(position);
    return completeAt(schema, document.getText(), offset, hasSchema(document.uri)).map((completion) =>
      itemOf(document, completion),
    );
  }

  /** The translated schema that the editor uses too. */
  async #read(): Promise<JsonSchema> {
    this.#schema ??= readSchema();
    return await this.#schema;
  }
}

async function readSchema(): Promise<JsonSchema> {
  const extension = extensions.getExtension<unknown>(extensionId);
  if (!extension) return {};
  const { contributes } = extension.packageJSON as typeof manifest;
  const path = Uri.joinPath(extension.extensionUri, contributes.jsonValidation[0]?.url ?? '');
  return JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(path))) as JsonSchema;
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
