/** The file system of changed files. It is registered at the start and loads its reader on first use. */
import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FileSystemError,
  type FileSystemProvider,
  type FileStat,
  FileType,
  type Uri,
  workspace,
} from 'vscode';
import type { Subscription } from '../../base/event.ts';
import { lazily } from '../../base/lazily.ts';
import { changesScheme } from '../manifest.ts';
import type { ChangeDocuments } from './documents.ts';

export function registerChanges(reader: () => Promise<ChangeDocuments>): Disposable {
  const files = new ChangesFileSystem(reader);
  return Disposable.from(
    files,
    workspace.registerFileSystemProvider(changesScheme, files, { isReadonly: true, isCaseSensitive: true }),
  );
}

const refuse = (): never => {
  throw FileSystemError.NoPermissions();
};

class ChangesFileSystem implements FileSystemProvider {
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #reader: () => Promise<ChangeDocuments>;
  #subscription: Subscription | undefined;

  constructor(load: () => Promise<ChangeDocuments>) {
    this.#reader = lazily(async () => {
      const reader = await load();
      this.#subscription = reader.onDifferent((uris) => {
        this.#changed.fire(uris.map((uri) => ({ type: FileChangeType.Changed, uri })));
      });
      return reader;
    });
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { bytes, at } = await (await this.#reader()).read(uri);
    return { type: FileType.File, ctime: 0, mtime: at, size: bytes.byteLength };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await (await this.#reader()).read(uri)).bytes;
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  readDirectory(): [] {
    return [];
  }

  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  dispose(): void {
    this.#subscription?.dispose();
    this.#changed.dispose();
  }
}
