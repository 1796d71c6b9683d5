/** Messages of several lines, in untitled documents with a code lens that creates the conversation. */
import {
  CodeLens,
  commands,
  type Disposable,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { type CommandId, contextKeys } from '../manifest.ts';

interface Written<T> {
  readonly document: TextDocument;
  readonly rest: T;
  /** The initial text. */
  readonly begun: string;
}

export type WrittenMessage<T> = Written<T> & { readonly message: string };

/** `T`: other answers that belong to the message, such as the failed conversation to retry. */
export class MessageEditor<T extends { readonly failedId: string | undefined }> implements Disposable {
  /** Most recently shown first. */
  #open: readonly Written<T>[] = [];
  readonly #changed = new EventEmitter<void>();
  readonly #subscriptions = [
    window.onDidChangeActiveTextEditor(() => {
      this.#tellWhere();
    }),
    workspace.onDidCloseTextDocument((document) => {
      this.#forget(document);
    }),
    languages.registerCodeLensProvider(
      { scheme: 'untitled' },
      {
        onDidChangeCodeLenses: this.#changed.event,
        provideCodeLenses: (document) => {
          if (!this.#open.some((other) => other.document === document)) return [];
          const command: CommandId = 'switchboard.conversations.new';
          const title = t('Create Conversation…');
          return [new CodeLens(new Range(0, 0, 0, 0), { command, title, arguments: [document.uri] })];
        },
      },
    ),
    this.#changed,
  ];

  async show(message: string, rest: T): Promise<void> {
    // A different message gets its own document.
    const same = this.#open.find(
      (other) =>
        other.rest.failedId === rest.failedId &&
        [other.begun, other.document.getText().trim()].includes(message.trim()),
    );
    const document =
      same?.document ?? (await workspace.openTextDocument({ language: 'markdown', content: message }));
    const written = { document, rest, begun: same?.begun ?? message.trim() };
    this.#open = [written, ...this.#open.filter((other) => other !== same)];
    this.#changed.fire();
    await window.showTextDocument(document, { preview: false });
    this.#tellWhere();
  }

  /** The messages in open editors, most recently shown first. */
  get open(): readonly { readonly address: string; readonly text: string }[] {
    return this.#open
      .map(({ document }) => ({ address: document.uri.toString(), text: document.getText() }))
      .filter(({ text }) => text.trim() !== '');
  }

  /** Takes the message in the editor with this address; `undefined` if that editor holds no message. */
  take(address: string): WrittenMessage<T> | undefined {
    const written = this.#open.find(({ document }) => document.uri.toString() === address);
    if (!written) return undefined;
    const { document } = written;
    const message = document.getText().trim();
    if (message !== '') return { ...written, message };
    void window.showTextDocument(document);
    throw new UserError(t('The editor is empty. Describe what the agent should do, or close the editor.'));
  }

  /** Closes the editor of a message that was sent. */
  async close({ document, message }: WrittenMessage<T>): Promise<void> {
    // Keeps text that was written since.
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
    this.#changed.fire();
    this.#tellWhere();
  }

  #tellWhere(): void {
    void commands.executeCommand('setContext', contextKeys.writing, this.#here !== undefined);
  }
}
