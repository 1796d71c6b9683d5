/** “Let an agent fix this” at every problem. It is there before the rest is loaded, so it asks for nothing itself. */
import {
  CodeAction,
  CodeActionKind,
  CodeActionTriggerKind,
  type Disposable,
  languages,
  type Range,
  type TextDocument,
  workspace,
} from 'vscode';
import { t } from '../base/l10n.ts';
import type { CommandId } from './manifest.ts';

const command: CommandId = 'switchboard.conversations.newFromEditor';

/** Further up, nobody looks for the beginning of a conflict. */
const mostLines = 500;

/** Most windows have no service that has agents, and the editor asks each provider at every move of the cursor. */
export class QuickFix implements Disposable {
  readonly #isWanted: () => boolean;
  readonly #changes: Disposable;
  #provider: Disposable | undefined;

  /** `isWanted`: whether there is a service that has agents. */
  constructor(isWanted: () => boolean) {
    this.#isWanted = isWanted;
    const registerIfWanted = () => {
      if (isWanted()) this.register();
    };
    this.#changes = workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.services')) registerIfWanted();
    });
    registerIfWanted();
  }

  /** From now on, a service can come without the settings. */
  register(): void {
    this.#provider ??= languages.registerCodeActionsProvider(
      ['file', 'vscode-remote', 'untitled', 'vscode-vfs'].map((scheme) => ({ scheme })),
      {
        provideCodeActions: (document, range, { diagnostics, triggerKind }) => {
          const [first, ...others] = diagnostics;
          const isAsked = triggerKind === CodeActionTriggerKind.Invoke;
          if (first && this.#isWanted()) {
            const { start, end } = others.reduce((all, { range }) => all.union(range), first.range);
            const place = [start.line, start.character, end.line, end.character];
            const point = { from: 'problem', address: document.uri.toString(), range: place };
            return [action(t('Let an agent fix this'), point)];
          }
          return isAsked && isInConflict(document, range) && this.#isWanted()
            ? [action(t('Let an agent resolve this conflict'))]
            : [];
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    );
  }

  dispose(): void {
    this.#changes.dispose();
    this.#provider?.dispose();
  }
}

function action(title: string, ...args: readonly unknown[]): CodeAction {
  const made = new CodeAction(title, CodeActionKind.QuickFix);
  made.command = { title, command, arguments: [...args] };
  return made;
}

function isInConflict(document: TextDocument, { start }: Range): boolean {
  for (let line = start.line; line >= Math.max(0, start.line - mostLines); line--) {
    const { text } = document.lineAt(line);
    if (text.startsWith('<<<<<<<')) return true;
    if (text.startsWith('>>>>>>>') && line !== start.line) return false;
  }
  return false;
}
