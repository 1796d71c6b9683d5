import { isAbsolute, posix } from 'node:path';
import { env, FileType, type TextEditor, Uri, window, workspace } from 'vscode';
import { reason, UserError } from '../../../base/errors.ts';
import { t, userError } from '../../../base/l10n.ts';
import type { DetailBlock } from '../../../protocol/drawn.ts';
import type { Handlers } from '../../../protocol/handlers.ts';
import type { FromPage } from '../../../protocol/pageMessages.ts';
import type {
  Attached,
  AttachedContent,
} from '../../../service/model/newMessage.ts';
import {
  followLinks,
  localPath,
} from '../../../state/newConversation/fileLinks.ts';
import { isSecretFile } from '../../../state/newConversation/secretFiles.ts';
import { confirm } from '../../ui/messages.ts';
import { inPick } from '../../words/foreignText.ts';
import { shownPath } from '../../words/shownPath.ts';
import type { MessageField } from './messageField.ts';
import type { PageChannel } from './pageChannel.ts';

const maxTextBytes = 500_000;
const maxPictureBytes = 10_000_000;
const maxAttachments = 20;
const maxListedFiles = 5_000;

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

export type AttachmentMessage = Extract<
  FromPage,
  { type: `${'attach' | 'cannotAttach' | 'detach'}${string}` }
>;

/** Functions that add an attachment throw a `UserError` if they cannot. */
export class Attachments {
  readonly #editor: () => TextEditor | undefined;
  readonly #field: MessageField;
  readonly #channel: PageChannel;
  /** The highest id of an earlier attachment. */
  #lastId = 0;
  readonly handlers: Handlers<AttachmentMessage, unknown> = {
    attach: async ({ what }) => {
      if (what === 'file') await this.choose();
      else if (what === 'mention') await this.#chooseInWorkspace();
      else this.addSelection();
    },
    attachDropped: ({ addresses }) => this.addFiles(addresses),
    attachPicture: ({ name, mediaType, base64 }) => {
      this.addPicture(name, mediaType, base64);
    },
    attachText: ({ name, text }) => this.#addDroppedText(name, text),
    cannotAttach: ({ name }) => {
      throw notText(name);
    },
    detach: (message) => {
      this.all = this.all.filter(({ id }) => id !== message.id);
    },
  };

  constructor(
    editor: () => TextEditor | undefined,
    field: MessageField,
    channel: PageChannel,
  ) {
    this.#editor = editor;
    this.#field = field;
    this.#channel = channel;
  }

  get all(): readonly Attached[] {
    return this.#field.attached;
  }

  set all(attached: readonly Attached[]) {
    this.#noteIds();
    void this.#field.change({ attached });
    this.draw();
  }

  /**
   * Returns what an unsent message had attached. Another page may have given the
   * same ids.
   */
  putBack(attached: readonly Attached[] = []): void {
    this.all = [...attached, ...this.all].map((attachment, id) => ({
      ...attachment,
      id,
    }));
  }

  draw(): void {
    const attachments = this.all.map(({ id, name, picture, gathered }) => ({
      id,
      name,
      ...(picture && { picture }),
      ...(gathered && { leftOut: gathered.leftOut }),
    }));
    this.#channel.send({ type: 'attachments', attachments });
  }

  drawContent(id: number): void {
    const attachment = this.all.find((item) => item.id === id);
    if (!attachment) return;
    const content: DetailBlock =
      attachment.text === undefined
        ? { kind: 'picture', label: '', picture: attachment.picture }
        : { kind: 'code', label: '', text: attachment.text };
    this.#channel.send({ type: 'attached', id, content });
  }

