/** Asks and tells the user before a server of this machine is started. */
import { env, Uri, window, workspace } from 'vscode';
import { t } from '../../base/l10n.ts';
import { homeFolder } from '../../files/homeFolder.ts';
import {
  type Command,
  commandLine,
  uvInstallation,
} from '../../localServer/installCommands.ts';
import { showError } from '../ui/messages.ts';
import { shownPath } from '../words/shownPath.ts';

/** A command for a shell in this folder, with `~` for the home folder. */
export function shownCommand(command: Command, folder?: string): string {
  const line = commandLine(command, folder);
  // Docker does not know `~`.
  if (folder === undefined) return `> ${line}`;
  return ['>', ...line.split(' ').map((word) => shownPath(word))].join(' ');
}

export function searchPlaces() {
  const { env: environment, platform } = process;
  return { environment, home: homeFolder() ?? '', platform };
}

/** Empty if the user gave up. */
export async function askForFolders(): Promise<readonly string[]> {
  const [open] = workspace.workspaceFolders ?? [];
  const folders = await window.showOpenDialog({
    title: t('Folders That Agents in the Container Can Change'),
    openLabel: t('Select Folders'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: true,
    ...(open && { defaultUri: open.uri }),
  });
  return (folders ?? []).map(({ fsPath }) => fsPath);
}

export function keysNote(): string {
  return t(
    'It listens on 127.0.0.1 only, with keys that are made now and kept in the secret storage of VS Code.',
  );
}

/** Resolves with the button that was pressed. */
export async function tellHowToGetUv(
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const command = uvInstallation.command(process.platform);
  const copy = t('Copy Command');
  const help = t('How to Install uv');
  const answer = await showError(
    t(
      'An Agent Server needs uv, or Python 3.12 or 3.13, and neither was found. Get uv with: {0}',
      command,
    ),
    copy,
    help,
    ...buttons,
  );
  if (answer === copy) await env.clipboard.writeText(command);
  if (answer === help) await env.openExternal(Uri.parse(uvInstallation.page));
  return answer;
}
