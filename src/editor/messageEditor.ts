/** Writing a message of several lines: in an untitled document, which New Conversation takes up when it is run again. */
import type { Disposable } from 'vscode';
import { commands, type TextDocument, window, workspace } from 'vscode';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { contextKeys } from './manifest.ts';

/** `T` is what else belongs to the message, and comes back with it. */
export class MessageEditor<T> implements Disposable {
  #open: { readonly document: TextDocument; readonly rest: T } | undefined;
  readonly #subscriptions = [
    window.onDidChangeActiveTextEditor(() => {
      this.#tellWhere();
    }),
    workspace.onDidCloseTextDocument((document) => {
      if (document === this.#open?.document) this.#open = undefined;
      this.#tellWhere();
    }),
  ];

  async show(message: string, rest: T): Promise<void> {
    const document =
      this.#open?.document ?? (await workspace.openTextDocument({ language: 'markdown', content: message }));
    this.#open = { document, rest };
    await window.showTextDocument(document, { preview: false });
    this.#tellWhere();
    void window.showInformationMessage(
      t('Write what the agent is to do, then choose New Conversation above.'),
    );
  }

  /** What has been written; undefined where nothing is being written. */
  take(): { readonly message: string; readonly rest: T } | undefined {
    if (!this.#open) return undefined;
    const { document, rest } = this.#open;
    const message = document.getText().trim();
    if (message !== '') return { message, rest };
    void window.showTextDocument(document);
    throw new UserError(
      t('There is nothing in the editor that an agent could do. Write it first, or close the editor.'),
    );
  }

  /** The message has been sent. */
  async close(): Promise<void> {
    const document = this.#open?.document;
    this.#open = undefined;
    this.#tellWhere();
    if (!document) return;
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #tellWhere(): void {
    const here = this.#open !== undefined && window.activeTextEditor?.document === this.#open.document;
    void commands.executeCommand('setContext', contextKeys.writing, here);
  }
}
