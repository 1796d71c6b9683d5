/** Writing a message of several lines: in an untitled document, which New Conversation takes up when it is run again. */
import type { Disposable } from 'vscode';
import { commands, type TextDocument, window, workspace } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { contextKeys } from '../manifest.ts';
import { showInformation } from './messages.ts';

interface Written<T> {
  readonly document: TextDocument;
  readonly rest: T;
  /** Its first text. */
  readonly begun: string;
}

/** `T` is what else belongs to the message and comes back with it, such as the failed conversation to retry. */
export class MessageEditor<T extends { readonly failedId: string | undefined }> implements Disposable {
  /** The last one is the one that was shown last. */
  #open: readonly Written<T>[] = [];
  readonly #subscriptions = [
    window.onDidChangeActiveTextEditor(() => {
      this.#tellWhere();
    }),
    workspace.onDidCloseTextDocument((document) => {
      this.#forget(document);
    }),
  ];

  async show(message: string, rest: T): Promise<void> {
    // What else is being written stays as it is.
    const same = this.#open.find(
      (other) =>
        other.rest.failedId === rest.failedId &&
        [other.begun, other.document.getText().trim()].includes(message.trim()),
    );
    const document =
      same?.document ?? (await workspace.openTextDocument({ language: 'markdown', content: message }));
    const written = { document, rest, begun: same?.begun ?? message.trim() };
    this.#open = [...this.#open.filter((other) => other !== same), written];
    await window.showTextDocument(document, { preview: false });
    this.#tellWhere();
    void showInformation(t('Describe what the agent should do, then select New Conversation above.'));
  }

  /** What has been written, in the active editor or else the last one; undefined where nothing is being written. */
  take(): (Written<T> & { readonly message: string }) | undefined {
    const written = this.#here ?? this.#open.at(-1);
    if (!written) return undefined;
    const { document } = written;
    const message = document.getText().trim();
    if (message !== '') return { ...written, message };
    void window.showTextDocument(document);
    throw new UserError(t('The editor is empty. Describe what the agent should do, or close the editor.'));
  }

  /** This message has been sent. */
  async close({ document, message }: Written<T> & { readonly message: string }): Promise<void> {
    // Text that was written since is not thrown away.
    if (document.isClosed || document.getText().trim() !== message) return;
    this.#forget(document);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  get #here(): Written<T> | undefined {
    return this.#open.find(({ document }) => document === window.activeTextEditor?.document);
  }

  #forget(document: TextDocument): void {
    this.#open = this.#open.filter((other) => other.document !== document);
    this.#tellWhere();
  }

  #tellWhere(): void {
    void commands.executeCommand('setContext', contextKeys.writing, this.#here !== undefined);
  }
}
