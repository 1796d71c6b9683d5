import { type Disposable, FileDecoration, ThemeColor, ThemeIcon, TreeItem, Uri, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ChangedFile } from '../../service/fileChanges.ts';
import { changedFileScheme, type CommandId } from '../manifest.ts';
import { fileStatusWord, shownFilePath } from '../words/conversations/changeWords.ts';

/** The row of a file that a conversation has changed. */
export function changedFileItem(file: ChangedFile, id: string): TreeItem {
  const path = shownFilePath(file.path);
  const slash = path.lastIndexOf('/');
  const item = new TreeItem(path.slice(slash + 1));
  const status = fileStatusWord(file);
  const word = decorations.has(file.status) ? undefined : status;
  item.description = [path.slice(0, Math.max(0, slash)), word].filter(Boolean).join(' · ');
  const from = file.from === undefined ? undefined : t('moved from {0}', shownFilePath(file.from));
  item.tooltip = [path, from ?? status].join('\n');
  item.resourceUri = Uri.from({ scheme: changedFileScheme, path: `/${path}`, query: file.status });
  item.iconPath = ThemeIcon.File;
  item.contextValue = 'changedFile';
  item.accessibilityInformation = { label: [path, from ?? status].join(', ') };
  const command: CommandId = 'switchboard.conversations.openChangedFile';
  item.command = { command, title: t('Show Changes'), arguments: [id] };
  return item;
}

/** The letters and colors of Source Control, by status. */
const decorations: ReadonlyMap<string, FileDecoration> = new Map(
  Object.entries({
    added: new FileDecoration('A', undefined, new ThemeColor('gitDecoration.addedResourceForeground')),
    updated: new FileDecoration('M', undefined, new ThemeColor('gitDecoration.modifiedResourceForeground')),
    deleted: new FileDecoration('D', undefined, new ThemeColor('gitDecoration.deletedResourceForeground')),
    moved: new FileDecoration('R', undefined, new ThemeColor('gitDecoration.renamedResourceForeground')),
  }),
);

export function registerFileDecorations(): Disposable {
  return window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) =>
      scheme === changedFileScheme ? decorations.get(query) : undefined,
  });
}
