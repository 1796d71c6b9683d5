/** Renames a server where its name is written. */
import {
  type Position,
  type Range,
  type RenameProvider,
  type TextDocument,
  type WorkspaceEdit,
} from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { editText } from '../../mcp/edit/editText.ts';
import { outlineUnfinished } from '../../mcp/format/outline.ts';
import { Refusal } from '../../mcp/text/refusal.ts';
import type { Member } from '../../mcp/text/nodes.ts';
import { rangeOf, workspaceEdit } from './spans.ts';

export class Renames implements RenameProvider {
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
      // A name is renamed wherever it is, so all of the text must be readable.
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
