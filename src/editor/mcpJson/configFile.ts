/**
 * The configuration file as the editor sees it: unsaved text in the editor, or
 * else what is on the disk.
 */
import {
  type Disposable,
  EventEmitter,
  type TextDocument,
  workspace,
} from 'vscode';
import { userError } from '../../base/l10n.ts';
import { Serial } from '../../base/serial.ts';
import { smallestEdit } from '../../mcp/text/withEdits.ts';
import type { Loss } from '../../files/losses.ts';
import type { Change } from '../../mcp/edit/wantedChange.ts';
import type { ConfigRead } from '../../state/mcpServers/serverList.ts';
import { FileWatch } from './fileWatch.ts';
import { configPath, isFile, onConfiguredFileChange } from './places.ts';
import { workspaceEdit } from './spans.ts';

export interface ConfigChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** False if the file is open with unsaved changes. */
  readonly saved: boolean;
  readonly losses: readonly Loss[];
}

export class ConfigFile implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /**
   * Fires when the text may have changed, or the settings name another file.
   */
  readonly onDidChange = this.#changed.event;
  readonly #fire = () => {
    this.#changed.fire();
  };
  readonly #subscriptions: readonly { dispose(): unknown }[];
  /** A check box that is pressed during a write must not see half of it. */
  readonly #queue = new Serial();
  #watch: FileWatch | undefined;
  #isSeen = false;

  constructor() {
    const fireFor = ({ uri }: TextDocument) => {
      if (this.#watch && isFile(uri, this.#watch.path)) this.#fire();
    };
    this.#subscriptions = [
      this.#changed,
      workspace.onDidChangeTextDocument(({ document }) => {
        fireFor(document);
      }),
      workspace.onDidCloseTextDocument(fireFor),
      onConfiguredFileChange(this.#fire),
    ];
  }

  /** True while a visible view shows the file. */
  set isSeen(isSeen: boolean) {
    this.#isSeen = isSeen;
    if (this.#watch) this.#watch.isSeen = isSeen;
  }

  async read(): Promise<ConfigRead> {
    const path = configPath();
    this.#follow(path);
    const unsaved = unsavedDocument(path);
    if (unsaved) return { path, text: unsaved.getText(), saved: false };
    const { readConfig } = await import('../../files/read.ts');
    const file = await readConfig(path);
    if (!file) return { path, text: undefined, saved: true };
    return { path, text: file.text, saved: true };
  }

  /**
   * Makes all changes or none. `before` equals `after` if nothing had to
   * change.
   */
  async change(...changes: readonly Change[]): Promise<ConfigChange> {
    const { editText } = await import('../../mcp/edit/editText.ts');
    return await this.write((text) =>
      changes.reduce((now, change) => editText(now, change).text, text),
    );
  }

  /**
   * Reverts a change unless the file has changed since. A file that was not
   * there stays, without servers.
   */
  async undo({ path, before, after }: ConfigChange): Promise<void> {
    const { restoredConfig } = await import('../../files/update.ts');
    await this.write((text) => {
      if (text === after) return restoredConfig(before);
      throw userError(
        '{0} has been changed since, so this change cannot be undone automatically. Open the file and change it by hand.',
        path,
      );
    }, path);
  }

  /**
   * Writes another text: under the lock of the file, or into an editor with
   * unsaved changes. An editor without them reads the file again, as a step
   * that can be undone there. It must not save: it may have read the file
   * before another program wrote it, and then refuses.
   */
  async write(
    change: (text: string) => string,
    path = configPath(),
  ): Promise<ConfigChange> {
    return await this.#queue.run(() => this.#write(change, path));
  }

  async #write(
    change: (text: string) => string,
    path: string,
  ): Promise<ConfigChange> {
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

  #follow(path: string) {
    if (this.#watch?.path === path) return;
    this.#watch?.dispose();
    this.#watch = new FileWatch(path, this.#fire);
    this.#watch.isSeen = this.#isSeen;
  }
}

async function writeDocument(
  document: TextDocument,
  path: string,
  change: (text: string) => string,
): Promise<ConfigChange> {
  const before = document.getText();
  const after = change(before);
  if (before === after)
    return { path, before, after, saved: false, losses: [] };
  const applied = await workspace.applyEdit(
    workspaceEdit(document, [smallestEdit(before, after)]),
  );
  if (!applied)
    throw userError(
      'The editor did not apply the change to {0}. Try again.',
      path,
    );
  return { path, before, after: document.getText(), saved: false, losses: [] };
}

function unsavedDocument(path: string): TextDocument | undefined {
  return workspace.textDocuments.find(
    ({ uri, isClosed, isDirty }) => !isClosed && isDirty && isFile(uri, path),
  );
}
