/**
 * The quick fix “Let an agent fix this”. It works before the extension is fully
 * loaded, so it makes no requests.
 */
import {
  CodeAction,
  CodeActionKind,
  CodeActionTriggerKind,
  type Disposable,
  languages,
  type Range,
  type TextDocument,
} from 'vscode';
import { t } from '../../../base/l10n.ts';
import type { CommandId } from '../../manifest.ts';

const command: CommandId = 'switchboard.conversations.newFromEditor';

/** The start of a conflict is searched within this many lines. */
const maxLinesUp = 500;

/** `isWanted`: true if a service can create conversations. */
export function registerQuickFix(isWanted: () => boolean): Disposable {
  return languages.registerCodeActionsProvider(
    ['file', 'vscode-remote', 'untitled', 'vscode-vfs'].map((scheme) => ({
      scheme,
    })),
    {
      provideCodeActions: (document, range, { diagnostics, triggerKind }) => {
        const [first, ...rest] = diagnostics;
        const isAsked = triggerKind === CodeActionTriggerKind.Invoke;
        if (first && isWanted()) {
          const { start, end } = rest.reduce(
            (all, { range }) => all.union(range),
            first.range,
          );
          const point = {
            from: 'problem',
            address: document.uri.toString(),
            range: [start.line, start.character, end.line, end.character],
          };
          return [action(t('Let an agent fix this'), point)];
        }
        return isAsked && isInConflict(document, range) && isWanted()
          ? [action(t('Let an agent resolve this conflict'))]
          : [];
      },
    },
    { providedCodeActionKinds: [CodeActionKind.QuickFix] },
  );
}

function action(title: string, ...args: readonly unknown[]): CodeAction {
  const fix = new CodeAction(title, CodeActionKind.QuickFix);
  fix.command = { title, command, arguments: [...args] };
  return fix;
}

function isInConflict(document: TextDocument, { start }: Range): boolean {
  for (
    let line = start.line;
    line >= Math.max(0, start.line - maxLinesUp);
    line--
  ) {
    const { text } = document.lineAt(line);
    if (text.startsWith('<<<<<<<')) return true;
    if (text.startsWith('>>>>>>>') && line !== start.line) return false;
  }
  return false;
}
