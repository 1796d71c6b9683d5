/** A configuration file in an editor, and what the editor shows for it. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type CodeAction,
  type CodeLens,
  commands,
  type CompletionList,
  type Diagnostic,
  type DocumentSymbol,
  type Hover,
  languages,
  type MarkdownString,
  Position,
  Range,
  SnippetString,
  type TextDocument,
  Uri,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';

/**
 * The end of a path that the schema applies to, and of one that it does not.
 */
export const withSchema = join('.agent', 'mcp.json');
export const elsewhere = 'servers [1] {a,b}.json';

export class EditingDesk {
  readonly desk: Desk;
  readonly #folders: string[] = [];

  private constructor(desk: Desk) {
    this.desk = desk;
  }

  static async setUp(): Promise<EditingDesk> {
    return new EditingDesk(await Desk.setUp());
  }

  async clear(): Promise<void> {
    // Otherwise the editor would ask whether to save when closing.
    for (const document of workspace.textDocuments)
      if (document.isDirty) await document.save();
    await this.desk.clear();
    await Promise.all(
      this.#folders.map((folder) =>
        rm(folder, { recursive: true, force: true }),
      ),
    );
  }

  /**
   * Opens a new file with this text, by default as the configured file. `|`
   * marks the cursor.
   */
  async open(
    text: string,
    end = withSchema,
    isConfigured = true,
  ): Promise<Editing> {
    const offset = text.indexOf('|');
    const content =
      offset < 0 ? text : text.slice(0, offset) + text.slice(offset + 1);
    const folder = await mkdtemp(join(homedir(), 'editing-'));
    this.#folders.push(folder);
    const path = join(folder, end);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    if (isConfigured) await this.desk.configure({ 'mcp.file': path });
    // Like a user: the editor keeps a document that an extension opens for a
    // while after its tab is closed.
    const cursor = offset < 0 ? undefined : positionIn(content, offset);
    const selection = cursor && new Range(cursor, cursor);
    await commands.executeCommand('vscode.open', Uri.file(path), {
      preview: false,
      selection,
    });
    const document = await until(() =>
      workspace.textDocuments.find(
        ({ uri }) => uri.fsPath === Uri.file(path).fsPath,
      ),
    );
    return new Editing(document, cursor);
  }
}

function positionIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}

export class Editing {
  readonly document: TextDocument;
  readonly #cursor: Position | undefined;

  constructor(document: TextDocument, cursor: Position | undefined) {
    this.document = document;
    this.#cursor = cursor;
  }

  get text(): string {
    return this.document.getText();
  }

  get uri(): Uri {
    return this.document.uri;
  }

  place(words: string): Position {
    const offset = this.text.indexOf(words);
    assert.ok(offset >= 0, `${words} is missing in ${this.text}`);
    return this.document.positionAt(offset + 1);
  }

  /** Replaces the whole text, as if typed. */
  async write(text: string): Promise<void> {
    const edit = new WorkspaceEdit();
    edit.replace(
      this.uri,
      new Range(new Position(0, 0), this.document.positionAt(this.text.length)),
      text,
    );
    assert.ok(await workspace.applyEdit(edit));
  }

  get diagnostics(): Diagnostic[] {
    return languages.getDiagnostics(this.uri);
  }

  /** Our problems, as `code: text at its range`. */
  get ours(): string[] {
    return this.diagnostics
      .filter(({ source }) => source === 'Agent Switchboard')
      .map(
        ({ code, range }) =>
          `${code as string}: ${this.document.getText(range)}`,
      )
      .sort();
  }

  get theirs(): Diagnostic[] {
    return this.diagnostics.filter(
      ({ source }) => source !== 'Agent Switchboard',
    );
  }

  async reported(...expected: readonly string[]): Promise<void> {
    await until(
      () => JSON.stringify(this.ours) === JSON.stringify([...expected].sort()),
    );
  }

  async actions(words: string, kind?: string): Promise<CodeAction[]> {
    const place = this.place(words);
    const range = new Range(place, place);
    return await commands.executeCommand(
      'vscode.executeCodeActionProvider',
      this.uri,
      range,
      kind,
    );
  }

  /** Applies a quick fix, as if chosen from the light bulb. */
  async fix(words: string, title: string): Promise<void> {
    const actions = await this.actions(words);
    const action = actions.find((each) => each.title === title);
    assert.ok(action?.edit, actions.map((each) => each.title).join(', '));
    assert.ok(await workspace.applyEdit(action.edit));
  }

  async hover(words: string): Promise<string> {
    const hovers = await commands.executeCommand<Hover[]>(
      'vscode.executeHoverProvider',
      this.uri,
      this.place(words),
    );
    return hovers
      .flatMap(({ contents }) => contents as (MarkdownString | string)[])
      .map((each) => (typeof each === 'string' ? each : each.value))
      .join('\n');
  }

  /** The completions at the cursor: labels with the text that they insert. */
  async completions(): Promise<Map<string, string>> {
    const { items } = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      this.uri,
      this.#cursor,
    );
    return new Map(
      items.map(({ label, insertText = '' }) => [
        typeof label === 'string' ? label : label.label,
        insertText instanceof SnippetString ? insertText.value : insertText,
      ]),
    );
  }

  /** The lenses, each with the line that it is above. */
  async lenses(): Promise<string[]> {
    const found = await commands.executeCommand<CodeLens[]>(
      'vscode.executeCodeLensProvider',
      this.uri,
      1_000,
    );
    return found
      .filter(({ command }) => command?.command.startsWith('switchboard.'))
      .map(({ range, command }) =>
        [
          range.start.line,
          command?.title,
          ...((command?.arguments ?? []) as string[]),
        ].join(' '),
      );
  }

  async symbols(): Promise<DocumentSymbol[]> {
    return await commands.executeCommand(
      'vscode.executeDocumentSymbolProvider',
      this.uri,
    );
  }

  async rename(words: string, to: string): Promise<void> {
    const edit = await commands.executeCommand<WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      this.uri,
      this.place(words),
      to,
    );
    assert.ok(await workspace.applyEdit(edit));
  }
}
