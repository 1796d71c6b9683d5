/** The configuration file as the editor sees it: unsaved text in the editor, or else what is on the disk. */
import {
  type Disposable,
  EventEmitter,
  Range,
  type TextDocument,
  Uri,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Serial } from '../../base/serial.ts';
import { smallestEdit } from '../../mcp/text/withEdits.ts';
import type { Loss } from '../../files/losses.ts';
import type { Change } from '../../mcp/edit/wantedChange.ts';
import type { ConfigRead } from '../../state/mcpServers/serverList.ts';
import { FileWatch } from './fileWatch.ts';
import { configPath, onConfiguredFileChange } from './places.ts';

/** A change that has been made, as it can be taken back. */
export interface Done {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** False where the file is open with changes of the person, who saves them. */
  readonly saved: boolean;
  readonly losses: readonly Loss[];
}

export class ConfigFile implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** Tells that the text may have changed, or that the settings name another file. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];
  /** What is being written: a check box that is pressed during that must not see the editor half way. */
  readonly #queue = new Serial();
  #watch: FileWatch | undefined;
  #isSeen = false;

  constructor() {
    const concerns = (document: TextDocument) => isSameFile(document.uri.fsPath, this.#watch?.path);
    this.#subscriptions = [
      this.#changed,
      workspace.onDidChangeTextDocument(({ document }) => {
        if (concerns(document)) this.#changed.fire();
      }),
      workspace.onDidCloseTextDocument((document) => {
        if (concerns(document)) this.#changed.fire();
      }),
      onConfiguredFileChange(() => {
        this.#changed.fire();
      }),
    ];
  }

  /** Whether somebody looks at what the file says. */
  set isSeen(isSeen: boolean) {
    this.#isSeen = isSeen;
    if (this.#watch) this.#watch.isSeen = isSeen;
  }

  /** What the file says now. */
  async read(): Promise<ConfigRead> {
    const path = configPath();
    this.#follow(path);
    const unsaved = unsavedDocument(path);
    if (unsaved) return { path, text: unsaved.getText(), saved: false };
    const { readConfig } = await import('../../files/read.ts');
    const found = await readConfig(path);
    if (!found) return { path, text: undefined, saved: true };
    return { path, text: found.text, saved: true, since: found.changedAt };
  }

  /** Makes changes one after the other, all or none. Nothing has happened where `before` is `after`. */
  async change(...changes: readonly Change[]): Promise<Done> {
    const { editText } = await import('../../mcp/edit/editText.ts');
    return await this.write((text) => changes.reduce((now, change) => editText(now, change).text, text));
  }

  /** Puts back what was there before a change, if nothing else has changed since. */
  async undo({ path, before, after }: Done): Promise<void> {
    await this.write((text) => {
      if (text === after) return before;
      throw new UserError(
        t(
          '{0} has been changed since, so this change cannot be undone automatically. Open the file and change it by hand.',
          path,
        ),
      );
    }, path);
  }

  /**
   * Writes another text: under the lock of the file, or into an editor with unsaved changes. An editor without them reads
   * the file again, as a step that can be undone there. It must not save: it may have read the file before another program
   * wrote it, and then refuses.
   */
  async write(change: (text: string) => string, path = configPath()): Promise<Done> {
    return await this.#queue.run(() => this.#write(change, path));
  }

  async #write(change: (text: string) => string, path: string): Promise<Done> {
    const unsaved = unsavedDocument(path);
    if (unsaved) return await writeDocument(unsaved, path, change);
    const { updateConfig } = await import('../../files/update.ts');
    const { before = '', after, losses } = await updateConfig(path, change);
    if (before !== after) this.#changed.fire();
    return { path, before, after, saved: true, losses };
  }

  dispose(): void {
    this.#watch?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #follow(path: string): void {
    if (this.#watch?.path === path) return;
    this.#watch?.dispose();
    this.#watch = new FileWatch(path, () => {
      this.#changed.fire();
    });
    this.#watch.isSeen = this.#isSeen;
  }
}

async function writeDocument(
  document: TextDocument,
  path: string,
  change: (text: string) => string,
): Promise<Done> {
  const before = document.getText();
  const after = change(before);
  if (before === after) return { path, before, after, saved: false, losses: [] };
  const edit = new WorkspaceEdit();
  const { offset, length, content } = smallestEdit(before, after);
  const range = new Range(document.positionAt(offset), document.positionAt(offset + length));
  edit.replace(document.uri, range, content);
  const applied = await workspace.applyEdit(edit);
  if (!applied) throw new UserError(t('The editor did not apply the change to {0}. Try again.', path));
  return { path, before, after: document.getText(), saved: false, losses: [] };
}

/** The document of the file, where it has changes that are not saved. */
function unsavedDocument(path: string): TextDocument | undefined {
  return workspace.textDocuments.find(
    ({ uri, isClosed, isDirty }) =>
      uri.scheme === 'file' && !isClosed && isDirty && isSameFile(uri.fsPath, path),
  );
}

/** Paths of one platform; Windows does not tell capitals from small letters. */
function isSameFile(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [a, b] = [Uri.file(one).fsPath, Uri.file(other).fsPath];
  return process.platform === 'win32' ? a.toLowerCase() === b.toLowerCase() : a === b;
}
