/**
 * The file system of changed files. It is registered at the start and loads its
 * reader on first use.
 */
import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  workspace,
} from 'vscode';
import type { Subscription } from '../../base/event.ts';
import { lazily } from '../../base/lazily.ts';
import { changesScheme } from '../manifest.ts';
import type { ChangeDocuments } from './documents.ts';

export function registerChanges(
  load: () => Promise<ChangeDocuments>,
): Disposable {
  const changed = new EventEmitter<FileChangeEvent[]>();
  let subscription: Subscription | undefined;
  const reader = lazily(async () => {
    const documents = await load();
    subscription = documents.onDifferent((uris) => {
      changed.fire(uris.map((uri) => ({ type: FileChangeType.Changed, uri })));
    });
    return documents;
  });
  const files: FileSystemProvider = {
    onDidChangeFile: changed.event,
    stat: async (uri) => {
      const { bytes, at } = await (await reader()).read(uri);
      return {
        type: FileType.File,
        ctime: 0,
        mtime: at,
        size: bytes.byteLength,
      };
    },
    readFile: async (uri) => (await (await reader()).read(uri)).bytes,
    watch: () => new Disposable(() => undefined),
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return Disposable.from(
    new Disposable(() => subscription?.dispose()),
    changed,
    workspace.registerFileSystemProvider(changesScheme, files, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
  );
}

const refuse = (): never => {
  throw FileSystemError.NoPermissions();
};
