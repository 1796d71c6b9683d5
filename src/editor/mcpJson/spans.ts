import type { Edit } from 'jsonc-parser';
import { Range, type TextDocument, TextEdit, WorkspaceEdit } from 'vscode';
import type { Span } from '../../mcp/text/nodes.ts';

export function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return new Range(document.positionAt(start), document.positionAt(end));
}

export function workspaceEdit(
  document: TextDocument,
  edits: readonly Edit[],
): WorkspaceEdit {
  const all = new WorkspaceEdit();
  const textEdits = edits.map(({ offset, length, content }) =>
    TextEdit.replace(
      rangeOf(document, { start: offset, end: offset + length }),
      content,
    ),
  );
  all.set(document.uri, textEdits);
  return all;
}