  /** Adds a file of another program, whose address is unknown. */
  async #addDroppedText(name: string, text: string) {
    if (isSecretFile(name) && !(await confirmSecretFile(name))) return;
    this.#addText(name, text);
  }

  #addText(name: string, text: string) {
    if (Buffer.byteLength(text) > maxTextBytes) throw tooLarge(name);
    this.#add(name, { text });
  }

  addPicture(name: string, mediaType: string, base64: string): void {
    if (base64.length > (maxPictureBytes * 4) / 3 + 4) throw tooLarge(name);
    this.#add(name === '' ? t('Picture') : name, {
      picture: { mediaType, base64 },
    });
  }

  async #addFile(address: Uri) {
    const uri = await realFile(address);
    const name = nameOf(uri);
    if (
      isSecretFile(workspace.asRelativePath(uri)) &&
      !(await confirmSecretFile(name))
    )
      return;
    const mediaType =
      mediaTypes[/\.(\w+)$/.exec(uri.path)?.[1]?.toLowerCase() ?? ''];
    const bytes = await bytesOf(
      uri,
      name,
      mediaType === undefined ? maxTextBytes : maxPictureBytes,
    );
    if (mediaType !== undefined) {
      this.addPicture(name, mediaType, Buffer.from(bytes).toString('base64'));
      return;
    }
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw notText(name);
    }
    if (text.includes('\0')) throw notText(name);
    this.#addText(name, text);
  }

  async choose(): Promise<void> {
    const chosen = await window.showOpenDialog({
      canSelectMany: true,
      openLabel: t('Attach'),
    });
    await addEach(chosen ?? [], (uri) => this.#addFile(uri));
  }

  async #chooseInWorkspace() {
    const uris = await workspace.findFiles(
      '**/*',
      '**/{node_modules,.git}/**',
      maxListedFiles,
    );
    const files = uris
      .map((uri) => ({ uri, path: workspace.asRelativePath(uri) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ uri, path }) => ({
        label: inPick(posix.basename(path)),
        description: inPick(posix.dirname(path).replace(/^\.$/, '')),
        uri,
      }));
    const browse = {
      label: t('Browse…'),
      description: '',
      alwaysShow: true,
      uri: undefined,
    };
    const picked = await window.showQuickPick([...files, browse], {
      placeHolder: t('File to attach'),
      matchOnDescription: true,
    });
    if (picked?.uri) await this.#addFile(picked.uri);
    else if (picked) await this.choose();
  }

  async addFiles(addresses: readonly string[]): Promise<void> {
    await addEach(addresses, (address) => this.#addFile(Uri.parse(address)));
  }

  addSelection(): void {
    const { document, selection } = this.#editor() ?? {};
    if (!document || !selection || selection.isEmpty) {
      throw userError(
        'Nothing is selected. Select some text in an editor first.',
      );
    }
    const first = selection.start.line + 1;
    const last = selection.end.line + 1;
    const lines = first === last ? `${first}` : `${first}-${last}`;
    this.#addText(
      `${nameOf(document.uri)}:${lines}`,
      document.getText(selection),
    );
  }

  #add(name: string, content: AttachedContent) {
    const { all } = this;
    if (all.length >= maxAttachments) {
      throw userError(
        'You can attach at most {0} items to a message.',
        maxAttachments,
      );
    }
    this.all = [...all, { id: this.#noteIds() + 1, name, ...content }];
  }

  #noteIds(): number {
    return (this.#lastId = Math.max(
      this.#lastId,
      ...this.all.map(({ id }) => id),
    ));
  }
}

/** Adds all that it can, then throws one `UserError` about the others. */
async function addEach<T>(all: readonly T[], add: (item: T) => Promise<void>) {
  const problems = new Set<string>();
  for (const item of all) {
    try {
      await add(item);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.add(error.message);
    }
  }
  if (problems.size > 0) throw new UserError([...problems].join(' '));
}

/**
 * The file that the address leads to. Refuses files whose links cannot be
 * followed, or that a link conceals.
 */
async function realFile(address: Uri): Promise<Uri> {
  const local = localPath(address, env.remoteName);
  if (local === undefined)
    throw userError(
      'Only files on the machine of this window can be attached.',
    );
  const folders = (workspace.workspaceFolders ?? []).map(
    ({ uri }) => uri.fsPath,
  );
  const { path, isConcealed } = await followLinks(local, folders);
  if (!isConcealed) return Uri.file(path);
  throw userError(
    '“{0}” is a link to {1}. Attach that file itself.',
    nameOf(Uri.file(local)),
    shownPath(path),
  );
}

/**
 * The path in its workspace folder, or the file name alone: other folders are
 * not the agent's business.
 */
function nameOf(uri: Uri): string {
  const path = workspace.asRelativePath(uri);
  return isAbsolute(path) ? posix.basename(uri.path) : path;
}

function confirmSecretFile(name: string): Promise<boolean> {
  return confirm(
    t('Attach “{0}”?', name),
    t(
      'Files with this name usually contain secrets. They are sent to the service unchanged.',
    ),
    t('Attach'),
  );
}

async function bytesOf(
  uri: Uri,
  name: string,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    const { size, type } = await workspace.fs.stat(uri);
    if ((type & FileType.Directory) !== 0)
      throw userError('Only files can be attached.');
    if (size > maxBytes) throw tooLarge(name);
    return await workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw userError('“{0}” cannot be read: {1}', name, reason(error));
  }
}

function tooLarge(name: string): UserError {
  return userError('“{0}” is too large to be attached.', name);
}

function notText(name: string): UserError {
  return userError(
    '“{0}” cannot be attached: it is too large, or neither text nor a picture.',
    name,
  );
}
