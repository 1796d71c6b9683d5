import { ThemeIcon, TreeItem } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ChangedFile } from '../../service/fileChanges.ts';
import { uriOf } from '../changes/changesAddress.ts';
import type { CommandId } from '../manifest.ts';
import { fileStatusWord, shownFilePath } from '../words/changeWords.ts';

/** The row of a file that a conversation has changed. */
export function changedFileItem(key: string, file: ChangedFile, id: string): TreeItem {
  const path = shownFilePath(file.path);
  const slash = path.lastIndexOf('/');
  const item = new TreeItem(path.slice(slash + 1));
  const status = fileStatusWord(file);
  item.description = [path.slice(0, Math.max(0, slash)), status].filter(Boolean).join(' · ');
  const from = file.from === undefined ? undefined : t('moved from {0}', shownFilePath(file.from));
  item.tooltip = [path, from ?? status].join('\n\n');
  // For the icon that the editor has for such a file.
  item.resourceUri = uriOf({ key, since: 'start', side: 'after', path: file.path, inWords: true });
  item.iconPath = ThemeIcon.File;
  item.contextValue = 'changedFile';
  item.accessibilityInformation = { label: [path, from ?? status].join(', ') };
  const command: CommandId = 'switchboard.conversations.openChangedFile';
  item.command = { command, title: t('Show Changes'), arguments: [id] };
  return item;
}
