/** The configuration file as the editor sees it: the text of an open editor, or else what is on the disk. */
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
import { smallestEdit } from '../../mcp/text/withEdits.ts';
import type { Loss } from '../../files/losses.ts';
import type { Change } from '../../mcp/edit/wantedChange.ts';
import type { ConfigRead } from '../../state/mcpServers/serverList.ts';
import { hasTab } from '../tabs.ts';
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
  #writing: Promise<unknown> = Promise.resolve();
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
    const open = openDocument(path);
    if (open?.isDirty === true) return { path, text: open.getText(), saved: false };
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

  /** Writes another text: into the open editor, where it can be undone, or else under the lock of the file. */
  async write(change: (text: string) => string, path = configPath()): Promise<Done> {
    const written = this.#writing.then(() => this.#write(change, path));
    this.#writing = written.catch(() => undefined);
    return await written;
  }

  async #write(change: (text: string) => string, path: string): Promise<Done> {
    const open = openDocument(path);
    // One that is older than the file is left to the editor, which reads it again.
    if (open && (open.isDirty || (await isFresh(open)))) return await writeDocument(open, path, change);
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

/** Whether a document says what is on the disk. The editor may have kept it since before another program wrote. */
export async function isFresh(document: TextDocument): Promise<boolean> {
  const { readConfig } = await import('../../files/read.ts');
  const found = await readConfig(document.uri.fsPath);
  const lines = (text: string) => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return found !== undefined && lines(found.text) === lines(document.getText());
}

async function writeDocument(
  document: TextDocument,
  path: string,
  change: (text: string) => string,
): Promise<Done> {
  const wasDirty = document.isDirty;
  const before = document.getText();
  const after = change(before);
  if (before === after) return { path, before, after, saved: !wasDirty, losses: [] };
  const edit = new WorkspaceEdit();
  const { offset, length, content } = smallestEdit(before, after);
  const range = new Range(document.positionAt(offset), document.positionAt(offset + length));
  edit.replace(document.uri, range, content);
  const applied = await workspace.applyEdit(edit);
  if (!applied) throw new UserError(t('The editor did not apply the change to {0}. Try again.', path));
  const saved = !wasDirty && (await document.save());
  return { path, before, after: document.getText(), saved, losses: [] };
}

/** The document of the file, where it is open in a tab or has changes that are not saved. */
function openDocument(path: string): TextDocument | undefined {
  const document = workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && isSameFile(uri.fsPath, path),
  );
  return document && (document.isDirty || hasTab(document.uri)) ? document : undefined;
}

/** Paths of one platform; Windows does not tell capitals from small letters. */
function isSameFile(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [a, b] = [Uri.file(one).fsPath, Uri.file(other).fsPath];
  return process.platform === 'win32' ? a.toLowerCase() === b.toLowerCase() : a === b;
}
